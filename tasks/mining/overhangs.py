"""Tell targets that lack a word by what is linked to their source beyond them.

恐怖活动 has `terrorist` opposite nearly everywhere, and beside it `activities`, which is linked to
the source as well: the target is only a part of what the source is called there. Which word it is
does not matter, so a source that goes on in many ways (`person`, `persons`, `individual`) is told,
too. The places are those of the words, with or without a link to the target: to count only where
the phrase was cut out would leave out just these, since no phrase pair is cut out where a link
leads out of it.

A text has many times as many phrases as a shard of it, so nothing is done for a phrase whose source
does not stand in the shard.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Corpus, Ids, Numbers, spelled, texts_of
from tasks.mining.likely import LikelyPhrases
from tasks.mining.sums import summed
from tasks.mining.term_contexts import Facts


class Overhangs(NamedTuple):
    """Counts of the targets that stand opposite their source: arrays of shape (targets,)."""

    target: Numbers
    """Index in the targets of the phrases, ascending."""
    opposite: Numbers
    """Places of the source with the target opposite."""
    beyond: Numbers
    """Those of them at which a word of content beyond the target is linked to the source."""


def count_overhangs_in(
    corpora: Iterable[Corpus], phrases: LikelyPhrases, *, max_words: int
) -> Overhangs:
    """Count in linked sentence pairs where targets stand opposite, and something beyond them.

    Args:
        corpora: the pairs, some of them at a time.
        phrases: the phrases.
        max_words: longest source, in words.
    """
    nothing = np.zeros(0, np.int64)
    parts = [_count(corpus, phrases, max_words) for corpus in corpora]
    columns = zip(*(parts or [Overhangs(nothing, nothing, nothing)]), strict=True)
    return Overhangs(*summed(*map(np.concatenate, columns)))


def _count(corpus: Corpus, phrases: LikelyPhrases, max_words: int) -> Overhangs:
    from tasks.compiled.laying import in_order
    from tasks.compiled.overhangs import count_overhangs

    places = _places(corpus, phrases, max_words)
    sources, places[:, 3] = np.unique(places[:, 3], return_inverse=True)
    sizes = np.diff(phrases.first)[sources]
    firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    target = np.arange(firsts[-1]) + np.repeat(phrases.first[sources] - firsts[:-1], sizes)
    counts = count_overhangs(corpus, places, firsts, in_order(phrases.targets, target))
    found = np.flatnonzero(counts[:, 0])
    return Overhangs(target[found], counts[found, 0], counts[found, 1])


def _places(corpus: Corpus, phrases: LikelyPhrases, max_words: int) -> Ids:
    """Return where the sources stand: rows `(sentence pair, start, end, source)`."""
    words = texts_of(["".join(word.split()) for word in spelled(corpus.source.words)])
    rows = phrases.finder.find(corpus.source._replace(words=words)).rows
    short: Ids = rows[rows[:, 2] - rows[:, 1] <= max_words]
    return short


def overhang_facts(overhangs: Overhangs, phrases: LikelyPhrases) -> Iterator[Facts]:
    """Yield what was counted as facts about the sources, the target as the value."""
    from tasks.compiled.laying import in_order

    targets = spelled(in_order(phrases.targets, overhangs.target))
    source, value = phrases.source_of(overhangs.target), np.arange(len(targets))
    here = np.flatnonzero(overhangs.beyond)
    yield Facts("opposite", source, value, targets, overhangs.opposite)
    yield Facts("beyond", source[here], value[here], targets, overhangs.beyond[here])
