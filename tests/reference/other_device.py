"""A device that is not the processor, for machines without a GPU.

Its tensors lie in the host's memory and are computed by the processor, but torch takes them for
those of a device of its own: `x.device` says so, they have no numpy arrays, and an operation that
mixes them with tensors of the host fails as on a GPU, unless a tensor of the host is a single
number or an index. Random numbers must come from a generator of the device.

`waits` tells at which operations the processor would have to wait for a GPU: where a number or a
size comes from a tensor's contents, and where a tensor is copied from or to memory of the host that
nobody promised not to touch (`non_blocking`).

`install` changes torch for the whole process, so it is for processes of their own.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "faraway"
_ALLOW_HOST = ("aten::copy_", "aten::index.Tensor", "aten::index_put", "aten::_index_put_impl_")
_BRING = ("aten::where", "aten::index", "aten::_index_put_impl_", "aten::scatter", "aten::gather")
_READS = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)
_generators: list[Any] = []
waits: list[str] = []
"""Operations so far at which somebody would have waited, in their order."""


class FarTensor(torch.Tensor):
    """A tensor of the device."""

    near: Tensor
    """Its numbers."""

    @staticmethod
    def __new__(cls, near: Tensor) -> "FarTensor":
        made: FarTensor = torch.Tensor._make_wrapper_subclass(
            cls,
            near.shape,
            strides=near.stride(),
            storage_offset=near.storage_offset(),
            dtype=near.dtype,
            device=torch.device(NAME, 0),
        )
        made.near = near
        return made

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return _run(operation, args, kwargs or {})

    def tolist(self) -> Any:
        waits.append("tolist")
        return self.near.tolist()


def install() -> torch.device:
    """Make the device known to torch; returns it."""
    _setup_privateuseone_for_python_backend(NAME)
    library = torch.library.Library("_", "IMPL")
    library.fallback(lambda operation, *a, **k: _run(operation, a, k), "PrivateUse1")
    # torch makes these by resizing an empty tensor, which a wrapper cannot follow.
    ranges = torch.library.Library("aten", "IMPL")
    for form in ("arange", "arange.start", "arange.start_step"):
        ranges.impl(form, _arange, "PrivateUse1")
    _kept.extend([library, ranges])
    return torch.device(NAME, 0)


def stream_of(seed: int, device: torch.device) -> torch.Generator:
    """Return random numbers, in place of `new_stream`: torch makes none for such a device."""
    made = torch.Generator().manual_seed(seed)
    if device.type == NAME:
        _generators.append(made)
    return made


_kept: list[Any] = []


def _arange(*bounds: Any, dtype: Any = None, **_: Any) -> Tensor:
    return FarTensor(torch.arange(*bounds, dtype=dtype))


def _run(operation: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    name = operation.name()
    if _waits(operation, args, kwargs):
        waits.append(name)
    if name == "aten::_to_copy":
        return _copied(operation, args[0], dict(kwargs))
    leaves = [*_leaves(args), *_leaves(kwargs.values())]
    far = {id(x.near): x for x in leaves if isinstance(x, FarTensor)}
    if not name.startswith(_ALLOW_HOST):
        _check_places(name, leaves)
    found = operation(*map(_near, args), **{key: _near(x) for key, x in kwargs.items()})
    if name == "aten::_local_scalar_dense":
        return found

    def back(x: Any) -> Any:
        if isinstance(x, list | tuple):
            return type(x)(back(each) for each in x)
        if not isinstance(x, Tensor):
            return x
        return far[id(x)] if id(x) in far else FarTensor(x)

    goes_to_host = name == "aten::copy_" and not isinstance(args[0], FarTensor)
    return found if goes_to_host else back(found)


def _waits(operation: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Say whether a processor waits for the device before or after an operation."""
    name, blocks = operation.name(), not kwargs.get("non_blocking", False)
    if name == "aten::_to_copy":
        goal = torch.device(kwargs.get("device") or args[0].device).type
        return blocks and goal != args[0].device.type
    if name == "aten::copy_":
        blocks = blocks and not (len(args) > 2 and args[2])
        return blocks and args[0].device.type != args[1].device.type
    # Where these meet a tensor of the host, be it a single number, they copy it to the device.
    if name.startswith(_BRING) and not all(isinstance(x, FarTensor) for x in _tensors(args)):
        return any(isinstance(x, FarTensor) for x in _tensors(args))
    if name == "aten::index.Tensor":
        return any(index is not None and index.dtype == torch.bool for index in args[1])
    return any(tag in _READS for tag in operation.tags)


def _copied(operation: Any, x: Tensor, kwargs: dict[str, Any]) -> Tensor:
    device = kwargs.pop("device", None) or x.device
    near = _near(x)
    copy: Tensor = operation(near, **kwargs)
    copy = copy.clone() if copy is near else copy
    return FarTensor(copy) if torch.device(device).type == NAME else copy


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _leaves(value)
        else:
            yield value


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    return [x for x in _leaves(values) if isinstance(x, Tensor)]


def _check_places(name: str, leaves: Iterable[Any]) -> None:
    for x in leaves:
        if isinstance(x, Tensor) and not isinstance(x, FarTensor) and x.dim():
            raise RuntimeError(f"{name}: a tensor of the host meets one of the device")
        if isinstance(x, torch._C.Generator) and not _is_of_device(x):
            raise RuntimeError(f"{name}: random numbers of the host for a tensor of the device")


def _is_of_device(stream: Any) -> bool:
    # Within an operation a generator is another object of Python.
    return any(stream._cdata == own._cdata for own in _generators)


def _near(x: Any) -> Any:
    if isinstance(x, FarTensor):
        return x.near
    if isinstance(x, list | tuple):
        return [_near(each) for each in x]
    return torch.device("cpu") if isinstance(x, torch.device) else x
