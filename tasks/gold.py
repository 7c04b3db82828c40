"""The step that reads the gold links of a test set."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.metrics.alignment_error import GoldLinks, check_within, read_gold_links
from tasks.metrics.gold_of_some import (
    Numbered,
    expect_lines,
    is_of_some,
    on_words,
    read_linked_sentences,
)
from tasks.metrics.gold_projection import lengths_of, project
from tasks.readers.lines import Encoding, read_lines
from tasks.step import step
from tasks.text.script import normalise

Words = tuple[list[str], list[str]]
Cut = tuple[Mapping[str, Any], Words]
"""A row of `test_lines`, and the words of its source and of its first reference."""
Chosen = list[tuple[str, GoldLinks]]
"""Ids of sentences, with their links."""


@step(writes=("gold_links",))
def gold(
    workspace: Workspace,
    *,
    links: SourceFile,
    seen_words: tuple[SourceFile, ...],
    words: ArtifactRef,
    lines: ArtifactRef,
    encoding: Encoding,
) -> ArtifactRef:
    """Read the gold links of a test set: of all its lines, or of some that were linked by hand.

    Args:
        workspace: where the tables are.
        links: the file of links, one line for each line of the source, or the JSON lines of
            `tasks/metrics/gold_of_some.py`.
        seen_words: what the links count: a file of source words and one of target words; without
            them they count the words as they are cut here.
        words: words of the test set; the target side is the first reference.
        lines: lines of the test set.
        encoding: of the files.

    Raises:
        InputError: the files do not fit together, or a link lies outside of its sentences.
    """
    numbered = list(read_lines(links.path, encoding))
    sentences = {row["sentence_id"]: row for row in workspace.read_rows(lines)}
    cut = [
        (sentences[row["pair_id"]], (row["source_words"], row["target_words"]))
        for row in workspace.read_rows(words)
    ]
    name = os.fspath(links.path)
    if is_of_some(numbered):
        if seen_words:
            raise InputError(
                f"{name} says itself how long the words are that its links count; gold_words has "
                "no effect. Remove it from the [[testset]]."
            )
        chosen = _of_some(numbered, name, cut)
    else:
        chosen = _of_all(numbered, name, cut, _seen_words(seen_words, len(numbered), encoding))
    return workspace.write_rows("gold_links", _rows(chosen))


def _of_some(lines: Numbered, name: str, cut: Sequence[Cut]) -> Chosen:
    """Return the links of the sentences that have some."""
    linked = {each.line - 1: each for each in read_linked_sentences(lines, name)}
    expect_lines(linked.values(), {line["position"] + 1 for line, _ in cut})
    return [
        (line["sentence_id"], on_words(linked[line["position"]], _texts(line), both))
        for line, both in cut
        if line["position"] in linked
    ]


def _texts(line: Mapping[str, Any]) -> tuple[str, str]:
    return line["source"], line["references"][0]


def _of_all(lines: Numbered, name: str, cut: Sequence[Cut], seen: Sequence[Words]) -> Chosen:
    """Return the links of all sentences, from a file with a line for each."""
    answers = read_gold_links(lines, name)
    most = max((line["position"] for line, _ in cut), default=-1)
    if len(answers) <= most:
        raise InputError(
            f"{name} has {len(answers):,} lines, and the test set has a sentence {most + 1:,}; "
            "expected one line of links for each line of the source. Compare the files."
        )
    if seen:
        check_within(answers, [(len(source), len(target)) for source, target in seen], name)
    chosen = []
    for line, both in cut:
        position = line["position"]
        words = seen[position] if seen else None
        links = _on_words(answers[position], words, both, (name, position))
        chosen.append((line["sentence_id"], links))
    return chosen


def _seen_words(files: Sequence[SourceFile], expected: int, encoding: Encoding) -> list[Words]:
    """Read the words that the links count, as this project writes characters."""
    sides: list[list[list[str]]] = []
    for file in files:
        read = [normalise(text).split() for _, text in read_lines(file.path, encoding)]
        if len(read) != expected:
            raise InputError(
                f"{os.fspath(file.path)} has {len(read):,} lines and the gold links have "
                f"{expected:,}; expected the words of the same sentences. Compare the files."
            )
        sides.append(read)
    return list(zip(*sides, strict=True)) if sides else []


def _on_words(
    answer: GoldLinks, seen: Words | None, both: Words, place: tuple[str, int]
) -> GoldLinks:
    """Check the links of a sentence, or bring them to the words that are cut here."""
    name, position = place
    if seen is None:
        try:
            check_within([answer], [(len(both[0]), len(both[1]))], name, position + 1)
        except InputError as error:
            raise InputError(
                f"{error} If the links count other words than `phrasenet segment` gives, name the "
                "files of these words as gold_words."
            ) from None
        return answer
    try:
        return project(answer, (lengths_of(seen[0]), lengths_of(seen[1])), both)
    except ValueError as error:
        raise InputError(
            f"{name}, line {position + 1}: {error}; expected the words of gold_words to be those "
            "of the sentence, cut in another way. Compare the files line by line."
        ) from None


def _rows(chosen: Chosen) -> Iterator[dict[str, Any]]:
    for sentence_id, answer in chosen:
        yield {
            "sentence_id": sentence_id,
            "sure": [list(link) for link in sorted(answer.sure)],
            "possible": [list(link) for link in sorted(answer.possible)],
        }


def gold_of(row: dict[str, Any]) -> GoldLinks:
    """Return the links of a row of `gold_links`."""
    sure, possible = (
        frozenset((source, target) for source, target in row[name]) for name in ("sure", "possible")
    )
    return GoldLinks(sure, possible)
