"""What a result keeps of each sentence: numbers from which scores and tests are made, no words.

Columns of whole numbers, packed: little-endian int32, one column after the other, deflated, base64.
"""

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from storage.errors import InputError
from tasks.experiments.config import Metric
from tasks.metrics.gate_analysis import LONG_SENTENCE
from tasks.metrics.mteval import Flavour
from tasks.metrics.ngram_counts import FIRST_MATCH, FIRST_TOTAL, MAX_ORDER, NUM_COLUMNS, Counts
from tasks.subsets import SUBSETS

Columns = Mapping[str, NDArray[np.int32]]
"""One whole number a sentence, by name."""

FLAVOURS: Mapping[Metric, Flavour] = {
    "BLEU-v13a": "v13a",
    "BLEU-v11b": "v11b",
    "BLEU of words": "v13a",
}
"""Whose brevity penalty and smoothing each metric takes."""
SOURCE_WORDS, KINDS, GATE = "source words", "kinds", "gate"
NO_GATE = -1
GATE_UNITS = 10_000
"""Gates are kept in ten-thousandths."""
SHORT, LONG = f"up to {LONG_SENTENCE} words", f"over {LONG_SENTENCE} words"
_TYPE = "<i4"


def packed(columns: Columns) -> dict[str, Any]:
    """Return the form that is kept in JSON."""
    data = b"".join(column.astype(_TYPE).tobytes() for column in columns.values())
    return {
        "sentences": len(next(iter(columns.values()), ())),
        "columns": list(columns),
        "encoding": "base64 of zlib of little-endian int32, column by column",
        "data": base64.b64encode(zlib.compress(data, 9)).decode(),
    }


def unpacked(kept: Mapping[str, Any]) -> dict[str, NDArray[np.int32]]:
    """Read the form that `packed` writes.

    Raises:
        InputError: it is not whole.
    """
    try:
        data = zlib.decompress(base64.b64decode(kept["data"], validate=True))
        table = np.frombuffer(data, dtype=_TYPE).reshape(len(kept["columns"]), kept["sentences"])
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise InputError(f"the statistics of the sentences are damaged ({error}).") from error
    return dict(zip(kept["columns"], table, strict=True))


def bleu_columns(metric: Metric, counts: Counts) -> Columns:
    """Return the columns of one way to count BLEU; numbers of n-grams follow from the length.

    Args:
        metric: the way.
        counts: shape (sentences, NUM_COLUMNS), see `ngram_counts.py`.
    """
    return {
        name: counts[:, number].astype(np.int32) for number, name in enumerate(column_names(metric))
    }


_NAMES = ("words", "reference words", *(f"right {order}" for order in range(1, MAX_ORDER + 1)))


def column_names(metric: Metric) -> tuple[str, ...]:
    """Return the names of the columns of one way to count BLEU."""
    return tuple(f"{metric} {name}" for name in _NAMES)


def bleu_counts(columns: Columns, metric: Metric) -> Counts:
    """Return the counts that `bleu_columns` keeps, shape (sentences, NUM_COLUMNS)."""
    kept = np.stack([columns[name] for name in column_names(metric)], axis=1).astype(np.int64)
    counts = np.zeros((len(kept), NUM_COLUMNS), dtype=np.int64)
    counts[:, :FIRST_TOTAL] = kept
    for order in range(1, MAX_ORDER + 1):
        counts[:, FIRST_TOTAL + order - 1] = np.maximum(kept[:, 0] - order + 1, 0)
    assert FIRST_MATCH == 2, "the right n-grams follow the two lengths"
    return counts


def kinds_of(rows: Sequence[Mapping[str, Any]]) -> NDArray[np.int32]:
    """Return for each row of `translations` the kinds of sentences it belongs to, as bits."""
    return np.array(
        [sum(fits(row) << place for place, fits in enumerate(SUBSETS.values())) for row in rows],
        dtype=np.int32,
    )


def inside(columns: Columns, subset: str) -> NDArray[np.bool_]:
    """Say of each sentence whether it is of a kind: one of `SUBSETS`, short or long."""
    if subset in (SHORT, LONG):
        is_long = columns[SOURCE_WORDS] > LONG_SENTENCE
        return np.asarray(is_long if subset == LONG else ~is_long)
    place = list(SUBSETS).index(subset)
    return np.asarray((columns[KINDS] >> place) & 1 == 1)
