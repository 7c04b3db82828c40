"""The section of the report that says, rule by rule, whether a model may go into production."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.promotion.finding import reasons
from tasks.reports.evaluation_data import EvaluationData
from tasks.reports.page import NOTHING, about, folded, strong, table

_HEADER = ("rule", "test set", "about", "in production", "candidate", "limit", "p", "verdict")
_FEW_HEADER = ("rule", "test set", "about", "counted", "why")
_ABOUT = (
    "Before a model takes the place of the one in production, both translate the same test sets "
    "with the same phrase memory. A test set must not be worse beyond chance; limits of phrases "
    "and values are percent points that a share may fall."
)


def production(data: EvaluationData) -> str:
    """Return the section as HTML; empty if the gate was not asked."""
    if not data.gate:
        return ""
    against = reasons(data.gate)
    verdict = (
        "These rules speak against the new model: " + "; ".join(against) + "."
        if against
        else "No rule speaks against the new model."
    )
    ordered = sorted(data.gate, key=lambda row: row["verdict"] != "failed")
    shown = [row for row in ordered if row["verdict"] != "not judged"]
    few = [row for row in ordered if row["verdict"] == "not judged"]
    return (
        about(_ABOUT)
        + about(verdict)
        + table(_HEADER, [_cells(row) for row in shown], sources=data.read_from("gate"))
        + (
            folded("Too few to judge", table(_FEW_HEADER, [_few(row) for row in few]))
            if few
            else ""
        )
    )


def _cells(row: Mapping[str, Any]) -> Sequence[str]:
    verdict = row["verdict"]
    return [
        row["rule"],
        row["testset"] or NOTHING,
        row["subject"],
        _number(row["production"], 2),
        _number(row["candidate"], 2),
        _number(row["limit"], 2),
        _number(row["p_value"], 4),
        strong(verdict) if verdict == "failed" else verdict,
    ]


def _few(row: Mapping[str, Any]) -> Sequence[str]:
    return [
        row["rule"],
        row["testset"] or NOTHING,
        row["subject"],
        f"{row['number']}",
        row["detail"],
    ]


def _number(value: float | None, digits: int) -> str:
    return NOTHING if value is None else f"{value:.{digits}f}"
