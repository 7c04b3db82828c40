"""What a process freed goes back to the system."""

import platform
import re
from pathlib import Path

import pytest

from storage.unused_memory import release_unused_memory

PIECES, PIECE = 4000, 20_000
"""Pieces of the C library's heap: too small to be handed back one by one."""


def resident() -> int:
    """Return the memory of this process in bytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return 1024 * int(found[1])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep what is free")
def test_what_lies_between_used_pieces_is_handed_back() -> None:
    held = [bytearray(PIECE) for _ in range(PIECES)]
    kept = held[::100]
    del held
    before = resident()
    release_unused_memory()
    assert before - resident() > PIECES * PIECE // 2
    assert len(kept) == PIECES // 100
