"""Count phrase pairs, compiled.

Each distinct phrase gets a number, and a phrase pair is two such numbers in one. The slow and
obvious form is `tests/reference/mining_counts.py`.
"""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Corpus, Found, Ids, Keys, Kinds, Numbers, Rule, Sentences
from tasks.compiled.extraction import extract_pair, most_spans, room_for
from tasks.compiled.hashing import (
    Running,
    first_slot,
    hash_words,
    key_of,
    longest_sentence,
    powers_for,
    read_sentence,
    running_values,
)
from tasks.compiled.jit import compiled


class Counting(NamedTuple):
    """One side of the sentence pair that is being counted."""

    sentences: Sentences
    kinds: Kinds
    keys: Keys
    """Of the distinct words."""
    powers: Keys
    running: Running
    number: Ids
    """By start x longest + length - 1: number of that phrase + 1, 0 if not looked up yet, -1 if
    that span does not count."""
    num_content: Ids
    """Content words before each word."""


@compiled
def count_pairs(
    corpus: Corpus, rule: Rule, found: tuple[Found, Found], pairs: Numbers, first: int
) -> tuple[int, int]:
    """Count the phrases of sentence pairs, from pair `first` on, until there is no more room.

    Args:
        corpus: the sentence pairs.
        rule: which spans are phrases, and which of those count.
        found: the distinct sources and targets, added to.
        pairs: room for (number of source << 32 | number of target) of each phrase pair.
        first: the sentence pair to begin with.

    Returns:
        The first sentence pair that was not counted, and how many of `pairs` were written.
    """
    source = counting(corpus.source, corpus.source_kinds, rule.longest)
    target = counting(corpus.target, corpus.target_kinds, rule.longest)
    sides = room_for(corpus)
    spans = np.zeros((most_spans(longest_sentence(corpus.source), rule), 4), np.int32)
    written = 0
    for pair in range(first, len(corpus.source.starts) - 1):
        num_spans = extract_pair(corpus, pair, rule, sides, spans)
        if written + num_spans > len(pairs):
            return pair, written
        if not (_begin(source, pair, rule, found[0]) and _begin(target, pair, rule, found[1])):
            return pair, written
        here = spans[:num_spans]
        _look_up(source, (pair, 0), here, rule.longest, found[0])
        _look_up(target, (pair, 2), here, rule.longest, found[1])
        numbers = source.number, target.number
        written = _note_pairs(here, rule.longest, numbers, pairs, written)
    return len(corpus.source.starts) - 1, written


@compiled
def counting(sentences: Sentences, kinds: Kinds, longest: int) -> Counting:
    """Make room for the longest sentence of one side."""
    size = longest_sentence(sentences)
    return Counting(
        sentences,
        kinds,
        hash_words(sentences.words),
        powers_for(sentences),
        running_values(size),
        np.zeros(size * longest, np.int32),
        np.zeros(size + 1, np.int32),
    )


@compiled
def _begin(side: Counting, sentence: int, rule: Rule, found: Found) -> bool:
    """Read one side of a sentence pair; False if its phrases may not all have room."""
    size = read_side(side, sentence, rule.longest)
    return found.size[0] + size * rule.longest <= len(found.keys)


@compiled
def read_side(side: Counting, sentence: int, longest: int) -> int:
    """Read one side of a sentence pair, of whose phrases none was looked up; returns its words."""
    size = read_sentence(side.sentences, side.keys, side.powers, sentence, side.running)
    first = side.sentences.starts[sentence]
    for position in range(size):
        content = side.kinds.is_content[side.sentences.ids[first + position]]
        side.num_content[position + 1] = side.num_content[position] + np.int32(content)
    for cell in range(size * longest):
        side.number[cell] = 0
    return size


@compiled
def _look_up(
    side: Counting, where: tuple[int, int], spans: Ids, longest: int, found: Found
) -> None:
    """Count the phrases of one side of a sentence pair, and note their numbers.

    `where` is the sentence and the column of `spans` at which the side begins.

    What is read for each row are arrays, since to hand on a tuple of them costs more than the rest.
    """
    sentence, column = where
    numbers, counts = side.number, found.counts
    for row in range(len(spans)):
        start, end = np.int64(spans[row, column]), np.int64(spans[row, column + 1])
        if end - start > longest:
            continue
        cell = start * longest + end - start - 1
        if numbers[cell] == 0:
            numbers[cell] = -1
            if may_be_phrase(side, sentence, start, end):
                key = key_of(side.running, side.powers, start, end)
                numbers[cell] = 1 + intern(key, (sentence, start, end), found)
        if numbers[cell] > 0:
            counts[numbers[cell] - 1] += 1


@compiled
def _note_pairs(
    spans: Ids, longest: int, numbers: tuple[Ids, Ids], pairs: Numbers, written: int
) -> int:
    """Write the numbers of both sides of the pairs in which both count; returns how many are
    written now."""
    sources, targets = numbers
    for row in range(len(spans)):
        s1, s2 = np.int64(spans[row, 0]), np.int64(spans[row, 1])
        t1, t2 = np.int64(spans[row, 2]), np.int64(spans[row, 3])
        if s2 - s1 <= longest and t2 - t1 <= longest:
            source = np.int64(sources[s1 * longest + s2 - s1 - 1])
            target = np.int64(targets[t1 * longest + t2 - t1 - 1])
            if source > 0 and target > 0:
                pairs[written] = (source - 1) << 32 | (target - 1)
                written += 1
    return written


@compiled
def may_be_phrase(side: Counting, sentence: int, start: int, end: int) -> bool:
    """Say whether the words `[start, end)` of one side are worth counting as a phrase."""
    first = side.sentences.starts[sentence]
    return (
        side.kinds.may_be_edge[side.sentences.ids[first + start]]
        and side.kinds.may_be_edge[side.sentences.ids[first + end - 1]]
        and side.num_content[end] > side.num_content[start]
    )


@compiled
def intern(key: int, place: tuple[int, int, int], found: Found) -> int:
    """Return the number of the phrase with this key, new if it was never seen."""
    slot = first_slot(key, len(found.slots))
    while found.slots[slot] != 0:
        if found.keys[found.slots[slot] - 1] == key:
            return np.int64(found.slots[slot] - 1)
        slot = (slot + 1) & (len(found.slots) - 1)
    number = found.size[0]
    found.slots[slot] = number + 1
    found.keys[number] = key
    sentence, start, end = place
    found.places[number, 0] = sentence
    found.places[number, 1] = start
    found.places[number, 2] = end
    found.size[0] = number + 1
    return number


@compiled
def refill(keys: Numbers, size: int, slots: Ids) -> None:
    """Put the phrases of a table into empty slots."""
    for number in range(size):
        slot = first_slot(keys[number], len(slots))
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1
