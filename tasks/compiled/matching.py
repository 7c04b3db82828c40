"""Find many texts in many sentences, compiled.

The beginnings of all texts, cut between characters, stand in a hash table. From each word of a
sentence the key of the words so far is looked up, one more word at a time, until no text begins so.
What is found is compared with the text, so that equal keys of different texts do no harm. The slow
and obvious form is `tests/reference/tagging_matcher.py`.

To look something up costs one or two trips to memory, and these are most of the time. So a cell of
the table is 64 bits: half of the key, and where the text stands; and texts are compared eight bytes
at a time, so that few branches keep the machine from going on to the next trip.
"""

from typing import NamedTuple

import numpy as np

from storage.phrase_keys import BASE
from tasks.compiled.arrays import Bytes, Ids, Keys, Numbers, Phrases, Sentences, Texts
from tasks.compiled.hashing import (
    KEY_MASK,
    Running,
    first_slot,
    hash_words,
    longest_sentence,
    powers_for,
    read_sentence,
    running_values,
)
from tasks.compiled.jit import compiled

_BASE = np.uint64(BASE)
_ONE = np.uint64(1)
_HALF = np.uint64(32)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_EMPTY = -1
_LOW = (1 << 32) - 1
_NOT_WHOLE = _LOW
"""Content of a cell whose beginning is no whole text."""


class Room(NamedTuple):
    """Room for what is found out about one sentence."""

    letters: Bytes
    eights: Keys
    """The same, eight at a time, the first one lowest."""
    places: Numbers
    """By word that has characters: its place in the sentence, and in the end the number of all."""
    active: Numbers
    """The words from which a round goes on."""
    keys: Numbers
    """By active word, as the next."""
    cell: Numbers
    reach: Numbers
    """By word: up to how many words some text begins so."""
    contents: Numbers
    """By word and number of words - 1: content of the cell."""
    heads: Keys
    """The same: what stands before the text that is found there."""


@compiled
def _begins_character(byte: int) -> bool:
    """Say whether a byte of UTF-8 is the first of a character."""
    return np.int64(byte) & 0xC0 != 0x80


@compiled
def packed(texts: Texts) -> Keys:
    """Lay texts one behind the other as `Phrases` wants them."""
    num_texts, size = len(texts.starts) - 1, np.int64(0)
    for number in range(num_texts):
        size += 1 + (texts.starts[number + 1] - texts.starts[number] + 7) // 8
    eights, at = np.zeros(size, np.uint64), np.int64(0)
    for number in range(num_texts):
        first, num_bytes = texts.starts[number], texts.starts[number + 1] - texts.starts[number]
        eights[at] = np.uint64(num_bytes << 32 | number)
        at += 1
        for place in range(num_bytes):
            byte = np.uint64(texts.data[first + place])
            eights[at + (place >> 3)] |= byte << np.uint64((place & 7) << 3)
        at += (num_bytes + 7) // 8
    return eights


@compiled
def add_beginnings(texts: Keys, cells: Numbers) -> int:
    """Put the beginnings of all texts into an empty table; returns how many cells it took.

    Whole texts come first, so that the first cell with a fingerprint is a whole text if any is.
    """
    size = 0
    for add_whole in (True, False):
        at = np.int64(0)
        while at < len(texts):
            num_bytes = np.int64(texts[at] >> _HALF)
            size += _add_text(texts, at, num_bytes, add_whole, cells)
            at += 1 + (num_bytes + 7) // 8
    return size


@compiled
def _add_text(texts: Keys, at: int, num_bytes: int, add_whole: bool, cells: Numbers) -> int:
    """Add a whole text, or its shorter beginnings; returns how many cells it took."""
    value, size = np.uint64(0), 0
    for place in range(num_bytes):
        value = value * _BASE + _byte(texts, at + 1, place) + _ONE
        key, is_last = np.int64(value & KEY_MASK), place == num_bytes - 1
        if is_last and add_whole:
            size += _add(key, at, cells)
        elif not (is_last or add_whole) and _begins_character(_byte(texts, at + 1, place + 1)):
            size += _add(key, _NOT_WHOLE, cells)
    return size


