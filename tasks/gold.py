"""The step that reads the gold links of a test set."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.metrics.alignment_error import GoldLinks, check_within, read_gold_links
from tasks.metrics.gold_projection import project
from tasks.readers.lines import Encoding, read_lines
from tasks.step import step
from tasks.text.script import normalise

Words = tuple[list[str], list[str]]


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
    """Read the gold links of a test set, one line for each line of its source.

    Args:
        workspace: where the tables are.
        links: the file of links.
        seen_words: what the links count: a file of source words and one of target words; without
            them they count the words as they are cut here.
        words: words of the test set; the target side is the first reference.
        lines: lines of the test set.
        encoding: of the files.

    Raises:
        InputError: the files do not fit together, or a link lies outside of its sentences.
    """
    name = os.fspath(links.path)
    answers = read_gold_links(read_lines(links.path, encoding), name)
    positions = {row["sentence_id"]: row["position"] for row in workspace.read_rows(lines)}
    cut = [
        (row["pair_id"], positions[row["pair_id"]], (row["source_words"], row["target_words"]))
        for row in workspace.read_rows(words)
    ]
    most = max((position for _, position, _ in cut), default=-1)
    if len(answers) <= most:
        raise InputError(
            f"{name} has {len(answers):,} lines, and the test set has a sentence {most + 1:,}; "
            "expected one line of links for each line of the source. Compare the files."
        )
    seen = _seen_words(seen_words, len(answers), encoding)
    if seen:
        check_within(answers, [(len(source), len(target)) for source, target in seen], name)
    chosen = [
        _on_words(answers[position], seen[position] if seen else None, both, (name, position))
        for _, position, both in cut
    ]
    return workspace.write_rows("gold_links", _rows([item[0] for item in cut], chosen))


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
        return project(answer, seen, both)
    except ValueError as error:
        raise InputError(
            f"{name}, line {position + 1}: {error}; expected the words of gold_words to be those "
            "of the sentence, cut in another way. Compare the files line by line."
        ) from None


def _rows(ids: Sequence[str], chosen: Sequence[GoldLinks]) -> Iterator[dict[str, Any]]:
    for sentence_id, answer in zip(ids, chosen, strict=True):
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
