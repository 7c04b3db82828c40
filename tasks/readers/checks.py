"""What the settings of all kinds of sources check alike."""

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from storage.errors import ConfigError
from storage.names import did_you_mean

UNKNOWN_LICENCE = "unknown"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def check_unique_names(kind: str, names: Sequence[str]) -> None:
    """Raise `ConfigError` if two sources of one kind share a name: ids and reports go by name."""
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{kind} {name!r} is declared {names.count(name)} times; give each its own name."
            )


def check_name(kind: str, name: str) -> None:
    """Refuse a name that cannot become part of ids and folders."""
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{kind}.name is {name!r}; expected letters, digits, dots, hyphens and underscores, "
            "beginning with a letter or digit. The name becomes part of ids and of folder names."
        )


def check_choice(where: str, key: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a value that is none of the choices, naming them."""
    if value not in choices:
        raise ConfigError(
            f"{where}: {key} is {value!r}; expected one of {', '.join(choices)}."
            f"{did_you_mean(str(value), choices)}"
        )


def check_given(where: str, given: Mapping[str, str]) -> None:
    """Refuse an empty setting where a file must be named."""
    for key, value in given.items():
        if not value:
            raise ConfigError(
                f'{where}: {key} is missing; expected the name of a file. Add {key} = "...".'
            )


def check_unread(where: str, not_used: Mapping[str, object]) -> None:
    """Refuse settings that were given and that the format does not read."""
    for key, unread in not_used.items():
        if unread:
            raise ConfigError(
                f"{where}: {key} is {unread!r}, which this format does not read. "
                f"Remove {key}, or set format to the one that has it."
            )


def settings_given(config: Any, among: Collection[str]) -> dict[str, object]:
    """Return the settings of a config, of those named, that say something else than the default."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(config)
        if field.name in among and (value := getattr(config, field.name)) != field.default
    }


def check_distinct(where: str, places: Mapping[str, str]) -> None:
    """Refuse two settings that name one column."""
    owners: dict[str, str] = {}
    for key, column in places.items():
        if column and owners.setdefault(column, key) != key:
            raise ConfigError(
                f"{where}: {owners[column]} and {key} both name the column {column!r}; expected "
                "two columns. Mend one of them."
            )


def check_columns(where: str, columns: Sequence[str], required: Sequence[str]) -> None:
    """Refuse a list of columns in which a needed one is missing or a known one is there twice."""
    known = ("source", "target", "document", "category")
    for name in known:
        count = list(columns).count(name)
        if count > 1 or (name in required and count == 0):
            raise ConfigError(
                f"{where}: columns is {list(columns)}; expected {name!r} "
                f"{'exactly once' if name in required else 'at most once'}. "
                "Name the columns from left to right."
            )


def check_licence(where: str, licence: str) -> None:
    """Refuse a licence that says nothing."""
    if not licence.strip():
        raise ConfigError(
            f"{where}: licence is empty; expected an SPDX id such as CC-BY-4.0, any text, "
            f'or "{UNKNOWN_LICENCE}". Unknown licences train only with '
            "allow_unknown_licence = true."
        )
