"""A workspace on S3, from two machines: each has a local copy of its own."""

import datetime
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import fs

from flows.cli import main
from flows.driver import step_window
from flows.opening import open_settings
from flows.stages import retrain_stages
from storage.datasets import ArtifactRef, artifact_folder
from storage.errors import ConfigError, WorkspaceBusy, WorkspaceError
from storage.mirror import INDEX, Mirror, mirror_of
from storage.object_store import ObjectStore
from storage.remote_lease import LEASE
from storage.workspace import Workspace, open_workspace
from tasks.lineage.withdrawal import receipt_text
from tasks.maintain import Upkeep, carry_out, plan_upkeep
from tasks.retention import MaintenanceConfig
from tasks.run import Run
from tests.integration.s3_server import REGION, credentials, s3_server
from tests.support import assert_whole, copy_tiny, edit, refresh_directly
from tests.withdrawals import OWN, project_with_owl, take_out

BUCKET = "memories"


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with s3_server() as endpoint:
        yield credentials(endpoint)


@pytest.fixture(scope="module")
def bucket(server: dict[str, str]) -> fs.S3FileSystem:
    found = fs.S3FileSystem(
        access_key="test",
        secret_key="test",
        endpoint_override=server["AWS_ENDPOINT_URL"].removeprefix("http://"),
        scheme="http",
        region=REGION,
        allow_bucket_creation=True,
        allow_bucket_deletion=True,
    )
    found.create_dir(BUCKET)
    return found


