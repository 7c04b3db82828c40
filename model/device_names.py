"""The names of devices in settings, and what kind a name stands for on this machine.

torch is asked only if it was built for GPUs, so settings can be read and refused without it.
"""

import importlib.metadata
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from model.checks import require

DeviceKind = Literal["cpu", "cuda"]
AUTO = "auto"
_NAME = re.compile(r"auto|cpu|cuda(:(0|[1-9]\d?))?")
_NO_GPUS = "+cpu"
"""Version of a torch that was built without CUDA."""


def check_device(setting: str, name: str) -> None:
    """Refuse what names no device.

    Raises:
        ValueError: it names none.
    """
    known = _NAME.fullmatch(name) is not None
    require(known, setting, name, '"auto", "cpu", "cuda", or one GPU such as "cuda:1"')


def kind_of(name: str) -> DeviceKind:
    """Return the kind that a name stands for: "auto" is a GPU where torch can use one.

    The kind and not the name takes part in a step's key: a GPU gives other last bits than a
    processor does, but two ways to write one of them, or two GPUs of a machine, do not differ.
    """
    if name == AUTO:
        return "cuda" if _has_gpu() else "cpu"
    return "cpu" if name == "cpu" else "cuda"


def _has_gpu() -> bool:
    if importlib.metadata.version("torch").endswith(_NO_GPUS):
        return False
    from model.machine import has_gpu

    return has_gpu()


BY_KIND: Mapping[str, Any] = MappingProxyType({"key_as": kind_of, "key_usual": "cpu"})
"""Metadata of a setting that names a device: its kind stands in its place in keys and records."""
