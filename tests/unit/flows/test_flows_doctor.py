"""`phrasenet doctor`: what is lacking is named with its remedy, and changes the exit code."""

import json
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from flows import machine
from flows.cli import main
from flows.machine import Finding, machine_findings
from storage.workspace import open_workspace
from tests.support import copy_tiny, edit, write_counts

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    return copy_tiny(tmp_path / "tiny") / "phrasenet.toml"


def examined(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, dict[str, str]]]:
    capsys.readouterr()
    code = main(["doctor", "-c", str(project), "--json"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return code, {item["subject"]: item for item in found}


def test_a_machine_and_a_workspace_in_order(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = examined(project, capsys)
    assert code == 0
    assert {item["state"] for item in found.values()} <= {"ok", "note"}
    assert found["workspace"]["state"] == "note"  # nothing was run yet
    assert {"python", "packages", "processors", "memory", "disk", "prefect server"} <= set(found)
    open_workspace(project.parent / "workspace")
    code, found = examined(project, capsys)
    assert code == 0
    states = {name: found[name]["state"] for name in ("rights", "lease", "ledger", "production")}
    assert set(states.values()) == {"ok"}
    assert main(["doctor", "-c", str(project)]) == 0
    assert "ok       python" in capsys.readouterr().out


def test_a_device_that_is_not_here_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "[training]", '[training]\ndevice = "cuda:99"')
    code, found = examined(project, capsys)
    assert (code, found["training.device"]["state"]) == (0, "note")
    assert "training.device is 'cuda:99', but " in found["training.device"]["detail"]


def test_each_thing_that_is_lacking_has_a_remedy(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = open_workspace(project.parent / "workspace")
    with workspace.lease():
        for _ in range(2):
            workspace.ledger.append("run", {"outputs": [write_counts(workspace).to_json()]})
    first = next((workspace.root / "ledger" / "records").iterdir())
    first.write_bytes(first.read_bytes().replace(b"phrase_counts", b"phrase_count5"))
    workspace.production.promote("0" * 32, "it is gone", 0)
    monkeypatch.setenv("PREFECT_API_URL", "http://me:word@127.0.0.1:9/api")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1 << 40, 1 << 40, 1000))
    code, found = examined(project, capsys)
    assert code == 2
    lacking = {name for name, item in found.items() if item["state"] == "lacking"}
    assert lacking == {"disk", "prefect server", "ledger", "production"}
    assert all(found[name]["remedy"] for name in lacking)
    assert "http://***@127.0.0.1:9/api" in found["prefect server"]["detail"]


def test_who_writes_now_is_worth_knowing_and_no_fault(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = open_workspace(project.parent / "workspace")
    with workspace.lease():
        code, found = examined(project, capsys)
    assert code == 0
    assert found["lease"]["state"] == "note"
    assert "holds its lease since" in found["lease"]["detail"]
    assert examined(project, capsys)[1]["lease"]["state"] == "ok"


def test_bad_settings_are_one_finding_among_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write_text("[nonsense]\n", "utf-8")
    code, found = examined(project, capsys)
    assert code == 2
    assert "unknown key 'nonsense'" in found["settings"]["detail"]
    assert found["disk"]["state"] in ("ok", "note")


def findings(subject: str) -> list[Finding]:
    return [item for item in machine_findings() if item.subject == subject]


def test_packages_are_held_against_the_lock_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("# pinned\nnumpy==0.0.1\nnot-installed-at-all==1.0\n", "utf-8")
    monkeypatch.setattr(machine, "LOCK", lock)
    (found,) = findings("versions")
    assert found.state == "note"
    assert "(tested: 0.0.1)" in found.detail
    assert "not-installed" not in found.detail
    monkeypatch.setattr(machine, "_needed", lambda: ["numpy", "not-installed-at-all"])
    (found,) = findings("packages")
    assert (found.state, found.detail) == ("lacking", "not installed: not-installed-at-all")


def test_an_optional_program_that_is_not_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (found,) = findings("eflomal")
    assert (found.state, found.remedy) == ("note", "pip install 'phrasenet[eflomal]'")
