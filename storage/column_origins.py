"""From which columns of which inputs a column of a table comes, for lineage by column.

Only what is carried over or computed row by row, or counted, is named; a value that depends on the
whole input, such as a vocabulary's id, has no column of origin.
"""

from collections.abc import Mapping
from typing import Literal

How = Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION"]
Origin = tuple[str, str, How]
"""Kind of the input, its column, and how the value comes from it."""

_SAME_PAIR = ("pair_id", "corpus", "document", "position")


def _same(kind: str, *columns: str) -> dict[str, tuple[Origin, ...]]:
    return {column: ((kind, column, "IDENTITY"),) for column in columns}


def _made(kind: str, column: str, *others: tuple[str, str]) -> tuple[Origin, ...]:
    return tuple((name, field, "TRANSFORMATION") for name, field in ((kind, column), *others))


def _counted(*origins: tuple[str, str]) -> tuple[Origin, ...]:
    return tuple((kind, column, "AGGREGATION") for kind, column in origins)


COLUMN_ORIGINS: Mapping[str, Mapping[str, tuple[Origin, ...]]] = {
    "words": {
        **_same("raw_pairs", *_SAME_PAIR),
        "source": _made("raw_pairs", "source"),
        "target": _made("raw_pairs", "target"),
        "source_words": _made("raw_pairs", "source"),
        "target_words": _made("raw_pairs", "target"),
        "rules": _made("raw_pairs", "source"),
    },
    "pairs": _same(
        "words", *_SAME_PAIR, "source", "target", "source_words", "target_words", "rules"
    ),
    "dropped": _same("verdicts", *_SAME_PAIR, "reason", "detail"),
    "links": {
        "pair_id": (("pairs", "pair_id", "IDENTITY"),),
        "source_index": _made("pairs", "source_words", ("pairs", "target_words")),
        "target_index": _made("pairs", "source_words", ("pairs", "target_words")),
    },
    "phrase_counts": {
        "source": _made("pairs", "source_words", ("links", "source_index")),
        "target": _made("pairs", "target_words", ("links", "target_index")),
        "count": _counted(("links", "source_index"), ("links", "target_index")),
    },
    "candidates": {
        **_same("phrase_counts", "source", "target"),
        "pair_count": _counted(("phrase_counts", "count")),
        "source_count": _counted(("source_counts", "count")),
        "target_count": _counted(("target_counts", "count")),
    },
    "use_counts": {
        **_same("candidates", "source", "target"),
        "found": _counted(("pairs", "source_words"), ("pairs", "target_words")),
        "occurrences": _counted(("pairs", "source_words")),
    },
    "phrases": {
        "source": (("candidates", "source", "IDENTITY"), ("entries", "source", "TRANSFORMATION")),
        "target": (("candidates", "target", "IDENTITY"), ("entries", "target", "TRANSFORMATION")),
        "category": (("entries", "category", "IDENTITY"),),
        "found": _counted(("use_counts", "found")),
        "occurrences": _counted(("use_counts", "occurrences")),
    },
    "evidence": {
        "provider": (("entries", "dictionary", "IDENTITY"),),
        "line": (("entries", "line", "IDENTITY"),),
        "licence": (("entries", "licence", "IDENTITY"),),
        "found": _counted(("use_counts", "found")),
        "occurrences": _counted(("use_counts", "occurrences")),
    },
    "tagged": {
        "sentence_id": (("pairs", "pair_id", "IDENTITY"), ("words", "pair_id", "IDENTITY")),
        "source_words": (
            ("pairs", "source_words", "IDENTITY"),
            ("words", "source_words", "IDENTITY"),
        ),
        "slots": _made("phrases", "source", ("phrases", "target"), ("pairs", "rules")),
    },
    "vocabulary": {
        "word": _made("tagged", "source_words", ("tagged", "target_words")),
        "count": _counted(("tagged", "source_words"), ("tagged", "target_words")),
    },
    "translations": {
        **_same("tagged", "sentence_id", "source_words", "slots"),
        "words": _made("tagged", "source_words", ("tagged", "slots")),
    },
    "scores": {"value": _counted(("translations", "words"), ("test_lines", "references"))},
}
