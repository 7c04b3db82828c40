"""What people said of the translations that a report shows, and whether gates go with it.

A rating is of two translations; it says nothing about the ones that the same systems make later.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.metrics.gate_analysis import pearson, short_and_long
from tasks.rating.agreement import RatedComparison, rated_comparisons
from tasks.rating.worksheet import QUESTIONS, Question

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EarlierRatings:
    """Ratings of translations that are not the ones that are shown."""

    testset: str
    baseline: str
    system: str
    items: int
    """Ratings of all raters."""


@dataclass(frozen=True, slots=True)
class GateCorrelation:
    """How a system's mean gate goes with its improvement as people see it."""

    testset: str
    baseline: str
    system: str
    question: Question
    subset: str
    """`all`, or a class of sentences by their length."""
    raters: int
    """Raters whose correlation is known; `value` is the mean of theirs."""
    sentences: int
    """Sentences that any of them rated."""
    value: float
    """Pearson's r of the mean gate and the judgements -1, 0, 1 (Context Gates, section 5.4)."""


@dataclass(frozen=True, slots=True)
class ShownRatings:
    """All that a report says about ratings."""

    comparisons: Sequence[RatedComparison] = ()
    earlier: Sequence[EarlierRatings] = ()
    gates: Sequence[GateCorrelation] = ()


@dataclass(frozen=True, slots=True)
class ShownOutputs:
    """The translations of one system on one test set that a report shows."""

    digest: str
    """Of the table of translations."""
    measures: Mapping[str, Row] = field(default_factory=dict)
    """Rows of `sentence_measures` by sentence."""


def shown_ratings(
    rows: Iterable[Row], outputs: Mapping[tuple[str, str], ShownOutputs]
) -> ShownRatings:
    """Sort ratings into those of the translations shown, and those of earlier ones.

    Args:
        rows: rows of `ratings` that stand.
        outputs: what is shown, by test set and system.
    """
    groups: dict[tuple[str, str, str], list[Row]] = {}
    earlier: dict[tuple[str, str, str], int] = {}
    for row in rows:
        names = row["testset"], row["baseline"], row["system"]
        if _is_shown(row, outputs):
            groups.setdefault(names, []).append(row)
        else:
            earlier[names] = earlier.get(names, 0) + 1
    return ShownRatings(
        rated_comparisons(row for group in groups.values() for row in group),
        [EarlierRatings(*names, count) for names, count in sorted(earlier.items())],
        [
            found
            for (testset, baseline, system), group in sorted(groups.items())
            for found in _correlations(group, outputs[testset, system].measures)
        ],
    )


def _is_shown(row: Row, outputs: Mapping[tuple[str, str], ShownOutputs]) -> bool:
    return all(
        found is not None and found.digest == row[f"{side}_outputs"]
        for side in ("baseline", "system")
        for found in [outputs.get((row["testset"], row[side]))]
    )


def _correlations(rows: Sequence[Row], measures: Mapping[str, Row]) -> list[GateCorrelation]:
    """Correlate the gate with each rater's judgements, and average over raters."""
    gated = [
        {**row, "gate": known["gate"], "source_length": known["source_length"]}
        for row in rows
        if (known := measures.get(row["sentence_id"])) and known["gate"] is not None
    ]
    return [
        found
        for question in QUESTIONS
        for subset, inside in short_and_long(gated).items()
        if (found := _correlation(inside, question, subset)) is not None
    ]


def _correlation(rows: Sequence[Row], question: Question, subset: str) -> GateCorrelation | None:
    said: dict[str, list[Row]] = {}
    for row in rows:
        if row[question] is not None:
            said.setdefault(row["rater"], []).append(row)
    by_rater = {
        rater: pearson([row["gate"] for row in own], [row[question] for row in own])
        for rater, own in sorted(said.items())
    }
    known = {rater: value for rater, value in by_rater.items() if value is not None}
    if not known:
        return None
    names = (rows[0]["testset"], rows[0]["baseline"], rows[0]["system"])
    sentences = {row["sentence_id"] for rater in known for row in said[rater]}
    mean = math.fsum(known.values()) / len(known)
    return GateCorrelation(*names, question, subset, len(known), len(sentences), mean)
