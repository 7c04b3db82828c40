"""A run that needs a device which is not there stops before anything is done; others go on."""

import shutil
from contextvars import copy_context
from pathlib import Path

import pytest

from flows import devices, driver
from flows.cli import main
from flows.devices import must_have_devices
from flows.driver import Request, drive, step_window
from flows.settings import Settings, load_settings
from flows.stages import evaluate_stages, retrain_stages
from model.config import DecodingConfig
from storage.errors import ConfigError
from storage.workspace import open_workspace
from tasks.record import Feeding, record
from tasks.run import Run
from tasks.step import StepCall
from tests.support import copy_tiny, edit

NOT_HERE = 'device = "cuda:99"'
MISSING = {name: f"{name} is missing." for name in ("training.device", "decoding.device")}


def records(project: Path) -> list[str]:
    return [record.kind for record in open_workspace(project / "workspace").ledger.records()]


@pytest.mark.parametrize(
    ("command", "table", "call"),
    [
        ("retrain", "training", "train "),
        ("run", "training", "train "),
        ("evaluate", "decoding", "translate "),
    ],
)
def test_a_command_stops_with_one_message_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, table: str, call: str
) -> None:
    project = copy_tiny(tmp_path / "tiny")
    file = project / "phrasenet.toml"
    if table == "training":
        edit(file, "[training]", f"[training]\n{NOT_HERE}")
    else:
        edit(file, "[training]", f"[decoding]\n{NOT_HERE}\n\n[training]")
    assert main([command, "-c", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, "no server was started"
    assert said.startswith(f"phrasenet: {file}: {table}.device is 'cuda:99', but ")
    assert f"Nothing was begun, since '{call}" in said
    assert records(project) == []


def test_a_deployed_run_stops_too(tmp_path: Path) -> None:
    project = copy_tiny(tmp_path / "tiny")
    edit(project / "phrasenet.toml", "[training]", f"[training]\n{NOT_HERE}")
    with pytest.raises(ConfigError, match="Nothing was begun"):
        drive("retrain", retrain_stages, Request(str(project / "phrasenet.toml")))
    assert records(project) == []


def test_results_from_elsewhere_and_other_steps_need_no_device(
    tmp_path: Path, evaluated_tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    file = project / "phrasenet.toml"
    monkeypatch.setattr(devices, "missing_devices", lambda settings: MISSING)

    def ask(first: str | None = None, last: str | None = None) -> None:
        settings = load_settings(file)
        workspace = open_workspace(settings.workspace_path)
        must_have_devices(workspace, settings, evaluate_stages, step_window(first, last))

    ask()
    edit(file, "epochs = 5", "epochs = 6")
    with pytest.raises(ConfigError, match="'train rnnsearch' has to .*--until casing"):
        ask()
    ask(last="casing")
    # What comes before is taken as it last was, so there is a model to translate with.
    ask(first="score")


def test_a_training_whose_inputs_may_come_out_as_they_were_is_not_refused(
    tmp_path: Path, evaluated_tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    file = project / "phrasenet.toml"
    monkeypatch.setattr(devices, "missing_devices", lambda settings: MISSING)

    def ask() -> None:
        settings = load_settings(file)
        workspace = open_workspace(settings.workspace_path)
        must_have_devices(workspace, settings, retrain_stages, step_window(None, None))

    # The pairs are judged anew, and the same ones are kept, so the models there are will do.
    edit(file, "[memory]", "[text]\nmax_words = 79\n\n[memory]")
    ask()
    edit(file, "epochs = 5", "epochs = 6")
    with pytest.raises(ConfigError, match="'train rnnsearch' has to "):
        ask()


def test_a_flow_of_a_command_does_not_look_for_devices_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    monkeypatch.setattr(devices, "missing_devices", lambda settings: MISSING)
    modes: list[str] = []

    def stages(run: Run, settings: Settings) -> None:
        modes.append(run.mode)

    def begin() -> None:
        drive("retrain", stages, Request(str(file)))

    begin()
    assert modes == ["plan", "prefect"]
    modes.clear()
    held = copy_context()
    held.run(driver.lease_is_held.set, True)
    held.run(begin)
    assert modes == ["prefect"]


def test_a_gate_that_cannot_translate_is_told_at_the_beginning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(file, "[training]", f"[decoding]\n{NOT_HERE}\n\n[training]")
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path)
    must_have_devices(workspace, settings, retrain_stages, step_window(None, None))
    edit(file, "[training]", "[promotion]\nautomatic = true\n\n[training]")
    assert main(["retrain", "-c", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Nothing was begun, since 'translate promotion candidate tiny-test' has" in said
    assert "`--until test-terms` does what" in said
    until = step_window(None, "test-terms")
    must_have_devices(workspace, load_settings(file), retrain_stages, until)


def test_a_record_of_what_a_model_attends_to_needs_the_device_of_its_search(
    tmp_path: Path,
) -> None:
    planned = devices._Planned(open_workspace(tmp_path), step_window(None, None))
    call = StepCall(record, "record x", {"feeding": Feeding.of(DecodingConfig())})
    planned.planned(call, ["it has never been run"])
    assert planned.first == {"decoding.device": call}
