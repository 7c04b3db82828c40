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


def _carried(column: str, *kinds: str) -> tuple[Origin, ...]:
    """Return a column that comes unchanged from whichever of some kinds is an input."""
    return tuple((kind, column, "IDENTITY") for kind in kinds)


_FOUND = (("corpus_counts", "found"), ("use_counts", "found"))
_OCCURRENCES = (("corpus_counts", "occurrences"), ("use_counts", "occurrences"))

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
    "repeats": {
        "pair_id": (("verdicts", "pair_id", "IDENTITY"),),
        "first_id": _made("verdicts", "repeat_key", ("verdicts", "position")),
    },
    "dropped": {
        **_same("verdicts", *_SAME_PAIR, "reason"),
        "detail": (("verdicts", "detail", "IDENTITY"), *_made("repeats", "first_id")),
    },
    "links": {
        "pair_id": (("pairs", "pair_id", "IDENTITY"),),
        "source_index": _made("pairs", "source_words", ("pairs", "target_words")),
        "target_index": _made("pairs", "source_words", ("pairs", "target_words")),
    },
    "pair_counts": {
        "source_key": _made("pairs", "source_words", ("links", "source_index")),
        "target_key": _made("pairs", "target_words", ("links", "target_index")),
        "count": _counted(("links", "source_index"), ("links", "target_index")),
    },
    "source_phrases": {
        "source_key": _made("pairs", "source_words", ("links", "source_index")),
        "source": _made("pairs", "source_words", ("links", "source_index")),
        "count": _counted(("links", "source_index"), ("links", "target_index")),
    },
    "target_phrases": {
        "target_key": _made("pairs", "target_words", ("links", "target_index")),
        "target": _made("pairs", "target_words", ("links", "target_index")),
        "count": _counted(("links", "source_index"), ("links", "target_index")),
    },
    "candidates": {
        **_same("source_phrases", "source"),
        **_same("target_phrases", "target"),
        "source_key": (("pair_counts", "source_key", "IDENTITY"),),
        "target_key": (("pair_counts", "target_key", "IDENTITY"),),
        "pair_count": _counted(("pair_counts", "count")),
        "source_count": _counted(("source_phrases", "count")),
        "target_count": _counted(("target_phrases", "count")),
    },
    "alignments": {
        "source_words": (("alignment_counts", "source_words", "IDENTITY"),),
        "target_words": (("candidates", "target", "IDENTITY"),),
        "links": (("alignment_counts", "links", "IDENTITY"),),
        "count": _counted(("alignment_counts", "count")),
        **{
            name: _counted(("sentence_counts", name))
            for name in ("sentences", "source_sentences", "target_sentences")
        },
    },
    "word_links": {
        name: _counted(("link_counts", "count"))
        for name in ("count", "source_count", "target_count")
    },
    "use_counts": {
        **_same("candidates", "source", "target"),
        "found": _counted(("pairs", "source_words"), ("pairs", "target_words")),
        "occurrences": _counted(("pairs", "source_words")),
    },
    "listings": {
        "source": _made("entries", "source"),
        "target": _made("entries", "target"),
        **_same("entries", "dictionary", "line", "category", "licence"),
    },
    "corpus_counts": {
        **_same("candidates", "source", "target"),
        "pair_count": _counted(("pair_counts", "count")),
        "found": _counted(("use_counts", "found")),
        "occurrences": _counted(("use_counts", "occurrences")),
    },
    # Of each part of the sources, and of all parts together.
    "phrases": {
        "source": _carried("source", "phrases", "candidates", "listings"),
        "target": _carried("target", "phrases", "candidates", "listings"),
        "category": _carried("category", "phrases", "listings"),
        "found": (*_same("phrases", "found")["found"], *_counted(*_FOUND)),
        "occurrences": (*_same("phrases", "occurrences")["occurrences"], *_counted(*_OCCURRENCES)),
    },
    "evidence": {
        "provider": (
            ("evidence", "provider", "IDENTITY"),
            ("listings", "dictionary", "IDENTITY"),
        ),
        "line": _carried("line", "evidence", "listings"),
        "licence": _carried("licence", "evidence", "listings"),
        "found": (*_same("evidence", "found")["found"], *_counted(*_FOUND)),
        "occurrences": (
            *_same("evidence", "occurrences")["occurrences"],
            *_counted(*_OCCURRENCES),
        ),
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
