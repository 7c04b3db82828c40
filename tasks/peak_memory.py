"""Peak memory of this process since the last reset, where the system can tell (Linux)."""

from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
_KIBIBYTE = 1024


def reset_peak_memory() -> None:
    """Start counting anew; without effect where the system does not offer it."""
    try:
        _CLEAR.write_text(_RESET_PEAK)
    except OSError:
        return


def peak_memory_bytes() -> int:
    """Return the largest resident memory since the last reset in bytes, or 0 where unknown."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return 0
    return next(
        (int(line.split()[1]) * _KIBIBYTE for line in lines if line.startswith("VmHWM:")), 0
    )
