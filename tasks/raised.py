"""Where an error was raised, in a few words: it outlives the way between processes, which a
traceback does not.
"""

import traceback
from pathlib import Path

_ROOT = Path(__file__).parent.parent


def noted(error: Exception) -> None:
    """Note in an error where in our own code it was raised."""
    error.add_note(raised_at(error))


def place_of(error: BaseException) -> str:
    """Return where an error was raised, here or in the process that noted it."""
    return next(iter(getattr(error, "__notes__", ())), "") or raised_at(error)


def raised_at(error: BaseException) -> str:
    """Return the innermost place of our own code that an error came through, such as
    `tasks/record.py, line 163`; an empty text if it came through none.
    """
    ours = [
        f"{Path(frame.filename).relative_to(_ROOT).as_posix()}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if _is_ours(Path(frame.filename))
    ]
    return ours[-1] if ours else ""


def _is_ours(file: Path) -> bool:
    if not file.is_relative_to(_ROOT):
        return False
    return not {".venv", "site-packages"} & set(file.relative_to(_ROOT).parts)
