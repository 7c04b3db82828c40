"""A training that this machine leads and another one joins, on the loopback interface."""

from pathlib import Path

import pytest

from flows.driver import step_window
from flows.settings import load_settings
from flows.stages import retrain_stages
from storage.registry import ModelEntry
from storage.workspace import open_workspace
from tasks.run import Run
from tests.integration.commands import TIMEOUT_SECONDS, free_port, phrasenet, start
from tests.support import copy_tiny, edit


def retrained(settings_file: Path) -> list[ModelEntry]:
    """Train in this process, without Prefect; returns the models."""
    settings = load_settings(settings_file)
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    with workspace.lease():
        retrain_stages(Run(workspace, step_window(None, None)), settings)
    return list(workspace.registry.entries())


def project(folder: Path, training: str) -> Path:
    settings = copy_tiny(folder) / "phrasenet.toml"
    edit(settings, "epochs = 5", f"steps = 4\nthreads = 1\n{training}")
    edit(settings, "[execution]", "[evaluation]\nbaselines = []\n\n[execution]")
    return settings


@pytest.mark.slow
def test_a_machine_joins_a_training_and_the_model_is_that_of_one_machine(tmp_path: Path) -> None:
    (alone,) = retrained(project(tmp_path / "alone", "processes = 2"))
    spread = f'processes = 2\nnodes = 2\nrendezvous = "127.0.0.1:{free_port()}"'
    settings = project(tmp_path / "spread", spread)
    helper = start(settings.parent, "join", "-c", settings.name)
    try:
        (together,) = retrained(settings)
        out, err = helper.communicate(timeout=TIMEOUT_SECONDS)
    finally:
        helper.kill()
    assert helper.returncode == 0, err
    assert out.startswith("Helped with train phrasenet-gate.")
    assert together.model_id == alone.model_id


def test_joining_where_no_machine_leads_is_one_clear_message(tmp_path: Path) -> None:
    folder = copy_tiny(tmp_path / "tiny")
    done = phrasenet(folder, "join", "-c", "phrasenet.toml")
    assert done.returncode == 2
    assert "training.nodes is 1, so no training is spread over machines" in done.stderr
    assert not (folder / "workspace").exists()
