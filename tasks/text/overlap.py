"""Find what training text shares with the dev and test sets, and keep the proof.

A text overlaps if all of it, or a run of `length` words in a row, stands in a test set, as its
source or as any of its references. Case, width, blanks and punctuation make no difference.

To look at every run would be slow. Any run of `length` words holds a whole aligned block of about
half its length, one that begins at a multiple of the block's length; so only these blocks of a
training sentence are looked up, and a block that is found is extended to both sides.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from storage.records import make_id

_NO_CONTENT = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w")

Kind = Literal["", "whole", "run"]


@dataclass(frozen=True, slots=True)
class HeldOutText:
    """One side of one sentence of a dev or test set."""

    testset: str
    sentence_id: str
    side: str
    """Either `source`, or `reference` and its number, from 1."""
    text: str
    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class Overlap:
    """The proof that a text is held out."""

    testset: str
    sentence_id: str
    side: str
    kind: Kind
    digest: str
    """Id of the shared text or run of words."""


def fold(text: str) -> str:
    """Return what is left of a text without case, blanks and punctuation."""
    return _NO_CONTENT.sub("", text.casefold())


def content_words(words: Iterable[str]) -> list[str]:
    """Return words in lower case, those without a letter or digit left out."""
    lowered = " ".join(words).lower().split(" ")
    return [word for word in lowered if word.isalnum() or _WORD.search(word)]


class HeldOutIndex:
    """All texts of dev and test sets, ready to be looked up."""

    def __init__(self, texts: Iterable[HeldOutText], length: int) -> None:
        """Index the texts; runs of `length` words, 1 or more, count as an overlap."""
        self._length = length
        self._block = (length + 1) // 2
        self._texts: dict[str, HeldOutText] = {}
        self._words: list[tuple[HeldOutText, list[str]]] = []
        self._blocks: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for text in texts:
            folded = fold(text.text)
            if folded:
                self._texts.setdefault(folded, text)
            self._add_words(text)

    def _add_words(self, text: HeldOutText) -> None:
        words = content_words(text.words)
        if len(words) < self._length:
            return
        for start in range(len(words) - self._block + 1):
            block = tuple(words[start : start + self._block])
            self._blocks.setdefault(block, []).append((len(self._words), start))
        self._words.append((text, words))

    def find(self, folded: str, words: Sequence[str]) -> Overlap | None:
        """Say where a text, or a run of its words, is held out, or return None.

        Args:
            folded: the text as `fold` leaves it.
            words: its words, in any case, with or without punctuation.
        """
        whole = self._texts.get(folded)
        if whole is not None:
            return _overlap(whole, "whole", make_id("text", folded))
        return self._find_run(words) if len(words) >= self._length else None

    def _find_run(self, words: Sequence[str]) -> Overlap | None:
        content = content_words(words)
        size, blocks = self._block, self._blocks
        for start in range(0, len(content) - size + 1, size):
            for index, place in blocks.get(tuple(content[start : start + size]), ()):
                text, other = self._words[index]
                first, end = _common_run(content, start, other, place, size)
                if end - first >= self._length:
                    run = content[first : first + self._length]
                    return _overlap(text, "run", make_id("run", *run))
        return None


def _common_run(
    words: Sequence[str], start: int, other: Sequence[str], place: int, size: int
) -> tuple[int, int]:
    """Extend a common block to both sides; returns its span in `words`."""
    end = start + size
    shift = place - start
    while start and start + shift and words[start - 1] == other[start + shift - 1]:
        start -= 1
    while end < len(words) and end + shift < len(other) and words[end] == other[end + shift]:
        end += 1
    return start, end


def _overlap(text: HeldOutText, kind: Kind, digest: str) -> Overlap:
    return Overlap(text.testset, text.sentence_id, text.side, kind, digest)
