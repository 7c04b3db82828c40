"""How often words are linked to each other: what lexical weights are made of.

Counted as in Moses' training: every link of every sentence pair once, and every word without a link
as linked to NULL, the empty word (Koehn, Och and Marcu 2003, section 4).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Corpus, Numbers, Sentences
from tasks.mining.phrase_places import text_keys
from tasks.mining.sums import Sums

NULL = ""
"""The empty word."""
NULL_KEY = -1
"""Stands where the key of a word would; no key is negative."""
_LOW = (1 << 32) - 1


class LinkCounts(NamedTuple):
    """How often words are linked, sorted by both keys (`storage.phrase_keys.phrase_key`)."""

    sources: Numbers
    targets: Numbers
    counts: Numbers


class LinkCounter:
    """Counts of links, added to batch by batch."""

    def __init__(self) -> None:
        """Start with no links."""
        self._numbers: tuple[dict[int, int], dict[int, int]] = ({NULL_KEY: 0}, {NULL_KEY: 0})
        self._sums = Sums()

    def add(self, corpus: Corpus) -> None:
        """Count the links of some sentence pairs."""
        links = corpus.links
        pairs = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
        source = _Side(corpus.source, links.source, pairs, self._numbers[0])
        target = _Side(corpus.target, links.target, pairs, self._numbers[1])
        together = (source.linked << 32 | target.linked, source.alone << 32, target.alone)
        self._sums.add(np.concatenate(together))

    def counts(self) -> LinkCounts:
        """Return all counts."""
        pairs, counts = self._sums.total()
        sources, targets = (
            np.array(list(numbers), np.int64)[part]
            for numbers, part in zip(self._numbers, (pairs >> 32, pairs & _LOW), strict=True)
        )
        order = np.lexsort((targets, sources))
        return LinkCounts(sources[order], targets[order], counts[order].astype(np.int64))


class _Side:
    """The numbers of the words of one side, those of linked and those of unlinked ones."""

    def __init__(
        self,
        sentences: Sentences,
        places: NDArray[np.int32],
        pairs: Numbers,
        known: dict[int, int],
    ) -> None:
        keys = text_keys(sentences.words).tolist()
        numbers = np.array([known.setdefault(key, len(known)) for key in keys], np.int64)
        words = numbers[sentences.ids] if len(numbers) else np.zeros(0, np.int64)
        at = sentences.starts[pairs] + places
        is_alone = np.ones(len(words), np.bool_)
        is_alone[at] = False
        self.linked, self.alone = words[at], words[is_alone]
