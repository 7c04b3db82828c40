# mypy: ignore-errors
# ruff: noqa: PLR0913 - a kernel gets each pointer and size by itself
"""The Triton kernels of `fused_attention.py`; whoever imports this has Triton.

Tensors are as there and contiguous but for the queries, whose rows lie `query_row` apart. `words`
is J and `width` A; `size` is F, filled up to WIDE, which is 0 without features.
"""

import triton
import triton.language as tl


@triton.jit
def _hidden(
    keys, query, features, weight, row, j, a, words, width, query_row, size, WIDE: tl.constexpr
):
    """Return the hidden layer of some words of a row, hidden_JA."""
    there = (j < words)[:, None] & (a < width)[None, :]
    place = (row * words + j[:, None]) * width + a[None, :]
    inner = tl.load(keys + place, there, 0.0)
    inner += tl.load(query + row * query_row + a, a < width, 0.0)[None, :]
    if WIDE > 0:
        f = tl.arange(0, WIDE)
        given = _given(features, row, j, f, words, size)
        part = tl.load(
            weight + f[:, None] * width + a[None, :],
            (f < size)[:, None] & (a < width)[None, :],
            0.0,
        )
        inner += tl.dot(given, part, input_precision="ieee")
    return 1.0 / (1.0 + tl.exp(-inner))


@triton.jit
def _given(features, row, j, f, words, size):
    """Return the features of some words of a row, given_JW."""
    there = (j < words)[:, None] & (f < size)[None, :]
    return tl.load(features + (row * words + j[:, None]) * size + f[None, :], there, 0.0)


@triton.jit
def energies(
    keys,
    query,
    score,
    features,
    weight,
    energy,
    words,
    width,
    query_row,
    size,
    WIDE: tl.constexpr,
    BLOCK_A: tl.constexpr,
    BLOCK_J: tl.constexpr,
):
    """Compute the energies of some words of a row."""
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK_J + tl.arange(0, BLOCK_J)
    total = tl.zeros((BLOCK_J,), dtype=tl.float32)
    for first in range(0, width, BLOCK_A):
        a = first + tl.arange(0, BLOCK_A)
        hidden = _hidden(
            keys, query, features, weight, row, j, a, words, width, query_row, size, WIDE
        )
        total += tl.sum(hidden * tl.load(score + a, a < width, 0.0)[None, :], axis=1)
    tl.store(energy + row * words + j, total, j < words)


@triton.jit
def sums(
    keys,
    query,
    features,
    weight,
    energy,
    grad_keys,
    grad_query,
    sum_score,
    sum_weight,
    rows,
    words,
    width,
    query_row,
    size,
    WIDE: tl.constexpr,
    BLOCK_A: tl.constexpr,
    BLOCK_J: tl.constexpr,
    GROUPS: tl.constexpr,
):
    """Add what a step adds to the gradients by keys, score vector and feature weights, and compute
    that by the queries but for the score vector: of some columns of every eighth row.
    """
    group = tl.program_id(0)
    a = tl.program_id(1) * BLOCK_A + tl.arange(0, BLOCK_A)
    by_score = tl.zeros((BLOCK_A,), dtype=tl.float32)
    if WIDE > 0:
        f = tl.arange(0, WIDE)
        by_weight = tl.zeros((WIDE, BLOCK_A), dtype=tl.float32)
    for row in range(group, rows, GROUPS):
        by_query = tl.zeros((BLOCK_A,), dtype=tl.float32)
        for first in range(0, words, BLOCK_J):
            j = first + tl.arange(0, BLOCK_J)
            hidden = _hidden(
                keys, query, features, weight, row, j, a, words, width, query_row, size, WIDE
            )
            own = tl.load(energy + row * words + j, j < words, 0.0)[:, None]
            by_score += tl.sum(own * hidden, axis=0)
            slope = own * (hidden - hidden * hidden)
            by_query += tl.sum(slope, axis=0)
            place = grad_keys + (row * words + j[:, None]) * width + a[None, :]
            there = (j < words)[:, None] & (a < width)[None, :]
            tl.store(place, tl.load(place, there, 0.0) + slope, there)
            if WIDE > 0:
                given = _given(features, row, j, f, words, size)
                by_weight += tl.dot(tl.trans(given), slope, input_precision="ieee")
        tl.store(grad_query + row * width + a, by_query, a < width)
    place = sum_score + group * width + a
    tl.store(place, tl.load(place, a < width, 0.0) + by_score, a < width)
    if WIDE > 0:
        there = (f < size)[:, None] & (a < width)[None, :]
        place = sum_weight + (group * size + f[:, None]) * width + a[None, :]
        tl.store(place, tl.load(place, there, 0.0) + by_weight, there)


@triton.jit
def by_features(
    keys,
    query,
    features,
    weight,
    back,
    energy,
    grad_features,
    words,
    width,
    query_row,
    size,
    WIDE: tl.constexpr,
    BLOCK_A: tl.constexpr,
    BLOCK_J: tl.constexpr,
):
    """Compute the gradient by the features of some words of a row."""
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK_J + tl.arange(0, BLOCK_J)
    f = tl.arange(0, WIDE)
    total = tl.zeros((BLOCK_J, WIDE), dtype=tl.float32)
    for first in range(0, width, BLOCK_A):
        a = first + tl.arange(0, BLOCK_A)
        hidden = _hidden(
            keys, query, features, weight, row, j, a, words, width, query_row, size, WIDE
        )
        part = tl.load(
            back + f[None, :] * width + a[:, None],
            (f < size)[None, :] & (a < width)[:, None],
            0.0,
        )
        total += tl.dot(hidden - hidden * hidden, part, input_precision="ieee")
    own = tl.load(energy + row * words + j, j < words, 0.0)[:, None]
    there = (j < words)[:, None] & (f < size)[None, :]
    place = grad_features + (row * words + j[:, None]) * size + f[None, :]
    tl.store(place, own * total, there)
