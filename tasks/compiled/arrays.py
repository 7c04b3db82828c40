"""The arrays that compiled loops work on. To import this module compiles nothing."""

from collections.abc import Iterable, Sequence, Sized
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Ids = NDArray[np.int32]
Counts = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]

MOSES, TIGHT, TIGHT_WITHOUT_ARTICLES = 0, 1, 2
"""Which spans are phrases; see `ExtractionConfig.edges`."""


class Texts(NamedTuple):
    """Texts one behind the other: text k is the UTF-8 bytes `[starts[k], starts[k + 1])`."""

    data: Bytes
    starts: Numbers


class Sentences(NamedTuple):
    """Sentences as numbers of words: sentence k is `ids[starts[k]:starts[k + 1]]`."""

    ids: Ids
    starts: Numbers
    words: Texts
    """The distinct words, by number."""
    blanks: int
    """Blanks between two words of a phrase: 0 in Chinese, 1 in English."""


class Links(NamedTuple):
    """Links of sentence pairs: those of pair k are at `[starts[k], starts[k + 1])`."""

    starts: Numbers
    source: Ids
    """Place of the source word in its sentence."""
    target: Ids


class Kinds(NamedTuple):
    """What the distinct words of one side are, by number."""

    may_be_edge: NDArray[np.bool_]
    """May a phrase to remember begin or end with it?"""
    is_content: NDArray[np.bool_]
    is_article: NDArray[np.bool_]


class Corpus(NamedTuple):
    """Linked sentence pairs."""

    source: Sentences
    target: Sentences
    links: Links
    source_kinds: Kinds
    target_kinds: Kinds


class Phrases(NamedTuple):
    """Texts to look for: a hash table of their beginnings, each a number of whole characters."""

    cells: Numbers
    """Upper half of a beginning's key << 32 | where the text that ends there begins; -1 if empty.
    A power of two of them."""
    texts: Keys
    """Each text as its length in bytes << 32 | its number, and its bytes, eight at a time, the
    first one lowest, the last eight filled up with zeros."""
    longest: int
    """Characters of the longest text: no match has more words."""


class Rule(NamedTuple):
    """Which spans are extracted, and which of them are worth counting as phrases."""

    max_words: int
    edges: int
    longest: int
    """Most words of what is counted as a phrase."""


class Found(NamedTuple):
    """The distinct phrases of one side: a hash table with open addressing.

    All that a look-up reads is in one row, since each read of a large table is a wait for memory.
    """

    slots: Numbers
    """Rows (key, (number + 1) << 32 | count), the latter 0 if empty; a power of two of them."""
    places: Ids
    """(sentence of the batch, first word, end) where each phrase was first seen, of those whose
    text was not cut yet."""
    size: Numbers
    """How many phrases there are, and how many texts of them were cut."""


class Keyed(NamedTuple):
    """The distinct texts of one side that are looked for: a hash table of their keys."""

    keys: Numbers
    slots: Ids
    """Number of a key + 1, or 0; a power of two of them."""
    longest: int
    """Bytes of the longest text."""


class Wanted(NamedTuple):
    """Phrase pairs that are looked for, sorted by the numbers of their sides."""

    source: Keyed
    target: Keyed
    starts: Numbers
    """The pairs of source s are `[starts[s], starts[s + 1])`."""
    targets: Ids
    """Number of the target of each pair."""


class Seen(NamedTuple):
    """How many sentence pairs hold what."""

    both: Numbers
    """By pair: both sides."""
    sources: Numbers
    targets: Numbers


def texts_of(words: Iterable[str]) -> Texts:
    """Lay texts one behind the other."""
    parts = [word.encode("utf-8", "surrogatepass") for word in words]
    return Texts(np.frombuffer(b"".join(parts), np.uint8), starts_of(parts))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Lay texts that lie in several places one behind the other."""
    sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
    data = [np.zeros(0, np.uint8), *(part.data for part in parts)]
    return Texts(np.concatenate(data), np.cumsum(sizes))


def spelled(texts: Texts) -> list[str]:
    """Return texts as strings."""
    data, starts = texts.data.tobytes(), texts.starts.tolist()
    return [
        data[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(starts, starts[1:], strict=False)
    ]


def sentences_of(words: Sequence[Sequence[str]], *, blanks: int) -> tuple[Sentences, list[str]]:
    """Number the words of sentences.

    Returns:
        The sentences, and the distinct words by number.
    """
    flat = list(chain.from_iterable(words))
    number = {word: place for place, word in enumerate(dict.fromkeys(flat))}
    ids = np.fromiter(map(number.__getitem__, flat), np.int32, len(flat))
    distinct = list(number)
    return Sentences(ids, starts_of(words), texts_of(distinct), blanks), distinct


def starts_of(lists: Sequence[Sized]) -> Numbers:
    """Give where each of several lists begins if they stand one behind the other."""
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)), out=starts[1:])
    return starts


def links_of(links: Sequence[Sequence[tuple[int, int]]]) -> Links:
    """Lay the links of sentence pairs one behind the other."""
    flat = np.array([pair for each in links for pair in each], np.int32).reshape(-1, 2)
    return Links(starts_of(links), flat[:, 0].copy(), flat[:, 1].copy())
