"""How context gates stand: by class of word, and whether they go with better translations.

A gate value is between 0 and 1 and higher for more source context (Context Gates, arXiv
1608.06043, section 5.4 and table 6).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.metrics.word_classes import WORD_CLASSES

Row = Mapping[str, Any]

ALL, END_MARK = "all", "end mark"
LONG_SENTENCE = 30
"""Sentences of more source words are long."""


@dataclass(frozen=True, slots=True)
class GateClass:
    """Gate values of the words of one class."""

    word_class: str
    """A `WordClass`, the end mark, or all of them."""
    words: int
    mean: float
    deviation: float
    """Standard deviation over the words."""


def gates_by_class(
    sentences: Iterable[tuple[Sequence[float | None], Sequence[str]]],
) -> list[GateClass]:
    """Average gate values by class of the word that was said next; all words come last.

    Args:
        sentences: gate values of the words and the end mark, None where there is none, and the
            classes of the words.
    """
    values: dict[str, list[float]] = defaultdict(list)
    for gates, classes in sentences:
        for gate, word_class in zip(gates, [*classes, END_MARK], strict=True):
            if gate is not None:
                values[word_class].append(gate)
    order = [name for name in (*WORD_CLASSES, END_MARK) if name in values]
    rows = [_summary(name, values[name]) for name in order]
    everything = [value for name in order for value in values[name]]
    return [*rows, _summary(ALL, everything)] if everything else []


def mean_gate(gates: Sequence[float | None]) -> float | None:
    """Return the mean over the words and the end mark, or None if there is no gate."""
    values = [gate for gate in gates if gate is not None]
    return math.fsum(values) / len(values) if values else None


def short_and_long(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Sort rows with a `source_length` in words: all, those of short and of long sentences."""
    return {
        ALL: list(rows),
        f"up to {LONG_SENTENCE} words": [r for r in rows if r["source_length"] <= LONG_SENTENCE],
        f"over {LONG_SENTENCE} words": [r for r in rows if r["source_length"] > LONG_SENTENCE],
    }


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the correlation of Pearson, between -1 and 1; None for less than two pairs or where
    one side never changes."""
    number = len(first)
    if number != len(second):
        raise ValueError(f"{number} values against {len(second)}: they must be pairs")
    if number < 2 or min(first) == max(first) or min(second) == max(second):
        return None
    mean_first, mean_second = math.fsum(first) / number, math.fsum(second) / number
    left = [value - mean_first for value in first]
    right = [value - mean_second for value in second]
    products = math.fsum(a * b for a, b in zip(left, right, strict=True))
    spread = math.sqrt(math.fsum(a * a for a in left)) * math.sqrt(math.fsum(b * b for b in right))
    return max(-1.0, min(1.0, products / spread)) if spread else None


def _summary(name: str, values: Sequence[float]) -> GateClass:
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    return GateClass(name, len(values), mean, math.sqrt(variance))
