"""Machines that lend their processors to a workspace on S3: artifacts by digest, and no state."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage import remote_lease
from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact, WorkspaceBusy, WorkspaceError
from storage.mirror import Mirror, mirror_of
from storage.object_store import ObjectStore
from storage.visiting import (
    Place,
    deliver,
    is_any_lost,
    lease_of,
    note_arrived,
    note_lost,
    place_of,
    visit,
)
from storage.workspace import Workspace, open_workspace
from tests.integration.s3_server import s3_bucket
from tests.support import write_counts

BUCKET = "visited"
MANIFEST = "manifest.json"


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    with s3_bucket(BUCKET):
        yield


@pytest.fixture
def driver(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "driver", remote=f"s3://{BUCKET}/{tmp_path.name}")


@pytest.fixture
def visitor(driver: Workspace, tmp_path: Path) -> Workspace:
    place = place_of(driver)
    assert place is not None
    return visit(place, tmp_path / "visitor")


def mirror(workspace: Workspace) -> Mirror:
    found = mirror_of(workspace.root)
    assert found is not None
    return found


def path_of(ref: ArtifactRef) -> str:
    return f"warehouse/{ref.kind}/{ref.digest}"


def sent(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Hear which objects are written from now on."""
    heard: list[str] = []
    put = ObjectStore.put

    def telling(store: ObjectStore, path: str, data: bytes) -> None:
        heard.append(path)
        put(store, path, data)

    monkeypatch.setattr(ObjectStore, "put", telling)
    return heard


def test_a_folder_of_this_machine_is_no_place(tmp_path: Path) -> None:
    assert place_of(open_workspace(tmp_path / "here")) is None


def test_a_visitor_reads_what_no_index_names_yet(driver: Workspace, visitor: Workspace) -> None:
    ref = write_counts(driver)
    assert visitor.why_broken(ref) is not None
    deliver(driver, [ref])
    assert visitor.why_broken(ref) is None
    assert list(visitor.read_rows(ref)) == list(driver.read_rows(ref))
    assert not mirror(driver).seen.artifacts


def test_what_a_visitor_delivers_is_the_driver_s_before_and_after_the_push(
    driver: Workspace, visitor: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = write_counts(visitor)
    deliver(visitor, [ref])
    assert driver.why_broken(ref) is not None
    note_arrived(driver, [ref])
    assert driver.why_broken(ref) is None
    assert list(driver.read_rows(ref)) == list(visitor.read_rows(ref))
    heard = sent(driver, monkeypatch)
    with driver.lease():
        pass
    assert not any(path.startswith(path_of(ref)) for path in heard), "it was there already"
    assert not mirror(driver).arrived
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)
    assert other.why_broken(ref) is None
    assert list(other.read_rows(ref)) == list(visitor.read_rows(ref))


