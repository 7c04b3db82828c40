"""Bring the width and the spacing of a text to one form, with a map back to the original.

Not here: conversion between Traditional and Simplified, lower-casing and tokenisation. Lone
surrogates pass through untouched: refusing them is the business of the readers.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from storage.records import Span

_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
"""Control and invisible format characters; the joiners U+200C and U+200D carry meaning."""

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class MappedText:
    """A normalised text; character `i` comes from the original `[starts[i], ends[i])`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original(self, span: Span) -> Span:
        """Say which original characters a span of the normalised text comes from."""
        if span.start >= span.end:
            at = self.starts[span.start] if span.start < len(self.starts) else sum(self.ends[-1:])
            return Span(at, at)
        return Span(self.starts[span.start], self.ends[span.end - 1])


def normalise(text: str) -> str:
    """Fold width (NFKC), take out control characters, collapse and trim blanks.

    Twice changes nothing. Every kind of white space, line ends included, counts as a blank.
    Scripts are never converted.
    """
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFKC", _DROPPED.sub("", text))
    return _SPACES.sub(" ", text).strip(" ")


def normalise_with_offsets(text: str) -> MappedText:
    """Normalise, and keep for each character where it comes from.

    The text is cut before every character that cannot combine with what stands before it, so that
    the normal form of the whole is the normal forms of the pieces, joined.
    """
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _pieces(text):
        for character in unicodedata.normalize("NFKC", _DROPPED.sub("", text[start:end])):
            blank = character.isspace()
            if blank and characters and characters[-1] == " ":
                ends[-1] = end
                continue
            characters.append(" " if blank else character)
            starts.append(start)
            ends.append(end)
    first = 1 if characters[:1] == [" "] else 0
    last = len(characters) - 1 if characters[first:] and characters[-1] == " " else len(characters)
    return MappedText(
        "".join(characters[first:last]), tuple(starts[first:last]), tuple(ends[first:last])
    )


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into pieces that normalise independently of each other."""
    start = 0
    for position in range(1, len(text)):
        if _starts_a_piece(text[position]):
            yield start, position
            start = position
    if text:
        yield start, len(text)


def _starts_a_piece(character: str) -> bool:
    """Say whether no character before this one can combine with it or be reordered with it."""
    if character < "\u0300":
        return not _DROPPED.match(character)
    first = unicodedata.normalize("NFKD", character)[0]
    jamo = "\u1160" <= first <= "\u11ff" or "\ud7b0" <= first <= "\ud7ff"
    return not (unicodedata.category(first)[0] == "M" or jamo or _DROPPED.match(character))
