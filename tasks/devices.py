"""The device of a step: found, prepared, and missing with a message."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from model.config import Precision
from storage.errors import ConfigError

if TYPE_CHECKING:
    import torch

_WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"
_FIXED_WORKSPACE = ":4096:8"
"""With this much memory for each stream, cuBLAS adds up in the same order every time."""


def prepared(
    name: str, setting: str, precisions: Sequence[Precision], *, rank: int = 0, processes: int = 1
) -> "torch.device":
    """Return the device that a setting names, ready to compute in this process.

    Args:
        name: value of the setting.
        setting: its name, for messages.
        precisions: number formats of the matrix products.
        rank: number of this process among those of this machine.
        processes: of the group, on this machine.

    Raises:
        ConfigError: there is no such device, or it does not have such a format.
    """
    from model.machine import NoDevice, device_of, prepare

    try:
        device = device_of(name, setting, rank=rank, processes=processes)
        if device.type == "cuda":
            os.environ.setdefault(_WORKSPACE, _FIXED_WORKSPACE)
        prepare(device, precisions)
    except NoDevice as error:
        raise ConfigError(str(error)) from error
    return device
