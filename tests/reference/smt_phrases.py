"""Phrase pairs with their counts, lexical weights and orientations, straight from the papers."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tasks.mining.extraction import LinkedPair
from tests.reference.mining_extraction import extract_phrases_plainly

Phrase = tuple[str, ...]


class SlowPair(NamedTuple):
    times: int
    source_weight: float
    target_weight: float
    orientations: tuple[int, ...]


def word_weights(linked: Sequence[LinkedPair]) -> dict[tuple[str, str | None, str | None], float]:
    """Return w(word | other) by (side of the word, word, other); None is no word."""
    together: Counter[tuple[str, str | None, str | None]] = Counter()
    totals: Counter[tuple[str, str | None]] = Counter()
    for source, target, links in linked:
        pairs: list[tuple[str | None, str | None]] = [(source[i], target[j]) for i, j in links]
        for one, other in pairs:
            together["s", one, other] += 1
            together["t", other, one] += 1
            totals["s", other] += 1
            totals["t", one] += 1
        for i in set(range(len(source))) - {i for i, _ in links}:
            together["s", source[i], None] += 1
            totals["s", None] += 1
        for j in set(range(len(target))) - {j for _, j in links}:
            together["t", target[j], None] += 1
            totals["t", None] += 1
    return {key: number / totals[key[0], key[2]] for key, number in together.items()}


def slow_phrases(
    linked: Sequence[LinkedPair], max_words: int
) -> dict[tuple[Phrase, Phrase], SlowPair]:
    """Return every phrase pair that Moses counts."""
    weights = word_weights(linked)
    found: dict[tuple[Phrase, Phrase], list[tuple[float, float, int, int]]] = defaultdict(list)
    for source, target, links in linked:
        spans = extract_phrases_plainly(len(source), len(target), links, max_words=max_words)
        ends = {*links, (-1, -1), (len(source), len(target))}
        for s1, s2, t1, t2 in spans:
            backlinks = [(j, i) for i, j in links]
            forward = [_log(weights, ("t", target, source), backlinks, j) for j in range(t1, t2)]
            backward = [_log(weights, ("s", source, target), links, i) for i in range(s1, s2)]
            before = 0 if (s1 - 1, t1 - 1) in ends else 1 if (s2, t1 - 1) in ends else 2
            behind = 0 if (s2, t2) in ends else 1 if (s1 - 1, t2) in ends else 2
            pair = tuple(source[s1:s2]), tuple(target[t1:t2])
            found[pair].append((sum(backward), sum(forward), before, 3 + behind))
    return {
        pair: SlowPair(
            len(seen),
            max(each[0] for each in seen),
            max(each[1] for each in seen),
            tuple(sum(number in each[2:] for each in seen) for number in range(6)),
        )
        for pair, seen in found.items()
    }


def _log(
    weights: dict[tuple[str, str | None, str | None], float],
    sides: tuple[str, Sequence[str], Sequence[str]],
    links: Sequence[tuple[int, int]],
    place: int,
) -> float:
    """Return the logarithm of a word's weight; `links` lead from the words to the others."""
    side, words, others = sides
    linked = [weights[side, words[place], others[j]] for i, j in links if i == place]
    alone = weights.get((side, words[place], None), 0.0)
    return math.log(sum(linked) / len(linked) if linked else alone)
