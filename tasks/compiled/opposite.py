"""Look for the likely targets of the sources that stand in sentence pairs, compiled.

The slow and obvious form is `tests/reference/mining_opposite.py`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Bytes, Ids, Numbers, Sentences, Texts
from tasks.compiled.jit import compiled

_BLANK = np.uint8(ord(" "))


class Standing(NamedTuple):
    """Sources that stand in sentence pairs: arrays of shape (rows,), sorted by sentence."""

    sentence: Numbers
    source: Numbers


class Opposite(NamedTuple):
    """What stands opposite: arrays with an item for each target of the source of each row."""

    row: Numbers
    target: Numbers
    times: Ids
    """How often the target stands there, each word counted once."""
    start: Numbers
    """The first word of the first place, from the first word of all sentences; -1 if none."""
    end: Numbers


@compiled
def beginnings_of_runs(texts: Texts) -> Numbers:
    """Return at which texts another one begins, of texts that are sorted; and how many they are."""
    size = len(texts.starts) - 1
    starts = np.zeros(size + 1, np.int64)
    written = 0
    for number in range(size):
        if number == 0 or not _same(texts, number - 1, number):
            starts[written] = number
            written += 1
    starts[written] = size
    return starts[: written + 1].copy()


@compiled
def _same(texts: Texts, one: int, other: int) -> bool:
    first, second = texts.starts[one], texts.starts[other]
    size = texts.starts[one + 1] - first
    if texts.starts[other + 1] - second != size:
        return False
    return equal(texts.data, first, texts.data[second : second + size])


@compiled
def equal(letters: Bytes, at: int, text: Bytes) -> bool:
    """Say whether a text stands at a place of letters, which has room for it."""
    place = 0
    while place < len(text) and letters[at + place] == text[place]:
        place += 1
    return place == len(text)


def room_for(standing: Standing, first_target: Numbers) -> Opposite:
    """Make room for what stands opposite; see `find_opposite`."""
    numbers = np.diff(first_target)[standing.source]
    row = np.repeat(np.arange(len(numbers)), numbers)
    behind = np.arange(len(row)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    target = first_target[standing.source[row]] + behind
    size = len(row)
    return Opposite(
        row, target, np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
    )


@compiled
def find_opposite(standing: Standing, targets: Texts, sentences: Sentences, out: Opposite) -> None:
    """Find the targets of sources in the sentences opposite.

    Args:
        standing: which sources stand in which sentence pairs.
        targets: words, with a blank between them.
        sentences: the sentences opposite, with a blank between words.
        out: as `room_for` makes it, to be filled in.
    """
    letters, begins, ends = room_for_words(sentences)
    last, size, base = np.int64(-1), 0, np.int64(0)
    for item in range(len(out.row)):
        sentence, target = standing.sentence[out.row[item]], out.target[item]
        if sentence != last:
            size, last = lay_out(sentences, sentence, letters, begins, ends), sentence
            base = sentences.starts[sentence]
        text = targets.data[targets.starts[target] : targets.starts[target + 1]]
        number, start, end = _occurrences(text, letters, begins[:size], ends)
        out.times[item] = number
        out.start[item] = base + start if number else -1
        out.end[item] = base + end if number else -1


@compiled
def room_for_words(sentences: Sentences) -> tuple[Bytes, Numbers, Numbers]:
    """Make room for the longest sentence: its bytes, and where each word begins and ends."""
    most_bytes, most_words = np.int64(0), np.int64(0)
    for sentence in range(len(sentences.starts) - 1):
        size = np.int64(0)
        for place in range(sentences.starts[sentence], sentences.starts[sentence + 1]):
            word = sentences.ids[place]
            size += sentences.words.starts[word + 1] - sentences.words.starts[word] + 1
        most_bytes = max(most_bytes, size)
        most_words = max(most_words, sentences.starts[sentence + 1] - sentences.starts[sentence])
    return (
        np.zeros(most_bytes, np.uint8),
        np.zeros(most_words, np.int64),
        np.zeros(most_words, np.int64),
    )


@compiled
def lay_out(
    sentences: Sentences, sentence: int, letters: Bytes, begins: Numbers, ends: Numbers
) -> int:
    """Write the words of a sentence, a blank behind each; returns how many they are."""
    first, at = sentences.starts[sentence], np.int64(0)
    size = sentences.starts[sentence + 1] - first
    for place in range(size):
        word = sentences.ids[first + place]
        begins[place] = at
        for byte in range(sentences.words.starts[word], sentences.words.starts[word + 1]):
            letters[at] = sentences.words.data[byte]
            at += 1
        ends[place] = at
        letters[at] = _BLANK
        at += 1
    return size


@compiled
def _occurrences(
    text: Bytes, letters: Bytes, begins: Numbers, ends: Numbers
) -> tuple[int, int, int]:
    """Count how often a text stands in words, each word counted once; returns the first word of its
    first place and where that ends, too."""
    count, first, first_end, free = 0, np.int64(0), np.int64(0), np.int64(0)
    for word in range(len(begins)):
        if word < free or not is_run(text, letters, begins[word], ends[len(begins) - 1]):
            continue
        free = np.int64(word + 1)
        while free < len(begins) and begins[free] < begins[word] + len(text):
            free += 1
        if count == 0:
            first, first_end = np.int64(word), free
        count += 1
    return count, first, first_end


@compiled
def is_run(text: Bytes, letters: Bytes, at: int, past: int) -> bool:
    """Say whether a text, which is not empty, stands at the beginning of a word and ends where one
    does."""
    if at + len(text) > past or letters[at] != text[0] or letters[at + len(text)] != _BLANK:
        return False
    return equal(letters, at, text)


@compiled
def stand_inside(
    texts: Texts, numbers: Numbers, wanted: Texts, which: Numbers, alone: NDArray[np.bool_]
) -> Ids:
    """Say of some texts whether one of their own stands in each, as 1 or 0.

    Args:
        texts: where to look.
        numbers: of the texts, one for each question.
        wanted: what to look for, none of which is empty.
        which: of these, one for each question.
        alone: of each of what is wanted, whether it does not count at the beginning of a text.
    """
    found = np.zeros(len(numbers), np.int32)
    for row in range(len(numbers)):
        text = texts.data[texts.starts[numbers[row]] : texts.starts[numbers[row] + 1]]
        part = wanted.data[wanted.starts[which[row]] : wanted.starts[which[row] + 1]]
        found[row] = _stands(part, text, _second_character(text) if alone[which[row]] else 0)
    return found


@compiled
def _second_character(text: Bytes) -> int:
    """Return the first byte behind the first character."""
    place = 1
    while place < len(text) and np.int64(text[place]) & 0xC0 == 0x80:
        place += 1
    return place


@compiled
def _stands(part: Bytes, text: Bytes, first: int) -> bool:
    """Say whether a part stands in a text, from a byte on."""
    for start in range(first, len(text) - len(part) + 1):
        if text[start] == part[0] and equal(text, start, part):
            return True
    return False
