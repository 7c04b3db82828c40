"""Turn tables of a TOML file into frozen configs, refusing what is unknown or of the wrong type."""

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from storage.errors import ConfigError, PhrasenetError
from storage.names import did_you_mean

T = TypeVar("T")


def config_from(cls: type[T], table: Mapping[str, Any], where: str) -> T:
    """Make a config of class `cls` from a TOML table.

    Args:
        cls: a frozen dataclass whose fields are numbers, texts, truths, tuples of these, or tables.
        table: what the file says.
        where: how to name the table in a message, such as `laws.toml: [text]`.

    Raises:
        ConfigError: an unknown or missing key, a wrong type, or a value that the class refuses.
    """
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    values = typed_values(cls, table, where)
    missing = [name for name, field in fields.items() if is_required(field) and name not in values]
    if missing:
        raise ConfigError(f"{where}: the key {missing[0]!r} is missing. Add `{missing[0]} = ...`.")
    try:
        return cls(**values)
    except PhrasenetError as error:
        raise ConfigError(f"{where}: {error}") from error
    except ValueError as error:
        # Configs of the room `model` raise plain ValueErrors, since it knows no other room.
        raise ConfigError(f"{where}: {error}") from error


def typed_values(cls: type[Any], table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return what a table says of the fields of a config.

    Raises:
        ConfigError: an unknown key or a wrong type.
    """
    hints = typing.get_type_hints(cls)
    refuse_unknown(table, [field.name for field in dataclasses.fields(cls)], where)
    return {key: _typed(hints[key], value, f"{where} {key}") for key, value in table.items()}


def refuse_unknown(table: Mapping[str, Any], known: list[str], where: str) -> None:
    """Raise for the first key that is not known, naming the nearest known one.

    Raises:
        ConfigError: there is such a key.
    """
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known) or f" Known keys: {', '.join(known)}."
            raise ConfigError(f"{where}: unknown key {key!r}.{hint}")


def is_required(field: "dataclasses.Field[Any]") -> bool:
    """Say whether a table must name the field."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _typed(hint: Any, value: Any, where: str) -> Any:
    """Check a value against a field's type; whole numbers may stand for fractions."""
    if typing.get_origin(hint) is tuple:
        return _listed(typing.get_args(hint)[0], value, where)
    if typing.get_origin(hint) is Mapping:
        if not isinstance(value, dict):
            raise ConfigError(f"{where} is {value!r}; expected a table, such as {{hidden = 256}}.")
        return value
    if typing.get_origin(hint) is typing.Literal:
        return _chosen(typing.get_args(hint), value, where)
    assert not isinstance(hint, types.UnionType), "settings have one type each"
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not hint:
        named = {
            str: "a text in quotes",
            int: "a whole number",
            float: "a number",
            bool: "true or false",
        }
        raise ConfigError(f"{where} is {value!r}; expected {named[hint]}.")
    if hint is float and not math.isfinite(value):
        raise ConfigError(f"{where} is {value}; expected a finite number.")
    return value


def _listed(hint: Any, value: Any, where: str) -> tuple[Any, ...]:
    """Check a list whose items are of one type."""
    if not isinstance(value, list):
        example = "[1, 2]" if hint is int else '["a", "b"]'
        raise ConfigError(f"{where} is {value!r}; expected a list, such as {example}.")
    return tuple(_typed(hint, item, where) for item in value)


def _chosen(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        hint = did_you_mean(value, map(str, choices)) if isinstance(value, str) else ""
        raise ConfigError(f"{where} is {value!r}; expected one of {listed}.{hint}")
    return value