def test_what_is_there_is_not_sent_again(
    driver: Workspace, visitor: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = write_counts(driver)
    deliver(driver, [ref])
    heard = sent(driver, monkeypatch)
    assert write_counts(visitor) == ref
    deliver(visitor, [ref])
    deliver(driver, [ref])
    assert heard == []


def test_half_of_an_artifact_is_none_and_the_next_visitor_completes_it(
    driver: Workspace, visitor: Workspace, tmp_path: Path
) -> None:
    ref = write_counts(visitor)
    part = next(p for p in visitor.folder_of(ref).iterdir() if p.name != MANIFEST)
    store = ObjectStore(mirror(driver).url)
    store.put(f"{path_of(ref)}/{part.name}", part.read_bytes()[:7])
    again = visit(Place(mirror(driver).url, driver.engine), tmp_path / "again")
    assert again.why_broken(ref) is not None
    assert write_counts(again) == ref
    deliver(again, [ref])
    assert list(visitor.read_rows(ref)) == list(again.read_rows(ref))
    note_arrived(driver, [ref])
    assert list(driver.read_rows(ref)) == list(again.read_rows(ref))


def test_what_was_removed_before_the_push_is_not_taken_for_there(
    driver: Workspace, visitor: Workspace
) -> None:
    ref, kept = write_counts(visitor), write_counts(visitor, 4)
    deliver(visitor, [ref, kept])
    note_arrived(driver, [ref, kept])
    ObjectStore(mirror(driver).url).delete([f"{path_of(ref)}/{MANIFEST}"])
    mirror(driver).pull()
    assert mirror(driver).arrived == {path_of(kept)}
    with driver.lease():
        pass
    assert path_of(kept) in mirror(driver).seen.artifacts
    assert path_of(ref) not in mirror(driver).seen.artifacts


def test_what_was_purged_before_the_push_goes_from_the_bucket(
    driver: Workspace, visitor: Workspace
) -> None:
    ref = write_counts(visitor)
    deliver(visitor, [ref])
    note_arrived(driver, [ref])
    mirror(driver).remove([path_of(ref)])
    assert driver.why_broken(ref) is not None
    with driver.lease():
        driver.ledger.append("decision", {"decision": "purge", "purged": [ref.to_json()]})
    assert not ObjectStore(mirror(driver).url).has(f"{path_of(ref)}/{MANIFEST}")


def test_a_visitor_has_no_state(driver: Workspace, visitor: Workspace) -> None:
    with driver.lease():
        driver.ledger.append("decision", {"decision": "first"})
    assert not list(visitor.ledger.records())
    assert not (visitor.root / "ledger").exists()


def test_damage_on_the_way_is_told(driver: Workspace, visitor: Workspace) -> None:
    ref = write_counts(driver)
    deliver(driver, [ref])
    part = next(p for p in driver.folder_of(ref).iterdir() if p.name != MANIFEST)
    ObjectStore(mirror(driver).url).put(f"{path_of(ref)}/{part.name}", b"other bytes")
    with pytest.raises(WorkspaceError, match="is not as it was written"):
        list(visitor.read_rows(ref))


def test_a_part_that_is_gone_is_sent_again(driver: Workspace, visitor: Workspace) -> None:
    ref = write_counts(visitor)
    deliver(visitor, [ref])
    note_arrived(driver, [ref])
    store = ObjectStore(mirror(driver).url)
    part = next(p for p in visitor.folder_of(ref).iterdir() if p.name != MANIFEST)
    store.delete([f"{path_of(ref)}/{part.name}"])
    mirror(driver).pull()
    assert not mirror(driver).arrived
    deliver(visitor, [ref])
    note_arrived(driver, [ref])
    assert list(driver.read_rows(ref)) == list(visitor.read_rows(ref))


def test_what_was_purged_and_is_made_again_is_there_again(
    driver: Workspace, visitor: Workspace
) -> None:
    ref = write_counts(visitor)
    mirror(driver).remove([path_of(ref)])
    deliver(visitor, [ref])
    note_arrived(driver, [ref])
    assert driver.why_broken(ref) is None
    with driver.lease():
        driver.ledger.append("decision", {"decision": "again"})
    assert path_of(ref) in mirror(driver).seen.artifacts


def test_what_another_machine_purged_does_not_come_back_with_a_note_of_before(
    driver: Workspace, tmp_path: Path
) -> None:
    ref = write_counts(driver)
    with driver.lease():
        driver.ledger.append("decision", {"decision": "made"})
    note_arrived(driver, [ref])  # as what calls read is noted; then this machine crashes
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)
    with other.lease():
        other.ledger.append("decision", {"decision": "purge", "purged": [ref.to_json()]})
    # A crash of the other machine, too, would have left the objects.
    store = ObjectStore(mirror(driver).url)
    for path in driver.folder_of(ref).iterdir():
        store.put(f"{path_of(ref)}/{path.name}", path.read_bytes())
    with driver.lease():
        driver.ledger.append("decision", {"decision": "later"})
    assert path_of(ref) not in mirror(driver).seen.artifacts


def test_who_works_for_a_lease_that_has_gone_delivers_nothing(
    driver: Workspace, visitor: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, late, later = (write_counts(visitor, number) for number in (3, 4, 5))
    with driver.lease():
        holder = lease_of(driver)
        deliver(visitor, [first], holder)
    store = ObjectStore(mirror(driver).url)
    assert store.has(f"{path_of(first)}/{MANIFEST}")
    heard = sent(visitor, monkeypatch)
    with pytest.raises(WorkspaceBusy, match=r"no longer holds the lease of s3://visited"):
        deliver(visitor, [late], holder)  # its driver ended
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)
    with other.lease(), pytest.raises(WorkspaceBusy, match="Run the command again"):
        deliver(visitor, [later], holder)  # and another machine is at work
    assert heard == []


