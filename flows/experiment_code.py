"""Whether the code of a cell is that of its experiment: cells run for hours, and the processes that
they begin load code as it stands on disk then.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from storage.errors import PhrasenetError, WorkspaceError
from tasks.fingerprint import read_again
from tasks.raised import noted
from tasks.step import code_of_steps

R = TypeVar("R")


def with_code(code: Mapping[str, str], function: Callable[..., R], *arguments: Any) -> R:
    """Return what a function returns, in a process whose code is still the experiment's.

    Args:
        code: digest of each step's code, as the experiment began.
        function: what is to be run.
        arguments: of the function.

    Raises:
        WorkspaceError: the code is another one now, before anything was computed or where the
            function ended with a defect: then it may be that of two days.
        Exception: whatever the function raised, with the place where.
    """
    _must_be(code, None)
    try:
        return function(*arguments)
    except PhrasenetError:
        raise
    except Exception as error:
        read_again()
        _must_be(code, error)
        noted(error)
        raise


def _must_be(code: Mapping[str, str], error: Exception | None) -> None:
    now = code_of_steps()
    changed = sorted(name for name in code.keys() & now.keys() if code[name] != now[name])
    if not changed:
        return
    ended = f", and the cell ended with {type(error).__name__}: {error}" if error else ""
    raise WorkspaceError(
        f"The code of step {changed[0]} changed while the experiment ran{ended}. Leave the code as "
        "it is, or run the experiment from a copy. Run again: what is still right is reused."
    ) from error
