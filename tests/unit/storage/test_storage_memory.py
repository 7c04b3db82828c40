"""Snapshots are immutable, HEAD names the current one, and a crash in between is survived."""

import json
from pathlib import Path

import pytest

from storage import memory as memory_module
from storage.datasets import ArtifactRef
from storage.errors import InputError, MissingArtifact
from storage.files import write_bytes
from storage.memory import PhraseMemory, Snapshot
from tests.support import flip_byte


def snapshot(number: int) -> Snapshot:
    return Snapshot(
        ArtifactRef("phrases", f"{number:032d}", number), ArtifactRef("evidence", "e" * 32, 1)
    )


@pytest.fixture
def memory(tmp_path: Path) -> PhraseMemory:
    return PhraseMemory(tmp_path)


def names(memory: PhraseMemory) -> list[str]:
    return [entry.snapshot_id for entry in memory.history()]


def test_nothing_is_current_before_the_first_publication(memory: PhraseMemory) -> None:
    assert memory.head() is None
    assert memory.history() == []


def test_publishing_moves_head_and_is_remembered(memory: PhraseMemory) -> None:
    one, two = snapshot(1), snapshot(2)
    assert memory.publish(one, reason="first")
    assert not memory.publish(one, reason="again")
    assert memory.publish(two, reason="second")
    assert memory.head() == two
    assert names(memory) == [one.snapshot_id, two.snapshot_id]
    assert [entry.reason for entry in memory.history()] == ["first", "second"]


def test_rolling_back_is_a_publication_of_its_own(memory: PhraseMemory) -> None:
    one, two = snapshot(1), snapshot(2)
    for item in (one, two, one):
        memory.publish(item, reason="")
    assert memory.head() == one
    assert names(memory) == [one.snapshot_id, two.snapshot_id, one.snapshot_id]
    assert [entry.sequence for entry in memory.history()] == [0, 1, 2]


def test_stored_snapshots_are_found_by_the_beginning_of_their_id(memory: PhraseMemory) -> None:
    one = snapshot(1)
    memory.store(one)
    assert memory.snapshot(one.snapshot_id[:8]) == one
    assert memory.head() is None


@pytest.mark.parametrize("prefix", ["", "zz", "*", "?", "[0-9a-f]"])
def test_an_id_that_names_no_snapshot_is_a_users_mistake(memory: PhraseMemory, prefix: str) -> None:
    memory.store(snapshot(1))
    with pytest.raises(InputError, match="0 snapshots.*phrasenet memory history"):
        memory.snapshot(prefix)


def test_an_id_that_names_two_snapshots_is_a_users_mistake(memory: PhraseMemory) -> None:
    seen: dict[str, int] = {}
    for number in range(17):
        memory.store(snapshot(number))
        first = snapshot(number).snapshot_id[0]
        seen[first] = seen.get(first, 0) + 1
    prefix = next(first for first, count in seen.items() if count > 1)
    with pytest.raises(InputError, match=f"{seen[prefix]} snapshots"):
        memory.snapshot(prefix)