@pytest.fixture(scope="module")
def pushed(
    server: dict[str, str], bucket: fs.S3FileSystem, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the local copy of a workspace that was refreshed and pushed."""
    folder = tmp_path_factory.mktemp("pushed")
    with pytest.MonkeyPatch.context() as patch:
        use(server, patch)
        return refresh_directly(machine(folder, "first"))[0].root


@pytest.fixture(autouse=True)
def environment(server: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    use(server, monkeypatch)


def use(server: dict[str, str], patch: pytest.MonkeyPatch) -> None:
    for name, value in server.items():
        patch.setenv(name, value)
    patch.delenv("AWS_ENDPOINT_URL_S3", raising=False)


def machine(folder: Path, name: str) -> Path:
    """Make the project on one more machine; returns its settings file."""
    settings = copy_tiny(folder / name) / "phrasenet.toml"
    edit(settings, 'path = "workspace"', f'path = "s3://{BUCKET}/team/zh"')
    return settings


def opened(settings_file: Path) -> Workspace:
    return open_settings(settings_file)[1]


def names(bucket: fs.S3FileSystem, below: str) -> set[str]:
    selector = fs.FileSelector(f"{BUCKET}/team/zh/{below}", allow_not_found=True)
    return {info.base_name for info in bucket.get_file_info(selector)}


@pytest.fixture
def refreshed(pushed: Path, bucket: fs.S3FileSystem, tmp_path: Path) -> Path:
    """Return the settings of a machine that joins a workspace which is as it was first pushed."""
    bucket.delete_dir_contents(BUCKET)
    place = f"s3://{BUCKET}/team/zh"
    fresh = Path(shutil.copytree(pushed, tmp_path / "pushed"))
    shutil.rmtree(fresh / ".remote")
    Mirror(fresh, place).push()
    settings = machine(tmp_path, "first")
    opened(settings)
    return settings


def test_another_machine_finds_everything_and_computes_nothing(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    local = copy_tiny(tmp_path / "local") / "phrasenet.toml"
    _, here, _ = refresh_directly(local)
    second = machine(tmp_path, "second")
    workspace, there, run = refresh_directly(second)
    assert there.snapshot == here.snapshot
    assert run.counts["computed"] == 0
    assert run.counts["reused"] > 20
    assert there.snapshot.phrases.digest in names(bucket, "warehouse/phrases")
    # What nobody read was not fetched, yet it counts as being there.
    raw = there.raw[0]
    assert not artifact_folder(workspace.root, raw).exists()
    assert workspace.why_broken(raw) is None
    assert list(workspace.read_rows(raw))
    assert artifact_folder(workspace.root, raw).exists()
    assert_whole(workspace.root)


def test_commands_work_on_it(
    refreshed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = machine(tmp_path, "second")
    assert main(["memory", "lookup", "中央银行", "-c", str(second), "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[0])
    assert found["target"] == "central bank"
    assert main(["audit", "verify", "-c", str(second)]) == 0


def test_of_two_writers_one_wins_and_the_other_loses_nothing(
    refreshed: Path, tmp_path: Path
) -> None:
    one, two = opened(refreshed), opened(machine(tmp_path, "second"))
    length = len(list(one.ledger.records()))
    one.ledger.append("decision", {"decision": "first"})
    two.ledger.append("decision", {"decision": "second"})
    kept = two.write_rows("source_counts", [{"source": "two", "count": 2}])
    one.share()
    with pytest.raises(WorkspaceBusy, match="Another machine changed the workspace"):
        two.share()
    again = opened(tmp_path / "second" / "phrasenet.toml")
    records = list(again.ledger.records())
    assert len(records) == length + 1
    assert records[-1].body == {"decision": "first"}
    assert not list(again.ledger.problems())
    assert again.why_broken(kept) is None
    with again.lease():
        again.ledger.append("decision", {"decision": "second"})
    assert list(opened(refreshed).ledger.records())[-1].body == {"decision": "second"}


def test_a_lease_is_one_machine_s_until_it_runs_out(refreshed: Path, tmp_path: Path) -> None:
    one, two = opened(refreshed), opened(machine(tmp_path, "second"))
    with (
        one.lease(),
        pytest.raises(WorkspaceBusy, match=r"s3://memories/team/zh is in use"),
        two.lease(),
    ):
        pass
    with two.lease():
        pass
    store = ObjectStore(f"s3://{BUCKET}/team/zh")
    dead = {"process": 1, "host": "gone", "until": time.time() - 1}
    store.put(LEASE, json.dumps(dead).encode())
    with two.lease():
        pass


def test_what_was_purged_goes_from_the_bucket_and_nothing_else(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    workspace = opened(machine(tmp_path, "second"))
    kinds = names(bucket, "warehouse")
    gone = ArtifactRef("raw_pairs", names(bucket, "warehouse/raw_pairs").pop(), 40)
    with workspace.lease():
        workspace.ledger.append("decision", {"decision": "purge", "purged": [gone.to_json()]})
    assert gone.digest not in names(bucket, "warehouse/raw_pairs")
    assert names(bucket, "warehouse") >= kinds - {"raw_pairs"}
    with workspace.lease():
        workspace.write_rows("source_counts", [{"source": "later", "count": 1}])
    first = opened(refreshed)
    assert not artifact_folder(first.root, gone).exists()


def test_a_crash_before_the_push_is_taken_up(refreshed: Path, tmp_path: Path) -> None:
    workspace = opened(refreshed)
    workspace.ledger.append("decision", {"decision": "not pushed yet"})
    again = opened(refreshed)
    assert list(again.ledger.records())[-1].body == {"decision": "not pushed yet"}
    with again.lease():
        pass
    seen = opened(machine(tmp_path, "second"))
    assert list(seen.ledger.records())[-1].body == {"decision": "not pushed yet"}


def test_nothing_new_sends_nothing(refreshed: Path, bucket: fs.S3FileSystem) -> None:
    path = f"{BUCKET}/team/zh/{INDEX}"
    before = bucket.get_file_info(path).mtime_ns
    with opened(refreshed).lease():
        pass
    assert bucket.get_file_info(path).mtime_ns == before


def test_a_copy_of_another_place_is_refused(refreshed: Path) -> None:
    with pytest.raises(WorkspaceError, match="is a local copy of s3://memories/team/zh"):
        Mirror(opened(refreshed).root, "s3://memories/other")


def test_a_server_that_does_not_answer_is_one_clear_message(
    tmp_path: Path, bucket: fs.S3FileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WorkspaceError, match="cannot be read or written.*bucket exists"):
        open_workspace(tmp_path / "copy", remote="s3://no-such-bucket/x").lease().__enter__()


@pytest.mark.parametrize("path", ["gs://bucket/x", "http://host/x", ""])
def test_other_places_are_refused(path: str, tmp_path: Path) -> None:
    settings = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(settings, 'path = "workspace"', f'path = "{path}"')
    with pytest.raises(ConfigError, match="expected a folder of this machine, or s3://"):
        open_settings(settings)


def test_a_local_copy_needs_a_bucket(tmp_path: Path) -> None:
    settings = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    edit(settings, 'path = "workspace"', 'path = "workspace"\nlocal = "copy"')
    with pytest.raises(ConfigError, match="local has no effect"):
        open_settings(settings)


def test_what_was_changed_in_the_bucket_is_told_when_it_is_read(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    workspace = opened(machine(tmp_path, "second"))
    head = workspace.memory.head()
    assert head is not None
    digest = head.phrases.digest
    with bucket.open_output_stream(
        f"{BUCKET}/team/zh/warehouse/phrases/{digest}/part-00000.parquet"
    ) as stream:
        stream.write(b"other bytes")
    phrases = ArtifactRef("phrases", digest, 1)
    with pytest.raises(WorkspaceError, match="part-00000.parquet is not as it was written"):
        list(workspace.read_rows(phrases))
    assert not artifact_folder(workspace.root, phrases).exists()


def test_the_key_of_the_ledger_is_for_its_owner_alone(refreshed: Path) -> None:
    workspace = opened(refreshed)
    workspace.ledger.keyed_hash("text")
    with workspace.lease():
        pass
    again = machine(refreshed.parent.parent, "third")
    assert (opened(again).root / "ledger" / "key").stat().st_mode & 0o077 == 0


LATER = datetime.timedelta(hours=25)


def stray_paths(workspace: Workspace, after: datetime.timedelta = LATER) -> list[str]:
    mirror = mirror_of(workspace.root)
    assert mirror is not None
    return [item.path for item in mirror.strays(datetime.datetime.now(datetime.UTC) + after)]


def maintained(workspace: Workspace) -> Upkeep:
    """Remove only strays, as of a day later."""
    now = datetime.datetime.now(datetime.UTC) + LATER
    upkeep = plan_upkeep(workspace, MaintenanceConfig(artifact_days=100), frozenset(), now)
    with workspace.lease():
        carry_out(workspace, upkeep)
    return upkeep


def test_what_the_second_writer_sent_is_removed_after_a_day(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    one, two = opened(refreshed), opened(machine(tmp_path, "second"))
    one.ledger.append("decision", {"decision": "first"})
    lost = two.write_rows("source_counts", [{"source": "two", "count": 2}])
    one.share()
    with pytest.raises(WorkspaceBusy):
        two.share()
    assert lost.digest in names(bucket, "warehouse/source_counts")
    assert stray_paths(one, -LATER) == []  # the second may still be at work
    assert any(lost.digest in path for path in stray_paths(one))
    before = names(bucket, "warehouse")
    with bucket.open_output_stream(f"{BUCKET}/team/zh/notes/mine.txt") as stream:
        stream.write(b"not ours")
    upkeep = maintained(one)
    assert any(lost.digest in item.path for item in upkeep.strays)
    assert stray_paths(one) == []
    assert not names(bucket, "warehouse/source_counts")
    assert names(bucket, "notes") == {"mine.txt"}
    assert names(bucket, "warehouse") >= before - {"source_counts"}
    assert_whole(opened(machine(tmp_path, "third")).root)


def test_a_crash_before_the_deletes_leaves_nothing_for_good(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = opened(machine(tmp_path, "second"))
    gone = ArtifactRef("raw_pairs", names(bucket, "warehouse/raw_pairs").pop(), 40)
    workspace.ledger.append("decision", {"decision": "purge", "purged": [gone.to_json()]})

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ObjectStore, "delete", crash)
        with pytest.raises(KeyboardInterrupt):
            workspace.share()
    assert gone.digest in names(bucket, "warehouse/raw_pairs")
    assert f"warehouse/raw_pairs/{gone.digest}/manifest.json" in stray_paths(workspace)
    maintained(workspace)
    assert gone.digest not in names(bucket, "warehouse/raw_pairs")


def test_a_stray_that_an_index_names_by_now_stays(refreshed: Path, bucket: fs.S3FileSystem) -> None:
    workspace = opened(refreshed)
    mirror = mirror_of(workspace.root)
    assert mirror is not None
    path = next(path for path in mirror.seen.artifacts if path.startswith("warehouse/words"))
    mirror.remove_strays([f"{path}/manifest.json"])
    assert Path(path).name in names(bucket, "warehouse/words")


def test_a_withdrawal_reaches_what_the_index_does_not_name(
    tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    folder = project_with_owl(tmp_path / "owl")
    edit(folder / "phrasenet.toml", 'path = "workspace"', f'path = "s3://{BUCKET}/owl"')
    workspace, _, _ = refresh_directly(folder / "phrasenet.toml")
    store = ObjectStore(f"s3://{BUCKET}/owl")
    withdrawn, other = f"state/{'a' * 64}", f"state/{'b' * 64}"
    store.put(withdrawn, OWN.encode())
    store.put(other, b"nothing of it")
    # A machine made something of the text and crashed before its push.
    crashed = open_workspace(tmp_path / "crashed", remote=f"s3://{BUCKET}/owl")
    made = crashed.write_rows("source_counts", [{"source": OWN, "count": 1}])
    _, receipt = take_out(folder, "tiny:owl-1")
    assert receipt.is_clean
    with crashed.lease():
        assert crashed.why_broken(made) is not None
    assert not any(made.digest in item.path for item in store.list())
    assert (receipt.objects_searched, receipt.objects_removed) == (2, 1)
    assert "2 objects in the bucket" in receipt_text(receipt)
    assert store.get(withdrawn) is None
    assert store.get(other) is not None
    for item in store.list():
        assert OWN.split("\t")[0].encode() not in (store.get(item.path) or (b"", ""))[0]


def retrain(settings_file: Path) -> tuple[Workspace, Run]:
    settings, workspace = open_settings(settings_file)
    with workspace.lease():
        run = Run(workspace, step_window(None, None))
        retrain_stages(run, settings)
    return workspace, run


@pytest.mark.slow
def test_a_model_that_one_machine_trained_is_every_machine_s(
    refreshed: Path, tmp_path: Path, bucket: fs.S3FileSystem
) -> None:
    second = machine(tmp_path, "second")
    for file in (refreshed, second):
        edit(file, "epochs = 5", "epochs = 1")
        edit(file, "[execution]", "[evaluation]\nbaselines = []\n\n[execution]")
    first, _ = retrain(refreshed)
    (model,) = first.registry.entries()
    assert names(bucket, "models") == {model.model_id}
    opened(second)
    workspace, run = retrain(second)
    assert run.counts["computed"] == 0
    assert [entry.model_id for entry in workspace.registry.entries()] == [model.model_id]
    assert workspace.read_bundle(model.ref)
    assert_whole(workspace.root)
