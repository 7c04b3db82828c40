"""Figure 6 of Context Gates: one sentence, chosen by rule, and only where it may be shown."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.experiment_figures import attention_sections
from flows.settings import Settings, load_settings
from storage.workspace import open_workspace
from tasks.experiments.results import Results
from tasks.experiments.shown_sentence import gated_pair, median_sentence
from tasks.metrics.attention_table import AttentionMatrix, packed
from tasks.reports.attention_figure import Attended, attention_figure
from tests.experiment_results import kept_of, planned, result_of, results_of
from tests.support import copy_tiny

BASE, GATE = planned("groundhog-coverage"), planned("groundhog-coverage+gate")
LENGTHS = [5, 10, 12, 9, 40]
"""Source words: the first and the last sentence are too short and too long."""


def record(number: int, side: str, gated: bool) -> dict[str, Any]:
    rows_IJ = np.array([[0.75, 0.25, 0.0], [0.0, 0.0, 1.0]])
    return {
        "sentence_id": f"news:{number}", "side": side, "source_words": ["北<京", "说"],
        "source_known": [True, True], "words": [f"word{number}"], "classes": ["content"],
        "attention": packed(rows_IJ), "gates": [0.25, 0.5] if gated else [],
    }  # fmt: skip


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = load_settings(copy_tiny(tmp_path / "tiny") / "phrasenet.toml")
    return replace(found, experiment=replace(found.experiment, show_sentence=True))


def results(settings: Settings) -> Results:
    """Return two cells whose records lie in the workspace; gains are 3, 1 and 2 n-grams."""
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    found = {}
    for item, right, gates in ((BASE, [1, 4, 4, 4, 1], None), (GATE, [9, 7, 5, 6, 9], [5000] * 5)):
        rows = [record(number, side, gates is not None)
                for number in range(5) for side in ("reference", "translation")]  # fmt: skip
        ref = workspace.write_rows("records", rows)
        kept = kept_of(right, gates=gates, source_words=LENGTHS, records=ref.to_json())
        found[item] = result_of({"news": kept})
    return results_of(found)


def test_the_sentence_is_that_of_the_median_gain_among_those_of_fitting_length(
    settings: Settings,
) -> None:
    found = results(settings)
    pair = gated_pair(found, "news")
    assert pair == (BASE.cell, GATE.cell)
    assert median_sentence(found, pair, "news") == 3
    assert gated_pair(results_of({BASE: found.found[BASE.cell]}), "news") is None


def test_both_systems_are_drawn_side_by_side(settings: Settings) -> None:
    (section,) = attention_sections(settings, [results(settings)]).values()
    assert section.count("<svg") == 2
    assert section.count("word3") >= 2
    assert "word2" not in section
    assert "median gain of groundhog-coverage+gate over groundhog-coverage" in section
    assert section.count("gate %") == 1


def test_nothing_is_shown_unless_it_may_be_and_can_be(settings: Settings) -> None:
    found = results(settings)
    silent = replace(settings, experiment=replace(settings.experiment, show_sentence=False))
    assert attention_sections(silent, [found]) == {}
    elsewhere = replace(settings, workspace=replace(settings.workspace, path="none"))
    assert attention_sections(elsewhere, [found]) == {}
    records = found.found[GATE.cell]["tests"]["news"]["records"]
    records["digest"] = "0" * 32
    assert attention_sections(settings, [found]) == {}
    found.found[GATE.cell]["tests"]["news"]["records"] = None
    assert attention_sections(settings, [found]) == {}


def test_a_drawing_has_a_square_for_all_that_was_attended_to_and_a_bar_for_each_gate() -> None:
    matrix = AttentionMatrix(
        ("北<京", "说"), ("x" * 40,), np.array([[0.75, 0.25, 0], [0.04, 0, 0.96]])
    )
    drawn = attention_figure(Attended("a<b", matrix, [0.25, None]))
    assert drawn.count('class="heat"') == 3
    assert drawn.count('class="gate"') == 1
    assert drawn.count('class="gate-back"') == 2
    assert re.findall(r'fill-opacity="([\d.]+)"', drawn) == ["0.75", "0.25", "0.96"]
    assert "a&lt;b" in drawn
    assert "北&lt;京" in drawn
    assert "x" * 15 + "…" in drawn
    assert "gate" not in attention_figure(Attended("a", matrix, []))
