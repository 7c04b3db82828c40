"""What a rule of the gate found, in figures and in a sentence for people."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Rule = Literal[
    "test set", "phrases", "values", "held out", "licences", "withdrawn text", "rolled back"
]
Verdict = Literal["passed", "failed", "not judged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule says about one subject."""

    rule: Rule
    testset: str = ""
    """Empty for what is about no test set."""
    subject: str
    """A metric, a category of phrases, a kind of values, a licence."""
    verdict: Verdict
    production: float | None = None
    """The model in production, in percent or BLEU points; None where nothing is measured."""
    candidate: float | None = None
    limit: float | None = None
    """The significance, or the fall in percent points that is allowed."""
    p_value: float | None = None
    number: int = 0
    """Sentences, phrases or values that it rests on."""
    detail: str
    """A sentence that says why."""


def failed(findings: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the findings that speak against a promotion, given as rows."""
    return [row for row in findings if row["verdict"] == "failed"]


def reasons(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return which rules speak against a promotion, one sentence each."""
    return [f"{row['rule']}: {row['detail']}" for row in failed(findings)]
