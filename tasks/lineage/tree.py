"""A chain of origins as an indented text, as JSON, or as a drawing (Mermaid)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.moments import shown


@dataclass(slots=True)
class Branch:
    """One thing in a chain, with what lies behind it."""

    node_id: str
    kind: str
    title: str
    time: str = ""
    branches: list["Branch"] = field(default_factory=list)
    seen_above: bool = False
    """It stands further up with all that lies behind it, and is not spelled out again."""
    cut_off: bool = False
    """There is more behind it than was asked for."""


def text_lines(root: Branch) -> Iterator[str]:
    """Yield a line a thing, two blanks a level."""
    yield from _lines(root, 0)


def _lines(branch: Branch, depth: int) -> Iterator[str]:
    more = ", as above" if branch.seen_above else ", and more behind it" if branch.cut_off else ""
    when = f", {shown(branch.time)}" if branch.time else ""
    yield f"{'  ' * depth}{branch.title}{when}{more}  [{branch.node_id}]"
    for inner in branch.branches:
        yield from _lines(inner, depth + 1)


def as_json(root: Branch) -> dict[str, Any]:
    """Return the chain as nested objects."""
    value: dict[str, Any] = {
        "id": root.node_id,
        "kind": root.kind,
        "title": root.title,
        "time": root.time,
        "branches": [as_json(branch) for branch in root.branches],
    }
    if root.seen_above:
        value["seen_above"] = True
    if root.cut_off:
        value["cut_off"] = True
    return value


_SHAPES: Mapping[str, tuple[str, str]] = {
    "file": ("[/", "/]"),
    "artifact": ("[(", ")]"),
    "run": ("(", ")"),
    "snapshot": ("{{", "}}"),
    "decision": (">", "]"),
}
_OTHER_SHAPE = ("[", "]")


def mermaid_lines(root: Branch, *, upwards: bool) -> Iterator[str]:
    """Yield a Mermaid flow chart; arrows lead from what was there first to what was made of it."""
    yield "flowchart LR"
    names: dict[str, str] = {}
    edges: dict[tuple[str, str], None] = {}
    for branch in _all(root):
        if branch.node_id not in names:
            names[branch.node_id] = f"n{len(names)}"
            before, after = _SHAPES.get(branch.kind, _OTHER_SHAPE)
            yield f'  {names[branch.node_id]}{before}"{_quoted(branch.title)}"{after}'
        for inner in branch.branches:
            ends = (inner.node_id, branch.node_id) if upwards else (branch.node_id, inner.node_id)
            edges[ends] = None
    for first, second in edges:
        yield f"  {names[first]} --> {names[second]}"


def _all(root: Branch) -> Iterator[Branch]:
    yield root
    for branch in root.branches:
        yield from _all(branch)


def _quoted(text: str) -> str:
    """Write a text as Mermaid reads it: entities for what would end it or be markup."""
    return "".join(f"#{ord(letter)};" if letter in '"#;<>&`\\' else letter for letter in text)


def listed(titles: Sequence[str], *, most: int = 3) -> str:
    """Join some titles and say how many more there are."""
    shown = ", ".join(titles[:most])
    return f"{shown} and {len(titles) - most:,} more" if len(titles) > most else shown
