"""Compile a loop to machine code on its first call.

To import this module takes a third of a second, so only what is about to run a loop imports it.
"""

import hashlib
import linecache
import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

import numba
from numba.core.caching import IndexDataCacheFile

_IMPORT = re.compile(r"^from (tasks\.[\w.]+) import", re.MULTILINE)

_CacheFile: Any = IndexDataCacheFile
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called, and keep the code for the next process.

    The code is kept beside the source, or in the user's folder for caches if an installation can
    only be read. Where neither can be written, each process compiles anew: seconds, same results.
    """
    return _made(function, {})


def inner(function: F) -> F:
    """Compile a function that only compiled functions call: that is done a fifth sooner."""
    return _made(function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def _made(function: F, options: dict[str, Any]) -> F:
    try:
        made: Any = numba.njit(function, cache=True, **options)
    except RuntimeError:  # numba has no folder to write to
        made = numba.njit(function, **options)
    else:
        _keep_by_source(made._cache, _source_stamp(function.__module__))
    result: F = made
    return result


def _keep_by_source(kept: Any, stamp: bytes) -> None:
    """Keep code under a name of all the source that it is made of.

    numba looks at the file of the function alone, and not at those of what it calls; and it cannot
    even read what was kept of a class that is elsewhere now.
    """
    base = f"{kept._impl.filename_base}-{stamp.hex()[:16]}"
    kept._cache_file = _CacheFile(kept._cache_path, base, stamp)


@cache
def _source_stamp(module: str) -> bytes:
    """Digest the source of a module and of all that it imports from the steps' pure code."""
    sources: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            spec = find_spec(name)
            sources[name] = "".join(linecache.getlines(spec.origin or "")) if spec else ""
            waiting += _IMPORT.findall(sources[name])
    return hashlib.sha256(repr(sorted(sources.items())).encode()).digest()
