"""What BLEU needs of each sentence, as integers: lengths, n-grams and how many of them are right.

Scores of any part of a corpus are sums of these rows, so that resampling never reads a text again.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Brevity = Literal["shortest", "closest"]
"""Which reference's length counts: mteval-v11b takes the shortest of each sentence, mteval-v13a the
one closest to the output (the shorter of two equally close)."""

Tokens = Sequence[str]
Counts = NDArray[np.int64]

MAX_ORDER = 4
HYPOTHESIS_LENGTH, REFERENCE_LENGTH = 0, 1
FIRST_MATCH, FIRST_TOTAL = 2, 2 + MAX_ORDER
NUM_COLUMNS = 2 + 2 * MAX_ORDER
"""Columns: words of the output, words of the reference, right n-grams of order 1 to 4, n-grams of
order 1 to 4."""

_BLOCK = 1024
"""Sentences that are counted together: their n-grams stay in the processor's cache."""


class NgramKeys(NamedTuple):
    """The n-grams of one order; a key divided by `width` is the sentence."""

    streams: list[Counts]
    width: int


def sentence_counts(
    systems: Sequence[Sequence[Tokens]],
    references: Sequence[Sequence[Tokens | None]],
    brevity: Brevity,
) -> Counts:
    """Count the n-grams of each sentence that are also in a reference, clipped (Papineni et al.
    2002, section 2.1).

    Args:
        systems: for each system the words of each sentence.
        references: for each set of references the words of each sentence, None where one is
            missing; each sentence has at least one.
        brevity: which reference's length is counted.

    Returns:
        Counts of shape (systems, sentences, NUM_COLUMNS).
    """
    num_sentences = len(systems[0])
    counts = np.zeros((len(systems), num_sentences, NUM_COLUMNS), dtype=np.int64)
    lengths = np.array([[len(words) for words in stream] for stream in systems], dtype=np.int64)
    counts[:, :, HYPOTHESIS_LENGTH] = lengths
    counts[:, :, REFERENCE_LENGTH] = _reference_lengths(lengths, references, brevity)
    for order in range(1, MAX_ORDER + 1):
        counts[:, :, FIRST_TOTAL + order - 1] = np.maximum(lengths - order + 1, 0)
    for start in range(0, num_sentences, _BLOCK):
        part = slice(start, min(start + _BLOCK, num_sentences))
        counts[:, part, FIRST_MATCH:FIRST_TOTAL] = _matches(
            [stream[part] for stream in systems],
            [[words or () for words in stream[part]] for stream in references],
        )
    return counts


def _matches(systems: Sequence[Sequence[Tokens]], references: Sequence[Sequence[Tokens]]) -> Counts:
    """Return the right n-grams of a block of sentences, shape (systems, sentences, MAX_ORDER)."""
    matches = np.zeros((len(systems), len(systems[0]), MAX_ORDER), dtype=np.int64)
    for order, (streams, width) in enumerate(_ngram_keys([*systems, *references])):
        for system in range(len(systems)):
            matches[system, :, order] = _clipped(
                streams[system], streams[len(systems) :], len(systems[0]), width
            )
    return matches


def _reference_lengths(
    lengths: Counts, references: Sequence[Sequence[Tokens | None]], brevity: Brevity
) -> Counts:
    """Return the length that counts for each system and sentence, shape (systems, sentences)."""
    absent = np.iinfo(np.int64).max // 4
    candidates = np.array(
        [[absent if words is None else len(words) for words in stream] for stream in references],
        dtype=np.int64,
    )
    if brevity == "shortest":
        return np.broadcast_to(candidates.min(axis=0), lengths.shape)
    # Among equally close references the shorter one counts, so they are looked at by length.
    candidates = np.sort(candidates, axis=0)
    distance = np.abs(candidates[:, None, :] - lengths[None])
    nearest = distance.argmin(axis=0)
    return np.take_along_axis(candidates, nearest, axis=0)


def _ngram_keys(streams: Sequence[Sequence[Tokens]]) -> list[NgramKeys]:
    """Name the n-grams of all streams alike: for each order and stream, one number an n-gram.

    A number says the sentence and the words: equal numbers mean both are equal, nothing is hashed.
    """
    number: dict[str, int] = {}
    words = [
        np.fromiter(
            (number.setdefault(word, len(number)) for text in stream for word in text),
            dtype=np.int64,
        )
        for stream in streams
    ]
    sentences = [
        np.repeat(np.arange(len(stream)), [len(text) for text in stream]) for stream in streams
    ]
    size = max(len(number), 1)
    pairs, num_pairs = _numbered([found[:-1] * size + found[1:] for found in words])
    orders: list[tuple[list[Counts], int]] = [
        (words, size),
        (pairs, num_pairs),
        (
            [pair[:-1] * size + word[2:] for pair, word in zip(pairs, words, strict=True)],
            num_pairs * size,
        ),
        ([pair[:-2] * num_pairs + pair[2:] for pair in pairs], num_pairs * num_pairs),
    ]
    return [
        NgramKeys(
            [
                (found[order - 1 :] * width + grams)[_inside(found, order)]
                for grams, found in zip(made, sentences, strict=True)
            ],
            width,
        )
        for order, (made, width) in enumerate(orders, start=1)
    ]


def _numbered(keys: Sequence[Counts]) -> tuple[list[Counts], int]:
    """Replace the keys of all streams by small numbers, equal for equal keys."""
    distinct, numbers = np.unique(np.concatenate(keys), return_inverse=True)
    ends = np.cumsum([len(key) for key in keys])[:-1]
    return np.split(numbers.astype(np.int64), ends), max(len(distinct), 1)


def _inside(sentences: Counts, order: int) -> NDArray[np.bool_]:
    """Say of each position whether the n-gram that starts there ends in the same sentence."""
    same = sentences[order - 1 :] == sentences[: max(len(sentences) - order + 1, 0)]
    return np.asarray(same)


def _clipped(found: Counts, references: Sequence[Counts], num_sentences: int, width: int) -> Counts:
    """Return how many n-grams of each sentence are right: at most as often as one reference has it.

    Args:
        found: keys of the output's n-grams.
        references: keys of each set of references' n-grams.
        num_sentences: in this block.
        width: a key divided by this is the sentence.
    """
    keys, times = np.unique(found, return_counts=True)
    allowed = np.zeros(len(keys), dtype=np.int64)
    for reference in references:
        present, often = np.unique(reference, return_counts=True)
        place = np.searchsorted(present, keys)
        place[place == len(present)] = 0
        if len(present):
            same = present[place] == keys
            allowed[same] = np.maximum(allowed[same], often[place[same]])
    right = np.minimum(times, allowed)
    return np.bincount(keys // width, weights=right, minlength=num_sentences).astype(np.int64)
