"""Steps that weigh the evidence: sieve what was mined, then settle on one translation or
abstain.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Category, phrase_id
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.decisions import ReviewDecision, standing
from tasks.mining.evidence import EVIDENCE_OF_CORPUS
from tasks.mining.selection import SELECT_PHRASES, candidate_parameters
from tasks.mining.settle import Claim, Decision, settle_all
from tasks.mining.verification import (
    SELECT_RELIABLE,
    by_source,
    count_uses,
    reliable_parameters,
)
from tasks.step import step
from tasks.text.english import tokenise
from tasks.text.script import normalise

log = logging.getLogger(__name__)

COUNTS = ("pair_count", "source_count", "target_count", "found", "occurrences")
"""What a mined phrase rests on."""


MINED_FROM_LINKS = "alignment"
"""The method of mining, kept with each piece of evidence."""
REVIEWED = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectConfig:
    """What the memory depends on beside its evidence."""

    memory: MemoryConfig
    lowercase: bool
    """Whether target words are lower-cased, as those of the corpora are."""
    licences: Mapping[str, str]
    """Licence of each corpus that was mined."""
    untrusted: tuple[str, ...] = ()
    """Dictionaries that mined phrases outrank."""


CorpusCounts = Mapping[str, tuple[ArtifactRef, ...]]
"""`pair_counts` and `use_counts` of the shards of one corpus."""


@step(writes=("candidates",), libraries=("duckdb",))
def select(
    workspace: Workspace,
    *,
    phrase_counts: tuple[ArtifactRef, ...],
    source_counts: tuple[ArtifactRef, ...],
    target_counts: tuple[ArtifactRef, ...],
    config: MemoryConfig,
) -> ArtifactRef:
    """Merge the counts of all shards and keep the phrase pairs that are likely enough to look
    at.
    """
    return workspace.write_query(
        "candidates",
        SELECT_PHRASES,
        {
            "pair_counts": phrase_counts,
            "source_counts": source_counts,
            "target_counts": target_counts,
        },
        candidate_parameters(config),
    )


@step(writes=("use_counts",))
def confirm(
    workspace: Workspace, *, pairs: ArtifactRef, candidates: ArtifactRef, max_words: int
) -> ArtifactRef:
    """Count in the words of one shard how often each candidate is right where its source stands."""
    likely = workspace.read_columns(candidates, ["source", "target"])
    wanted = by_source(zip(likely["source"], likely["target"], strict=True))
    words = workspace.read_columns(pairs, ["source_words", "target_words"])
    counts = count_uses(
        zip(words["source_words"], words["target_words"], strict=True), wanted, max_words=max_words
    )
    return workspace.write_rows(
        "use_counts",
        (
            {
                "source": source,
                "target": target,
                "found": found,
                "occurrences": counts.occurrences[source],
            }
            for (source, target), found in counts.found.items()
        ),
    )


@step(writes=("phrases", "evidence"), libraries=("duckdb",))
def collect(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    mined: Mapping[str, CorpusCounts],
    entries: tuple[ArtifactRef, ...],
    decisions: tuple[ArtifactRef, ...],
    config: CollectConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase, keeping all evidence.

    Args:
        workspace: where the tables are.
        candidates: what was mined and is likely.
        mined: the counts that speak for the candidates, by corpus.
        entries: the dictionaries.
        decisions: what people decided, oldest first.
        config: what else the memory depends on.
    """
    reliable = {
        (row["source"], row["target"]): row
        for row in workspace.query(
            SELECT_RELIABLE,
            {
                "candidates": candidates,
                "use_counts": [ref for refs in mined.values() for ref in refs["use_counts"]],
            },
            reliable_parameters(config.memory),
        )
    }
    evidence = [
        item
        for corpus, counts in mined.items()
        for item in _mined(workspace, corpus, counts, reliable, config)
    ]
    evidence += [
        item
        for ref in entries
        for row in workspace.read_rows(ref)
        if (item := _listed(row, config)) is not None
    ]
    evidence += _decided(workspace, decisions, lowercase=config.lowercase)
    evidence = _spelled_alike(evidence)
    totals = {phrase_id(*key): row for key, row in reliable.items()}
    decisions_made = list(settle_all(item.claim for item in evidence))
    _say_what_was_settled(decisions_made)
    notes = {item.phrase_id: item.reason for item in evidence if item.reason}
    phrases = workspace.write_rows(
        "phrases", (_phrase(item, totals, notes) for item in decisions_made)
    )
    return phrases, workspace.write_rows("evidence", (item.row() for item in evidence))


