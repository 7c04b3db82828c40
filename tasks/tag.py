"""The step that offers remembered phrases, and what the rules see, to sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.linked import read_linked
from tasks.mining.candidates import LinkedPair, PhraseCounts, count_phrases
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.selection import PairCounts
from tasks.mining.verification import (
    Evidence,
    UseCounts,
    by_source,
    count_uses,
    still_verified,
)
from tasks.progress import track
from tasks.step import step
from tasks.tagging.matcher import Matcher
from tasks.tagging.slots import Candidate, choose, mark_targets

REPEATED_PAIRS = """
SELECT source, target, COUNT(*) AS copies
FROM pairs GROUP BY source, target HAVING COUNT(*) > 1
ORDER BY source, target
"""
"""Normalised pairs that the training text holds more than once, over all shards."""


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """The phrases that may be offered, ready to be looked up."""

    phrases: Sequence[Mapping[str, Any]]
    matcher: Matcher
    counts: Mapping[str, Evidence]
    """Counts of each mined phrase over the whole training text, by its id."""

    @staticmethod
    def empty() -> "Phrasebook":
        """Return a phrasebook without phrases."""
        return Phrasebook([], Matcher([]), {})

    def candidates(self, words: Sequence[str]) -> list[Candidate]:
        """Return the remembered phrases that stand in a sentence."""
        return [
            _from_memory(start, end, self.phrases[index])
            for start, end, index in self.matcher.find(words)
        ]


def phrasebook(workspace: Workspace, phrases: ArtifactRef, config: MemoryConfig) -> Phrasebook:
    """Load the phrases of the wanted categories that may be offered: active ones, and where several
    translations of a source phrase may be, those in conflict.
    """
    states = ("active", "conflict") if config.phrase_candidates > 1 else ("active",)
    wanted = [
        row
        for row in workspace.read_rows(phrases)
        if row["state"] in states and row["category"] in config.categories
    ]
    return Phrasebook(
        wanted,
        Matcher(([row["source"]], index) for index, row in enumerate(wanted)),
        {
            row["phrase_id"]: Evidence(
                PairCounts(row["pair_count"], row["source_count"], row["target_count"]),
                row["found"],
                row["occurrences"],
            )
            for row in wanted
            if row["origin"] == "mined"
        },
    )


@step(writes=("tagged",), name="tag", libraries=("duckdb",))
def tag_training(
    workspace: Workspace,
    *,
    shard: tuple[ArtifactRef, ArtifactRef],
    all_pairs: tuple[ArtifactRef, ...],
    phrases: ArtifactRef,
    config: MemoryConfig,
    extraction: ExtractionConfig,
) -> ArtifactRef:
    """Tag the training pairs of one shard, given as its pairs and its links.

    With `leave_one_out`, a mined phrase is offered to a sentence only if it would be reliable
    without that sentence and its copies; otherwise training always finds its answer and a test
    never does.
    """
    pairs, links = shard
    book = phrasebook(workspace, phrases, config)
    copies = {
        (row["source"], row["target"]): row["copies"]
        for row in workspace.query(REPEATED_PAIRS, {"pairs": all_pairs})
    }
    rows = zip(workspace.read_rows(pairs), read_linked(workspace, pairs, links), strict=True)
    return workspace.write_rows(
        "tagged",
        track(
            (
                tagged_row(
                    row,
                    [
                        *rule_candidates(row, config),
                        *_without_itself(
                            book.candidates(row["source_words"]),
                            book,
                            linked,
                            copies.get((row["source"], row["target"]), 1),
                            (config, extraction),
                        ),
                    ],
                    config,
                )
                for row, linked in rows
            ),
            total=pairs.rows,
            unit="pairs",
        ),
    )


@step(writes=("tagged",), name="tag")
def tag_held_out(
    workspace: Workspace, *, words: ArtifactRef, phrases: ArtifactRef, config: MemoryConfig
) -> ArtifactRef:
    """Tag the sentences of a dev or test set."""
    return workspace.write_rows("tagged", tagged_rows(workspace, words, phrases, config))


def tagged_rows(
    workspace: Workspace, words: ArtifactRef, phrases: ArtifactRef, config: MemoryConfig
) -> Iterator[dict[str, Any]]:
    """Yield the tagged rows of a dev or test set."""
    book = phrasebook(workspace, phrases, config)
    for row in workspace.read_rows(words):
        candidates = [*rule_candidates(row, config), *book.candidates(row["source_words"])]
        yield tagged_row(row, candidates, config)


def rule_candidates(row: Mapping[str, Any], config: MemoryConfig) -> Iterator[Candidate]:
    """Yield what the rules saw in a sentence; such phrases are never in memory beforehand."""
    for rule in row["rules"]:
        if rule["category"] in config.categories:
            yield Candidate(
                start=rule["start"],
                end=rule["end"],
                source=rule["source"],
                target=rule["target"],
                category=rule["category"],
                origin="rule",
                phrase_id=phrase_id(rule["source"], rule["target"]),
                provider=rule["rule"],
            )


def tagged_row(
    row: Mapping[str, Any], candidates: Sequence[Candidate], config: MemoryConfig
) -> dict[str, Any]:
    """Choose the slots of a sentence and mark those whose target its reference holds."""
    chosen = choose(candidates, config.phrase_slots, config.phrase_candidates)
    slots = mark_targets(chosen, row["target_words"])
    return {
        "sentence_id": row["pair_id"],
        "source_words": row["source_words"],
        "target_words": row["target_words"],
        "slots": [asdict(slot) for slot in slots],
    }


def _from_memory(start: int, end: int, phrase: Mapping[str, Any]) -> Candidate:
    return Candidate(
        start=start,
        end=end,
        source=phrase["source"],
        target=phrase["target"],
        category=phrase["category"],
        origin=phrase["origin"],
        phrase_id=phrase["phrase_id"],
        provider=phrase["provider"],
        score=phrase["reliability"],
    )


def _without_itself(
    found: list[Candidate],
    book: Phrasebook,
    linked: LinkedPair,
    copies: int,
    configs: tuple[MemoryConfig, ExtractionConfig],
) -> list[Candidate]:
    """Keep the mined phrases that would be reliable without this sentence and its copies."""
    config, extraction = configs
    if not config.leave_one_out or not any(item.origin == "mined" for item in found):
        return found
    mined = [item for item in found if item.origin == "mined"]
    own = count_phrases([linked], extraction, max_words=config.max_words)
    wanted = by_source((item.source, item.target) for item in mined)
    used = count_uses([linked[:2]], wanted, max_words=config.max_words)
    return [
        item
        for item in found
        if item.origin != "mined"
        or still_verified(book.counts[item.phrase_id], _own(own, used, item, copies), config)
    ]


def _own(own: PhraseCounts, used: UseCounts, item: Candidate, copies: int) -> Evidence:
    """Return the counts of a phrase in this sentence and its copies alone."""
    key = item.source, item.target
    extracted = (own.pairs[key], own.sources[item.source], own.targets[item.target])
    return Evidence(
        PairCounts(*(copies * count for count in extracted)),
        copies * used.found[key],
        copies * used.occurrences[item.source],
    )
