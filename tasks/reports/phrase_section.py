"""What became of the offered phrases, and what the memory holds."""

from collections.abc import Mapping
from typing import Any

from tasks.reports.evaluation_data import EvaluationData, of
from tasks.reports.page import NOTHING, about, folded, table

_OUTCOMES = ("exact", "misplaced", "spelled", "ignored")


def phrases(data: EvaluationData) -> str:
    """Return the tables of phrase use and of the memory."""
    if not any(row["offered"] for row in data.phrase_use):
        return about("No phrase was offered to a sentence of these test sets.") + _memory(data)
    text = about(
        "Offered: the phrase memory had a translation for these words of the source; every system "
        "gets the same sentences, but one without phrase memory does not see the offer. "
        "Appeared: the English of the phrase stands in the output, word for word. Produced: the "
        "system emitted it whole, in phrase mode."
    )
    sums = [row for row in data.phrase_use if not row["category"] and row["offered"]]
    kinds = [row for row in data.phrase_use if row["category"] and row["offered"]]
    note = (
        "Exact: produced while the system attended to the phrase's Chinese. Spelled: written word "
        "by word there. Misplaced: in the output, but written while the system attended elsewhere. "
        "Ignored: not in the output. These four add up to what was offered."
    )
    sources = data.read_from("phrase_use")
    everything = table(
        ["test set", "system", "category", "from", *_HEADER],
        [
            [row["testset"], row["system"], row["category"], row["origin"], *_figures(row)]
            for row in kinds
        ],
        sources=sources,
    )
    return (
        text
        + table(
            ["test set", "system", *_HEADER],
            [[row["testset"], row["system"], *_figures(row)] for row in sums],
            caption="All phrases",
            note=note,
            sources=sources,
        )
        + "".join(_by_kind(data, testset) for testset in data.testsets)
        + folded("Every figure by category, origin and system", everything)
        + _memory(data)
    )


def _by_kind(data: EvaluationData, testset: str) -> str:
    """One row a category and origin, one column a system: which share is in the output."""
    rows = [row for row in of(data.phrase_use, testset=testset) if row["category"]]
    found = {(row["category"], row["origin"], row["system"]): row for row in rows}
    offered = {(row["category"], row["origin"]): row["offered"] for row in rows if row["offered"]}
    body = [
        [
            category,
            origin,
            f"{number:,}",
            *(_cell(found.get((category, origin, system))) for system in data.names),
        ]
        for (category, origin), number in sorted(offered.items())
    ]
    if not body:
        return ""
    return table(
        ["category", "from", "offered", *data.names],
        body,
        caption=f"In the output, by category, {testset}",
        sources=data.read_from("phrase_use", testset=testset),
    )


def _cell(row: Mapping[str, Any] | None) -> str:
    return NOTHING if row is None else _share(row["appeared"], row["offered"])


_HEADER = ("offered", "appeared", "produced", *_OUTCOMES)


def _figures(row: Mapping[str, Any]) -> list[str]:
    offered = row["offered"]
    shares = [_share(row[name], offered) for name in ("appeared", "produced")]
    return [f"{offered:,}", *shares, *(_count(row.get(name)) for name in _OUTCOMES)]


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.0%})"


def _count(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"


def _memory(data: EvaluationData) -> str:
    if not data.memory:
        return ""
    body = [[category, origin, f"{count:,}"] for category, origin, count in data.memory]
    note = "Phrases that rules make of a sentence (dates, numbers) are not kept here beforehand."
    made = table(
        ["category", "origin", "active phrases"],
        body,
        note=note,
        sources=data.read_from("memory"),
    )
    return folded("What the phrase memory holds", made)
