"""Gold links of some sentences of a test set, in a file without its text: JSON lines.

    {"line": 3, "text": "<16 hex digits>", "source": [2, 1], "target": [4, 5], "links": "0-1 1-p-0"}

`line` counts from 1, `text` is `text_digest` of the pair, `source` and `target` give the number of
characters of each word that the links count. So the links of texts that may not be passed on can
be, and they fit the words of any cut of the same text.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks, check_within, parse_gold_links
from tasks.metrics.gold_projection import project
from tasks.text.script import normalise

Numbered = Sequence[tuple[int, str]]
"""Number and text of each line of a file."""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Links that a person gave to the words of one sentence pair."""

    where: str
    """File and line, for messages."""
    line: int
    """Line of the test set, from 1 on."""
    text: str
    """`text_digest` of the pair."""
    lengths: tuple[tuple[int, ...], tuple[int, ...]]
    """Characters of each word, source and target."""
    links: GoldLinks


@dataclass(frozen=True, slots=True)
class Linkable:
    """The texts that should be those that were linked, as messages speak of them."""

    name: str
    if_other: str
    """What to do if they are other texts."""
    if_other_words: str
    """What to do if their words do not have the characters of the texts."""


TEST_SET = Linkable(
    "the test set",
    "Take the edition of the texts that the links were made for, or remove `gold` from the "
    "[[testset]].",
    "A conversion between scripts that changes their number cannot be followed: set text.script to "
    "keep.",
)
GIVEN_TEXT = Linkable(
    "the given text",
    "Name the words of the very text that the links were made for, with the same lines; or leave "
    "--gold out, or give it links of these lines, one line for each.",
    "Name the words as `phrasenet segment` cuts and writes them.",
)


def text_digest(source: str, target: str) -> str:
    """Return 16 hex digits of both texts, normalised and lower-cased, without blanks."""
    sides = ("".join(normalise(text).lower().split()) for text in (source, target))
    return hashlib.sha256("\n".join(sides).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_of_some(lines: Numbered) -> bool:
    """Say whether a file of gold links has the form of this module."""
    return next((text.lstrip().startswith("{") for _, text in lines if text.strip()), False)


def read_linked_sentences(lines: Numbered, name: str) -> list[LinkedSentence]:
    """Read a file of links of some sentences.

    Raises:
        InputError: a line is no JSON of this form, or two are about the same sentence.
    """
    found: dict[int, LinkedSentence] = {}
    for number, text in lines:
        if not text.strip():
            continue
        read = _read(text, name, number)
        if read.line in found:
            raise InputError(
                f"{read.where}: line {read.line} of the text has its links already "
                f"({found[read.line].where}); expected one line a sentence. Remove one."
            )
        found[read.line] = read
    return list(found.values())


def _read(text: str, name: str, number: int) -> LinkedSentence:
    where = f"{name}, line {number}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON ({error}). Fix the line.") from error
    if not _is_whole(value):
        raise InputError(
            f'{where}: expected {{"line": 3, "text": "16 hex digits", "source": [2, 1], "target": '
            f'[4, 5], "links": "0-1 1-p-0"}}, found {text[:60]!r}. Fix the line.'
        )
    lengths = tuple(value["source"]), tuple(value["target"])
    links = parse_gold_links(value["links"], name, number)
    check_within([links], [(len(lengths[0]), len(lengths[1]))], name, number)
    return LinkedSentence(where, value["line"], value["text"], lengths, links)


def _is_whole(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    sides = value.get("source"), value.get("target")
    return (
        _is_count(value.get("line"))
        and all(isinstance(value.get(key), str) for key in ("text", "links"))
        and all(isinstance(side, list) and all(map(_is_count, side)) for side in sides)
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


def on_words(
    linked: LinkedSentence,
    texts: tuple[str, str],
    words: tuple[Sequence[str], Sequence[str]],
    of: Linkable = TEST_SET,
) -> GoldLinks:
    """Bring the links of a sentence to the words as they are cut here.

    Args:
        linked: the links.
        texts: source and target of the sentence as they were read.
        words: source and target words.
        of: what the sentence belongs to.

    Raises:
        InputError: it is another sentence, or its words do not have all its characters.
    """
    digest = text_digest(*texts)
    if digest != linked.text:
        raise InputError(
            f"{linked.where}: line {linked.line} of {of.name} has the text {digest}, and the "
            f"links are of the text {linked.text}; expected the very sentences that were linked. "
            f"{of.if_other}"
        )
    try:
        return project(linked.links, linked.lengths, words)
    except ValueError as error:
        raise InputError(
            f"{linked.where}: {error}; expected words with all characters of the text. "
            f"{of.if_other_words}"
        ) from error


def expect_lines(
    linked: Iterable[LinkedSentence], known: Collection[int], of: Linkable = TEST_SET
) -> None:
    """Check that all lines that were linked are there.

    Args:
        linked: the links.
        known: lines of the text, from 1 on.
        of: what they belong to.

    Raises:
        InputError: a line is not there.
    """
    for each in linked:
        if each.line not in known:
            raise InputError(
                f"{each.where}: the links are of line {each.line}, which {of.name} of "
                f"{len(known):,} lines does not have; expected the very sentences that were "
                f"linked. {of.if_other}"
            )