def test_a_crash_between_history_and_head_is_survived(
    memory: PhraseMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = snapshot(1), snapshot(2)
    memory.publish(one, reason="first")
    really = write_bytes

    def crash_at_head(path: Path, data: bytes) -> None:
        if path.name == "HEAD":
            raise KeyboardInterrupt
        really(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(memory_module, "write_bytes", crash_at_head)
        with pytest.raises(KeyboardInterrupt):
            memory.publish(two, reason="second")
    assert memory.head() == one
    assert memory.publish(two, reason="again")
    assert memory.head() == two
    assert names(memory) == [one.snapshot_id, two.snapshot_id]


def test_after_such_a_crash_the_old_snapshot_can_be_published_again(
    memory: PhraseMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = snapshot(1), snapshot(2)
    memory.publish(one, reason="first")
    really = write_bytes

    def crash_at_head(path: Path, data: bytes) -> None:
        if path.name == "HEAD":
            raise KeyboardInterrupt
        really(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(memory_module, "write_bytes", crash_at_head)
        with pytest.raises(KeyboardInterrupt):
            memory.publish(two, reason="second")
    memory.publish(one, reason="third")
    assert memory.head() == one
    assert names(memory)[-1] == one.snapshot_id


@pytest.mark.parametrize("head", [b"", b"odd", b"\xff\xfe\x00", b"a" * 5000, b"../x", b"*"])
def test_a_damaged_head_is_told(memory: PhraseMemory, tmp_path: Path, head: bytes) -> None:
    memory.publish(snapshot(1), reason="first")
    (path,) = tmp_path.rglob("HEAD")
    path.write_bytes(head)
    with pytest.raises(MissingArtifact, match="HEAD names the snapshot .* which is not there"):
        memory.head()


@pytest.mark.parametrize("damage", ["flip", "remove", "empty"])
def test_a_damaged_current_snapshot_is_told_and_healed(
    memory: PhraseMemory, tmp_path: Path, damage: str
) -> None:
    one = snapshot(1)
    memory.publish(one, reason="first")
    path = tmp_path / "memory" / "snapshots" / f"{one.snapshot_id}.json"
    if damage == "remove":
        path.unlink()
    elif damage == "empty":
        path.write_bytes(b"[]")
    else:
        flip_byte(path, path.read_bytes().index(b"eee"))
    with pytest.raises(MissingArtifact, match="phrasenet refresh"):
        memory.head()
    memory.publish(one, reason="again")
    assert memory.head() == one
    assert len(memory.history()) == 1


@pytest.fixture
def dated(memory: PhraseMemory, tmp_path: Path) -> PhraseMemory:
    """Publish three snapshots, in the middle of January, February and March."""
    for number in (1, 2, 3):
        memory.publish(snapshot(number), reason="")
        path = tmp_path / "memory" / "history" / f"{number - 1:08d}.json"
        entry = json.loads(path.read_bytes())
        entry["time"] = f"2016-0{number}-15T12:00:00+00:00"
        path.write_text(json.dumps(entry))
    return memory


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2016-01-15", 1),
        ("2016-02-14", 1),
        ("2016-02-15", 2),
        ("2016-02-15T11:59", 1),
        ("2016-02-15T12:00:00+00:00", 2),
        ("2016-02-15T13:30+02:00", 1),
        ("2017-01-01", 3),
    ],
)
def test_a_date_names_what_was_current_at_its_end(
    dated: PhraseMemory, text: str, number: int
) -> None:
    assert dated.as_of(text) == snapshot(number)


def test_the_beginning_of_an_id_is_no_date(dated: PhraseMemory) -> None:
    assert dated.as_of(snapshot(2).snapshot_id[:10]) == snapshot(2)


def test_before_the_first_snapshot_there_was_nothing(dated: PhraseMemory) -> None:
    with pytest.raises(InputError, match="The first snapshot is of 2016-01-15T12:00:00Z"):
        dated.as_of("2016-01-14")
    with pytest.raises(InputError, match="9999-01-01 lies in the future"):
        dated.as_of("9999-01-01")
    with pytest.raises(InputError, match="is no date or time"):
        dated.as_of("2016-02-30")


@pytest.mark.parametrize("text", ["", "-1", "tomorrow", "10000-01-01", "01.02.2016", "3FA9"])
def test_what_is_neither_an_id_nor_a_date_is_told_the_forms(dated: PhraseMemory, text: str) -> None:
    with pytest.raises(InputError, match=f"^'{text}' is neither .* as 3fa9c2, 2026-03-01 or 2026"):
        dated.as_of(text)


def test_a_time_without_its_zone_is_damage(memory: PhraseMemory, tmp_path: Path) -> None:
    memory.publish(snapshot(1), reason="first")
    (path,) = (tmp_path / "memory" / "history").glob("*.json")
    entry = json.loads(path.read_bytes())
    path.write_text(json.dumps(entry | {"time": "2026-01-02T03:04:05"}))
    with pytest.raises(MissingArtifact, match=r"is damaged: time is '2026-01-02T03:04:05'"):
        memory.as_of("2016-03-01")
