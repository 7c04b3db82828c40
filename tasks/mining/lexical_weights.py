"""Lexical weights of phrase pairs (Koehn, Och and Marcu 2003, equation 8; the same in Moses).

    p_w(t | s, a) = product over the words t_j of the mean of w(t_j | s_i) over the links (i, j)

where a word without a link is linked to NULL, and w(t | s) = c(s, t) / c(s) from counts of links in
all sentence pairs. Of several alignments of one pair the one that was seen most often is taken.
Counts are integers until the divisions, and sums and products run in the order of the words, so the
result is the same on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.mining.link_counts import NULL
from tasks.mining.phrase_places import read_links


@dataclass(frozen=True, slots=True)
class WordLink:
    """How often two words were linked, and each of them with anything, NULL included."""

    count: int
    source_count: int
    target_count: int


WordLinks = Mapping[tuple[str, str], WordLink]
"""By source and target word, `NULL` among them."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The lexical weights of a phrase pair, between 0 and 1."""

    forward: float
    """Of the target given the source: Moses' lex(e|f)."""
    inverse: float
    """Of the source given the target: Moses' lex(f|e)."""


def lexical_weights(
    source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]], words: WordLinks
) -> Weights:
    """Return both weights of a phrase pair.

    Args:
        source: its words.
        target: its words.
        links: `(source word, target word)`, counted from 0, in any order.
        words: counts of at least all word pairs that are linked here, NULL included; what is
            missing counts 0.
    """
    unseen = WordLink(0, 0, 0)

    def forward(s: str, t: str) -> float:
        link = words.get((s, t), unseen)
        return _share(link.count, link.source_count)

    def inverse(t: str, s: str) -> float:
        link = words.get((s, t), unseen)
        return _share(link.count, link.target_count)

    backwards = [(j, i) for i, j in links]
    return Weights(
        _weight(source, target, links, forward), _weight(target, source, backwards, inverse)
    )


def word_pairs(alignment: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the word pairs whose counts the weights of a row of `alignments` need."""
    source, target = alignment["source_words"].split(), alignment["target_words"].split()
    links = read_links(alignment["links"])
    pairs = {(source[i], target[j]) for i, j in links}
    pairs |= {(source[i], NULL) for i in set(range(len(source))) - {i for i, _ in links}}
    return pairs | {(NULL, target[j]) for j in set(range(len(target))) - {j for _, j in links}}


def _weight(
    given: Sequence[str],
    made: Sequence[str],
    links: Sequence[tuple[int, int]],
    probability: Callable[[str, str], float],
) -> float:
    """Multiply, over the words made, the mean probability given the words that they are linked
    to."""
    weight = 1.0
    for place, word in enumerate(made):
        linked = [given[i] for i, j in sorted(set(links)) if j == place] or [NULL]
        weight *= sum(probability(other, word) for other in linked) / len(linked)
    return weight


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0
