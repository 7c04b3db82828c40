"""Freed memory that is handed back to the system.

What a loop frees piece by piece stays with the process: Arrow keeps it for its next table, and the
C library between pieces that are still in use. A step that holds much beside it would grow by as
much. No result depends on it.
"""

import ctypes
import platform
from functools import lru_cache

import pyarrow as pa


def release_unused_memory() -> None:
    """Hand back what this process freed; with a C library other than glibc, what Arrow did."""
    pa.default_memory_pool().release_unused()
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


@lru_cache(maxsize=1)
def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
