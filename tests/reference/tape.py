"""What records operations as a CUDA graph does, on a processor.

Like a graph it knows operations and memory and no Python: a repetition does the recorded operations
on the recorded tensors, each result goes to the memory of the recorded result, and numbers that
Python knew are what they were. So it goes wrong where a graph does: where an input was not copied
to its memory, has another size, or where something was decided while recording.

As in a graph, recording leaves no trace, and whatever would have to wait for the device cannot be
recorded.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from model.graphs import Work

_READS = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)


class TapeRecorder:
    """Records work and counts what is done."""

    def __init__(self) -> None:
        self.runs = 0
        self.recordings = 0
        self.repetitions = 0

    def run(self, work: Work) -> None:
        """Do the work as usual."""
        self.runs += 1
        work()

    def record(self, work: Work, stream: torch.Generator) -> Work:
        """Record the work without a trace; returns what repeats it."""
        tape, begin = _Tape(), stream.get_state()
        try:
            with tape:
                work()
        finally:
            stream.set_state(begin)
            for tensor, before in tape.changed:
                tensor.copy_(before)
        self.recordings += 1

        def repeat() -> None:
            self.repetitions += 1
            tape.repeat()

        return repeat


class _Tape(TorchDispatchMode):
    """The operations of a piece of work, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self._done: list[tuple[Any, Any, Any, list[Tensor]]] = []
        self._made: set[int] = set()
        self.changed: list[tuple[Tensor, Tensor]] = []
        """Tensors that were there before and were written to, with what was in them."""

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        by_mask = operation.name().startswith("aten::index") and any(
            isinstance(x, Tensor) and x.dtype == torch.bool for x in tree_leaves(args[1:2])
        )
        is_index = operation.name() == "aten::index.Tensor"
        if by_mask or (not is_index and any(tag in _READS for tag in operation.tags)):
            raise RuntimeError(f"{operation.name()}: operation not permitted while recording")
        for tensor in _written(operation, args, kwargs):
            if tensor.untyped_storage().data_ptr() not in self._made:
                self.changed.append((tensor, tensor.clone()))
                self._made.add(tensor.untyped_storage().data_ptr())
        found = operation(*args, **kwargs)
        old = {x.untyped_storage().data_ptr() for x in _tensors(args, kwargs)}
        results = _tensors(found)
        new = [x for x in results if x.untyped_storage().data_ptr() not in old]
        self._made.update(x.untyped_storage().data_ptr() for x in new)
        self._done.append((operation, args, kwargs, results))
        return found

    def repeat(self) -> None:
        """Do it all again where it was done."""
        with torch.no_grad():
            for operation, args, kwargs, results in self._done:
                old = {x.untyped_storage().data_ptr() for x in _tensors(args, kwargs)}
                for memory, value in zip(
                    results, _tensors(operation(*args, **kwargs)), strict=True
                ):
                    if memory.untyped_storage().data_ptr() not in old:
                        assert memory.shape == value.shape
                        memory.copy_(value)


def _tensors(*values: Any) -> list[Tensor]:
    return [x for x in tree_leaves(values) if isinstance(x, Tensor)]


def _written(operation: Any, args: Any, kwargs: Any) -> Iterator[Tensor]:
    """Yield the tensors that an operation writes to."""
    for number, argument in enumerate(operation._schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        given = args[number] if number < len(args) else kwargs.get(argument.name)
        yield from _tensors(given)