@compiled
def _byte(eights: Keys, first: int, place: int) -> int:
    """Return a byte of what lies eight at a time."""
    return (eights[first + (place >> 3)] >> np.uint64((place & 7) << 3)) & np.uint64(0xFF)


@compiled
def _add(key: int, content: int, cells: Numbers) -> int:
    """Add a beginning if its fingerprint is new there, a whole text always; returns 1 or 0."""
    slot, fingerprint = first_slot(key, len(cells)), key >> 32
    while cells[slot] != _EMPTY:
        if content == _NOT_WHOLE and cells[slot] >> 32 == fingerprint:
            return 0
        slot = (slot + 1) & (len(cells) - 1)
    cells[slot] = fingerprint << 32 | content
    return 1


@compiled
def find_texts(
    phrases: Phrases, sentences: Sentences, first: int, found: Ids, starts: Numbers
) -> int:
    """Find all texts in sentences, from `first` on, until there is no more room.

    Args:
        phrases: the texts.
        sentences: where to look; without blanks between words.
        first: the sentence to begin with.
        found: room for rows `(sentence, start, end, text)`; they are sorted.
        starts: at which row those of each sentence begin; filled in behind `first`.

    Returns:
        The first sentence in which was not looked.
    """
    keys, powers = hash_words(sentences.words), powers_for(sentences)
    running = running_values(longest_sentence(sentences))
    room = _make_room(len(running.begins), len(powers), phrases.longest)
    for sentence in range(first, len(sentences.starts) - 1):
        size = read_sentence(sentences, keys, powers, sentence, running)
        _lay_out(sentences, sentence, room.letters)
        size = _without_empty(running, size, room)
        _look_up(phrases, running, powers, size, room)
        written = _write_found(phrases, running, (sentence, size), room, found[starts[sentence] :])
        if written < 0:
            return sentence
        starts[sentence + 1] = starts[sentence] + written
    return len(sentences.starts) - 1


