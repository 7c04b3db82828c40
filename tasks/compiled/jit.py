"""Compile a loop to machine code on its first call.

To import this module takes a third of a second, so only what is about to run a loop imports it.
"""

import hashlib
import linecache
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

import numba

import tasks.compiled

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called, and keep the code for the next process.

    The code is kept beside the source, or in the user's folder for caches if an installation can
    only be read. Where neither can be written, each process compiles anew: seconds, same results.
    """
    try:
        made = numba.njit(function, cache=True)
    except RuntimeError:  # numba has no folder to write to
        made = numba.njit(function)
    else:
        # numba looks at the file of the function alone, and not at those of what it calls.
        made._cache._cache_file._source_stamp = _source_stamp()
    result: F = made
    return result


@cache
def _source_stamp() -> bytes:
    """Digest the source of all compiled loops."""
    digest = hashlib.sha256()
    for module in sorted(pkgutil.iter_modules(tasks.compiled.__path__), key=lambda m: m.name):
        name = f"{tasks.compiled.__name__}.{module.name}"
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        digest.update(f"{name}\0{linecache.getlines(spec.origin)}".encode())
    return digest.digest()
