"""The arguments of a step as plain JSON: what is hashed into its key and what a record may hold.

Only values whose meaning is in their text are taken: numbers, strings, frozen configs, references
and collections of these. An open file or a database connection has no such meaning and is refused
by name.
"""

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.digests import DIGEST_LENGTH, file_digest
from storage.errors import InputError
from storage.remote import remote_digest

_REF = "artifact"
_FILE = "file"
SHAPES_RESULT = "shapes_result"
"""Metadata of a setting; one that is marked False takes no part in a step's key."""
KEY_AS = "key_as"
"""Metadata of a setting; a function that says what takes part in its place."""
KEY_USUAL = "key_usual"
"""Metadata of such a setting; what took part before there was the setting."""


@dataclasses.dataclass(frozen=True, slots=True)
class SourceFile:
    """A user's file: a step's key holds what it contains, not where it lies."""

    path: Path | str
    """Of this machine, or the name of a file on S3."""
    digest: str


def source_file(path: Path | str) -> SourceFile:
    """Digest a user's file, which must exist.

    Raises:
        InputError: this user may not read it.
    """
    if isinstance(path, str):
        return SourceFile(path, remote_digest(path))
    try:
        return SourceFile(path, file_digest(path)[:DIGEST_LENGTH])
    except PermissionError:
        raise InputError(
            f"{path}: may not be read by this user. Change its permissions (chmod u+r), or copy it."
        ) from None


class UnhashableArgument(TypeError):
    """A step was given an argument that cannot take part in its cache key."""


def as_json(name: str, value: Any) -> Any:
    """Return the canonical JSON form of an argument.

    Raises:
        UnhashableArgument: the value, or something in it, has no plain form; names the argument.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise UnhashableArgument(f"argument {name} is {value}, which JSON cannot hold.")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, ArtifactRef):
        return {_REF: value.to_json()}
    if isinstance(value, SourceFile):
        return {_FILE: value.digest}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: as_json(f"{name}.{field.name}", in_key(value, field))
            for field in dataclasses.fields(value)
            if field.metadata.get(SHAPES_RESULT, True)
        }
    if isinstance(value, list | tuple):
        return [as_json(f"{name}[{index}]", item) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {_text_key(name, key): as_json(f"{name}[{key!r}]", value[key]) for key in value}
    raise UnhashableArgument(
        f"argument {name} is a {type(value).__name__}, which cannot be hashed into the step's "
        "cache "
        "key; pass a reference, a digest, a number or a frozen config instead."
    )


def in_key(config: Any, field: "dataclasses.Field[Any]") -> Any:
    """Return what of a setting takes part in a key."""
    value, form = getattr(config, field.name), field.metadata.get(KEY_AS)
    return value if form is None else form(value)


def _text_key(name: str, key: Any) -> str:
    if not isinstance(key, str):
        raise UnhashableArgument(f"argument {name} has a key that is no text: {key!r}")
    return key


def is_input(value: Any) -> bool:
    """Say whether an argument carries data rather than settings."""
    if isinstance(value, ArtifactRef | SourceFile):
        return True
    if isinstance(value, list | tuple):
        return any(is_input(item) for item in value)
    return isinstance(value, Mapping) and any(is_input(item) for item in value.values())


def files(value: Any) -> list[SourceFile]:
    """Return all files of the user in an argument, in order."""
    if isinstance(value, SourceFile):
        return [value]
    if isinstance(value, list | tuple):
        return [file for item in value for file in files(item)]
    if isinstance(value, Mapping):
        return [file for item in value.values() for file in files(item)]
    return []


def references(value: Any) -> list[ArtifactRef]:
    """Return all references in a value, in order."""
    if isinstance(value, ArtifactRef):
        return [value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return [ref for item in fields for ref in references(item)]
    if isinstance(value, list | tuple):
        return [ref for item in value for ref in references(item)]
    if isinstance(value, Mapping):
        return [ref for item in value.values() for ref in references(item)]
    return []


def result_to_json(value: Any) -> Any:
    """Return the JSON form of what a step returns: references and plain values."""
    return as_json("result", value)


def result_from_json(value: Any) -> Any:
    """Read the form that `result_to_json` writes; lists come back as tuples."""
    if isinstance(value, dict):
        if set(value) == {_REF}:
            return ArtifactRef.from_json(value[_REF])
        return {key: result_from_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(result_from_json(item) for item in value)
    return value
