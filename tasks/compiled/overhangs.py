"""Find targets beside which more of their source stands, compiled.

Only integers are kept; the slow and obvious form is `tests/reference/mining_overhangs.py`.
"""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Corpus, Ids, Numbers
from tasks.compiled.jit import compiled


class Opposite(NamedTuple):
    """The targets of each source, as numbers of words."""

    firsts: Numbers
    """Those of source s are `[firsts[s], firsts[s + 1])`."""
    starts: Numbers
    """The words of target t are `[starts[t], starts[t + 1])`."""
    words: Ids
    """-1 for a word that no sentence holds."""


@compiled
def count_overhangs(
    corpus: Corpus, places: Ids, targets: Opposite, found: Numbers, beyond: Numbers
) -> None:
    """Look at the places of sources, and count by target where it stands opposite, and where a
    word of content beyond it is linked to the source.

    Args:
        corpus: linked sentence pairs.
        places: rows `(sentence pair, start, end, source)`.
        targets: those of each source.
        found: added to for each target that stands opposite.
        beyond: likewise, if a word beyond it is linked to the source.
    """
    for row in range(len(places)):
        pair, source = np.int64(places[row, 0]), np.int64(places[row, 3])
        span = np.int64(places[row, 1]), np.int64(places[row, 2])
        for target in range(targets.firsts[source], targets.firsts[source + 1]):
            words = targets.words[targets.starts[target] : targets.starts[target + 1]]
            if _stands_in(corpus, pair, words):
                found[target] += 1
                beyond[target] += _goes_beyond(corpus, pair, span, words)


@compiled
def _stands_in(corpus: Corpus, pair: int, words: Ids) -> bool:
    """Say whether words stand in the target sentence, one behind the other."""
    first, end = corpus.target.starts[pair], corpus.target.starts[pair + 1]
    for start in range(first, end - len(words) + 1):
        place = 0
        while place < len(words) and corpus.target.ids[start + place] == words[place]:
            place += 1
        if place == len(words):
            return True
    return False


@compiled
def _goes_beyond(corpus: Corpus, pair: int, span: tuple[int, int], words: Ids) -> bool:
    """Say whether a word of content that is none of the target's is linked to its source."""
    first = corpus.target.starts[pair]
    for link in range(corpus.links.starts[pair], corpus.links.starts[pair + 1]):
        if not span[0] <= corpus.links.source[link] < span[1]:
            continue
        other = corpus.target.ids[first + corpus.links.target[link]]
        if corpus.target_kinds.is_content[other] and not (words == other).any():
            return True
    return False
