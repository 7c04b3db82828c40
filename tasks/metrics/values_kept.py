"""Values kept: which share of the numbers and dates of the sources stands in the translations.

A value counts if `tasks/rules/judged.py` judges it, whatever the translation says, so every system
is asked for the same values; `tasks/rules/guard.py` says whether it is kept, in any equivalent
writing. The references, scored in the same way, are the ceiling: people drop some values too.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from storage.errors import InputError
from tasks.metrics.bleu import Score
from tasks.rules.guard import kept_values
from tasks.rules.judged import JudgedKind
from tasks.rules.rendering import render
from tasks.rules.style import DEFAULT_STYLE, RuleStyle

VALUES_KEPT = "Values kept"
VALUES_KEPT_BY_REFERENCE = "Values kept by a reference"
VERSION = 2
"""Raise it when the same texts get other counts."""


@dataclass(frozen=True, slots=True)
class KeptCount:
    """How many values of one kind the sources hold, and how many of them the translations."""

    kind: JudgedKind | None
    """None for the sum over all."""
    source: int
    kept: int

    @property
    def share(self) -> float:
        """Share of the values that are kept, between 0 and 1; 1 where there are none."""
        return self.kept / self.source if self.source else 1.0


@dataclass(frozen=True, slots=True)
class SourceValue:
    """A value of one source sentence, and whether its translation keeps it."""

    start: int
    """First character in the source."""
    end: int
    """Behind its last character."""
    source: str
    target: str
    """Its English as the rules write it."""
    kind: JudgedKind
    kept: bool


def source_values(
    source: str, translation: str, style: RuleStyle = DEFAULT_STYLE
) -> list[SourceValue]:
    """Return the values that a translation has to keep, from left to right."""
    return [
        SourceValue(
            each.start,
            each.end,
            source[each.start : each.end],
            render(each.value, style),
            each.kind,
            kept,
        )
        for each, kept in kept_values(source, translation, style)
    ]


def count_kept(
    sources: Sequence[str], translations: Sequence[str], style: RuleStyle = DEFAULT_STYLE
) -> list[KeptCount]:
    """Count the values of the sources and those kept, by kind in order; the last row is the sum.

    Args:
        sources: one Chinese sentence for each translation.
        translations: outputs of a system, or references.
        style: where the sources come from.

    Raises:
        InputError: the numbers of sentences differ.
    """
    if len(sources) != len(translations):
        raise InputError(
            f"values kept: {len(translations)} translations but {len(sources)} sources: they must "
            "be the same sentences in the same order. Compare the files line by line."
        )
    found: Counter[JudgedKind] = Counter()
    kept: Counter[JudgedKind] = Counter()
    for source, translation in zip(sources, translations, strict=True):
        for each, is_kept in kept_values(source, translation, style):
            found[each.kind] += 1
            kept[each.kind] += is_kept
    rows = [KeptCount(kind, found[kind], kept[kind]) for kind in sorted(found)]
    return [*rows, KeptCount(None, found.total(), kept.total())]


def values_kept(counts: Sequence[KeptCount], style: RuleStyle = DEFAULT_STYLE) -> Score:
    """Return the share of all values that are kept, in percent, with its signature."""
    return Score(VALUES_KEPT, 100 * counts[-1].share, f"region:{style.region}|guard:{VERSION}")
