"""An experiment on the tiny example without Prefect: results, what they are taken for, tables."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import devices, experiment_run
from flows.driver import step_window
from flows.experiment_cells import all_cells
from flows.experiment_run import Experiment, must_have_devices_of_cells
from flows.experiment_tables import result_of, write_tables
from flows.settings import load_settings
from storage.errors import ConfigError, InputError
from storage.ledger import Ledger
from storage.result_files import ResultFiles
from storage.workspace import open_workspace
from tasks.experiments.results import Results
from tasks.run import Run
from tests.conftest import Command
from tests.support import assert_whole, edit

EXPERIMENT = """
[experiment]
systems = ["rnnsearch", "phrasenet-gate"]
target_words = 600
"""


def run_directly(project: Path) -> Experiment:
    """Run all cells that have no result, in this process."""
    settings = load_settings(project)
    files = ResultFiles(settings.resolve(settings.experiment.results))
    cells = [cell for cell in all_cells(settings) if result_of(cell, files) is None]
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    with workspace.lease():
        run = Run(workspace, step_window(None, None))
        workspace.ledger.append("flow", {"flow": "experiment"})
        experiment = Experiment(cells, files, 1)
        experiment.stages(run, settings)
    return experiment


@pytest.fixture(scope="module")
def finished(evaluated_tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the settings of an experiment whose two cells were run; copy it before a change."""
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path_factory.mktemp("experiment") / "tiny"))
    with (folder / "phrasenet.toml").open("a", encoding="utf-8") as stream:
        stream.write(EXPERIMENT)
    run_directly(folder / "phrasenet.toml")
    return folder / "phrasenet.toml"


@pytest.fixture
def project(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished.parent, tmp_path / "tiny")) / "phrasenet.toml"


def result(project: Path, name: str) -> dict[str, Any]:
    path = project.parent / "results" / "cells" / f"all.{name}.1.json"
    value: dict[str, Any] = json.loads(path.read_bytes())
    return value


def test_a_result_says_what_it_is_of_and_what_it_took(finished: Path) -> None:
    found = result(finished, "phrasenet-gate")
    assert found["cell"] == {
        "data": "all", "name": "phrasenet-gate", "seed": 1, "system": "phrasenet-gate"
    }  # fmt: skip
    assert found["parameters"]["all"] > found["parameters"]["decoder"] > 0
    assert 0 < found["training"]["target_words"] <= 700
    assert found["versions"]["torch"]
    assert found["code"]["train"]
    test = found["tests"]["tiny-test"]
    assert test["decoding"]["words"] > 0
    assert test["phrase_use"][0]["offered"] > 0
    assert {row["metric"] for row in test["scores"]} >= {"BLEU", "BLEU-v11b", "chrF2"}


def test_a_result_holds_no_word_of_the_texts(finished: Path) -> None:
    for name in ("rnnsearch", "phrasenet-gate"):
        text = (finished.parent / "results" / "cells" / f"all.{name}.1.json").read_text("utf-8")
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in text)
    words = (finished.parent / "test.en").read_text("utf-8").split()
    found = json.dumps(result(finished, "rnnsearch")["tests"])
    assert not [word for word in words if len(word) > 6 and f'"{word}"' in found]


def test_the_scores_of_the_sentences_sum_to_the_score_of_the_test_set(finished: Path) -> None:
    cells = all_cells(load_settings(finished))
    for metric, name in (("BLEU-v13a", "BLEU"), ("BLEU-v11b", "BLEU-v11b"),
                         ("BLEU of words", "BLEU of words")):  # fmt: skip
        planned = [cell.planned for cell in cells]
        found = {p.cell: result(finished, p.cell.name) for p in planned}
        results = Results("all", planned, found, metric)  # type: ignore[arg-type]
        for item in planned:
            for row in found[item.cell]["tests"]["tiny-test"]["scores"]:
                if row["metric"] == name:
                    score = results.score(item.cell, "tiny-test", row["subset"])
                    assert score == pytest.approx(row["value"]), (name, row["subset"])


