"""What torch can compute on here: threads and GPUs; and how it is told to."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.utils.deterministic

from model.device_names import kind_of
from model.training_config import Precision

GPU_ROWS = 4096
"""Rows worked on at a time where no processor's cache has to hold them."""
INSTALL = "pip install torch --index-url https://download.pytorch.org/whl/cu130"


class NoDevice(ValueError):
    """The device that settings name is not there; says what to do."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The processors that torch sees."""

    threads: int
    gpus: tuple[str, ...]
    """Names of the GPUs; empty where there is none that torch can use."""
    built_for_gpus: bool


def devices() -> Devices:
    """Ask torch what it sees."""
    names = tuple(torch.cuda.get_device_name(index) for index in range(number_of_gpus()))
    return Devices(torch.get_num_threads(), names, torch.backends.cuda.is_built())


def number_of_gpus() -> int:
    """Count the GPUs that torch can use and sees, without taking memory on one."""
    return torch.cuda.device_count() if torch.backends.cuda.is_built() else 0


def has_gpu() -> bool:
    """Say whether torch can use a GPU, without taking memory of it."""
    return number_of_gpus() > 0


def device_of(name: str, setting: str, *, rank: int = 0, processes: int = 1) -> torch.device:
    """Return the device that a setting names; each process of a group has a GPU of its own.

    Args:
        name: value of the setting, already checked.
        setting: its name, for messages.
        rank: number of this process among those of this machine.
        processes: of the group, on this machine.

    Raises:
        NoDevice: there is no such device, or fewer GPUs than processes.
    """
    if kind_of(name) == "cpu":
        return torch.device("cpu")
    seen = devices()
    _check_there(name, setting, seen)
    _, _, number = name.partition(":")
    if processes == 1:
        return torch.device("cuda", int(number or 0))
    if number or processes > len(seen.gpus):
        have = f"one is named with {name!r}" if number else f"there are {len(seen.gpus)}"
        raise NoDevice(
            f"{setting}: {processes} processes need as many GPUs, but {have}. Lower "
            f'training.processes, or set {setting} to "{"cuda" if number else "cpu"}".'
        )
    return torch.device("cuda", rank)


def _check_there(name: str, setting: str, seen: Devices) -> None:
    if not seen.built_for_gpus:
        raise NoDevice(
            f"{setting} is {name!r}, but this torch ({torch.__version__}) was built without CUDA. "
            f'Install one that was, such as `{INSTALL}`, or set {setting} to "cpu".'
        )
    if not seen.gpus:
        raise NoDevice(
            f"{setting} is {name!r}, but torch finds no NVIDIA GPU: see that `nvidia-smi` lists "
            "one, that its driver is new enough for CUDA "
            f"{torch.version.cuda}, and that CUDA_VISIBLE_DEVICES does not hide it; or set "
            f'{setting} to "cpu".'
        )
    _, _, number = name.partition(":")
    if number and int(number) >= len(seen.gpus):
        raise NoDevice(
            f"{setting} is {name!r}, but there are {len(seen.gpus)} GPUs, numbered from 0: "
            f"{', '.join(seen.gpus)}."
        )


def prepare(device: torch.device, precisions: Sequence[Precision]) -> None:
    """Tell torch how to compute in this process, before the first product.

    On a GPU the same sums come out every time: torch takes algorithms with a fixed order of sums
    where there are such, and warns where there is none; cuBLAS does so if the environment has
    CUBLAS_WORKSPACE_CONFIG=:4096:8. Float32 products keep all their bits
    unless "tf32" is asked for.

    Args:
        device: where is computed.
        precisions: number formats of the matrix products.

    Raises:
        NoDevice: "tf32" is asked for on a processor.
    """
    if device.type != "cuda":
        if "tf32" in precisions:
            raise NoDevice(
                'precision is "tf32", which only GPUs compute in. Set it to "float32" or '
                '"bfloat16".'
            )
        return
    torch.cuda.set_device(device)
    torch.set_float32_matmul_precision("high" if "tf32" in precisions else "highest")
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Filling empty tensors would cost time and change no result.
    setattr(torch.utils.deterministic, "fill_uninitialized_memory", False)  # noqa: B010
    # These two add up in any order when they go backwards.
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)


def device_name(device: torch.device) -> str:
    """Return a device in words, for records."""
    if device.type != "cuda":
        return "cpu"
    return f"cuda ({torch.cuda.get_device_name(device)}, CUDA {torch.version.cuda})"


def rows_at_once(like: torch.Tensor, in_cache: int) -> int:
    """Return how many rows to work on at a time: few stay in a processor's cache, many keep a GPU
    busy.
    """
    return in_cache if like.device.type == "cpu" else GPU_ROWS
