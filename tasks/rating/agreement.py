"""What raters say, one by one, and how far two of them agree (Cohen 1960)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tasks.rating.worksheet import QUESTIONS, Question

JUDGEMENTS = (-1, 0, 1)
"""The baseline is better, both are equal, the system is better."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How one rater judged on one question."""

    question: Question
    rater: str
    items: int
    """Items that were rated."""
    baseline_better: int
    equal: int
    system_better: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two raters agree on one question."""

    question: Question
    raters: tuple[str, str]
    items: int
    """Items that both rated."""
    observed: float
    """Share of these on which they agree, 0 to 1."""
    expected: float
    """Share on which they would agree by chance."""
    kappa: float | None
    """(observed - expected) / (1 - expected); None where both always say the same one thing."""


@dataclass(frozen=True, slots=True)
class RatedComparison:
    """All that is known of one comparison of two systems on one test set."""

    testset: str
    baseline: str
    system: str
    shares: tuple[Shares, ...]
    agreements: tuple[Agreement, ...]


def standing_ratings(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Keep, of what a rater said of an item several times, what was said last.

    Args:
        rows: rows of `ratings`, oldest first.
    """
    standing = {(row["worksheet"], row["number"], row["rater"]): row for row in rows}
    return [standing[place] for place in sorted(standing)]


def rated_comparisons(rows: Iterable[Mapping[str, Any]]) -> list[RatedComparison]:
    """Return the tables of each comparison, sorted by test set, baseline and system.

    Args:
        rows: rows of `ratings` that stand.
    """
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["testset"], row["baseline"], row["system"]), []).append(row)
    return [_comparison(*names, groups[names]) for names in sorted(groups)]


def _comparison(
    testset: str, baseline: str, system: str, rows: list[Mapping[str, Any]]
) -> RatedComparison:
    shares: list[Shares] = []
    agreements: list[Agreement] = []
    for question in QUESTIONS:
        said = _by_rater(rows, question)
        shares += [_shares(question, rater, found.values()) for rater, found in said.items()]
        agreements += [
            agreement(question, (one, other), said[one], said[other])
            for one, other in combinations(said, 2)
            if said[one].keys() & said[other].keys()
        ]
    return RatedComparison(testset, baseline, system, tuple(shares), tuple(agreements))


def _by_rater(
    rows: Iterable[Mapping[str, Any]], question: Question
) -> dict[str, dict[Hashable, int]]:
    """Return the judgements of each rater by item; what was not rated is left out."""
    said: dict[str, dict[Hashable, int]] = {}
    for row in rows:
        if row[question] is not None:
            said.setdefault(row["rater"], {})[row["worksheet"], row["number"]] = row[question]
    return dict(sorted(said.items()))


def _shares(question: Question, rater: str, judgements: Iterable[int]) -> Shares:
    counts = Counter(judgements)
    return Shares(question, rater, counts.total(), *(counts[value] for value in JUDGEMENTS))


def agreement(
    question: Question,
    raters: tuple[str, str],
    first: Mapping[Hashable, int],
    second: Mapping[Hashable, int],
) -> Agreement:
    """Compare two raters on the items that both rated.

    Raises:
        ValueError: there is no such item.
    """
    shared = sorted(first.keys() & second.keys(), key=repr)
    if not shared:
        raise ValueError(f"{' and '.join(raters)} rated no item both")
    total = len(shared)
    agreed = sum(first[item] == second[item] for item in shared)
    one, other = Counter(first[item] for item in shared), Counter(second[item] for item in shared)
    by_chance = sum(one[value] * other[value] for value in JUDGEMENTS)
    # Counts, not shares, so that two raters who always say the same are told exactly.
    kappa = None
    if by_chance != total * total:
        kappa = (agreed * total - by_chance) / (total * total - by_chance)
    return Agreement(question, raters, total, agreed / total, by_chance / (total * total), kappa)
