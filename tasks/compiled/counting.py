"""Count phrase pairs, compiled.

Each distinct phrase gets a number, and a phrase pair is two such numbers in one. The slow and
obvious form is `tests/reference/mining_counts.py`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Corpus, Found, Ids, Keys, Kinds, Numbers, Rule, Sentences
from tasks.compiled.extraction import extract_pair, most_spans, room_for
from tasks.compiled.hashing import (
    Running,
    first_slot,
    hash_words,
    longest_sentence,
    powers_for,
    read_sentence,
    running_values,
    span_key,
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
    tally: Ids
    """By the same: how many phrase pairs hold that span."""
    num_content: Ids
    """Content words before each word."""
    may_be_edge: NDArray[np.bool_]
    """May a phrase begin or end with each word?"""


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
        _tally(here[:, :2], rule.longest, source.tally)
        _tally(here[:, 2:], rule.longest, target.tally)
        _look_up(source, pair, rule.longest, found[0])
        _look_up(target, pair, rule.longest, found[1])
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
        np.zeros(size * longest, np.int32),
        np.zeros(size + 1, np.int32),
        np.zeros(size, np.bool_),
    )


@compiled
def _begin(side: Counting, sentence: int, rule: Rule, found: Found) -> bool:
    """Read one side of a sentence pair; False if its phrases may not all have room."""
    more = read_side(side, sentence, rule.longest) * rule.longest
    new = found.size[0] - found.size[1]
    return has_room(found, found.size[0] + more, new + more)


@compiled
def has_room(found: Found, phrases: int, uncut: int) -> bool:
    """Say whether there may be so many phrases, so many of them with a text to be cut."""
    return 2 * phrases <= len(found.slots) and uncut <= len(found.places)


@compiled
def read_side(side: Counting, sentence: int, longest: int) -> int:
    """Read one side of a sentence pair, of whose phrases none was looked up; returns its words."""
    size = read_sentence(side.sentences, side.keys, side.powers, sentence, side.running)
    first = side.sentences.starts[sentence]
    for position in range(size):
        word = side.sentences.ids[first + position]
        content = np.int32(side.kinds.is_content[word])
        side.num_content[position + 1] = side.num_content[position] + content
        side.may_be_edge[position] = side.kinds.may_be_edge[word]
    for cell in range(size * longest):
        side.number[cell] = 0
        side.tally[cell] = 0
    return size


@compiled
def _tally(spans: Ids, longest: int, tally: Ids) -> None:
    """Count how often each span of one side of a sentence pair was cut out."""
    for row in range(len(spans)):
        start, length = np.int64(spans[row, 0]), np.int64(spans[row, 1] - spans[row, 0])
        if length <= longest:
            tally[start * longest + length - 1] += 1


@compiled
def _look_up(side: Counting, sentence: int, longest: int, found: Found) -> None:
    """Count the phrases of one side of a sentence pair, and note their numbers.

    What is read for each span are arrays and numbers, since to hand on a tuple of arrays costs more
    than the rest.
    """
    numbers, tally, slots, places = side.number, side.tally, found.slots, found.places
    running, powers, content, edges = side.running, side.powers, side.num_content, side.may_be_edge
    opening, closing, begins, ends = running.opening, running.closing, running.begins, running.ends
    num_words = side.sentences.starts[sentence + 1] - side.sentences.starts[sentence]
    for start in range(num_words):
        for end in range(start + 1, min(start + longest, num_words) + 1):
            cell, last = start * longest + end - start - 1, end - 1
            if tally[cell] == 0 or not may_count(
                edges[start], edges[last], content[end] - content[start]
            ):
                continue
            power = powers[ends[last] - begins[start]]
            key = span_key(opening[start], closing[last], power)
            slot = slot_of(key, slots)
            if slots[slot, 1] == 0:
                uncut = found.size[0] - found.size[1]
                places[uncut, 0], places[uncut, 1], places[uncut, 2] = sentence, start, end
                found.size[0] += 1
                slots[slot, 0], slots[slot, 1] = key, found.size[0] << 32
            slots[slot, 1] += tally[cell]
            numbers[cell] = slots[slot, 1] >> 32


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
def may_be_phrase(side: Counting, start: int, end: int) -> bool:
    """Say whether the words `[start, end)` of the side that was read are worth counting."""
    content = side.num_content[end] - side.num_content[start]
    return may_count(side.may_be_edge[start], side.may_be_edge[end - 1], content)


@compiled
def may_count(begins: bool, ends: bool, content: int) -> bool:
    """Say whether a span may be a phrase, by what its first and its last word may be, and how many
    words of content it has."""
    return begins and ends and content > 0


@compiled
def slot_of(key: int, slots: Numbers) -> int:
    """Return where a key is in a table of phrases, or the empty slot where it would be."""
    slot = first_slot(key, len(slots))
    while slots[slot, 1] != 0 and slots[slot, 0] != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@compiled
def move(old: Numbers, slots: Numbers) -> None:
    """Put the phrases of a table into a larger, empty one."""
    for row in range(len(old)):
        if old[row, 1] != 0:
            slot = slot_of(old[row, 0], slots)
            slots[slot, 0], slots[slot, 1] = old[row, 0], old[row, 1]


@compiled
def gather(slots: Numbers) -> int:
    """Move the phrases of a table, in any order, to its first rows; returns how many there are."""
    written = 0
    for row in range(len(slots)):
        if slots[row, 1] != 0:
            slots[written, 0], slots[written, 1] = slots[row, 0], slots[row, 1]
            written += 1
    return written


@compiled
def refill(keys: Numbers, size: int, slots: Ids) -> None:
    """Put the numbers of keys into the empty slots of a table of them."""
    for number in range(size):
        slot = first_slot(keys[number], len(slots))
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number + 1
