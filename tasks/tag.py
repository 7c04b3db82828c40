"""The steps that offer remembered phrases, and what the rules see, to sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.leave_one_out import LeaveOneOut
from tasks.linked import read_linked
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.extraction import LinkedPair
from tasks.mining.uses import Uses, in_batches
from tasks.mining.verification import COUNTED, is_offered, is_rule_contradicted
from tasks.phrasebook import MemoryTables, Phrasebook, rule_candidate
from tasks.progress import track
from tasks.step import step
from tasks.tagging.matcher import Match
from tasks.tagging.slots import Candidate, choose, mark_targets

Row = Mapping[str, Any]
Offer = Callable[[Row, LinkedPair, Sequence[Match]], list[Candidate]]
"""Returns what could be offered to a training pair, given its links and what was found in it."""


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
    book = Phrasebook.of(workspace, memory, config)
    offer = _offer(workspace, book, (pairs, all_pairs), (config, extraction))
    rows = zip(
        _with_matches(book, workspace.read_rows(pairs)),
        read_linked(workspace, pairs, links),
        strict=True,
    )
    tagged = (tagged_row(row, offer(row, linked, found), config) for (row, found), linked in rows)
    return workspace.write_rows("tagged", track(tagged, total=pairs.rows, unit="pairs"))


def _with_matches(
    book: Phrasebook, rows: Iterable[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], list[Match]]]:
    """Yield sentences with the phrases that stand in them."""
    for batch in in_batches(rows):
        found = book.matcher.find_each([row["source_words"] for row in batch])
        yield from zip(batch, found, strict=True)


def _offer(
    workspace: Workspace,
    book: Phrasebook,
    tables: tuple[ArtifactRef, tuple[ArtifactRef, ...]],
    configs: tuple[MemoryConfig, ExtractionConfig],
) -> Offer:
    if not configs[0].leave_one_out:
        return lambda row, linked, found: book.candidates_of(row, found)
    phrases = [(row["source"], row["target"]) for row in book.phrases]
    others = LeaveOneOut(workspace, {"here": tables[0], "pairs": tables[1]}, phrases, configs)
    return lambda row, linked, found: [
        *_rules_without(row, book, others),
        *_phrases_without((row, linked, found), book, others),
    ]


def _rules_without(row: Row, book: Phrasebook, others: LeaveOneOut) -> Iterator[Candidate]:
    """Yield what the rules saw, as far as it holds without the pair and its copies."""
    rules = list(book.rule_matches(row))
    whole = {key: book.rules.get(key, Uses()) for _, key in rules}
    counted = {key: uses for key, uses in whole.items() if uses.occurrences}
    left = others.uses_left(row, counted) if counted else {}
    for rule, key in rules:
        if not is_rule_contradicted(left.get(key, Uses()), book.config):
            yield rule_candidate(rule)


def _phrases_without(
    pair: tuple[Row, LinkedPair, Sequence[Match]], book: Phrasebook, others: LeaveOneOut
) -> Iterator[Candidate]:
    """Yield the phrases that hold without the pair and its copies."""
    row, _, found = pair
    origins = {match.phrase: book.phrases[match.phrase]["origin"] for match in found}
    counted = {place: book.evidence[place] for place in origins if origins[place] in COUNTED}
    left = others.evidence_left(pair, counted) if counted else {}
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
    for row, found in _with_matches(book, workspace.read_rows(words)):
        yield tagged_row(row, book.candidates_of(row, found), config)


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
