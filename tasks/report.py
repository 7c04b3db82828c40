"""The report of an evaluation, one self-contained page: a view of results, made like a step."""

from collections import Counter
from collections.abc import Iterator, Mapping

from storage.datasets import ArtifactRef
from storage.records import Slot
from storage.workspace import Workspace
from tasks.metrics.phrase_use import TranslatedSentence, count_by_kind
from tasks.reports.evaluation_page import (
    EvaluationData,
    ExampleSentence,
    SystemOutput,
    evaluation_page,
)
from tasks.step import step
from tasks.text.units import slot_of_each_word

REPORT_FILE = "report.html"
NUM_EXAMPLES = 60
"""Sentences of each test set that are shown."""


SystemResults = Mapping[str, ArtifactRef]
"""`translations` and `scores` of one system on one test set."""


@step(writes=("report",), libraries=("matplotlib",))
def report(
    workspace: Workspace,
    *,
    results: Mapping[str, Mapping[str, SystemResults]],
    testsets: Mapping[str, Mapping[str, ArtifactRef]],
    logs: Mapping[str, ArtifactRef],
    phrases: ArtifactRef,
    title: str,
) -> ArtifactRef:
    """Write the report.

    Args:
        workspace: where the tables are.
        results: translations and scores by test set and system.
        testsets: by test set its `lines` with references and, where there are several systems,
            their `comparison` with the baseline.
        logs: training log of each system.
        phrases: the phrases of the memory.
        title: what the report is about.
    """
    data = EvaluationData(
        title=title,
        scores=[
            row
            for systems in results.values()
            for refs in systems.values()
            for row in workspace.read_rows(refs["scores"])
        ],
        comparisons=[
            row
            for tables in testsets.values()
            if "comparison" in tables
            for row in workspace.read_rows(tables["comparison"])
        ],
        logs={system: list(workspace.read_rows(ref)) for system, ref in logs.items()},
        memory=_memory_counts(workspace, phrases),
        uses={
            (testset, system): count_by_kind(_sentences(workspace, refs["translations"]))
            for testset, systems in results.items()
            for system, refs in systems.items()
        },
        examples={
            testset: list(_examples(workspace, testsets[testset]["lines"], systems))
            for testset, systems in results.items()
        },
    )
    return workspace.write_bundle("report", {REPORT_FILE: evaluation_page(data).encode()})


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


def _sentences(workspace: Workspace, ref: ArtifactRef) -> Iterator[TranslatedSentence]:
    for row in workspace.read_rows(ref):
        yield TranslatedSentence(
            tuple(row["words"]),
            tuple(slot_of_each_word(row["words"], row["steps"])),
            tuple(Slot(**slot) for slot in row["slots"]),
        )


def _examples(
    workspace: Workspace, lines: ArtifactRef, systems: Mapping[str, SystemResults]
) -> Iterator[ExampleSentence]:
    """Yield the sentences that are shown: those with most phrases first, then in their order."""
    rows = {
        system: list(workspace.read_rows(refs["translations"])) for system, refs in systems.items()
    }
    first = next(iter(rows.values()))
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    order = sorted(range(len(first)), key=lambda index: (-len(first[index]["slots"]), index))
    for index in order[:NUM_EXAMPLES]:
        row = first[index]
        yield ExampleSentence(
            sentence_id=row["sentence_id"],
            source_words=row["source_words"],
            slots=row["slots"],
            references=references[row["sentence_id"]],
            outputs=[
                SystemOutput(system, found[index]["steps"], found[index]["uses"])
                for system, found in rows.items()
            ],
        )
