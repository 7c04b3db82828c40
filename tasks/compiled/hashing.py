"""Keys of spans, compiled.

A phrase's key is a polynomial in its UTF-8 bytes modulo 2^64 (Karp and Rabin 1987), so the key of
any span follows from two running values of the sentence, however its inside is cut into words. The
slow and obvious form is `storage.phrase_keys.phrase_key`.
"""

from typing import NamedTuple

import numpy as np

from storage.phrase_keys import BASE, KEY_BITS
from tasks.compiled.arrays import Keys, Numbers, Sentences, Texts
from tasks.compiled.jit import compiled

_BASE = np.uint64(BASE)
_ONE = np.uint64(1)
KEY_MASK = np.uint64(KEY_BITS)
"""Keeps the bits of a key; see `storage.phrase_keys`."""
_BLANK_AND_ONE = np.uint64(ord(" ") + 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Running(NamedTuple):
    """The running values of one sentence, by word."""

    opening: Keys
    """Value of all that stands before each word."""
    closing: Keys
    """Value of all up to the end of each word."""
    begins: Numbers
    """Bytes before each word."""
    ends: Numbers


@compiled
def longest_sentence(sentences: Sentences) -> int:
    """Return the words of the longest sentence, 1 if there is none."""
    size = 1
    for sentence in range(len(sentences.starts) - 1):
        size = max(size, sentences.starts[sentence + 1] - sentences.starts[sentence])
    return size


@compiled
def running_values(num_words: int) -> Running:
    """Make room for a sentence."""
    return Running(
        np.zeros(num_words, np.uint64),
        np.zeros(num_words, np.uint64),
        np.zeros(num_words, np.int64),
        np.zeros(num_words, np.int64),
    )


@compiled
def hash_words(words: Texts) -> Keys:
    """Return the polynomial of each text."""
    keys = np.zeros(len(words.starts) - 1, np.uint64)
    for word in range(len(keys)):
        value = np.uint64(0)
        for place in range(words.starts[word], words.starts[word + 1]):
            value = value * _BASE + np.uint64(words.data[place]) + _ONE
        keys[word] = value
    return keys


@compiled
def powers_for(sentences: Sentences) -> Keys:
    """Return the powers of the base up to the bytes of the longest sentence."""
    longest = 0
    for sentence in range(len(sentences.starts) - 1):
        size = 0
        for place in range(sentences.starts[sentence], sentences.starts[sentence + 1]):
            word = sentences.ids[place]
            size += sentences.words.starts[word + 1] - sentences.words.starts[word]
            size += sentences.blanks
        longest = max(longest, size)
    powers = np.ones(longest + 2, np.uint64)
    for place in range(1, len(powers)):
        powers[place] = powers[place - 1] * _BASE
    return powers


@compiled
def read_sentence(
    sentences: Sentences, keys: Keys, powers: Keys, sentence: int, out: Running
) -> int:
    """Fill in the running values of a sentence; returns its number of words."""
    first = sentences.starts[sentence]
    size = sentences.starts[sentence + 1] - first
    value, place = np.uint64(0), np.int64(0)
    for position in range(size):
        word = sentences.ids[first + position]
        out.opening[position], out.begins[position] = value, place
        length = sentences.words.starts[word + 1] - sentences.words.starts[word]
        value, place = value * powers[length] + keys[word], place + length
        out.closing[position], out.ends[position] = value, place
        if sentences.blanks:
            value, place = value * _BASE + _BLANK_AND_ONE, place + 1
    return size


@compiled
def key_of(running: Running, powers: Keys, start: int, end: int) -> int:
    """Return the key of the words `[start, end)`."""
    power = powers[running.ends[end - 1] - running.begins[start]]
    return span_key(running.opening[start], running.closing[end - 1], power)


@compiled
def span_key(opening: int, closing: int, power: int) -> int:
    """Return the key of what stands between two running values; `power` is that of its bytes."""
    return np.int64((closing - opening * power) & KEY_MASK)


@compiled
def first_slot(key: int, num_slots: int) -> int:
    """Return where to look for a key first; `num_slots` is a power of two."""
    mixed = np.uint64(key) * _GOLDEN
    return np.int64((mixed >> np.uint64(32)) & np.uint64(num_slots - 1))
