"""The statistical system beside a network, on the tiny example: one path from texts to the page."""

from pathlib import Path

import pytest

from flows.experiment_cells import all_cells
from flows.settings import load_settings
from storage.errors import ConfigError
from tests.support import assert_whole, copy_tiny, edit, evaluate_directly


def test_it_is_scored_compared_and_reported_like_a_network(tmp_path: Path) -> None:
    project = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(project, "epochs = 5", "steps = 2")
    edit(
        project,
        "[execution]",
        "[smt]\npops = 50\ntuning_rounds = 1\n\n"
        '[evaluation]\nbaselines = ["smt"]\nscaling = true\n\n[execution]',
    )
    edit(project, "[memory]", '[[testset]]\nname = "tiny-dev"\nrole = "dev"\nsource = "test.zh"\n'
         'references = ["test.en"]\n\n[memory]')  # fmt: skip
    workspace, evaluated, run = evaluate_directly(project)
    systems = evaluated.results["tiny-test"]
    assert list(systems) == ["smt", "phrasenet-gate"]
    translated = list(workspace.read_rows(systems["smt"]["translations"]))
    assert len(translated) == 3
    assert all(row["words"] for row in translated)
    subsets = [
        {(row["subset"], row["metric"]): row["sentences"]
         for row in workspace.read_rows(refs["scores"])}
        for refs in systems.values()
    ]  # fmt: skip
    assert subsets[0] == subsets[1]
    assert "scaling" not in systems["smt"]
    compared = list(workspace.read_rows(evaluated.comparisons["tiny-test"]))
    assert {(row["baseline"], row["system"]) for row in compared} == {("smt", "phrasenet-gate")}
    files = workspace.read_bundle(evaluated.report)
    assert "smt" in files["report.html"].decode()
    assert "parameters" not in files["model-card-smt.md"].decode().split("\n")[2]
    assert_whole(workspace.root)
    assert [entry.system for entry in workspace.registry.entries()] == ["phrasenet-gate"]
    _, again, second = evaluate_directly(project)
    assert second.counts["computed"] == 0
    assert again.results == evaluated.results
    assert run.counts["computed"] > 0


def test_it_is_no_network(tmp_path: Path) -> None:
    project = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(project, 'system = "phrasenet-gate"', 'system = "smt"')
    with pytest.raises(ConfigError, match=r"'smt' is none. Name it among the baselines"):
        load_settings(project)


def test_a_cell_of_an_experiment_trains_it_alone(tmp_path: Path) -> None:
    project = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(project, "[execution]", '[experiment]\nsystems = ["smt", "rnnsearch"]\n\n[execution]')
    cells = {cell.planned.system: cell.settings for cell in all_cells(load_settings(project))}
    assert cells["smt"].systems == ("smt",)
    assert cells["rnnsearch"].systems == ("rnnsearch",)
