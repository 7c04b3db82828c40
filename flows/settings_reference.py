"""Write `docs/settings.md`, the reference of the settings file, from the configs themselves.

`python -m flows.settings_reference` prints it; a golden test holds the file to it.
"""

import ast
import dataclasses
import inspect
import sys
import textwrap
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from flows.config_tables import is_required
from flows.settings import LISTS, SECTIONS
from model.presets import PRESETS


def settings_reference() -> str:
    """Return the reference as Markdown."""
    parts = [
        "# Settings\n\n"
        "One TOML file; paths are relative to it, and an unknown key is an error that names "
        "the nearest "
        "known one. `phrasenet init DIR` writes a file to begin with.\n\n"
        "The first line may take a set of settings, which single keys then change: "
        f"{_presets()}.\n\n"
        "This page is made from the code by `python -m flows.settings_reference`.\n"
    ]
    parts += [_section(f"[{name}]", cls) for name, cls in SECTIONS.items()]
    parts += [_section(f"[[{name}]]", cls) for name, (_, cls) in LISTS.items()]
    return "\n".join(parts)


def _presets() -> str:
    return " or ".join(f'`preset = "{name}"`' for name in PRESETS)


_HEADER = "| key | type | default | meaning |\n| --- | --- | --- | --- |\n"


def _section(title: str, cls: type[Any]) -> str:
    rows = "".join(f"| {' | '.join(row)} |\n" for row in _rows(cls))
    summary = (inspect.getdoc(cls) or "").splitlines()[0]
    return f"## `{title}`\n\n{summary}\n\n{_HEADER}{rows}"


def _rows(cls: type[Any]) -> Iterator[tuple[str, str, str, str]]:
    texts = _field_texts(cls)
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        default = "needed" if is_required(field) else f"`{_toml(_default(field))}`"
        yield f"`{field.name}`", _kind(hints[field.name]), default, texts.get(field.name, "")


def _default(field: "dataclasses.Field[Any]") -> Any:
    made = field.default_factory
    return field.default if made is dataclasses.MISSING else made()


def _field_texts(cls: type[Any]) -> dict[str, str]:
    """Return the text that stands below each field in the source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for node, below in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[node.target.id] = " ".join(str(below.value.value).split())
    return found


def _kind(hint: Any) -> str:
    if typing.get_origin(hint) is typing.Literal:
        return " or ".join(f'`"{choice}"`' for choice in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        return "list of whole numbers" if typing.get_args(hint)[0] is int else "list of texts"
    if typing.get_origin(hint) is Mapping:
        return "table"
    return {str: "text", int: "whole number", float: "number", bool: "true or false"}[hint]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return str(value)


if __name__ == "__main__":
    sys.stdout.write(settings_reference())
