"""Said too little or too much: under- and over-translation, by attention and by repeated words.

*Left out*: a source word that gets most attention of some word of the reference under forced
decoding, but of no word of the translation; its share is one minus the coverage ratio of Kong et
al. (2019), with the network's own alignment. *Said twice*: a source word whose coverage, the
attention that it got summed over all words (Tu et al. 2016), is larger by 1 or more under the
translation than under the reference: about one more word was said about it. Both measure a system
by its own attention, so they need one, and are no better than it.

*Repeated*: pairs of neighbouring words that the translation has more than once and more often than
any reference (over-matched n-grams of Yang et al. 2018, Otem, for n = 2); needs no attention.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.metrics.attention_table import AttentionMatrix
from tasks.metrics.soft_alignment import hard_links

ONE_WORD_MORE = 1.0


@dataclass(frozen=True, slots=True)
class SourceCoverage:
    """How one translation covers its source."""

    expected: int
    """Source words that the reference attends to."""
    left_out: int
    """Of these, those that the translation does not attend to."""
    source_words: int
    said_twice: int
    """Source words with one word more than under the reference."""


def source_coverage(reference: AttentionMatrix, translation: AttentionMatrix) -> SourceCoverage:
    """Compare what a translation attends to with what the reference attends to."""
    expected = {source for source, _ in hard_links(reference.rows_IJ[:-1])}
    covered = {source for source, _ in hard_links(translation.rows_IJ[:-1])}
    more_J = translation.inner_IJ.sum(axis=0) - reference.inner_IJ.sum(axis=0)
    return SourceCoverage(
        expected=len(expected),
        left_out=len(expected - covered),
        source_words=len(reference.source_words),
        said_twice=int((more_J >= ONE_WORD_MORE).sum()),
    )


def repeated_pairs(words: Sequence[str], references: Iterable[Sequence[str]]) -> int:
    """Count the pairs of neighbouring words that are too many in an output.

    Each pair may stand once, and as often as in the reference that has it most.
    """
    found = Counter(pairwise(words))
    allowed: Counter[tuple[str, str]] = Counter()
    for reference in references:
        allowed |= Counter(pairwise(reference))
    return sum(max(0, times - max(1, allowed[pair])) for pair, times in found.items())
