"""What torch can compute on here: threads and GPUs."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Devices:
    """The processors that torch sees."""

    threads: int
    gpus: tuple[str, ...]
    """Names of the GPUs; empty where there is none that torch can use."""
    built_for_gpus: bool


def devices() -> Devices:
    """Ask torch what it sees."""
    built = torch.backends.cuda.is_built()
    number = torch.cuda.device_count() if built else 0
    names = tuple(torch.cuda.get_device_name(index) for index in range(number))
    return Devices(torch.get_num_threads(), names, built)
