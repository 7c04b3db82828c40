"""Small JSON files of our own, read as what they should be: damage is told, not tripped over."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading and taking apart a damaged file can raise; very deep brackets a RecursionError."""


def damage(path: Path, error: Exception) -> str:
    """Say that a file which nothing makes again is damaged, and what to do."""
    return (
        f"{path} is damaged: {error}. Restore the file from a backup; `phrasenet audit verify` "
        "names all that was changed."
    )


def plain_record(kind: type[T], value: Any) -> T:
    """Build a flat dataclass of what a JSON file says.

    Raises:
        ValueError: a field is missing, unknown, or of another type.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"expected an object, found {type(value).__name__}")
    try:
        made = kind(**value)
    except TypeError as error:
        raise ValueError(f"it has other fields than expected: {error}") from error
    for name, hint in _types_of(kind).items():
        if not _fits(getattr(made, name), hint):
            raise ValueError(f"{name} is {getattr(made, name)!r}")
    return made


def read_record(kind: type[T], path: Path) -> T:
    """Read a file as a flat dataclass; see `plain_record`.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no JSON, or says something else.
    """
    return plain_record(kind, json.loads(path.read_bytes()))


_known: dict[type[Any], Mapping[str, Any]] = {}


def _types_of(kind: type[Any]) -> Mapping[str, Any]:
    """Return the types of a dataclass's fields; looked up once, since ledgers hold many of one."""
    if kind not in _known:
        _known[kind] = get_type_hints(kind)
    return _known[kind]


def _fits(value: Any, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    return isinstance(value, get_origin(hint) or hint)
