"""Weights in the number format of the products, converted once per search, not at each step."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

_Kept = dict[tuple[int, torch.dtype], tuple[Tensor, Tensor]]
_local = threading.local()


@contextmanager
def casts_kept() -> Iterator[None]:
    """Keep what `cast` converts until the end; the weights must not change meanwhile."""
    before = getattr(_local, "kept", None)
    _local.kept = {}
    try:
        yield
    finally:
        _local.kept = before


def cast(weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return a weight in another number format."""
    if weight.dtype == dtype:
        return weight
    kept: _Kept | None = getattr(_local, "kept", None)
    if kept is None:
        return weight.to(dtype)
    key = id(weight), dtype
    if key not in kept:  # the weight itself is kept too, so that no other can have its identity
        kept[key] = weight, weight.to(dtype)
    return kept[key][1]