@compiled
def _make_room(num_words: int, num_bytes: int, longest: int) -> Room:
    eights = np.zeros(num_bytes // 8 + 3, np.uint64)
    return Room(
        eights.view(np.uint8),
        eights,
        np.empty(num_words + 1, np.int64),
        np.empty(num_words, np.int64),
        np.empty(num_words, np.int64),
        np.empty(num_words, np.int64),
        np.empty(num_words, np.int64),
        np.empty((num_words, min(num_words, longest)), np.int64),
        np.empty((num_words, min(num_words, longest)), np.uint64),
    )


@compiled
def _lay_out(sentences: Sentences, sentence: int, letters: Bytes) -> None:
    """Write the bytes of a sentence one behind the other."""
    data, starts, ids = sentences.words.data, sentences.words.starts, sentences.ids
    at = 0
    for place in range(sentences.starts[sentence], sentences.starts[sentence + 1]):
        word = ids[place]
        for byte in range(starts[word], starts[word + 1]):
            letters[at] = data[byte]
            at += 1


@compiled
def _without_empty(running: Running, size: int, room: Room) -> int:
    """Leave out words without characters, which belong to the word before them."""
    kept = 0
    for word in range(size):
        if running.ends[word] > running.begins[word]:
            running.opening[kept], running.closing[kept] = (
                running.opening[word],
                running.closing[word],
            )
            running.begins[kept], running.ends[kept] = running.begins[word], running.ends[word]
            room.places[kept] = word
            kept += 1
    room.places[kept] = size
    return kept


@compiled
def _look_up(phrases: Phrases, running: Running, powers: Keys, size: int, room: Room) -> None:
    """Look up the runs of words of a sentence, from all words on at once, one word more a round.

    The cells of a round are read before any of them is looked at, and the heads of texts before the
    texts are: so the machine fetches them side by side.
    """
    cells, texts = phrases.cells, phrases.texts
    opening, closing, begins, ends = running
    active, keys, cell, reach = room.active, room.keys, room.cell, room.reach
    for start in range(size):
        active[start], reach[start] = start, 0
    num_active, length, width = size, 0, room.contents.shape[1]
    while num_active > 0:
        for place in range(num_active):
            start = active[place]
            last = start + length
            power = powers[ends[last] - begins[start]]
            key = np.int64((closing[last] - opening[start] * power) & KEY_MASK)
            keys[place], cell[place] = key, cells[first_slot(key, len(cells))]
        still = 0
        for place in range(num_active):
            start = active[place]
            content = _content(cells, keys[place], cell[place])
            if content >= 0:
                room.contents[start, length] = content
                if content != _NOT_WHOLE:
                    room.heads[start, length] = texts[content]
                reach[start] = length + 1
                if start + length + 1 < size and length + 1 < width:
                    active[still] = start
                    still += 1
        num_active, length = still, length + 1


@compiled
def _content(cells: Numbers, key: int, cell: int) -> int:
    """Return the content of the first cell of a beginning, or -1 if nothing begins so."""
    if cell != _EMPTY and cell >> 32 != key >> 32:
        slot = (first_slot(key, len(cells)) + 1) & (len(cells) - 1)
        slot = _next_slot(cells, key >> 32, slot)
        return cells[slot] & _LOW if slot >= 0 else np.int64(-1)
    return cell & _LOW if cell != _EMPTY else np.int64(-1)


@compiled
def _write_found(
    phrases: Phrases, running: Running, where: tuple[int, int], room: Room, found: Ids
) -> int:
    """Write the whole texts among what was looked up in a sentence of some words.

    Returns:
        How many there are, or -1 without room.
    """
    texts, eights = phrases.texts, room.eights
    (sentence, size), written = where, 0
    for start in range(size):
        begin = running.begins[start]
        for length in range(room.reach[start]):
            text, num_bytes = room.contents[start, length], running.ends[start + length] - begin
            head = room.heads[start, length]
            if text != _NOT_WHOLE and not _is_same(texts, text, eights, begin, num_bytes):
                text = _another(phrases, room, begin, num_bytes)
                head = texts[text] if text != _NOT_WHOLE else head
            if text != _NOT_WHOLE:
                if written == len(found):
                    return -1
                found[written, 0] = sentence
                found[written, 1] = room.places[start]
                found[written, 2] = room.places[start + length + 1]
                found[written, 3] = np.int64(head) & _LOW
                written += 1
    return written


@compiled
def _another(phrases: Phrases, room: Room, begin: int, num_bytes: int) -> int:
    """Look for a text among all cells with the fingerprint of some bytes of a sentence."""
    value = np.uint64(0)
    for place in range(begin, begin + num_bytes):
        value = value * _BASE + np.uint64(room.letters[place]) + _ONE
    key, cells = np.int64(value & KEY_MASK), phrases.cells
    slot = _next_slot(cells, key >> 32, first_slot(key, len(cells)))
    while slot >= 0:
        text = cells[slot] & _LOW
        if text != _NOT_WHOLE and _is_same(phrases.texts, text, room.eights, begin, num_bytes):
            return text
        slot = _next_slot(cells, key >> 32, (slot + 1) & (len(cells) - 1))
    return np.int64(_NOT_WHOLE)


@compiled
def _next_slot(cells: Numbers, fingerprint: int, slot: int) -> int:
    """Return the first slot with a fingerprint from `slot` on, or -1 if none follows."""
    while cells[slot] != _EMPTY:
        if cells[slot] >> 32 == fingerprint:
            return slot
        slot = (slot + 1) & (len(cells) - 1)
    return np.int64(-1)


@compiled
def _is_same(texts: Keys, text: int, eights: Keys, begin: int, num_bytes: int) -> bool:
    """Compare a text with the bytes of a sentence from `begin` on."""
    if np.int64(texts[text] >> _HALF) != num_bytes:
        return False
    first, shift = begin >> 3, np.uint64((begin & 7) << 3)
    whole, different = num_bytes >> 3, np.uint64(0)
    for place in range(whole):
        different |= _eight(eights, first + place, shift) ^ texts[text + 1 + place]
    if num_bytes & 7:
        rest = _ALL >> np.uint64(64 - ((num_bytes & 7) << 3))
        different |= (_eight(eights, first + whole, shift) & rest) ^ texts[text + 1 + whole]
    return different == 0


@compiled
def _eight(eights: Keys, place: int, shift: int) -> int:
    """Return the eight bytes that begin `shift` bits behind a place."""
    above = (eights[place + 1] << _ONE) << (np.uint64(63) - shift)
    return (eights[place] >> shift) | above
