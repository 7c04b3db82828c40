"""The likely phrases as bytes, with no object for each: most of them stand in no one shard."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Numbers, Texts, texts_of
from tasks.tagging.matcher import TextFinder


@dataclass(frozen=True)
class LikelyPhrases:
    """Phrases, sorted by source and then target."""

    sources: Texts
    """Each source once, without blanks."""
    first: Numbers
    """The targets of source s are `[first[s], first[s + 1])`."""
    targets: Texts
    """Words with blanks between them."""

    @staticmethod
    def of(sources: Texts, targets: Texts) -> "LikelyPhrases":
        """Take source and target of each phrase, sorted by both."""
        from tasks.compiled.laying import in_order
        from tasks.compiled.opposite import beginnings_of_runs

        first = beginnings_of_runs(sources)
        return LikelyPhrases(_kept(in_order(sources, first[:-1])), first, targets)

    @staticmethod
    def of_lists(sources: Sequence[str], targets: Sequence[str]) -> "LikelyPhrases":
        """Do the same with texts that are spelled out."""
        return LikelyPhrases.of(texts_of(sources), texts_of(targets))

    def of_sources(self, wanted: NDArray[np.bool_]) -> "LikelyPhrases":
        """Return the phrases of some sources.

        Args:
            wanted: by source.
        """
        from tasks.compiled.laying import in_order

        targets = np.flatnonzero(np.repeat(wanted, np.diff(self.first)))
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(self.first)[wanted])])
        return LikelyPhrases(
            _kept(in_order(self.sources, np.flatnonzero(wanted))),
            first,
            _kept(in_order(self.targets, targets)),
        )

    def source_of(self, phrases: Numbers) -> Numbers:
        """Return the source of each of some phrases."""
        number: Numbers = np.searchsorted(self.first, phrases, "right") - 1
        return number

    @cached_property
    def finder(self) -> TextFinder:
        """Return what finds the sources in sentences."""
        return TextFinder(self.sources)


def _kept(texts: Texts) -> Texts:
    """Return texts that nobody changes: loops are compiled for those of tables, which are such."""
    texts.data.flags.writeable = False
    return texts
