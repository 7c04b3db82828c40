"""A folder that somebody removes while it is written to: one clear error and no defect."""

import shutil
from pathlib import Path

import pytest

from storage import files
from storage.errors import WorkspaceError
from storage.files import READ, explained, partial_folder, write_bytes
from storage.moments import shown
from storage.result_files import ResultFiles

GONE = "No such file or directory. Something removed it while it was in use. Run the command again"


def test_a_folder_that_is_removed_between_write_and_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.write_flushed

    def removing(path: Path, data: bytes, *, mode: int = 0o666) -> None:
        real(path, data, mode=mode)
        shutil.rmtree(tmp_path / "results")

    monkeypatch.setattr(files, "write_flushed", removing)
    with pytest.raises(WorkspaceError, match=GONE):
        ResultFiles(tmp_path / "results").write("a.json", {"format": 1})


def test_a_removed_partial_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=GONE), partial_folder(tmp_path) as folder:  # noqa: PT012
        shutil.rmtree(folder)
        (folder / "part").write_bytes(b"")


def test_what_is_not_there_to_be_read_is_for_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), explained(READ, tmp_path):
        (tmp_path / "none").read_bytes()
    write_bytes(tmp_path / "new" / "file", b"made")
    assert (tmp_path / "new" / "file").read_bytes() == b"made"


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("2026-11-30T15:06:34.123+00:00", "2026-11-30T15:06:34Z"),
        ("2026-11-30T16:06:34+01:00", "2026-11-30T15:06:34Z"),
        ("2026-11-30T15:06:34", "2026-11-30T15:06:34Z"),
        ("", ""),
    ],
)
def test_times_are_shown_in_utc_and_say_so(time: str, text: str) -> None:
    assert shown(time) == text
