"""The kinds of sentences that are scored apart; every system is scored on the same ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

SUBSETS: Mapping[str, Callable[[Row], bool]] = {
    "all": lambda row: True,
    "with rule spans": lambda row: any(slot["origin"] == "rule" for slot in row["slots"]),
    "without rule spans": lambda row: all(slot["origin"] != "rule" for slot in row["slots"]),
    "with phrases": lambda row: bool(row["slots"]),
    "without phrases": lambda row: not row["slots"],
    "with unknown words": lambda row: row["has_unknown"],
    "without unknown words": lambda row: not row["has_unknown"],
}
"""By the phrases that were offered, and by source words that are not in the vocabulary; both are
the same for every system."""


def with_unknown(translations: Iterable[Row], records: Iterable[Row]) -> list[dict[str, Any]]:
    """Add to each row of `translations` whether its source has words that the model does not know.

    Args:
        translations: rows of `translations`.
        records: rows of `records` of any system with the same vocabulary.
    """
    unknown = {
        row["sentence_id"]: not all(row["source_known"])
        for row in records
        if row["side"] == "translation"
    }
    return [{**row, "has_unknown": unknown.get(row["sentence_id"], False)} for row in translations]


def each_subset(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each kind that has any, in the order of the kinds."""
    found = {name: [row for row in rows if belongs(row)] for name, belongs in SUBSETS.items()}
    return {name: chosen for name, chosen in found.items() if chosen}
