"""The order of the steps: what each stage calls, with which settings and inputs. Nothing is
computed here.

The same functions run, plan (`phrasenet status`) and resume, according to the `Run` they are given.
"""

from dataclasses import dataclass
from typing import Any

from flows.checking import check_data
from flows.cleaning import CleanPairs, Writing, clean_pairs, column, link_pairs
from flows.licences import check_licences, joined_licences
from flows.settings import Settings
from flows.sources import (
    ShardWords,
    TestWords,
)
from flows.terms import tell_terms
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.memory import Snapshot
from tasks.collect import (
    CollectConfig,
    collect,
    count_corpus,
    keep_reliable,
    listed_phrases,
    select,
    settle_part,
)
from tasks.confirm import confirm, confirm_rules, merge_rules
from tasks.lexical import count_lexical, merge_lexical
from tasks.mine import mine
from tasks.mining.key_parts import parts_of
from tasks.run import Pending, Run
from tasks.tag import tag_held_out, tag_training

PUBLISH, REPORT, PROMOTE = "publish", "report", "promote"
STEPS = (
    "dictionary",
    "testset",
    "ingest",
    "lexicon",
    "words",
    "quality",
    "judge",
    "repeats",
    "clean",
    "drift",
    "aligner",
    "align",
    "linked",
    "mine",
    "select",
    "listed",
    "confirm",
    "corpus-counts",
    "reliable",
    "sequences",
    "neighbours",
    "contexts",
    "term-units",
    "overhangs",
    "term-totals",
    "judge-terms",
    "terms",
    "settle",
    "collect",
    "lexical-counts",
    "lexical",
    "rule-uses",
    "rules",
    "check",
    PUBLISH,
    "tag",
    "units",
    "code",
    "vocabulary",
    "casing",
    "train",
    "smt-table",
    "smt-tune",
    "moses-train",
    "gold",
    "test-terms",
    "translate",
    "smt-translate",
    "moses-translate",
    "record",
    "smt-record",
    "score",
    "analyse",
    "scaling",
    "tag_terms",
    "term_settings",
    "comparison",
    "gate",
    REPORT,
    PROMOTE,
)
"""Every step in the order in which it is first called. `publish` moves the memory's HEAD; `report`
is a view of the results; `promote` changes the model in production, where the settings ask for it.
"""


HeldOut = tuple[tuple[TestWords, ArtifactRef], ...]
"""Test sets with their tagged sentences."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh of the phrase memory leaves for the stages after it."""

    raw: tuple[ArtifactRef, ...]
    pairs: tuple[ArtifactRef, ...]
    links: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]
    testsets: tuple[TestWords, ...]
    writing: Writing
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Tagged:
    """Sentences with the phrases that are offered to them."""

    training: tuple[ArtifactRef, ...]
    held_out: HeldOut


def refresh(run: Run, settings: Settings) -> Refreshed:
    """Read the sources, mine phrases and publish a snapshot of the memory.

    Raises:
        ConfigError: the settings name no corpus, or one whose licence nobody knows.
    """
    check_licences(settings)
    cleaned = clean_pairs(run, settings)
    _must_hold_pairs(settings, cleaned.pairs)
    linked = link_pairs(run, settings, cleaned)
    cut, pairs, links = cleaned.shards, linked.pairs, linked.links
    counted = run.all(
        [
            run.prepare(
                mine,
                item.label,
                pairs=pairs[index],
                links=links[index],
                config=settings.extraction,
                max_words=settings.memory.max_words,
            )
            for index, item in enumerate(cut)
        ]
    )
    settled = _settle(run, settings, cleaned, (pairs, links), counted)
    checked = check_data(run, settings, cleaned.raw, linked, settled)
    snapshot = run.publish(PUBLISH, settled, checks=checked.table, guard=checked.guard)
    return Refreshed(
        raw=cleaned.raw,
        pairs=pairs,
        links=links,
        dropped=linked.dropped,
        testsets=cleaned.testsets,
        writing=cleaned.writing,
        snapshot=snapshot,
    )


def _settle(
    run: Run,
    settings: Settings,
    cleaned: CleanPairs,
    linked: tuple[tuple[ArtifactRef, ...], tuple[ArtifactRef, ...]],
    counted: list[Any],
) -> Snapshot:
    cut, (pairs, links) = cleaned.shards, linked
    candidates = run.one(
        select,
        "",
        phrase_counts=column(counted, 0),
        source_counts=column(counted, 1),
        target_counts=column(counted, 2),
        config=settings.memory,
    )
    shards = tuple(zip(cut, pairs, strict=True))
    listed, listings = _listed(run, settings, cleaned.writing.entries)
    uses = _confirm(run, cut, pairs, "mined", candidates)
    listed_uses = _confirm(run, cut, pairs, "listed", listed)
    by_corpus = _by_corpus(run, cut, counted, uses, candidates)
    kept = run.one(
        keep_reliable,
        "",
        candidates=candidates,
        use_counts=tuple(by_corpus.values()),
        config=settings.memory,
    )
    terms = tell_terms(run, settings, shards, links, kept, (cleaned.writing.entries, listings))
    settled = _collect(
        run,
        settings,
        {"candidates": candidates, "reliable": kept, "terms": terms},
        by_corpus,
        {"listings": (listings,), "use_counts": listed_uses},
    )
    lexical = _weigh(run, settings, shards, links, (settled[0], candidates))
    return Snapshot(settled[0], settled[1], _count_rules(run, shards), *lexical)


