"""Results of experiments that somebody damaged: each is one clear error."""

from pathlib import Path

import pytest

from storage.errors import WorkspaceError
from storage.result_files import ResultFiles

RESULT = {"format": 1, "digest": "0"}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    files = ResultFiles(tmp_path)
    assert files.read("a.json") is None
    files.write("a.json", RESULT)
    assert files.read("a.json") == RESULT


def test_a_folder_in_place_of_a_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "cells" / "a.json").mkdir(parents=True)
    with pytest.raises(WorkspaceError, match="A file was expected and a folder is there"):
        ResultFiles(tmp_path).read("a.json")


def test_a_folder_that_cannot_be_is_found_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "cells").write_text("in the way")
    with pytest.raises(WorkspaceError, match="A folder was expected and a file is there"):
        ResultFiles(tmp_path).prepare()


def test_preparing_leaves_nothing_but_the_folder(tmp_path: Path) -> None:
    files = ResultFiles(tmp_path / "results")
    files.prepare()
    files.prepare()
    assert list((tmp_path / "results" / "cells").iterdir()) == []
