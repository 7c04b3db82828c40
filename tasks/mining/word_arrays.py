"""The words of one shard as arrays of numbers, all sentences behind one another.

A *border* stands behind each word; border `i` lies between the words `i` and `i + 1`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tasks.mining.function_words import is_punctuation

Integers: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

RuleSpans: TypeAlias = Sequence[Mapping[str, Any]]
"""What the rules saw in a sentence: `start`, `end` and `category`, in words."""


@dataclass(frozen=True, slots=True)
class WordArrays:
    """The words of some sentences."""

    vocabulary: list[str]
    """Every word once."""
    ids: Integers
    """Index in `vocabulary` of each word, shape (words,)."""
    starts: Integers
    """Where each sentence begins, and where the last one ends, shape (sentences + 1,)."""
    sentence: Integers
    """Index of the sentence of each word, shape (words,)."""
    is_last: Booleans
    """Whether a sentence ends behind a word, shape (words,)."""
    in_rule: Booleans
    """Whether the border behind a word lies inside the span of a rule, shape (words,)."""
    rule_spans: list[tuple[int, int, str]]
    """`(start, end, category)` of what the rules saw, in words from the first of all."""

    @staticmethod
    def of(sentences: Iterable[tuple[Sequence[str], RuleSpans]]) -> "WordArrays":
        """Put the words of sentences behind one another."""
        numbers: dict[str, int] = {}
        ids: list[int] = []
        lengths: list[int] = []
        spans: list[tuple[int, int, str]] = []
        for words, rules in sentences:
            base = len(ids)
            ids.extend([numbers.setdefault(word, len(numbers)) for word in words])
            lengths.append(len(words))
            spans += [(base + r["start"], base + r["end"], r["category"]) for r in rules]
        starts = np.append(0, np.cumsum(np.asarray(lengths, np.int64)))
        return WordArrays.of_numbered(np.asarray(ids, np.int64), starts, list(numbers), spans)

    @staticmethod
    def of_numbered(
        ids: Integers, starts: Integers, words: list[str], spans: list[tuple[int, int, str]]
    ) -> "WordArrays":
        """Take sentences whose words are numbers already.

        Args:
            ids: number of each word, shape (words,).
            starts: where each sentence begins, and where the last one ends.
            words: the distinct words, by number.
            spans: `(start, end, category)` of what the rules saw, in words from the first of all.
        """
        sentence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return WordArrays(
            vocabulary=words,
            ids=ids,
            starts=starts,
            sentence=sentence,
            is_last=np.append(sentence[1:] != sentence[:-1], True)[: len(ids)],
            in_rule=_inside(spans, len(ids)),
            rule_spans=spans,
        )

    def of_words(self, values: Iterable[Any], dtype: Any) -> npt.NDArray[Any]:
        """Look up a value for each word, shape (words,), given one for each of `vocabulary`."""
        return np.fromiter(values, dtype, len(self.vocabulary))[self.ids]

    def is_closed(self) -> Booleans:
        """Say of each border whether no unit crosses it, shape (words,).

        Those are the ends of sentences, both sides of marks, and borders inside the span of a rule.
        """
        mark = self.of_words(map(is_punctuation, self.vocabulary), np.bool_)
        before_mark = np.append(mark[1:], True)
        closed: Booleans = self.is_last | self.in_rule | mark | before_mark[: len(mark)]
        return closed


def _inside(spans: Iterable[tuple[int, int, str]], num_words: int) -> Booleans:
    inside = np.zeros(num_words, np.bool_)
    for start, end, _ in spans:
        inside[start : end - 1] = True
    return inside


def sequences(
    arrays: WordArrays, starts: Integers, lengths: Integers
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Count equal sequences of words: yield each once with its number.

    Args:
        arrays: the words.
        starts: where sequences start, shape (sequences,).
        lengths: how many words each has, shape (sequences,).
    """
    size = max(len(arrays.vocabulary), 1)
    for length in np.unique(lengths):
        here = starts[lengths == length]
        keys = arrays.ids[here]
        for offset in range(1, int(length)):
            _, keys = np.unique(keys, return_inverse=True)
            keys = keys * size + arrays.ids[here + offset]
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        for at, count in zip(here[first].tolist(), counts.tolist(), strict=True):
            run = arrays.ids[at : at + int(length)].tolist()
            yield tuple([arrays.vocabulary[number] for number in run]), count
