"""Count in one shard what term candidates are judged by: sequences that read as noun phrases, and
words that stand side by side.

The pattern is the second filter of Frantzi et al. (2000), `(Adj|Noun)+ Noun`, as Chinese needs it:
a verb may stand before the head, too, since jieba tags most verbal nouns as verbs (監察人,
駕駛執照). Counts of shards are merged by adding them up by key.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tasks.mining.part_of_speech import Tagger
from tasks.mining.word_arrays import Booleans, Integers, WordArrays, sequences

MODIFIERS = frozenset(["noun", "nominal", "adjective", "verb"])
HEADS = frozenset(["noun", "nominal", "verb"])


@dataclass(frozen=True, slots=True)
class TermCounts:
    """What was counted in one shard."""

    sequences: list[tuple[tuple[str, ...], int]]
    """Single words of content, and sequences that fit the pattern, with all their occurrences."""
    neighbours: list[tuple[tuple[str, ...], int]]
    """Two words side by side, with no mark and no part of a rule's span between them."""


def count_terms(arrays: WordArrays, tagger: Tagger, *, max_words: int) -> TermCounts:
    """Count the sequences and the neighbours of one shard.

    Args:
        arrays: the words of the shard.
        tagger: tells their parts of speech.
        max_words: longest sequence that is counted.
    """
    is_closed = arrays.is_closed()
    starts, lengths = _pattern_spans(arrays, tagger, is_closed, max_words)
    open_borders = np.flatnonzero(~is_closed)
    twos = np.full(len(open_borders), 2, np.int64)
    return TermCounts(
        list(sequences(arrays, starts, lengths)), list(sequences(arrays, open_borders, twos))
    )


def _pattern_spans(
    arrays: WordArrays, tagger: Tagger, is_closed: Booleans, max_words: int
) -> tuple[Integers, Integers]:
    """Return start and length of each sequence that fits the pattern, and of each single word."""
    classes = [tagger.tag(word).word_class for word in arrays.vocabulary]
    is_modifier = arrays.of_words((kind in MODIFIERS for kind in classes), np.bool_)
    is_head = arrays.of_words((kind in HEADS for kind in classes), np.bool_)
    going = np.flatnonzero(is_modifier)
    starts, lengths = [going], [np.ones(len(going), np.int64)]
    for length in range(2, max_words + 1):
        going = going[~is_closed[going + length - 2]]
        going = going[is_modifier[going + length - 1]]
        fitting = going[is_head[going + length - 1]]
        starts.append(fitting)
        lengths.append(np.full(len(fitting), length, np.int64))
    return np.concatenate(starts), np.concatenate(lengths)


def joined(counts: list[tuple[tuple[str, ...], int]]) -> Iterator[tuple[str, int]]:
    """Write sequences with blanks between their words, as tables hold them."""
    return ((" ".join(words), count) for words, count in counts)
