"""Reads what a report shows from the tables of an evaluation, and from the ledger who made them."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.ledger import Ledger, LedgerRecord
from storage.workspace import Workspace
from tasks.report_ratings import read_ratings
from tasks.report_sentences import shown_testsets
from tasks.reports.evaluation_data import EvaluationData, SpeedMeasured, SystemFacts
from tasks.reports.provenance import Source

Results = Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
"""Test set, system, name of a table."""
Testsets = Mapping[str, Mapping[str, ArtifactRef]]
Systems = Mapping[str, Mapping[str, ArtifactRef]]

WEIGHTS = "weights.safetensors"
_ROWS = ("scores", "measures", "ngrams", "phrase_use", "lengths", "gates", "scaling")
"""Tables that are shown row by row; a report does without those that nobody made."""
_SENTENCES = ("translations", "outcomes", "sentences", "records")


class Origins:
    """Finds the first record of the ledger whose output, or whose decision, an artifact is."""

    def __init__(self, ledger: Ledger) -> None:
        self._first: dict[tuple[str, str], LedgerRecord] = {}
        for record in ledger.readable_records():
            for output in record.body["outputs"] if record.kind == "run" else ():
                self._first.setdefault((output["kind"], output["digest"]), record)
            if record.kind == "decision" and isinstance(table := record.body.get("table"), dict):
                self._first.setdefault((table["kind"], table["digest"]), record)

    def source(self, ref: ArtifactRef) -> Source:
        """Return where an artifact comes from."""
        record = self._first.get((ref.kind, ref.digest))
        if record is None:
            return Source(ref.kind, ref.digest, None)
        if record.kind == "decision":
            return Source(ref.kind, ref.digest, record.sequence, record.body["decision"])
        label, key = record.body["label"], record.body["key"]
        return Source(ref.kind, ref.digest, record.sequence, label, key)

    def run(self, ref: ArtifactRef) -> Mapping[str, Any]:
        """Return the body of the record that made an artifact; empty if there is none."""
        record = self._first.get((ref.kind, ref.digest))
        return record.body if record else {}


def read_evaluation(
    workspace: Workspace,
    results: Results,
    testsets: Testsets,
    systems: Systems,
    remembered: Mapping[str, Sequence[ArtifactRef]],
    about: tuple[str, str],
) -> EvaluationData:
    """Read all tables; `remembered` are phrases, ratings and what the gate found, `about` is title
    and baseline."""
    title, baseline = about
    (phrases,) = remembered["phrases"]
    ratings = remembered["ratings"]
    origins = Origins(workspace.ledger)
    refs = _references(results, testsets, systems, phrases)
    refs["ratings", ""] = list(ratings)
    refs["gate", ""] = list(remembered.get("gate", ()))
    rows = {name: _rows_of(workspace, refs, name) for name in (*_ROWS, "comparisons")}
    found = EvaluationData(
        title=title,
        baseline=baseline if baseline in systems else "",
        systems=[facts_of(workspace, origins, *item) for item in systems.items()],
        scores=rows["scores"],
        comparisons=rows["comparisons"],
        measures=rows["measures"],
        ngrams=rows["ngrams"],
        phrase_use=rows["phrase_use"],
        lengths=rows["lengths"],
        gates=rows["gates"],
        scaling=rows["scaling"],
        memory=_memory_counts(workspace, phrases),
        ratings=read_ratings(workspace, ratings, results),
        gate=_rows_of(workspace, refs, "gate"),
        speeds=list(_speeds(workspace, origins, results)),
        sources={part: [origins.source(ref) for ref in made] for part, made in refs.items()},
    )
    shown = shown_testsets(workspace, results, testsets, list(systems), found.main)
    return replace(found, sentences=shown)


def _references(
    results: Results, testsets: Testsets, systems: Systems, phrases: ArtifactRef
) -> dict[tuple[str, str], list[ArtifactRef]]:
    """Return the artifacts behind each part of the page, by the part's name and the test set."""
    names = (*_ROWS, *_SENTENCES)
    found = {
        (name, testset): [refs[name] for refs in by_system.values() if name in refs]
        for name in names
        for testset, by_system in results.items()
    }
    for testset, refs in testsets.items():
        found["lines", testset] = [refs["lines"]]
        found["comparisons", testset] = [refs["comparison"]] if "comparison" in refs else []
    found["models", ""] = [refs["model"] for refs in systems.values()]
    found["logs", ""] = [refs["log"] for refs in systems.values() if "log" in refs]
    found["memory", ""] = [phrases]
    return found


def _rows_of(
    workspace: Workspace, refs: Mapping[tuple[str, str], Sequence[ArtifactRef]], name: str
) -> list[dict[str, Any]]:
    return [
        row
        for (which, _), found in refs.items()
        if which == name
        for ref in found
        for row in workspace.read_rows(ref)
    ]


def facts_of(
    workspace: Workspace, origins: Origins, system: str, refs: Mapping[str, ArtifactRef]
) -> SystemFacts:
    """Return what is known of a system, given its `model` and its training `log`."""
    is_network = refs["model"].kind == "model"
    return SystemFacts(
        system=system,
        model_id=refs["model"].digest,
        parameters=sum(weight_sizes(workspace, refs["model"]).values()) if is_network else 0,
        log=list(workspace.read_rows(refs["log"])) if is_network and "log" in refs else [],
        training=origins.run(refs["model"]),
    )


def weight_sizes(workspace: Workspace, model: ArtifactRef) -> dict[str, int]:
    """Count the numbers of each of a model's weights from the head of their file alone."""
    with (workspace.folder_of(model) / WEIGHTS).open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        tensors = json.loads(file.read(length))
    return {
        name: math.prod(tensor["shape"])
        for name, tensor in tensors.items()
        if name != "__metadata__"
    }


def _memory_counts(workspace: Workspace, phrases: ArtifactRef) -> list[tuple[str, str, int]]:
    """Count the active phrases by category and origin."""
    columns = workspace.read_columns(phrases, ["category", "origin", "state"])
    counts = Counter(
        (category, origin)
        for category, origin, state in zip(
            columns["category"], columns["origin"], columns["state"], strict=True
        )
        if state == "active"
    )
    return [(category, origin, count) for (category, origin), count in sorted(counts.items())]


def _speeds(workspace: Workspace, origins: Origins, results: Results) -> Iterator[SpeedMeasured]:
    """Yield how fast each system translated; nothing for what the ledger has no record of."""
    for testset, systems in results.items():
        for system, refs in systems.items():
            record = origins.run(refs["translations"])
            if record:
                words = workspace.read_columns(refs["translations"], ["words"])["words"]
                yield SpeedMeasured(
                    testset, system, len(words), sum(map(len, words)), record["seconds"]
                )
