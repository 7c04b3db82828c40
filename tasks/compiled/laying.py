"""Texts one behind the other, cut out of sentences and put in order, compiled."""

import numpy as np

from tasks.compiled.arrays import Ids, Numbers, Sentences, Texts
from tasks.compiled.jit import compiled

_BLANK = ord(" ")


@compiled
def cut_texts(sentences: Sentences, places: Ids) -> Texts:
    """Cut the texts `(sentence, first word, end)` out of sentences."""
    starts = np.zeros(len(places) + 1, np.int64)
    words = sentences.words
    for number in range(len(places)):
        offset = sentences.starts[places[number, 0]]
        size = sentences.blanks * (places[number, 2] - places[number, 1] - 1)
        for place in range(places[number, 1], places[number, 2]):
            word = sentences.ids[offset + place]
            size += words.starts[word + 1] - words.starts[word]
        starts[number + 1] = starts[number] + size
    data = np.empty(starts[len(places)], np.uint8)
    for number in range(len(places)):
        offset, at = sentences.starts[places[number, 0]], starts[number]
        for place in range(places[number, 1], places[number, 2]):
            word = sentences.ids[offset + place]
            for byte in range(words.starts[word], words.starts[word + 1]):
                data[at] = words.data[byte]
                at += 1
            if sentences.blanks and place + 1 < places[number, 2]:
                data[at] = _BLANK
                at += 1
    return Texts(data, starts)


@compiled
def in_order(texts: Texts, order: Numbers) -> Texts:
    """Lay texts one behind the other in another order."""
    starts = np.zeros(len(order) + 1, np.int64)
    for place in range(len(order)):
        size = texts.starts[order[place] + 1] - texts.starts[order[place]]
        starts[place + 1] = starts[place] + size
    data = np.zeros(starts[len(order)], np.uint8)
    for place in range(len(order)):
        at = starts[place]
        for byte in range(texts.starts[order[place]], texts.starts[order[place] + 1]):
            data[at] = texts.data[byte]
            at += 1
    return Texts(data, starts)
