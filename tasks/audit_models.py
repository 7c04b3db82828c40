"""What two models differ in, and which licences one carries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from storage.errors import MissingArtifact
from storage.ledger import Ledger
from storage.lineage import Lineage, run_id
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.history import why_changed
from tasks.lineage.licences import Verdict, judge

AREAS = ("data", "code", "settings", "libraries", "steps")
_AREA_OF = {
    "function": "code",
    "code:": "code",
    "setting": "settings",
    "library": "libraries",
    "schema": "code",
    "input": "data",
}


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """What changed between two models."""

    first: ModelEntry
    second: ModelEntry
    changes: Mapping[str, list[str]]
    """By area: `data`, `code`, `settings`, `libraries`, `steps`; empty lists where nothing did."""
    memory: Mapping[str, int]
    """Phrases of the two snapshots: added, removed, changed."""


CHANGED_PHRASES = """
SELECT
    COUNT(*) FILTER (first.source IS NULL) AS added,
    COUNT(*) FILTER (second.source IS NULL) AS removed,
    COUNT(*) FILTER (first.target <> second.target) AS changed
FROM
    (SELECT source, target FROM first WHERE state = 'active') AS first
    FULL JOIN (SELECT source, target FROM second WHERE state = 'active') AS second USING (source)
"""


def compare_models(
    workspace: Workspace, graph: Lineage, first: ModelEntry, second: ModelEntry
) -> ModelDifference:
    """Compare all that two models were made from, step by step.

    Raises:
        MissingArtifact: the ledger does not know the training of one of them.
    """
    before, after = (_steps_of(graph, entry) for entry in (first, second))
    changes: dict[str, list[str]] = {area: [] for area in AREAS}
    for label in sorted(before.keys() | after.keys()):
        if label not in after or label not in before:
            word = "no longer there" if label not in after else "new"
            changes["steps"].append(f"{label} is {word}")
        elif before[label]["key"] != after[label]["key"]:
            for reason in _reasons(workspace.ledger, before[label], after[label]):
                area = _AREA_OF[reason.split()[0]]
                changes[area].append(f"{before[label]['step']}: {reason}")
    return ModelDifference(
        first,
        second,
        {area: list(dict.fromkeys(found)) for area, found in changes.items()},
        _memory_difference(workspace, first, second),
    )


def _steps_of(graph: Lineage, entry: ModelEntry) -> dict[str, Mapping[str, Any]]:
    """Return the records of all runs behind a model by their label; the training's own label is
    that of its step, so that two systems can be compared.
    """
    training = graph.nodes.get(run_id(entry.run_key))
    if training is None:
        raise MissingArtifact(
            f"The ledger has no record of the training of model {entry.model_id[:12]}. "
            "`phrasenet audit verify` says what is missing."
        )
    behind = {node.title: node.detail for node in graph.behind(training)}
    return behind | {"train": training.detail}


def _reasons(ledger: Ledger, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say in what two runs differ; results of earlier steps are left to these."""
    functions = [ledger.code(record["code"]) for record in (before, after)]
    files = [{**record, "inputs": _files_only(record["inputs"])} for record in (before, after)]
    return why_changed(files[0], files[1], functions[0], functions[1])


def _files_only(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {key: _files_only(item) for key, item in value.items() if key != "artifact"}
        return {key: item for key, item in kept.items() if item not in ({}, [])}
    if isinstance(value, list):
        return [item for item in map(_files_only, value) if item not in ({}, [])]
    return value


def _memory_difference(
    workspace: Workspace, first: ModelEntry, second: ModelEntry
) -> Mapping[str, int]:
    tables = {
        name: workspace.memory.snapshot(entry.snapshot_id).phrases
        for name, entry in (("first", first), ("second", second))
    }
    if not all(workspace.holds(ref) for ref in tables.values()):
        return {}
    (row,) = workspace.query(CHANGED_PHRASES, tables)
    return row


def licences_of(entry: ModelEntry) -> Verdict:
    """Say what the licences of a model's sources ask for, and whether they go together."""
    return judge(item.licence for item in entry.licences)
