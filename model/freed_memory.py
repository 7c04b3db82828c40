"""Freed memory that stays with the process.

A training step frees what it computed with, some hundred megabytes in large pieces, and the next
step asks for as much again. The C library of Linux hands such pieces back to the operating system,
which must fill each new page with zeros: some hundredths of the time of a batch. It changes no
result, so nothing records it.
"""

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Numbers of glibc's settings (`mallopt(3)`)."""
_MOST = 2**31 - 1
_USUAL = ((_MMAP_THRESHOLD, 32 << 20), (_TRIM_THRESHOLD, 64 << 20))
"""What glibc itself raises them to in a process that uses large pieces."""


@contextmanager
def freed_memory_kept() -> Iterator[None]:
    """Keep what is freed for the next request, and give it all back at the end.

    It acts on the whole process, and only where the C library is glibc.
    """
    if platform.libc_ver()[0] != "glibc":
        yield
        return
    library = ctypes.CDLL(None)
    for name, _ in _USUAL:
        library.mallopt(name, _MOST)
    try:
        yield
    finally:
        for name, value in _USUAL:
            library.mallopt(name, value)
        library.malloc_trim(0)
