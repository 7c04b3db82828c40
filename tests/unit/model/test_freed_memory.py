"""Freed memory stays with the process for as long as it is told to, and no longer."""

import ctypes
import platform
import resource

import pytest

from model.freed_memory import freed_memory_kept

SIZE = 64 << 20
glibc_only = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told")


def new_pages() -> int:
    """Return how many pages the operating system had to give for one large piece."""
    library = ctypes.CDLL(None)
    library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    piece = library.malloc(SIZE)
    ctypes.memset(piece, 1, SIZE)
    library.free(piece)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@glibc_only
def test_a_piece_is_used_again() -> None:
    with freed_memory_kept():
        new_pages()
        assert new_pages() < 50


@glibc_only
def test_it_is_given_back_at_the_end() -> None:
    with freed_memory_kept():
        new_pages()
    assert new_pages() > 50
    assert new_pages() > 50


def test_other_systems_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.freed_memory.platform.libc_ver", lambda: ("", ""))
    monkeypatch.setattr("model.freed_memory.ctypes.CDLL", lambda _: pytest.fail("called"))
    with freed_memory_kept():
        pass
