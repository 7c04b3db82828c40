"""Maintenance of a workspace, without Prefect: what goes, what stays; audits stay clean."""

import datetime
import json
import shutil
from pathlib import Path

import pytest

from flows.settings import load_settings
from flows.withdraw import current_state
from storage.errors import InputError
from storage.memory import Snapshot
from storage.workspace import Workspace, existing_workspace
from tasks.maintain import Upkeep, carry_out, plan_upkeep
from tasks.memory_queries import rollback
from tasks.retention import MaintenanceConfig
from tasks.verify import verify_workspace
from tests.integration.commands import phrasenet
from tests.support import (
    assert_whole,
    edit,
    evaluate_directly,
    files_below,
    refresh_directly,
)

IN_SIXTY_DAYS = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=60)
NONE_OLD = MaintenanceConfig(snapshots=0)


def plan(
    file: Path, config: MaintenanceConfig = NONE_OLD, now: datetime.datetime = IN_SIXTY_DAYS
) -> tuple[Workspace, Upkeep]:
    settings = load_settings(file)
    workspace = existing_workspace(settings.workspace_path)
    state, _ = current_state(settings, workspace)
    return workspace, plan_upkeep(workspace, config, state.refs | frozenset(state.sources), now)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, evaluated_tiny: Path) -> Path:
    """Return a project whose memory had three states; the model was tagged with the first."""
    folder = tmp_path_factory.mktemp("grown") / "tiny"
    shutil.copytree(evaluated_tiny, folder)
    for number in (3, 1):
        file = folder / "phrasenet.toml"
        before = "min_count = 2" if number == 3 else "min_count = 3"
        edit(file, before, f"min_count = {number}")
        refresh_directly(file)
    return folder


@pytest.fixture
def project(tmp_path: Path, grown: Path) -> Path:
    folder = tmp_path / "tiny"
    shutil.copytree(grown, folder)
    return folder / "phrasenet.toml"


def snapshots(workspace: Workspace) -> list[Snapshot]:
    return [workspace.memory.snapshot(item.snapshot_id) for item in workspace.memory.history()]


def is_whole(workspace: Workspace, snapshot: Snapshot) -> bool:
    return all(map(workspace.holds, (*snapshot.tables, snapshot.evidence)))


def test_nothing_goes_before_its_time(project: Path) -> None:
    _, upkeep = plan(project, now=datetime.datetime.now(datetime.UTC))
    assert (upkeep.artifacts, upkeep.snapshots, upkeep.checkpoints) == ((), (), ())


def test_only_what_nothing_needs_goes_and_the_audit_stays_clean(project: Path) -> None:
    workspace, upkeep = plan(project)
    first, second, head = snapshots(workspace)
    assert upkeep.snapshots == (second.snapshot_id,)
    assert second.phrases in upkeep.artifacts
    with workspace.lease():
        carry_out(workspace, upkeep)
    assert not any(map(workspace.holds, upkeep.artifacts))
    # The current state, and the state that the model was tagged with, are whole.
    assert is_whole(workspace, head)
    assert is_whole(workspace, first)
    assert not is_whole(workspace, second)
    assert verify_workspace(workspace) == []
    assert_whole(workspace.root)
    with pytest.raises(InputError, match="cannot be current again"):
        rollback(workspace, second, "a try")
    # Nothing is left to do, and the flows of today find all they need.
    assert plan(project)[1].artifacts == ()
    _, _, run = refresh_directly(project)
    assert run.counts["computed"] == 0


def test_the_model_and_all_it_was_made_from_stay(project: Path) -> None:
    workspace, upkeep = plan(project)
    with workspace.lease():
        carry_out(workspace, upkeep)
    edit(project, "min_count = 1", "min_count = 2")
    length = len(list(workspace.ledger.records()))
    evaluate_directly(project)
    # With the settings of the model again, its training is found, and all before it.
    assert all(workspace.holds(entry.ref) for entry in workspace.registry.entries())
    made = {
        record.body["label"]
        for record in list(workspace.ledger.records())[length:]
        if record.kind == "run"
    }
    assert not [label for label in made if label.startswith(("train", "tag training", "mine"))]


def test_what_users_had_translated_and_recorded_stays(project: Path) -> None:
    workspace, _ = plan(project)
    ref = workspace.write_rows("translations", [], reproducibility="none")
    assert ref in plan(project)[1].artifacts
    workspace.translations.append(ref)
    assert ref not in plan(project)[1].artifacts


def test_recent_snapshots_keep_their_tables(project: Path) -> None:
    _, upkeep = plan(project, MaintenanceConfig(snapshots=2))
    assert upkeep.snapshots == ()


def test_what_is_made_again_after_its_removal_must_be_there_again(project: Path) -> None:
    workspace, upkeep = plan(project)
    second = snapshots(workspace)[1]
    with workspace.lease():
        carry_out(workspace, upkeep)
    edit(project, "min_count = 1", "min_count = 3")
    refresh_directly(project)
    assert is_whole(workspace, second)
    assert verify_workspace(workspace) == []
    shutil.rmtree(workspace.folder_of(second.phrases))
    assert any("phrases" in finding for finding in verify_workspace(workspace))


def test_a_removal_that_was_cut_short_is_finished_by_the_next(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, upkeep = plan(project)
    with monkeypatch.context() as patch:
        patch.setattr("tasks.maintain.remove_artifacts", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            carry_out(workspace, upkeep)
    assert verify_workspace(workspace) == []
    again = plan(project)[1]
    assert again.artifacts == upkeep.artifacts
    carry_out(workspace, again)
    assert verify_workspace(workspace) == []
    assert plan(project)[1].artifacts == ()


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_checkpoints_that_were_given_up_go(project: Path) -> None:
    workspace, _ = plan(project)
    workspace.checkpoints.put("a" * 32, {"state": b"1"}, about={}, keep=1)
    assert plan(project, now=datetime.datetime.now(datetime.UTC))[1].checkpoints == ()
    _, upkeep = plan(project)
    assert upkeep.checkpoints == ("a" * 32,)
    carry_out(workspace, upkeep)
    assert workspace.checkpoints.get("a" * 32) is None
    assert list((workspace.root / "warehouse" / "checkpoint").glob("*")) == []


@pytest.mark.server
@pytest.mark.slow
def test_the_command_says_what_it_would_do_and_does_it(project: Path) -> None:
    with project.open("a") as stream:
        stream.write("\n[maintenance]\nsnapshots = 0\nartifact_days = 0\nrun_days = 0\n")
    folder = project.parent
    before = files_below(folder / "workspace" / "warehouse")
    dry = json.loads(phrasenet(folder, "maintain", "--dry-run", "--json").stdout)
    assert dry["dry_run"]
    assert dry["artifacts"] > 0
    assert files_below(folder / "workspace" / "warehouse") == before
    done = phrasenet(folder, "maintain")
    assert done.returncode == 0, done.stderr
    # The run of before is old now, too: nothing younger than no days is kept.
    assert f"Removed {dry['artifacts']} artifacts" in done.stdout
    assert "Removed 1 flow runs from Prefect's database." in done.stdout
    assert phrasenet(folder, "audit", "verify").returncode == 0