def _say_what_was_settled(decisions: Sequence[Decision]) -> None:
    """Log how many source phrases have their one translation, and how many are in conflict."""
    sources = {
        state: len({item.source for item in decisions if item.state == state})
        for state in ("active", "conflict", "rejected")
    }
    log.info(
        "%d source phrases have one translation; %d are in conflict and not used; "
        "%d had a translation rejected",
        *sources.values(),
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """One reason to believe a phrase, with where it stands."""

    claim: Claim
    licence: str
    line: int = 0
    part: int = 0
    method: str = ""
    pair_count: int = 0
    found: int = 0
    occurrences: int = 0
    author: str = ""
    decided: str = ""
    reason: str = ""

    @property
    def phrase_id(self) -> str:
        return phrase_id(self.claim.source, self.claim.target)

    def row(self) -> dict[str, Any]:
        return {
            "phrase_id": self.phrase_id,
            "origin": self.claim.origin,
            "provider": self.claim.name,
            "method": self.method,
            "line": self.line,
            "part": self.part,
            "category": self.claim.category,
            "licence": self.licence,
            "pair_count": self.pair_count,
            "found": self.found,
            "occurrences": self.occurrences,
            "rejects": self.claim.rejects,
            "author": self.author,
            "decided": self.decided,
            "reason": self.reason,
        }


def _spelled_alike(evidence: list[_Evidence]) -> list[_Evidence]:
    """Give targets that differ only in blanks one spelling, and number evidence of one place.

    Such targets are one phrase with one id; the most trusted source's spelling is kept.
    """
    ranked = sorted(evidence, key=lambda item: (item.claim.rank, item.claim.target))
    spelling: dict[str, str] = {}
    for item in ranked:
        spelling.setdefault(item.phrase_id, item.claim.target)
    places: Counter[tuple[str, str, int]] = Counter()
    alike: list[_Evidence] = []
    for item in ranked:
        place = (item.phrase_id, item.claim.name, item.line)
        claim = replace(item.claim, target=spelling[item.phrase_id])
        alike.append(replace(item, claim=claim, part=places[place]))
        places[place] += 1
    return alike


def _mined(
    workspace: Workspace,
    corpus: str,
    counts: CorpusCounts,
    reliable: Mapping[tuple[str, str], Mapping[str, Any]],
    config: CollectConfig,
) -> Iterator[_Evidence]:
    """Yield what one corpus has to say for the phrases that are reliable over all."""
    for row in workspace.query(EVIDENCE_OF_CORPUS, counts):
        total = reliable.get((row["source"], row["target"]))
        if total is None:
            continue
        claim = Claim(
            source=row["source"],
            target=row["target"],
            origin="mined",
            category="term",
            name=corpus,
            count=total["pair_count"],
            reliability=total["reliability"],
        )
        yield _Evidence(
            claim,
            config.licences[corpus],
            method=MINED_FROM_LINKS,
            pair_count=row["pair_count"],
            found=row["found"],
            occurrences=row["occurrences"],
        )


def _listed(row: Mapping[str, Any], config: CollectConfig) -> _Evidence | None:
    """Read a dictionary's entry; None if one side is empty once it is normalised."""
    source = "".join(normalise(row["source"]).split())
    target = _target_words(row["target"], lowercase=config.lowercase)
    if not source or not target:
        return None
    category: Category = row["category"]
    claim = Claim(
        source=source,
        target=target,
        origin="dictionary",
        category=category,
        name=row["dictionary"],
        trusted=row["dictionary"] not in config.untrusted,
    )
    return _Evidence(claim, row["licence"], line=row["line"], part=row["part"])


def _decided(
    workspace: Workspace, tables: tuple[ArtifactRef, ...], *, lowercase: bool
) -> list[_Evidence]:
    """Read the decisions that stand; they are evidence of the highest rank."""
    rows = [row for ref in tables for row in workspace.read_rows(ref)]
    made = (
        ReviewDecision(
            source="".join(normalise(row["source"]).split()),
            target=_target_words(row["target"], lowercase=lowercase),
            verdict=row["verdict"],
            category=row["category"],
            author=row["author"],
            decided=row["decided"],
            reason=row["reason"],
        )
        for row in rows
    )
    return [
        _Evidence(
            Claim(
                source=decision.source,
                target=decision.target,
                origin="review",
                category=decision.category,
                name=decision.author,
                rejects=decision.verdict == "reject",
            ),
            licence="",
            method=REVIEWED,
            author=decision.author,
            decided=decision.decided,
            reason=decision.reason,
        )
        for decision in standing(made)
    ]


def _target_words(text: str, *, lowercase: bool) -> str:
    """Cut English into words as those of the corpora are cut."""
    target = " ".join(tokenise(normalise(text)))
    return target.lower() if lowercase else target


def _phrase(
    decision: Decision, totals: Mapping[str, Mapping[str, Any]], notes: Mapping[str, str]
) -> dict[str, Any]:
    identity = phrase_id(decision.source, decision.target)
    known = totals.get(identity, dict.fromkeys(COUNTS, 0))
    return {
        "phrase_id": identity,
        "source": decision.source,
        "target": decision.target,
        "category": decision.category,
        "origin": decision.origin,
        "provider": decision.claims[0].name,
        "state": decision.state,
        "reliability": decision.reliability,
        **{name: known[name] for name in COUNTS},
        "evidence_count": len(decision.claims),
        "note": notes.get(identity, ""),
    }