def test_the_id_of_a_holder_outlives_renewals_and_not_the_lease(
    driver: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_lease, "RENEW_SECONDS", 0.02)
    store = ObjectStore(mirror(driver).url)
    with driver.lease():
        holder, tags = lease_of(driver), set[str]()
        deadline = time.monotonic() + 10
        while len(tags) < 2 and time.monotonic() < deadline:
            tags.add((store.get(remote_lease.LEASE) or (b"", ""))[1])
        assert len(tags) == 2, "the lease was not renewed"
        assert remote_lease.is_held(store, holder)
    assert not remote_lease.is_held(store, holder)
    with driver.lease():
        assert lease_of(driver) != holder


def test_a_writer_that_lost_its_lease_sends_nothing(driver: Workspace, tmp_path: Path) -> None:
    store = ObjectStore(mirror(driver).url)
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)

    def sleep_too_long() -> None:
        with driver.lease():
            write_counts(driver)
            dead = {"process": 1, "host": "gone", "until": 0}
            store.put(remote_lease.LEASE, json.dumps(dead).encode())
            with other.lease():
                pass

    with pytest.raises(WorkspaceBusy, match="no longer holds the lease"):
        sleep_too_long()
    assert not any(item.path.startswith("warehouse/") for item in store.list())


def lose_part(workspace: Workspace, ref: ArtifactRef) -> None:
    """Take a file of an artifact out of the bucket."""
    part = next(p for p in workspace.folder_of(ref).iterdir() if p.name != MANIFEST)
    ObjectStore(mirror(workspace).url).delete([f"{path_of(ref)}/{part.name}"])


@pytest.fixture
def named(driver: Workspace) -> ArtifactRef:
    """Return an artifact that the index names."""
    with driver.lease():
        ref = write_counts(driver)
    assert path_of(ref) in mirror(driver).seen.artifacts
    return ref


def test_what_the_bucket_lost_is_delivered_again_from_here(
    driver: Workspace, visitor: Workspace, named: ArtifactRef
) -> None:
    lose_part(driver, named)
    deliver(driver, [named])
    with pytest.raises(MissingArtifact):
        list(visitor.read_rows(named))
    note_lost(driver, [named])  # as the driver does when a worker missed something
    assert is_any_lost(driver, [named])
    deliver(driver, [named])
    note_arrived(driver, [named])
    assert list(visitor.read_rows(named)) == list(driver.read_rows(named))
    assert not is_any_lost(driver, [named])


def test_what_the_bucket_lost_is_missing_made_again_and_pushed(
    driver: Workspace, named: ArtifactRef, tmp_path: Path
) -> None:
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)
    lose_part(driver, named)
    assert other.why_broken(named) is None  # so says the index
    with pytest.raises(MissingArtifact):
        list(other.read_rows(named))
    assert other.why_broken(named) is not None, "the next run has to make it again"
    with other.lease():
        assert other.why_broken(named) is not None
        assert write_counts(other) == named
    third = open_workspace(tmp_path / "third", remote=mirror(driver).url)
    assert list(third.read_rows(named)) == list(driver.read_rows(named))
    assert not mirror(other).lost


def test_what_is_damaged_here_is_not_sent_for_what_the_bucket_lost(
    driver: Workspace, named: ArtifactRef
) -> None:
    lose_part(driver, named)
    note_lost(driver, [named])
    part = next(p for p in driver.folder_of(named).iterdir() if p.name != MANIFEST)
    part.write_bytes(b"other bytes")
    with driver.lease():
        deliver(driver, [named])
    assert not ObjectStore(mirror(driver).url).has(f"{path_of(named)}/{part.name}")
    assert is_any_lost(driver, [named])


def test_what_another_machine_sent_again_is_lost_no_more(
    driver: Workspace, named: ArtifactRef, tmp_path: Path
) -> None:
    other = open_workspace(tmp_path / "other", remote=mirror(driver).url)
    lose_part(driver, named)
    for workspace in (driver, other):
        note_lost(workspace, [named])
    with driver.lease():
        pass
    with other.lease():
        assert other.why_broken(named) is None
