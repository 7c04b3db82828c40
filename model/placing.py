"""What is brought to the device of a network, and back, without waiting more than is needed."""

import dataclasses
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.batches import SourceBatch, TargetBatch

B = TypeVar("B", SourceBatch, TargetBatch)


def pinned(batch: B, device: torch.device) -> B:
    """Return a batch of the host in memory that a GPU copies from by itself; without a GPU as it
    is.
    """
    if device.type != "cuda":
        return batch
    tensors: dict[str, Any] = {n: pinned_tensor(x, device) for n, x in tensors_of(batch).items()}
    return dataclasses.replace(batch, **tensors)


def pinned_tensor(tensor: Tensor, device: torch.device) -> Tensor:
    """Do the same with one tensor."""
    if device.type != "cuda":
        return tensor
    # A thread begins with the first GPU, which may be that of another process.
    with torch.cuda.device(device):
        return tensor.pin_memory()


def placed(batch: B, device: torch.device) -> B:
    """Return a batch on a device; copies from pinned memory are not waited for."""
    tensors = tensors_of(batch)
    if all(each.device == device for each in tensors.values()):
        return batch
    moved: dict[str, Any] = {n: x.to(device, non_blocking=True) for n, x in tensors.items()}
    return dataclasses.replace(batch, **moved)


def brought(tensor: Tensor, device: torch.device) -> Tensor:
    """Return a small tensor of the host on a device; the copy is not waited for."""
    return pinned_tensor(tensor, device).to(device, non_blocking=True)


def read(*tensors: Tensor) -> list[NDArray[np.float64]]:
    """Return tensors of numbers as arrays of the host; a device is waited for once, not for each.

    Whole numbers must be below 2 to the power of 53.
    """
    if tensors[0].device.type == "cpu":
        return [x.double().numpy() for x in tensors]
    together = torch.cat([x.double().flatten() for x in tensors]).cpu().numpy()
    ends = np.cumsum([x.numel() for x in tensors])[:-1]
    return [
        part.reshape(x.shape) for part, x in zip(np.split(together, ends), tensors, strict=True)
    ]


def tensors_of(batch: SourceBatch | TargetBatch) -> dict[str, Tensor]:
    """Return the tensors of a batch by their names, always in the same order."""
    found = {field.name: getattr(batch, field.name) for field in dataclasses.fields(batch)}
    return {name: value for name, value in found.items() if isinstance(value, Tensor)}
