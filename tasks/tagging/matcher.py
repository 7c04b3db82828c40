"""Find every remembered phrase in a sentence, by its characters.

A phrase is known by its unsegmented text, so the automaton runs over the joined words of the
sentence and a hit counts when both of its ends are borders of words. A phrase is therefore found
however its inside happens to be segmented, and never inside a word. Which of the matches become
slots is decided elsewhere (`tasks/tagging/slots.py`).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

_SURROGATES = re.compile("[\ud800-\udfff]")
_NO_CHARACTER = "\U0010ffff"
"""Stands for a lone surrogate, which the automaton cannot take; no phrase may hold it."""


class Match(NamedTuple):
    """Phrase number `phrase` stands on the words `[start, end)`."""

    start: int
    end: int
    phrase: int


class Matcher:
    """An automaton over many phrases. It cannot be pickled: build one in each process."""

    def __init__(self, phrases: Iterable[tuple[Sequence[str], int]]) -> None:
        """Build the automaton.

        Args:
            phrases: source words of each phrase and its index; how the words are cut has no
                effect, and several indexes may share one text.

        Raises:
            ValueError: a phrase has no characters, or holds a lone surrogate or U+10FFFF.
        """
        self._indexes: list[list[int]] = []
        place: dict[str, int] = {}
        for words, index in phrases:
            text = _joined(words)
            if not text or _SURROGATES.search(text) or _NO_CHARACTER in text:
                raise ValueError(
                    f"phrase {index} is {text!r}; a phrase needs at least one character and only "
                    "valid ones. Take it out of the phrases."
                )
            if place.setdefault(text, len(self._indexes)) == len(self._indexes):
                self._indexes.append([])
            self._indexes[place[text]].append(index)
        self._automaton = AhoCorasick(list(place)) if place else None

    def find(self, words: Sequence[str]) -> list[Match]:
        """Return all matches, overlapping ones included, ordered by start, end and index."""
        if self._automaton is None:
            return []
        text, borders = _joined_with_borders(words)
        hits = self._automaton.find_matches_as_indexes(text, overlapping=True)
        found = [
            Match(borders[start], borders[end], index)
            for pattern, start, end in hits
            if borders[start] >= 0 and borders[end] >= 0
            for index in self._indexes[pattern]
        ]
        found.sort()
        return found


def _joined(words: Sequence[str]) -> str:
    """Join words without blanks: the blanks of a phrase say nothing about it."""
    return "".join("".join(words).split())


def _joined_with_borders(words: Sequence[str]) -> tuple[str, list[int]]:
    """Join words; give for each place between characters the number of words before it, or -1."""
    text = "".join(words)
    if len(text.split()) > 1:
        words = ["".join(word.split()) for word in words]
        text = "".join(words)
    if _SURROGATES.search(text):
        text = _SURROGATES.sub(_NO_CHARACTER, text)
    borders = [-1] * (len(text) + 1)
    borders[0] = position = 0
    for number, word in enumerate(words, start=1):
        position += len(word)
        borders[position] = number
    return text, borders
