"""A text is found in whatever file of a workspace it stands."""

import json
import re
from pathlib import Path

import pytest

from storage.search import Search
from storage.workspace import Workspace

TEXT = "The blue windmill sings, an old song."


def fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def places(workspace: Workspace, *texts: str) -> list[str]:
    _, paths = Search(texts, fold).files_below(workspace.root)
    return [path.parent.parent.name for path in paths]


def test_it_is_found_in_plain_nested_and_word_by_word_columns(workspace: Workspace) -> None:
    workspace.write_rows("listed", [{"source": "一", "target": f"He said: {TEXT}"}])
    assert places(workspace, TEXT) == ["listed"]
    line = {"sentence_id": "a", "testset": "t", "position": 0, "source": "一"}
    workspace.write_rows("test_lines", [line | {"references": TEXT.split()}])
    assert places(workspace, TEXT) == ["listed", "test_lines"]


def test_two_cells_are_not_one_text(workspace: Workspace) -> None:
    workspace.write_rows(
        "listed",
        [
            {"source": "一", "target": "The blue windmill sings,"},
            {"source": "二", "target": "an old song."},
        ],
    )
    assert places(workspace, TEXT) == []


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        json.dumps({"text": TEXT.replace("blue", "blue")}).encode(),
        b"\xff\x00" + TEXT.encode() + b"\xfe",
        b"x" * ((1 << 23) - 10) + TEXT.encode(),
        b"PAR1" + TEXT.encode(),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "b.parquet"])
def test_it_is_found_in_any_file(workspace: Workspace, data: bytes, name: str) -> None:
    path = workspace.root / "some" / "where" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert Search([TEXT], fold).files_below(workspace.root)[1] == [path]
    assert Search([TEXT], fold).files_below(workspace.root, but=[path.parent])[1] == []
    assert Search(["another text"], fold).files_below(workspace.root)[1] == []


def test_escaped_chinese_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"text": "蓝色风车唱歌"}))
    assert Search(["蓝色风车唱歌"], fold).files_below(tmp_path)[1] == [tmp_path / "a.json"]


def test_nothing_to_look_for_is_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    assert Search(["", " . "], fold).files_below(tmp_path) == (1, [])
