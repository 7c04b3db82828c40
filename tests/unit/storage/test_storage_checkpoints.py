"""Checkpoints replace each other, and a broken one gives way to the one before."""

import json
from pathlib import Path

import pytest

from storage import checkpoints as checkpoints_module
from storage.checkpoints import Checkpoints
from tests.support import files_below, flip_byte


def put(checkpoints: Checkpoints, data: bytes, key: str = "key", keep: int = 1) -> None:
    checkpoints.put(key, {"weights": data}, about={"data": data.decode()}, keep=keep)


def folders(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "warehouse" / "checkpoint").glob("*"))


def test_the_newest_checkpoint_comes_back_and_the_older_is_gone(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    assert checkpoints.get("key") is None
    put(checkpoints, b"1")
    put(checkpoints, b"2")
    assert checkpoints.get("key") == {"weights": b"2"}
    assert checkpoints.get("other") is None
    assert len(folders(tmp_path)) == 1


def test_putting_the_same_checkpoint_again_keeps_it(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    put(checkpoints, b"1")
    put(checkpoints, b"1")
    assert checkpoints.get("key") == {"weights": b"1"}


def test_a_dropped_checkpoint_leaves_nothing(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    put(checkpoints, b"1")
    checkpoints.drop("key")
    checkpoints.drop("key")
    assert checkpoints.get("key") is None
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("damage", ["weights", "manifest", "pointer", "empty pointer"])
def test_a_broken_checkpoint_is_none_and_can_be_replaced(tmp_path: Path, damage: str) -> None:
    checkpoints = Checkpoints(tmp_path)
    put(checkpoints, b"1")
    folder = tmp_path / "warehouse" / "checkpoint" / folders(tmp_path)[0]
    pointer = tmp_path / "checkpoints" / "key.json"
    if damage == "pointer":
        pointer.write_bytes(b"null")
    elif damage == "empty pointer":
        pointer.write_bytes(b"")
    elif damage == "manifest":
        (folder / "manifest.json").unlink()
    else:
        flip_byte(folder / "weights", 0)
    assert checkpoints.get("key") is None
    put(checkpoints, b"2")
    assert checkpoints.get("key") == {"weights": b"2"}


def test_a_crash_while_a_checkpoint_is_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints = Checkpoints(tmp_path)
    put(checkpoints, b"1")

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints_module, "write_bytes", crash)
    with pytest.raises(KeyboardInterrupt):
        put(checkpoints, b"2")
    assert checkpoints.get("key") == {"weights": b"1"}


def test_the_newest_whole_checkpoint_is_taken_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checkpoints = Checkpoints(tmp_path)
    seen: dict[str, str] = {}
    for data in (b"1", b"2", b"3"):
        put(checkpoints, data, keep=2)
        (new,) = set(folders(tmp_path)) - seen.keys()
        seen[new] = data.decode()
    assert sorted(seen[name] for name in folders(tmp_path)) == ["2", "3"]
    (newest,) = [name for name in folders(tmp_path) if seen[name] == "3"]
    flip_byte(tmp_path / "warehouse" / "checkpoint" / newest / "weights", 0)
    assert checkpoints.get("key") == {"weights": b"2"}
    assert "A checkpoint is damaged" in caplog.text
    assert newest in caplog.text
    put(checkpoints, b"3", keep=2)
    assert checkpoints.get("key") == {"weights": b"3"}


def test_what_no_pointer_names_is_swept_away(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.sweep()
    put(checkpoints, b"1")
    put(checkpoints, b"2", "other")
    (tmp_path / "checkpoints" / "other.json").unlink()
    checkpoints.sweep()
    assert checkpoints.get("key") == {"weights": b"1"}
    assert len(folders(tmp_path)) == 1
    assert checkpoints.all_about() == {"key": {"data": "1"}}


def test_a_pointer_of_the_older_form_is_read(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    put(checkpoints, b"1")
    pointer = tmp_path / "checkpoints" / "key.json"
    pointer.write_text(json.dumps(json.loads(pointer.read_text())["kept"][0]))
    assert checkpoints.get("key") == {"weights": b"1"}
    assert checkpoints.all_about() == {"key": {}}