def test_the_ledger_holds_what_the_cells_did(finished: Path) -> None:
    workspace = finished.parent / "workspace"
    assert_whole(workspace)
    records = {record.sequence: record for record in Ledger(workspace).records()}
    for name in ("rnnsearch", "phrasenet-gate"):
        found = result(finished, name)
        assert records[found["ledger"]["sequence"]].digest() == found["ledger"]["digest"]
        trained = [
            record.body for record in records.values()
            if record.kind == "run" and record.body["label"] == f"train {name} [all/{name}/1]"
        ]  # fmt: skip
        assert found["model"] in {output["digest"] for output in trained[0]["outputs"]}


def test_a_cell_with_a_result_is_not_run_even_in_another_workspace(project: Path) -> None:
    shutil.rmtree(project.parent / "workspace")
    assert run_directly(project).finished == []
    edit(project, "target_words = 600", "target_words = 601")
    settings = load_settings(project)
    files = ResultFiles(settings.resolve("results"))
    assert [result_of(cell, files) for cell in all_cells(settings)] == [None, None]


def test_a_result_of_other_texts_is_not_taken(project: Path) -> None:
    with (project.parent / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write("一 二\tone two .\tz\n")
    settings = load_settings(project)
    files = ResultFiles(settings.resolve("results"))
    for cell in all_cells(settings):
        assert result_of(cell, files) is None
        assert result_of(cell, files, is_checked=False) is not None


def test_a_failing_cell_stops_no_other_and_the_next_run_makes_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(project.parent / "results")
    real: Callable[..., Any] = experiment_run.run_cell

    def failing(workspace: Any, cell: Any, *rest: Any) -> Any:
        if cell.planned.cell.name == "rnnsearch":
            raise InputError("the loss is not finite")
        return real(workspace, cell, *rest)

    monkeypatch.setattr(experiment_run, "run_cell", failing)
    first = run_directly(project)
    assert first.finished == ["all/phrasenet-gate/1"]
    assert list(first.failed) == ["all/rnnsearch/1"]
    monkeypatch.setattr(experiment_run, "run_cell", real)
    assert run_directly(project).finished == ["all/rnnsearch/1"]


def test_tables_are_written_in_all_forms(project: Path) -> None:
    settings = load_settings(project)
    files = ResultFiles(settings.resolve("results"))
    failed = {"all/rnnsearch/1": "why"}
    paths = write_tables(settings, all_cells(settings), files, failed, is_checked=True)
    assert [path.name for path in paths] == [
        "tables.md", "tables.tex", "tables.csv", "tables.json", "report.html"
    ]  # fmt: skip
    texts = {path.name: path.read_text("utf-8") for path in paths}
    tables = json.loads(texts["tables.json"])["all"]
    assert {table["name"] for table in tables} >= {"claims", "phrasenet-1", "phrasenet-2", "cost"}
    score = next(table for table in tables if table["name"] == "phrasenet-1")["rows"]
    gate = next(row for row in score if row["system"]["text"] == "phrasenet-gate")
    shown = gate["tiny-test"]["text"]
    assert all(shown in text for text in texts.values())
    assert "not run" in texts["tables.md"]
    assert texts["report.html"].count("<svg") >= 2


def test_the_command_takes_what_is_there_and_prints_the_report(
    project: Path, phrasenet: Command
) -> None:
    shutil.rmtree(project.parent / "workspace")
    answer = phrasenet("experiment", "-c", str(project), "--json")
    assert answer.code == 0
    told = json.loads(answer.out)
    assert told["reused"] == ["all/rnnsearch/1", "all/phrasenet-gate/1"]
    assert told["finished"] == []
    assert "2 cells: 2 have their results" in answer.err
    assert Path(told["tables"][-1]).name == "report.html"
    assert not (project.parent / "workspace").exists()


def test_a_device_that_is_not_there_is_told_before_anything_is_done(
    project: Path, phrasenet: Command
) -> None:
    edit(project, "[training]", '[training]\ndevice = "cuda:99"')
    workspace, results = open_workspace(project.parent / "workspace"), project.parent / "results"
    ledger = workspace.ledger.digest()
    (results / "cells" / "all.phrasenet-gate.1.json").unlink()
    (results / "tables.md").unlink(missing_ok=True)
    edit(project, "target_words = 600", "target_words = 700")
    answer = phrasenet("experiment", "-c", str(project))
    assert answer.code == 2
    assert "training.device is 'cuda:99', but " in answer.err
    assert (
        "Nothing was begun, since 'train rnnsearch [all/rnnsearch/1]' has to be computed"
        in answer.err
    )
    assert "`--tables` writes" in answer.err
    assert workspace.ledger.digest() == ledger
    assert not (results / "tables.md").exists()
    assert phrasenet("experiment", "-c", str(project), "--tables").code == 0


def test_models_from_elsewhere_need_no_device(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "missing_devices", lambda settings: {"training.device": "None."})
    settings = load_settings(project)
    workspace = open_workspace(settings.workspace_path)
    must_have_devices_of_cells(workspace, settings, all_cells(settings))
    edit(project, "target_words = 600", "target_words = 700")
    settings = load_settings(project)
    with pytest.raises(ConfigError, match="Nothing was begun"):
        must_have_devices_of_cells(workspace, settings, all_cells(settings))


def test_tables_alone_need_no_texts(project: Path, phrasenet: Command) -> None:
    (project.parent / "pairs.tsv").unlink()
    refused = phrasenet("experiment", "-c", str(project))
    assert refused.code == 2
    assert "pairs.tsv" in refused.err
    answer = phrasenet("experiment", "-c", str(project), "--tables", "--results",
                       str(project.parent / "results"))  # fmt: skip
    assert answer.code == 0
    assert (
        "not run"
        not in (project.parent / "results" / "tables.md")
        .read_text()
        .split("What each cell took")[1]
        .split("##")[0]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--systems", "phrasnet-gate"],
            "--systems names 'phrasnet-gate'; expected one of rnnsearch, phrasenet-gate. Did you "
            "mean 'phrasenet-gate'?",
        ),
        (["--seeds", "9"], "--seeds names '9'; expected one of 1"),
        (["--tables", "--systems", "odd"], "--systems names 'odd'; expected one of rnnsearch"),
    ],
)
def test_mistakes_are_told(
    project: Path, phrasenet: Command, arguments: list[str], message: str
) -> None:
    answer = phrasenet("experiment", "-c", str(project), *arguments)
    assert answer.code == 2
    assert message in answer.err


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 2}', '{"format": 1}', "[" * 100_000])
def test_a_damaged_result_is_named(project: Path, phrasenet: Command, damage: str) -> None:
    path = project.parent / "results" / "cells" / "all.rnnsearch.1.json"
    path.write_text(damage)
    answer = phrasenet("experiment", "-c", str(project), "--tables")
    assert answer.code == 2
    assert "all.rnnsearch.1.json" in answer.err
    assert "Remove the file" in answer.err


def test_damage_deep_inside_of_a_result_is_named(project: Path, phrasenet: Command) -> None:
    path = project.parent / "results" / "cells" / "all.rnnsearch.1.json"
    damaged = result(project, "rnnsearch")
    del damaged["tests"]["tiny-test"]["decoding"]["processor_seconds"]
    path.write_text(json.dumps(damaged))
    for more in ([], ["--tables"]):
        answer = phrasenet("experiment", "-c", str(project), *more)
        assert answer.code == 2
        assert answer.err.splitlines()[-1] == (
            f"phrasenet: {path}: tests.tiny-test.decoding.processor_seconds is missing. Remove the "
            "file, and the cell is run again."
        )
