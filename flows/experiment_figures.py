"""Figure 6 of Context Gates: the attention of a system with and without gate to one sentence.

Results hold no sentence, so it is read from the workspace, and only where the settings say that the
page may show one.
"""

import html
from collections.abc import Sequence
from typing import Any

from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.errors import PhrasenetError
from storage.workspace import Workspace, existing_workspace
from tasks.experiments.matrix import CellName
from tasks.experiments.results import Results
from tasks.experiments.shown_sentence import gated_pair, median_sentence
from tasks.metrics.attention_table import attention_of
from tasks.reports.attention_figure import Attended, attention_figure
from tasks.reports.page import about

TITLE = "Context Gates, figure 6: attention to one sentence"


def attention_sections(settings: Settings, all_results: Sequence[Results]) -> dict[str, str]:
    """Return the figure of each set of texts that has one, as HTML.

    Nothing without `experiment.show_sentence`, or where the workspace or its tables are gone.
    """
    if not settings.experiment.show_sentence:
        return {}
    try:
        workspace = existing_workspace(
            settings.workspace_path, settings.execution.engine, settings.workspace.remote
        )
    except PhrasenetError:
        return {}
    drawn = {results.data: _section(workspace, results) for results in all_results}
    return {data: section for data, section in drawn.items() if section}


def _section(workspace: Workspace, results: Results) -> str:
    testset = next(iter(results.in_domain()), None)
    pair = gated_pair(results, testset) if testset else None
    if testset is None or pair is None:
        return ""
    place = median_sentence(results, pair, testset)
    if place is None:
        return ""
    rows = [_row(workspace, results, cell, testset, place) for cell in pair]
    if None in rows:
        return ""
    figures = [
        attention_figure(Attended(cell.name, matrix, row["gates"]))
        for cell, row in zip(pair, rows, strict=True)
        if row is not None and (matrix := attention_of(row)) is not None
    ]
    return f"<h3>{html.escape(TITLE)}</h3>{about(_note(pair, testset))}{''.join(figures)}"


def _note(pair: tuple[CellName, CellName], testset: str) -> str:
    return (
        f"The sentence of {testset} with the median gain of {pair[1].name} over {pair[0].name}, "
        f"seed {pair[1].seed}, among those of 8 to 20 words; not the best one. Both were fed the "
        "reference. Down: its words. Across: the words of the source. The darker a square, the "
        "more attention; ⏎ is the end of the sentence. The gate says how much a word follows the "
        "source (100) rather than what was written before it (0)."
    )


def _row(
    workspace: Workspace, results: Results, cell: CellName, testset: str, place: int
) -> dict[str, Any] | None:
    """Return the record of a cell's sentence, fed with the reference; None if it is gone."""
    test = results.found[cell]["tests"][testset]
    if test.get("records") is None:
        return None
    try:
        rows = [
            row
            for row in workspace.read_rows(ArtifactRef.from_json(test["records"]))
            if row["side"] == "reference"
        ]
    except PhrasenetError:
        return None
    return rows[place] if len(rows) == test["sentences"] else None
