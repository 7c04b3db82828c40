"""Processes that train one network together: each takes a share of every batch, and their gradients
are added up.

It is data parallelism as in PyTorch's DistributedDataParallel, but the gradients are added after
the backward pass and not within it. So a process may compute its share in smaller pieces when
memory runs out, a parameter that no process used stays untouched as it does in one process, and the
loss is divided by the size of the whole batch, whatever the shares are.
"""

import contextlib
import datetime
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.rendezvous import rendezvous
from torch.nn import Parameter

from model.batch_order import Numbers
from model.device_names import DeviceKind

T = TypeVar("T")

_BUCKET_NUMBERS = 1 << 23
"""Numbers of gradients that are sent at once."""
_LONGEST_START = datetime.timedelta(minutes=10)
_LONGEST_WAIT = datetime.timedelta(hours=12)


@contextlib.contextmanager
def joined(attempt: int, *, ahead: bool = True, kind: DeviceKind = "cpu") -> "Iterator[Group]":
    """Join the processes that torchrun, or what starts processes like it, made for a training.

    What lies on GPUs goes over NCCL, all else over gloo, so that the few numbers that processes
    agree on do not wait for the GPUs.

    Args:
        attempt: how often the processes were started again. The addresses of those before are still
            in the store that all share, so each attempt has keys of its own.
        ahead: whether this process is on the machine that leads, whose processes come first,
            whatever numbers they were given.
        kind: of the devices on which they learn.
    """
    store, given, size = next(rendezvous("env://", timeout=_LONGEST_START))
    own = dist.PrefixStore(f"attempt-{attempt}", store)  # type: ignore[attr-defined]
    rank = _place(own, given, size, ahead=ahead)
    # What waits longest is a process while the leading one translates the dev set.
    backend = "cpu:gloo,cuda:nccl" if kind == "cuda" else "gloo"
    dist.init_process_group(backend, store=own, rank=rank, world_size=size, timeout=_LONGEST_WAIT)
    try:
        yield Group()
    finally:
        dist.destroy_process_group()


def _place(store: Any, given: int, size: int, *, ahead: bool) -> int:
    """Return the number of this process: those on the machine that leads have the first."""
    store.set(f"ahead-{given}", str(int(ahead)))
    behind = [store.get(f"ahead-{number}") != b"1" for number in range(size)]
    return sorted(range(size), key=lambda number: (behind[number], number)).index(given)


class Group:
    """The processes of a training; without a process group of torch there is one."""

    def __init__(self) -> None:
        together = dist.is_available() and dist.is_initialized()
        self.rank = dist.get_rank() if together else 0
        self.size = dist.get_world_size() if together else 1

    @property
    def leads(self) -> bool:
        """Say whether this process measures, keeps and reports for all."""
        return self.rank == 0

    def share(self, batch: Numbers) -> Numbers:
        """Return this process's share of the numbers of a batch's examples; neighbours are spread,
        so lengths are alike.
        """
        return batch[self.rank :: self.size]

    def add_gradients(self, parameters: Sequence[Parameter]) -> None:
        """Put the sum of the gradients of all processes in place of each one's own.

        A parameter that got no gradient anywhere keeps none.
        """
        if self.size == 1:
            return
        used = torch.tensor([each.grad is not None for each in parameters], dtype=torch.int32)
        dist.all_reduce(used, dist.ReduceOp.MAX)
        shared = [each for each, is_used in zip(parameters, used.tolist(), strict=True) if is_used]
        for bucket in _buckets(shared):
            flat = torch.cat([_gradient(each).flatten() for each in bucket])
            dist.all_reduce(flat)
            pieces = flat.split([each.numel() for each in bucket])
            for each, piece in zip(bucket, pieces, strict=True):
                each.grad = piece.view_as(each)

    def total(self, value: Tensor) -> Tensor:
        """Return the sum of a tensor over the processes, on its device; it may be changed."""
        if self.size > 1:
            dist.all_reduce(value)
        return value

    def smallest(self, value: int) -> int:
        """Return the smallest of a number over the processes."""
        return int(self._reduced(value, dist.ReduceOp.MIN))

    def largest(self, value: int) -> int:
        """Return the largest of a number over the processes."""
        return int(self._reduced(value, dist.ReduceOp.MAX))

    def agreed(self, number: int) -> int:
        """Return the number of the process that leads."""
        if self.size == 1:
            return number
        told = torch.tensor(number)
        dist.broadcast(told, src=0)
        return int(told)

    def told(self, value: T) -> T:
        """Return what the process that leads was given; it must be picklable."""
        if self.size == 1:
            return value
        said = [value]
        dist.broadcast_object_list(said, src=0)
        return said[0]

    def any_of(self, holds: bool) -> bool:
        """Say whether something holds in any process."""
        return bool(self._reduced(float(holds), dist.ReduceOp.MAX))

    def collected(self, tensor: Tensor) -> list[Tensor]:
        """Return the tensors of all processes, which have one shape, in their order."""
        if self.size == 1:
            return [tensor]
        found = [torch.empty_like(tensor) for _ in range(self.size)]
        dist.all_gather(found, tensor)
        return found

    def _reduced(self, value: float, how: "dist.ReduceOp.RedOpType") -> float:
        if self.size == 1:
            return value
        number = torch.tensor(value, dtype=torch.float64)
        dist.all_reduce(number, how)
        return float(number)


def _gradient(parameter: Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def _buckets(parameters: Sequence[Parameter]) -> Iterator[list[Parameter]]:
    bucket: list[Parameter] = []
    for each in parameters:
        bucket.append(each)
        if sum(one.numel() for one in bucket) >= _BUCKET_NUMBERS:
            yield bucket
            bucket = []
    if bucket:
        yield bucket
