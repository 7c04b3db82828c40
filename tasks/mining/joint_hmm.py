"""Our word aligner: Model 1, then a hidden Markov model, whose two directions are trained to agree
(Liang, Taskar and Klein 2006).

A link counts in training as far as both directions see it, and in part where the words carry
content and the other direction has no link for one of them (`province` beside a name). Rare words
borrow from words that look like them (`word_table.py`), and word pairs that everybody knows are
preferred (`renderings.py`).
Every sum runs in the order of the pairs' own content, so the model does not depend on the order,
shards or processes in which they came.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from tasks.compiled.arrays import Ids, Texts, spelled, texts_of
from tasks.compiled.word_links import (
    Counts,
    Lexicon,
    Order,
    Pairs,
    Reals,
    expect,
    link_probabilities,
)
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.anchors import known_places
from tasks.mining.finite import check_finite
from tasks.mining.function_words import carries_content
from tasks.mining.symmetrise import Link
from tasks.mining.word_table import Resemblance, Vocabulary, WordPair, WordTable, number_pairs

DirectedLinks = tuple[list[list[Link]], list[list[Link]]]
"""Links `(source index, target index)` of each pair that give each target word a source word, and
such that give each source word a target word."""

REACH = 12
"""Longest jump that is told apart from longer ones, in words."""
_SMALLEST = 1e-7
"""Expected links of an entry that has none, so that no probability is 0."""
_NEGLIGIBLE = 1e-5
"""Entries with fewer expected links after Model 1 are forgotten."""
_EVEN_JUMPS = 0.1
"""Share of the jumps that is spread evenly over all lengths."""


@dataclass(frozen=True, slots=True)
class JointHmm:
    """A trained model of both directions."""

    source: Vocabulary
    target: Vocabulary
    lexicon: Lexicon
    order: Order

    @classmethod
    def train(cls, pairs: Sequence[WordPair], config: AlignmentConfig) -> "JointHmm":
        """Train on pairs that have words on both sides, in the order given."""
        training = _Training(pairs, config)
        for _ in range(config.ibm1_iterations):
            training.improve(with_order=False)
        training.forget_the_negligible()
        for _ in range(config.hmm_iterations):
            training.improve(with_order=True)
        return training.model()

    @classmethod
    def of_links(
        cls, pairs: Sequence[WordPair], directed: DirectedLinks, config: AlignmentConfig
    ) -> "JointHmm":
        """Count the links that another aligner found, in both directions, for each of the pairs."""
        training = _Training(pairs, config)
        training.count(directed)
        training.forget_the_negligible()
        return training.model()

    def directed_links(self, pairs: Sequence[WordPair]) -> DirectedLinks:
        """Give each target word its likeliest source word, and each source word its likeliest
        target word, where that is likelier than none.

        Returns:
            For each pair, links `(source index, target index)` of both directions.

        Raises:
            InputError: a probability is not finite.
        """
        forward, backward = [], []
        numbered = number_pairs(pairs, self.source, self.target)
        for k in range(len(pairs)):
            given_source, given_target = self._probabilities(pairs[k], numbered, k)
            forward.append([(i, j) for j, i in _likeliest(given_source.T)])
            backward.append(_likeliest(given_target))
        return forward, backward

    def probabilities(self, source: Sequence[str], target: Sequence[str]) -> tuple[Reals, Reals]:
        """Return the link probabilities of one pair under both directions, each I x J.

        Raises:
            InputError: they are not finite.
        """
        return self._probabilities(
            (source, target), number_pairs([(source, target)], self.source, self.target), 0
        )

    def _probabilities(self, pair: WordPair, numbered: Pairs, k: int) -> tuple[Reals, Reals]:
        known = np.array(known_places(*pair), np.int64).reshape(-1, 2)
        found: tuple[Reals, Reals] = link_probabilities(
            numbered, k, self.lexicon, self.order, known
        )
        check_finite(float(found[0].sum() + found[1].sum()), pair)
        return found

    def save(self, file: str) -> None:
        """Write the model as one file of arrays."""
        source, target = texts_of(self.source.words), texts_of(self.target.words)
        arrays: dict[str, NDArray[np.generic]] = {
            "source_data": source.data, "source_starts": source.starts,
            "target_data": target.data, "target_starts": target.starts,
            "order": np.array([self.order.empty]),
            "forward_jumps": self.order.forward_K, "backward_jumps": self.order.backward_K,
            **{f"lexicon_{name}": array for name, array in self.lexicon._asdict().items()},
        }  # fmt: skip
        save_file(arrays, file)

    @classmethod
    def load(cls, file: str) -> "JointHmm":
        """Read what `save` wrote.

        Raises:
            OSError, ValueError, KeyError: the file is missing or damaged.
        """
        try:
            arrays = load_file(file)
        except SafetensorError as error:
            raise ValueError(f"{file} is damaged: {error}") from error
        source = spelled(Texts(arrays["source_data"], arrays["source_starts"]))
        target = spelled(Texts(arrays["target_data"], arrays["target_starts"]))
        lexicon = Lexicon(*(arrays[f"lexicon_{name}"] for name in Lexicon._fields))
        order = Order(float(arrays["order"][0]), arrays["forward_jumps"], arrays["backward_jumps"])
        return cls(Vocabulary.of(source), Vocabulary.of(target), lexicon, order)


def _likeliest(links: Reals) -> list[Link]:
    """Return `(row, its likeliest column)` of the rows that are likelier linked than not."""
    best = links.argmax(axis=1)
    rows = np.arange(len(links))
    linked = links[rows, best] > 1.0 - links.sum(axis=1)
    return list(zip(rows[linked].tolist(), best[linked].tolist(), strict=True))


class _Training:
    """A model in training."""

    def __init__(self, pairs: Sequence[WordPair], config: AlignmentConfig) -> None:
        self._config = config
        self._table = WordTable.of_pairs(pairs)
        self._pairs = number_pairs(pairs, self._table.source, self._table.target)
        self._resemblance = Resemblance(self._table)
        self._weights = self._weigh()
        self._order = self._order_of(_first_jumps(), _first_jumps())
        num_source = len(self._table.source.words)
        self._num_target = num_target = len(self._table.target.words)
        self._links: tuple[Reals, Reals] = (
            np.ones(len(self._table.targets)),
            np.ones(len(self._table.targets)),
        )
        self._empty: tuple[Reals, Reals] = (
            np.bincount(self._pairs.target, minlength=num_target).astype(np.float64),
            np.bincount(self._pairs.source, minlength=num_source).astype(np.float64),
        )

    def _weigh(self) -> Reals:
        return np.where(self._table.known(), self._config.known_weight, 1.0)

    def _alone(self, *, with_order: bool) -> Reals:
        """Say how far each entry's links count that one direction alone sees: with content on both
        sides, and once the order of the words helps to tell which they are."""
        share = self._config.one_sided if with_order else 0.0
        return np.where(self._table.both_sides(carries_content), share, 0.0)

    def improve(self, *, with_order: bool) -> None:
        """Make one iteration of EM."""
        counts = Counts(
            *(np.full(len(links), _SMALLEST) for links in self._links),
            *(np.full(len(empty), 0.01) for empty in self._empty),
            *(np.zeros(2 * REACH + 1) for _ in range(2)),
        )
        alone = self._alone(with_order=with_order)
        expect(self._pairs, self._lexicon(), self._order, alone, counts, with_order)
        self._links = counts.forward, counts.backward
        self._empty = counts.empty_forward, counts.empty_backward
        if with_order:
            self._order = self._order_of(_smoothed(counts.forward_K), _smoothed(counts.backward_K))

    def _order_of(self, forward_K: Reals, backward_K: Reals) -> Order:
        return Order(self._config.empty_word, forward_K, backward_K)

    def count(self, directed: DirectedLinks) -> None:
        """Take the counts of given links."""
        pairs, keys = self._pairs, self._table.keys()
        links: list[Reals] = []
        empty: list[Reals] = []
        jumps: list[Reals] = []
        sides = (pairs.target, pairs.target_starts), (pairs.source, pairs.source_starts)
        for found, (words, starts), here in zip(directed, sides, (1, 0), strict=True):
            rows = [(k, *link) for k, each in enumerate(found) for link in each]
            k, i, j = np.array(rows, np.int64).reshape(-1, 3).T
            source, target = (
                pairs.source[pairs.source_starts[k] + i],
                pairs.target[pairs.target_starts[k] + j],
            )
            places = np.searchsorted(keys, source.astype(np.int64) * self._num_target + target)
            links.append((np.bincount(places, minlength=len(keys)) + _SMALLEST).astype(np.float64))
            free = np.ones(len(words))
            free[starts[k] + (j if here else i)] = 0.0
            number = self._num_target if here else len(self._table.source.words)
            empty.append(np.bincount(words, free, number).astype(np.float64) + 0.01)
            jumps.append(_count_jumps(found, here))
        self._links = links[0], links[1]
        self._empty = empty[0], empty[1]
        self._order = self._order_of(_smoothed(jumps[0]), _smoothed(jumps[1]))

    def forget_the_negligible(self) -> None:
        """Keep the entries that are likely enough."""
        forward, backward = self._links
        kept = forward + backward >= _NEGLIGIBLE
        self._table, self._links = self._table.only(kept), (forward[kept], backward[kept])
        self._weights = self._weigh()
        self._resemblance = Resemblance(self._table)

    def _lexicon(self) -> Lexicon:
        table, borrowed = self._table, self._config.borrowed_links
        alike = self._resemblance.estimates(*self._links)
        forward = _shares(self._links[0], table.sources, borrowed, alike[0])
        backward = _shares(self._links[1], table.targets, borrowed, alike[1])
        return Lexicon(
            table.starts,
            table.targets,
            forward * self._weights,
            backward * self._weights,
            *(empty / empty.sum() for empty in self._empty),
        )

    def model(self) -> JointHmm:
        """Return the model as it is now."""
        return JointHmm(self._table.source, self._table.target, self._lexicon(), self._order)


def _shares(links: Reals, words: Ids, borrowed: float, alike: Reals) -> Reals:
    """Return each entry's share of the links of its word, with what it borrows."""
    own = np.bincount(words, weights=links)[words]
    return (links + borrowed * alike) / (own + borrowed)


def _count_jumps(found: Sequence[Sequence[Link]], here: int) -> Reals:
    """Count the jumps on the other side from one linked word of this side to the next."""
    counts = np.zeros(2 * REACH + 1)
    for links in found:
        before = -1
        for link in sorted(links, key=lambda link: link[here]):
            jump = link[1 - here] - before
            counts[min(max(jump, -REACH), REACH) + REACH] += 1
            before = link[1 - here]
    return counts


def _first_jumps() -> Reals:
    """Return weights that fall by half with each word that is skipped, up to five."""
    jumps = np.arange(-REACH, REACH + 1)
    weights = 0.5 ** np.minimum(np.abs(jumps - 1), 5)
    first: Reals = weights / weights.sum()
    return first


def _smoothed(counts_K: Reals) -> Reals:
    """Return the shares of jumps, a part of them spread evenly."""
    smooth: Reals = counts_K / counts_K.sum() * (1.0 - _EVEN_JUMPS) + _EVEN_JUMPS / len(counts_K)
    return smooth
