"""Reads the sentences that a report shows: outputs, phrases and attention of every system."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.attention_table import attention_of
from tasks.reports.sentence_choice import allowances, chosen
from tasks.reports.sentence_data import Looks, ShownSentence, ShownTestset, SystemOutput

Row = Mapping[str, Any]
Tables = Mapping[str, ArtifactRef]


def shown_testsets(
    workspace: Workspace,
    results: Mapping[str, Mapping[str, Tables]],
    testsets: Mapping[str, Tables],
    systems: Sequence[str],
    judged: str,
) -> list[ShownTestset]:
    """Read the sentences of all test sets, as many as a page can hold.

    Where there are more, those are kept that are worth a look in the output of `judged`.
    """
    sizes = [testsets[name]["lines"].rows for name in results]
    return [
        ShownTestset(
            name, size, list(_sentences(workspace, tables, lines, (systems, judged), room))
        )
        for (name, tables), size, room in zip(
            results.items(), sizes, allowances(sizes), strict=True
        )
        for lines in [testsets[name]["lines"]]
    ]


def _sentences(
    workspace: Workspace,
    tables: Mapping[str, Tables],
    lines: ArtifactRef,
    shown: tuple[Sequence[str], str],
    room: int,
) -> Iterator[ShownSentence]:
    systems, judged = shown
    first = list(workspace.read_rows(tables[systems[0]]["translations"]))
    ids = [row["sentence_id"] for row in first]
    kept = _chosen(workspace, tables[judged], len(ids), room)
    wanted = {ids[index] for index in kept}
    outputs = [_outputs(workspace, tables[system], wanted) for system in systems]
    known = {row["sentence_id"]: row for row in workspace.read_rows(lines)}
    for index in sorted(kept, key=lambda index: known[ids[index]]["position"]):
        row, line = first[index], known[ids[index]]
        yield ShownSentence(
            number=line["position"] + 1,
            sentence_id=row["sentence_id"],
            source_words=row["source_words"],
            slots=row["slots"],
            references=line["references"],
            outputs=[found[row["sentence_id"]] for found in outputs],
        )


def _chosen(workspace: Workspace, tables: Tables, number: int, room: int) -> list[int]:
    """Return which sentences are shown; without measures, they are spread evenly."""
    if "sentences" not in tables:
        return chosen([0.0] * number, [0.0] * number, room)
    columns = workspace.read_columns(tables["sentences"], ["bleu", "baseline_bleu"])
    changes = [
        0.0 if before is None else abs(bleu - before)
        for bleu, before in zip(columns["bleu"], columns["baseline_bleu"], strict=True)
    ]
    return chosen(columns["bleu"], changes, room)


def _outputs(workspace: Workspace, tables: Tables, wanted: set[str]) -> dict[str, SystemOutput]:
    """Read what one system made of the wanted sentences."""
    measures = _by_sentence(workspace, tables, "sentences", wanted)
    looks = {
        row["sentence_id"]: Looks.of(matrix, row["gates"])
        for row in _rows(workspace, tables, "records", wanted)
        if row["side"] == "translation" and (matrix := attention_of(row)) is not None
    }
    outcomes: dict[str, list[Row]] = {}
    for row in _rows(workspace, tables, "outcomes", wanted):
        outcomes.setdefault(row["sentence_id"], []).append(row)
    return {
        row["sentence_id"]: _output(
            row,
            outcomes.get(row["sentence_id"], []),
            measures.get(row["sentence_id"], {}),
            looks.get(row["sentence_id"]),
        )
        for row in _rows(workspace, tables, "translations", wanted)
    }


def _output(row: Row, outcomes: Sequence[Row], measures: Row, looks: Looks | None) -> SystemOutput:
    trouble = tuple(measures.get(name) or 0 for name in ("left_out", "said_twice", "repeated"))
    return SystemOutput(
        words=row["words"],
        spans=_spans(outcomes) if outcomes else _produced(row["steps"]),
        uses=row["uses"],
        outcomes=[each["outcome"] for each in outcomes],
        bleu=measures.get("bleu"),
        trouble=(trouble[0], trouble[1], trouble[2]),
        looks=looks,
    )


def _spans(outcomes: Sequence[Row]) -> list[tuple[int, int, int]]:
    found = [(row["start"], row["end"], row["slot"]) for row in outcomes if row["start"] >= 0]
    return sorted(found)


def _produced(steps: Sequence[Row]) -> list[tuple[int, int, int]]:
    """Return where phrases were emitted in phrase mode."""
    found: list[tuple[int, int, int]] = []
    for index, step in enumerate(steps):
        if step["slot"] < 0:
            continue
        if found and found[-1][1:] == (index, step["slot"]):
            found[-1] = (found[-1][0], index + 1, step["slot"])
        else:
            found.append((index, index + 1, step["slot"]))
    return found


def _by_sentence(
    workspace: Workspace, tables: Tables, name: str, wanted: set[str]
) -> dict[str, Row]:
    return {row["sentence_id"]: row for row in _rows(workspace, tables, name, wanted)}


def _rows(workspace: Workspace, tables: Tables, name: str, wanted: set[str]) -> Iterator[Row]:
    """Yield the rows of a table on wanted sentences; none of a table that is not there."""
    if name in tables:
        rows = workspace.read_rows(tables[name])
        yield from (row for row in rows if row["sentence_id"] in wanted)
