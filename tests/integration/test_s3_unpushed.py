"""What a machine made for a workspace on S3 and did not push before something was withdrawn."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from storage.datasets import ArtifactRef
from storage.mirror import mirror_of
from storage.step_cache import CacheEntry, StepCache
from storage.visiting import deliver, note_arrived
from storage.workspace import Workspace, open_workspace
from tests.integration.s3_server import s3_bucket

BUCKET = "unpushed"


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    with s3_bucket(BUCKET):
        yield


@dataclass(frozen=True)
class Unpushed:
    """What a machine made and did not push before it crashed."""

    workspace: Workspace
    made: ArtifactRef
    arrived: ArtifactRef
    """What a worker put into the bucket for it."""

    def crash(self) -> None:
        workspace = self.workspace
        entry = CacheEntry({"outputs": [self.made.to_json()]}, [self.made.to_json()])
        StepCache(workspace.root).put("count", "0" * 32, entry)
        workspace.checkpoints.put("1" * 32, {"state": b"half"}, about={}, keep=1)
        deliver(workspace, [self.arrived])
        note_arrived(workspace, [self.arrived])
        shutil.rmtree(workspace.folder_of(self.arrived))


def what_is_left(found: Unpushed) -> dict[str, bool]:
    """Say what of it the machine still has, and pushes."""
    with found.workspace.lease():
        pass
    mirror, workspace = mirror_of(found.workspace.root), found.workspace
    assert mirror is not None
    assert workspace.checkpoints.get("1" * 32) == {"state": b"half"}
    named = {Path(path).name for path in mirror.seen.artifacts}
    return {
        "made": workspace.why_broken(found.made) is None and found.made.digest in named,
        "arrived": workspace.why_broken(found.arrived) is None and found.arrived.digest in named,
        "cached": StepCache(workspace.root).get("count", "0" * 32) is not None,
    }


@pytest.mark.parametrize(
    ("decision", "is_kept"),
    [("withdraw", False), ("purge", False), ("receipt", False), ("maintain", True)],
)
def test_what_was_not_pushed_before_a_withdrawal_elsewhere_is_dropped(
    tmp_path: Path, decision: str, is_kept: bool
) -> None:
    place = f"s3://{BUCKET}/{decision}"
    workspace = open_workspace(tmp_path / "one", remote=place)
    with workspace.lease():
        workspace.ledger.append("decision", {"decision": "first"})
    rows = [[{"source": name, "count": 1}] for name in ("made", "arrived")]
    found = Unpushed(workspace, *(workspace.write_rows("source_counts", row) for row in rows))
    found.crash()
    other = open_workspace(tmp_path / "two", remote=place)
    with other.lease():
        other.ledger.append("decision", {"decision": decision, "purged": []})
    assert what_is_left(found) == dict.fromkeys(("made", "arrived", "cached"), is_kept)


def test_what_one_machine_kept_is_dropped_once_for_one_withdrawal(tmp_path: Path) -> None:
    one, two = (open_workspace(tmp_path / n, remote=f"s3://{BUCKET}/once") for n in ("one", "two"))
    with two.lease():
        two.ledger.append("decision", {"decision": "withdraw", "purged": []})
    with one.lease():
        pass
    later = one.write_rows("source_counts", [{"source": "later", "count": 1}])
    with two.lease():
        two.ledger.append("decision", {"decision": "something else"})
    with one.lease():
        assert one.why_broken(later) is None