def _weigh(
    run: Run,
    settings: Settings,
    shards: tuple[tuple[ShardWords, ArtifactRef], ...],
    links: tuple[ArtifactRef, ...],
    phrases: tuple[ArtifactRef, ArtifactRef],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Count what the lexical weights of the memory's phrases rest on."""
    memory, candidates = phrases
    counted = run.all(
        [
            run.prepare(
                count_lexical,
                item.label,
                shard=(pairs, links[index]),
                phrases=(candidates, memory),
                config=settings.extraction,
                max_words=settings.memory.max_words,
            )
            for index, (item, pairs) in enumerate(shards)
        ]
    )
    kinds = ("link_counts", "alignment_counts", "sentence_counts")
    merged = run.one(
        merge_lexical,
        "",
        phrases=memory,
        candidates=candidates,
        counts={kind: column(counted, place) for place, kind in enumerate(kinds)},
        pairs=tuple(ref for _, ref in shards),
    )
    return merged[0], merged[1]


def _count_rules(run: Run, shards: tuple[tuple[ShardWords, ArtifactRef], ...]) -> ArtifactRef:
    """Count in every shard how often the rules are right, and add it up."""
    counted = run.all([run.prepare(confirm_rules, item.label, pairs=ref) for item, ref in shards])
    return run.one(merge_rules, "", rule_counts=tuple(counted))


def _confirm(
    run: Run,
    cut: tuple[ShardWords, ...],
    pairs: tuple[ArtifactRef, ...],
    kind: str,
    phrases: ArtifactRef,
) -> tuple[ArtifactRef, ...]:
    """Count the uses of phrases in every shard."""
    return tuple(
        run.all(
            [
                run.prepare(confirm, f"{kind} {item.label}", pairs=ref, phrases=phrases)
                for item, ref in zip(cut, pairs, strict=True)
            ]
        )
    )


def _by_corpus(
    run: Run,
    cut: tuple[ShardWords, ...],
    counted: list[Any],
    uses: tuple[ArtifactRef, ...],
    candidates: ArtifactRef,
) -> dict[str, ArtifactRef]:
    """Add up what the shards of each corpus say of the likely phrases."""
    arranged: dict[str, dict[str, tuple[ArtifactRef, ...]]] = {}
    for item, counts, used in zip(cut, counted, uses, strict=True):
        corpus = arranged.setdefault(item.corpus, {"pair_counts": (), "use_counts": ()})
        corpus["pair_counts"] += (counts[0],)
        corpus["use_counts"] += (used,)
    made = run.all(
        [
            run.prepare(count_corpus, corpus, candidates=candidates, **tables)
            for corpus, tables in arranged.items()
        ]
    )
    return dict(zip(arranged, made, strict=True))


def _collect(
    run: Run,
    settings: Settings,
    likely: dict[str, ArtifactRef],
    counts: dict[str, ArtifactRef],
    dictionaries: dict[str, tuple[ArtifactRef, ...]],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase, part by part, and put the parts together."""
    config = CollectConfig(
        memory=settings.memory,
        lowercase=settings.text.lowercase,
        fragments=settings.terms.fragments,
        licences=joined_licences(settings),
        untrusted=tuple(config.name for config in settings.dictionaries if not config.trusted),
    )
    decisions = run.workspace.decisions.tables() + run.workspace.tombstones.of_phrases()
    settled = run.all(
        [
            run.prepare(
                settle_part,
                f"{part.number + 1}/{part.of}",
                likely={kind: likely[kind] for kind in ("reliable", "terms")},
                counts=counts,
                claimed={**dictionaries, "decisions": decisions},
                part=part,
                config=config,
            )
            for part in parts_of(settings.execution.shards)
        ]
    )
    made = run.one(
        collect,
        "",
        phrases=column(settled, 0),
        evidence=column(settled, 1),
        candidates=likely["candidates"],
        counts=counts,
        config=settings.memory,
    )
    return made[0], made[1]


def _listed(
    run: Run, settings: Settings, entries: tuple[ArtifactRef, ...]
) -> tuple[ArtifactRef, ArtifactRef]:
    """Return what dictionaries list: phrases to look up, and their entries by source."""
    made = run.one(listed_phrases, "", entries=entries, lowercase=settings.text.lowercase)
    return made[0], made[1]


def tag(run: Run, settings: Settings, refreshed: Refreshed) -> Tagged:
    """Offer the phrases of the snapshot to all training and held-out sentences."""
    training = run.all(
        [
            run.prepare(
                tag_training,
                f"training {index + 1}/{len(refreshed.pairs)}",
                shard=(pairs, refreshed.links[index]),
                all_pairs=refreshed.pairs,
                memory=refreshed.snapshot.tables,
                config=settings.memory,
                extraction=settings.extraction,
            )
            for index, pairs in enumerate(refreshed.pairs)
        ]
    )
    held_out = run.all(
        [
            run.prepare(
                tag_held_out,
                item.name,
                words=item.words,
                memory=refreshed.snapshot.tables,
                config=settings.memory,
            )
            for item in refreshed.testsets
        ]
    )
    return Tagged(tuple(training), tuple(zip(refreshed.testsets, held_out, strict=True)))


def _must_hold_pairs(settings: Settings, pairs: tuple[ArtifactRef, ...]) -> None:
    if any(isinstance(ref, Pending) for ref in pairs):
        return
    if not any(ref.rows for ref in pairs):
        corpora = ", ".join(config.name for config in settings.corpora)
        raise InputError(
            f"{settings.file}: every sentence pair of {corpora} was dropped as unfit. "
            f"`phrasenet corpus dropped -c {settings.file}` shows why; loosen [text] or mend the "
            "corpus."
        )
