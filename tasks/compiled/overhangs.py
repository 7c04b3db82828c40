"""Find targets beside which more of their source stands, compiled.

Only integers are kept; the slow and obvious form is `tests/reference/mining_overhangs.py`.
"""

import numpy as np

from tasks.compiled.arrays import Bytes, Corpus, Ids, Numbers, Texts
from tasks.compiled.jit import compiled
from tasks.compiled.opposite import equal, is_run, lay_out, room_for_words

_BLANK = np.uint8(ord(" "))


@compiled
def count_overhangs(corpus: Corpus, places: Ids, firsts: Numbers, targets: Texts) -> Numbers:
    """Look at the places of sources, and count by target where it stands opposite, and where a
    word of content beyond it is linked to the source.

    Args:
        corpus: linked sentence pairs.
        places: rows `(sentence pair, start, end, source)`, sorted by pair.
        firsts: the targets of source s are `[firsts[s], firsts[s + 1])`.
        targets: words, with a blank between them.

    Returns:
        Both counts of each target, of shape (targets, 2).
    """
    counts = np.zeros((len(targets.starts) - 1, 2), np.int64)
    letters, begins, ends = room_for_words(corpus.target)
    last, size = np.int64(-1), np.int64(0)
    for row in range(len(places)):
        pair, source = np.int64(places[row, 0]), np.int64(places[row, 3])
        span = np.int64(places[row, 1]), np.int64(places[row, 2])
        if pair != last:
            size, last = np.int64(lay_out(corpus.target, pair, letters, begins, ends)), pair
        for target in range(firsts[source], firsts[source + 1]):
            text = targets.data[targets.starts[target] : targets.starts[target + 1]]
            if _stands_in(text, letters, begins[:size], ends):
                counts[target, 0] += 1
                counts[target, 1] += _goes_beyond(corpus, pair, span, text)
    return counts


@compiled
def _stands_in(text: Bytes, letters: Bytes, begins: Numbers, ends: Numbers) -> bool:
    """Say whether a text stands in the words of a sentence, as whole words."""
    for word in range(len(begins)):
        if is_run(text, letters, begins[word], ends[len(begins) - 1]):
            return True
    return False


@compiled
def _goes_beyond(corpus: Corpus, pair: int, span: tuple[int, int], text: Bytes) -> bool:
    """Say whether a word of content that is none of the target's is linked to its source."""
    words, first = corpus.target.words, corpus.target.starts[pair]
    for link in range(corpus.links.starts[pair], corpus.links.starts[pair + 1]):
        if not span[0] <= corpus.links.source[link] < span[1]:
            continue
        other = corpus.target.ids[first + corpus.links.target[link]]
        if corpus.target_kinds.is_content[other] and not _has_word(
            text, words.data[words.starts[other] : words.starts[other + 1]]
        ):
            return True
    return False


@compiled
def _has_word(text: Bytes, word: Bytes) -> bool:
    """Say whether a word is one of those of a text, which have a blank between them."""
    size = len(word)
    for at in range(len(text) - size + 1):
        begins = at == 0 or text[at - 1] == _BLANK
        ends = at + size == len(text) or text[at + size] == _BLANK
        if begins and ends and equal(text, at, word):
            return True
    return False
