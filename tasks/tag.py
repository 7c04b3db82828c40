"""The steps that offer remembered phrases, and what the rules see, to sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.leave_one_out import LeaveOneOut
from tasks.linked import read_linked
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.extraction import LinkedPair
from tasks.mining.rule_uses import rule_key
from tasks.mining.uses import Uses
from tasks.mining.verification import COUNTED, is_offered, is_rule_contradicted
from tasks.phrasebook import MemoryTables, Phrasebook, rule_candidate
from tasks.progress import track
from tasks.step import step
from tasks.tagging.slots import Candidate, choose, mark_targets

Row = Mapping[str, Any]
Offer = Callable[[Row, LinkedPair], list[Candidate]]
"""Returns what could be offered to a training pair, given with its links."""


@step(writes=("tagged",), name="tag", libraries=("duckdb",))
def tag_training(
    workspace: Workspace,
    *,
    shard: tuple[ArtifactRef, ArtifactRef],
    all_pairs: tuple[ArtifactRef, ...],
    memory: MemoryTables,
    config: MemoryConfig,
    extraction: ExtractionConfig,
) -> ArtifactRef:
    """Tag the training pairs of one shard, given as its pairs and its links.

    With `leave_one_out`, what rests on counts is offered to a sentence only if it would be reliable
    without that sentence and its copies; otherwise training always finds its answer and a test
    never does.
    """
    pairs, links = shard
    offer = _offer(workspace, memory, (pairs, all_pairs), (config, extraction))
    rows = zip(workspace.read_rows(pairs), read_linked(workspace, pairs, links), strict=True)
    tagged = (tagged_row(row, offer(row, linked), config) for row, linked in rows)
    return workspace.write_rows("tagged", track(tagged, total=pairs.rows, unit="pairs"))


def _offer(
    workspace: Workspace,
    memory: MemoryTables,
    tables: tuple[ArtifactRef, tuple[ArtifactRef, ...]],
    configs: tuple[MemoryConfig, ExtractionConfig],
) -> Offer:
    book = Phrasebook.of(workspace, memory, configs[0])
    if not configs[0].leave_one_out:
        return lambda row, linked: book.candidates(row)
    phrases = [(row["source"], row["target"]) for row in book.phrases]
    others = LeaveOneOut(workspace, {"here": tables[0], "pairs": tables[1]}, phrases, configs)
    return lambda row, linked: [
        *_rules_without(row, book, others),
        *_phrases_without(row, linked, book, others),
    ]


def _rules_without(row: Row, book: Phrasebook, others: LeaveOneOut) -> Iterator[Candidate]:
    """Yield what the rules saw, as far as it holds without the pair and its copies."""
    rules = [rule for rule in book.rule_matches(row) if book.believes(rule)]
    whole = {rule_key(rule): book.rules.get(rule_key(rule), Uses()) for rule in rules}
    left = others.uses_left(row, {key: uses for key, uses in whole.items() if uses.occurrences})
    for rule in rules:
        if not is_rule_contradicted(left.get(rule_key(rule), Uses()), book.config):
            yield rule_candidate(rule)


def _phrases_without(
    row: Row, linked: LinkedPair, book: Phrasebook, others: LeaveOneOut
) -> Iterator[Candidate]:
    """Yield the phrases that hold without the pair and its copies."""
    found = book.matcher.find(row["source_words"])
    origins = {match.phrase: book.phrases[match.phrase]["origin"] for match in found}
    counted = {place: book.evidence[place] for place in origins if origins[place] in COUNTED}
    left = others.evidence_left(row, linked, counted) if counted else {}
    for match in found:
        place = match.phrase
        if place not in left or is_offered(origins[place], left[place], book.config):
            yield book.candidate(match)


@step(writes=("tagged",), name="tag")
def tag_held_out(
    workspace: Workspace, *, words: ArtifactRef, memory: MemoryTables, config: MemoryConfig
) -> ArtifactRef:
    """Tag the sentences of a dev or test set."""
    return workspace.write_rows("tagged", tagged_rows(workspace, words, memory, config))


def tagged_rows(
    workspace: Workspace, words: ArtifactRef, memory: MemoryTables, config: MemoryConfig
) -> Iterator[dict[str, Any]]:
    """Yield the tagged rows of a dev or test set."""
    book = Phrasebook.of(workspace, memory, config)
    for row in workspace.read_rows(words):
        yield tagged_row(row, book.candidates(row), config)


def tagged_row(row: Row, candidates: Sequence[Candidate], config: MemoryConfig) -> dict[str, Any]:
    """Choose the slots of a sentence and mark those whose target its reference holds."""
    chosen = choose(candidates, config.phrase_slots, config.phrase_candidates)
    slots = mark_targets(chosen, row["target_words"])
    return {
        "sentence_id": row["pair_id"],
        "source_words": row["source_words"],
        "target_words": row["target_words"],
        "slots": [asdict(slot) for slot in slots],
    }
