"""Batches brought to the device of a network."""

import dataclasses
from typing import Any, TypeVar

import torch
from torch import Tensor

from model.batches import SourceBatch, TargetBatch

B = TypeVar("B", SourceBatch, TargetBatch)


def pinned(batch: B, device: torch.device) -> B:
    """Return a batch of the host in memory that a GPU copies from by itself; without a GPU as it
    is.
    """
    if device.type != "cuda":
        return batch
    # A thread begins with the first GPU, which may be that of another process.
    with torch.cuda.device(device):
        tensors: dict[str, Any] = {name: x.pin_memory() for name, x in _tensors(batch).items()}
    return dataclasses.replace(batch, **tensors)


def placed(batch: B, device: torch.device) -> B:
    """Return a batch on a device; copies from pinned memory are not waited for."""
    tensors = _tensors(batch)
    if all(each.device == device for each in tensors.values()):
        return batch
    moved: dict[str, Any] = {n: x.to(device, non_blocking=True) for n, x in tensors.items()}
    return dataclasses.replace(batch, **moved)


def _tensors(batch: SourceBatch | TargetBatch) -> dict[str, Tensor]:
    found = {field.name: getattr(batch, field.name) for field in dataclasses.fields(batch)}
    return {name: value for name, value in found.items() if isinstance(value, Tensor)}
