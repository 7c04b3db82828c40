"""The nouns of the project: records that travel between steps, and how their ids are made.

Ids survive a rebuild: they hash what a thing *is* (its texts), never where it stood in a file or
how it was segmented. Spans are half-open `[start, end)` everywhere.
"""

import hashlib
from dataclasses import dataclass
from typing import Literal

Category = Literal[
    "date", "number", "quantity", "time", "person", "location", "organization", "term"
]
Origin = Literal["review", "rule", "dictionary", "mined"]
PhraseState = Literal["active", "rejected", "conflict", "withdrawn"]
Mode = Literal["word", "phrase"]
Use = Literal["offered", "appeared", "produced"]

ID_LENGTH = 24
"""Hex digits of an id: 96 bits, so that even 10^10 ids collide with a chance below 10^-8."""


def make_id(*parts: str) -> str:
    """Hash text parts into an id; each part is length-prefixed, so ("ab", "c") differs from ("a",
    "bc").
    """
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:ID_LENGTH]


def pair_id(corpus: str, document: str, source: str, target: str, repetition: int) -> str:
    """Name a sentence pair by its raw texts and which repetition in its document it is
    (0-based).
    """
    return make_id("pair", corpus, document, source, target, str(repetition))


def phrase_id(source: str, target: str, languages: str = "zh-en") -> str:
    """Name a phrase by its languages and its normalised texts.

    Blanks, and the case of the target, are left out, so that neither a new segmenter or tokeniser
    nor keeping the case of English words orphans what people decided about the phrase. The case of
    Latin letters in the source counts, since phrases are looked up by it.
    """
    unsegmented = "".join(source.split()), "".join(target.split()).casefold()
    return make_id("phrase", languages, *unsegmented)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range `[start, end)`."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Say whether the two ranges share a position."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A pair as it was read: raw texts are kept untouched."""

    pair_id: str
    corpus: str
    document: str
    position: int
    """0-based position among the pairs of its file; an attribute, not part of the id."""
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """What a rule saw in a text: offsets are characters of the original text."""

    start: int
    end: int
    source: str
    target: str
    category: Category
    rule: str
    """Id and version of the rule, such as `date.full/2`."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A phrase offered to a sentence on the source words `[start, end)`."""

    slot: int
    """0-based, numbered left to right."""
    start: int
    end: int
    source: str
    target: str
    """Target words separated by blanks."""
    category: Category
    origin: Origin
    phrase_id: str
    provider: str = ""
    """Who proposes it: rule id and version, dictionary, corpus or reviewer."""
    target_start: int = -1
    """Where the target stands in the reference's words, or -1."""
    target_end: int = -1
