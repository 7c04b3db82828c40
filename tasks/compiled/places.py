"""Find where wanted phrase pairs were cut out, and how many sentence pairs hold them, compiled.

Only integers are kept; the slow and obvious form is `tests/reference/mining_places.py`.
"""

import numpy as np

from tasks.compiled.arrays import (
    Corpus,
    Ids,
    Keyed,
    Keys,
    Numbers,
    Rule,
    Seen,
    Sentences,
    Wanted,
)
from tasks.compiled.counting import Counting, counting, may_be_phrase, read_side
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

_CUT = np.uint64(1 << 32)
_SIDE = np.uint64(16)


@compiled
def find_places(
    corpus: Corpus, rule: Rule, wanted: Wanted, first: int, places: Ids
) -> tuple[int, int]:
    """Find the places at which wanted pairs were counted, from sentence pair `first` on, until
    there is no more room.

    Args:
        corpus: the sentence pairs.
        rule: which spans are phrases, and which of those count.
        wanted: the pairs.
        first: the sentence pair to begin with.
        places: room for rows `(sentence pair, source start, source end, target start, target end,
            wanted pair)`.

    Returns:
        The first sentence pair in which was not looked, and how many rows were written.
    """
    source = counting(corpus.source, corpus.source_kinds, rule.longest)
    target = counting(corpus.target, corpus.target_kinds, rule.longest)
    sides = room_for(corpus)
    spans = np.zeros((most_spans(longest_sentence(corpus.source), rule), 4), np.int32)
    written = 0
    for pair in range(first, len(corpus.source.starts) - 1):
        num_spans = extract_pair(corpus, pair, rule, sides, spans)
        if written + num_spans > len(places):
            return pair, written
        read_side(source, pair, rule.longest)
        read_side(target, pair, rule.longest)
        for row in range(num_spans):
            s1, s2 = np.int64(spans[row, 0]), np.int64(spans[row, 1])
            t1, t2 = np.int64(spans[row, 2]), np.int64(spans[row, 3])
            if s2 - s1 > rule.longest or t2 - t1 > rule.longest:
                continue
            number = _looked_up(source, (s1, s2), rule.longest, wanted.source)
            if number < 0:
                continue
            other = _looked_up(target, (t1, t2), rule.longest, wanted.target)
            which = _pair_of(wanted, number, other)
            if which >= 0:
                places[written, 0] = pair
                for column in range(4):
                    places[written, column + 1] = spans[row, column]
                places[written, 5] = which
                written += 1
    return len(corpus.source.starts) - 1, written


@compiled
def _looked_up(side: Counting, span: tuple[int, int], longest: int, keyed: Keyed) -> int:
    """Return the number of the phrase on a span, negative if it does not count or is not wanted."""
    start, end = span
    cell = start * longest + end - start - 1
    if side.number[cell] == 0:
        side.number[cell] = -1
        if may_be_phrase(side, start, end):
            number = _number_of(key_of(side.running, side.powers, start, end), keyed)
            if number >= 0:
                side.number[cell] = number + 1
    return np.int64(side.number[cell]) - 1


@compiled
def _number_of(key: int, keyed: Keyed) -> int:
    """Return the number of a text by its key, -1 if it is not looked for."""
    slot = first_slot(key, len(keyed.slots))
    while keyed.slots[slot] != 0:
        number = np.int64(keyed.slots[slot]) - 1
        if keyed.keys[number] == key:
            return number
        slot = (slot + 1) & (len(keyed.slots) - 1)
    return np.int64(-1)


@compiled
def _pair_of(wanted: Wanted, source: int, target: int) -> int:
    """Return which wanted pair two numbers are, -1 if none; that of the target may be negative."""
    for pair in range(wanted.starts[source], wanted.starts[source + 1]):
        if wanted.targets[pair] == target:
            return np.int64(pair)
    return np.int64(-1)


@compiled
def digest_places(corpus: Corpus, places: Ids) -> Keys:
    """Give a number to how each place is cut into words and linked inside.

    Two places of one pair have the same number if, and but for a chance of 2^-64 only if, their
    source words and their links are the same.
    """
    digests = np.zeros(len(places), np.uint64)
    words = corpus.source.words
    for row in range(len(places)):
        pair, s1, s2, t1, t2 = places[row, :5]
        value, size = np.uint64(0), np.uint64(0)
        first = corpus.source.starts[pair]
        for place in range(first + s1, first + s2):
            word = corpus.source.ids[place]
            size += np.uint64(words.starts[word + 1] - words.starts[word])
            value += _mixed(size + _CUT)
        for link in range(corpus.links.starts[pair], corpus.links.starts[pair + 1]):
            s, t = corpus.links.source[link], corpus.links.target[link]
            if s1 <= s < s2 and t1 <= t < t2:
                value += _mixed(np.uint64(s - s1) << _SIDE | np.uint64(t - t1))
        digests[row] = value
    return digests


@compiled
def _mixed(number: int) -> int:
    """Spread a number over 64 bits (the finaliser of splitmix64, Steele et al. 2014)."""
    value = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def count_sentences(corpus: Corpus, wanted: Wanted, seen: Seen) -> None:
    """Count the sentence pairs in which the sides of wanted pairs stand, linked or not.

    A text stands where it begins and ends at borders of words, however it is cut inside.
    """
    here = np.zeros(len(wanted.source.keys), np.int32)
    opposite = np.zeros(len(wanted.target.keys), np.int32)
    last_source = np.full(len(wanted.source.keys), -1, np.int64)
    last_target = np.full(len(wanted.target.keys), -1, np.int64)
    source, target = _reading(corpus.source), _reading(corpus.target)
    for pair in range(len(corpus.source.starts) - 1):
        num_here = _see(corpus.source, source, (pair, wanted.source), last_source, here)
        num_opposite = _see(corpus.target, target, (pair, wanted.target), last_target, opposite)
        for place in range(num_opposite):
            seen.targets[opposite[place]] += 1
        for place in range(num_here):
            number = here[place]
            seen.sources[number] += 1
            for which in range(wanted.starts[number], wanted.starts[number + 1]):
                if last_target[wanted.targets[which]] == pair:
                    seen.both[which] += 1


@compiled
def _reading(sentences: Sentences) -> tuple[Keys, Keys, Running]:
    """Prepare to read the sentences of one side."""
    return (
        hash_words(sentences.words),
        powers_for(sentences),
        running_values(longest_sentence(sentences)),
    )


@compiled
def _see(
    sentences: Sentences,
    reading: tuple[Keys, Keys, Running],
    where: tuple[int, Keyed],
    last: Numbers,
    found: Ids,
) -> int:
    """Note the distinct texts that stand in a sentence; returns how many there are.

    `last` holds by text the last sentence in which it was seen.
    """
    (keys, powers, running), (sentence, keyed) = reading, where
    size = read_sentence(sentences, keys, powers, sentence, running)
    num_found = 0
    for start in range(size):
        for end in range(start + 1, size + 1):
            if running.ends[end - 1] - running.begins[start] > keyed.longest:
                break
            number = _number_of(key_of(running, powers, start, end), keyed)
            if number >= 0 and last[number] != sentence:
                last[number] = sentence
                found[num_found] = number
                num_found += 1
    return num_found
