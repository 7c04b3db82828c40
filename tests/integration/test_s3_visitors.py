"""Machines that lend their processors to a workspace on S3: artifacts by digest, and no state."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import fs

from storage.datasets import ArtifactRef
from storage.errors import WorkspaceError
from storage.mirror import Mirror, mirror_of
from storage.object_store import ObjectStore
from storage.visiting import Place, deliver, note_arrived, place_of, visit
from storage.workspace import Workspace, open_workspace
from tests.integration.s3_server import REGION, credentials, s3_server
from tests.support import write_counts

BUCKET = "visited"
MANIFEST = "manifest.json"


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    with s3_server() as endpoint, pytest.MonkeyPatch.context() as patch:
        for name, value in credentials(endpoint).items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL_S3", raising=False)
        fs.S3FileSystem(
            endpoint_override=endpoint.removeprefix("http://"),
            scheme="http",
            region=REGION,
            allow_bucket_creation=True,
        ).create_dir(BUCKET)
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
