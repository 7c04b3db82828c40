"""An explanation of a phrase, as a person reads it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.reports.evidence_text import evidence_text, lexical_text


def explanation_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an explanation.

    Args:
        found: an `Explanation` as a mapping.
    """
    yield from _head(found["phrase"])
    yield from _origin(found)
    yield from _listing("decisions of people", found["decisions"], _decision)
    yield from _since(found["snapshots"])
    yield from _listing("models trained with it", found["models"], _model)
    yield from _listing("what translations did with it", found["uses"], _use)


def _head(phrase: Mapping[str, Any]) -> Iterator[str]:
    yield f"{phrase['source']}\t{phrase['target']}"
    state = f", {phrase['state']}" if "state" in phrase else ""
    yield f"  {phrase['category']}, {phrase['origin']}{state}, id {phrase['phrase_id']}"


def _origin(found: Mapping[str, Any]) -> Iterator[str]:
    phrase = found["phrase"]
    if not found["evidence"] and "slots" in phrase:
        yield (
            f"  because: the rule {phrase['provider']} reads it; it is in no memory, and was "
            f"offered to {phrase['slots']:,} sentences"
        )
    for row in found["evidence"]:
        yield f"  because: {evidence_text(row)}"
    if found.get("lexical"):
        yield f"  {lexical_text(found['lexical'])}"
    shown = found["occurrences"]
    if found["num_lines"]:
        more = f", {len(shown):,} of them here" if len(shown) < found["num_lines"] else ""
        yield f"  {found['num_lines']:,} training lines hold both sides{more}:"
    for line in shown:
        yield f"    {_place(line)}"
        yield f"      {_marked(line['source'], '')}"
        yield f"      {_marked(line['target'], ' ')}"


def _place(line: Mapping[str, Any]) -> str:
    where = f"{line['file']}, line {line['line']:,}" if line["file"] else "line not kept"
    document = f", document {line['document']}" if line["document"] else ""
    linked = "" if line["linked"] else ", not linked"
    return f"{line['corpus']}{document}, {where}, pair {line['pair_id']}{linked}"


def _marked(parts: Sequence[str], blank: str) -> str:
    before, inside, after = (part if blank else "".join(part.split()) for part in parts)
    return f"{before}{blank}[{inside}]{blank}{after}".strip()


def _listing(title: str, rows: Sequence[Mapping[str, Any]], line: Any) -> Iterator[str]:
    if rows:
        yield f"  {title}:"
        for row in rows:
            yield f"    {line(row)}"


def _decision(row: Mapping[str, Any]) -> str:
    why = f": {row['reason']}" if row["reason"] else ""
    return f"{row['verdict']} {row['target']!r} by {row['author']} on {row['decided'][:10]}{why}"


def _since(snapshots: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not snapshots:
        return
    first, last = snapshots[0], snapshots[-1]
    yield (
        f"  in {len(snapshots):,} published snapshots, first {first['snapshot'][:12]} of "
        f"{first['time'][:10]}, last {last['snapshot'][:12]} of {last['time'][:10]} "
        f"({last['state']})"
    )


def _model(row: Mapping[str, Any]) -> str:
    return (
        f"{row['model'][:12]} {row['system']}, {row['registered'][:10]}: offered to "
        f"{row['offered']:,} sentences, {row['in_reference']:,} of them with it in the reference"
    )


def _use(row: Mapping[str, Any]) -> str:
    return (
        f"{row['evaluation']}, model {row['model'][:12]}: offered {row['offered']:,}, appeared "
        f"{row['appeared']:,}, produced {row['produced']:,}"
    )
