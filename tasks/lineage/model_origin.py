"""The origin of a model, as a person reads it."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.moments import shown

_WIDTH = 100
_NO_BREAK = "\xa0"


def origin_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that stand below what `phrasenet models show` says of a model.

    Args:
        found: the facts of `models show`, and a `tasks.audit_model_origin.ModelOrigin` as a
            mapping.
    """
    yield from _training(found)
    yield _snapshot(found["snapshot"])
    for source in found["sources"]:
        yield from _source(source)
    if found["training"] is not None:
        yield from _code(found)
        yield from _settings(found["training"]["settings"])


def _training(found: Mapping[str, Any]) -> Iterator[str]:
    record = found["training"]
    if record is None:
        yield "  the ledger has no record of its training"
        return
    run = f", in flow run {record['flow_run']}" if record["flow_run"] else ""
    yield (
        f"  training begun {shown(record['started'])}, took {record['seconds']:,.1f} s{run} "
        f"(record {found['record']})"
    )


def _snapshot(snapshot: Mapping[str, Any]) -> str:
    when = snapshot["published"]
    published = f"published {shown(when)}" if when else "never published"
    return f"  memory snapshot {snapshot['id']}, {published}"


def _source(source: Mapping[str, Any]) -> Iterator[str]:
    held_out = source["kind"] == "testset"
    terms = "kept out of the training text" if held_out else source["licence"] or "licence unknown"
    kind = "test set" if held_out else source["kind"]
    yield (
        f"  {kind} {source['name']}: {terms}, {source['rows']:,} rows, read "
        f"{shown(source['time'])} (record {source['record']})"
    )
    for more in filter(None, (source["url"], source["attribution"])):
        yield f"    {more}"
    for digest in source["files"]:
        yield f"    file {digest}"


def _code(found: Mapping[str, Any]) -> Iterator[str]:
    record = found["training"]
    yield f"  code {record['code']}, {found['functions']:,} functions"
    yield from _wrapped("libraries", [f"{name} {v}" for name, v in record["versions"].items()])


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    """Write all settings of a training, those of `[model]` and `[training]` under their names."""
    named = dict(settings)
    named |= dict(zip(("model", "training"), named.pop("configs", ()), strict=False))
    for section, value in named.items():
        pairs = [f"{name} {_plain(item)}".strip() for name, item in _flat(value)]
        yield from _wrapped(f"settings of {section}", pairs)


def _flat(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(item, f"{prefix}{name}.")
    else:
        yield prefix.removesuffix("."), value


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _wrapped(title: str, items: Sequence[str]) -> Iterator[str]:
    """Write a list over several lines; no line ends within an item."""
    text = f"{title}: " + ", ".join(item.replace(" ", _NO_BREAK) for item in items)
    for line in textwrap.wrap(
        text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    ):
        yield line.replace(_NO_BREAK, " ")
