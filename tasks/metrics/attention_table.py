"""Rows of the table `records` as matrices: what each word attended to, for scores and pictures.

A row keeps attention as whole numbers, 65,535 for 1. Rows of the matrix are the target words and
the end mark, columns the source words and the end mark.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Side = Literal["reference", "translation"]
"""Which words were fed: the first reference, or what the system itself said."""

SCALE = 65_535
"""Stored value of attention 1: 16 bits, far below what a network's attention is sure of."""


@dataclass(frozen=True, slots=True)
class AttentionMatrix:
    """What one system attended to in one sentence."""

    source_words: tuple[str, ...]
    words: tuple[str, ...]
    rows_IJ: NDArray[np.float64]
    """Shape (words + 1, source words + 1), rows sum to 1 but for rounding."""

    @property
    def inner_IJ(self) -> NDArray[np.float64]:
        """Return the attention without end marks."""
        return self.rows_IJ[:-1, :-1]


def merged(
    rows_IJ: NDArray[np.float64], target_starts: Sequence[int], source_starts: Sequence[int]
) -> NDArray[np.float64]:
    """Bring attention from units to words, end marks kept.

    A word gets the attention of all of its units, and attends as its units do on average, so that
    rows still sum to 1.

    Args:
        rows_IJ: shape (target units + 1, source units + 1).
        target_starts: first unit of each target word.
        source_starts: first unit of each source word.
    """
    firsts = np.asarray([*target_starts, len(rows_IJ) - 1])
    columns = np.asarray([*source_starts, rows_IJ.shape[1] - 1])
    summed = np.add.reduceat(np.add.reduceat(rows_IJ, columns, axis=1), firsts, axis=0)
    sizes = np.diff([*firsts.tolist(), len(rows_IJ)])
    return np.asarray(summed / sizes[:, None])


def packed(rows_IJ: NDArray[np.float64]) -> list[int]:
    """Return the cells of a matrix as whole numbers, row by row."""
    cells = np.rint(np.clip(rows_IJ, 0, 1) * SCALE).astype(np.int64)
    return [int(cell) for cell in cells.ravel()]


def attention_of(row: Mapping[str, Any]) -> AttentionMatrix | None:
    """Return the matrix of a row of `records`; None for a system without attention."""
    if not row["attention"]:
        return None
    source, words = tuple(row["source_words"]), tuple(row["words"])
    cells = np.asarray(row["attention"], dtype=np.float64) / SCALE
    return AttentionMatrix(source, words, cells.reshape(len(words) + 1, len(source) + 1))


def side_by_side(
    systems: Mapping[str, Sequence[Mapping[str, Any]]], sentence_id: str, side: Side
) -> dict[str, AttentionMatrix]:
    """Return the attention of several systems to one sentence (Context Gates, figure 6).

    For the reference all matrices have the same axes; a translation has its own words.

    Args:
        systems: rows of `records` of each system.
        sentence_id: the sentence.
        side: which words were fed.

    Returns:
        A matrix for each system that has one, in the order of `systems`.
    """
    found = {
        system: attention_of(row)
        for system, rows in systems.items()
        for row in rows
        if row["sentence_id"] == sentence_id and row["side"] == side
    }
    return {system: matrix for system, matrix in found.items() if matrix is not None}
