"""Queries of one question share a connection, and answer as each with its own."""

from pathlib import Path

import pyarrow as pa
import pytest

from storage.asking import asking
from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.workspace import Workspace, open_workspace

ALL = "SELECT * FROM {} ORDER BY ALL"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


def table(workspace: Workspace, *hashes: str) -> ArtifactRef:
    return workspace.write_rows("tombstones", [{"kind": "line", "hash": text} for text in hashes])


def hashes(workspace: Workspace, name: str, *refs: ArtifactRef) -> list[str]:
    return [row["hash"] for row in workspace.query(ALL.format(name), {name: refs})]


def test_a_name_stands_for_what_the_query_names(workspace: Workspace) -> None:
    first, second = table(workspace, "a", "b"), table(workspace, "c")
    with asking(workspace) as asked:
        for _ in range(2):
            assert hashes(asked, "rows", first) == ["a", "b"]
            assert hashes(asked, "rows", second) == ["c"]
            assert hashes(asked, "rows", first, second) == ["a", "b", "c"]
            assert hashes(asked, "others", first) == ["a", "b"]


def test_a_query_sees_no_table_of_the_one_before(workspace: Workspace) -> None:
    ref = table(workspace, "a")
    with asking(workspace) as asked:
        assert hashes(asked, "rows", ref) == ["a"]
        with pytest.raises(Exception, match="rows does not exist"):
            asked.query(ALL.format("rows"), {"others": ref})
        assert hashes(asked, "rows", ref) == ["a"]


def test_rows_in_memory_and_files_take_turns(workspace: Workspace) -> None:
    ref = table(workspace, "a")
    with asking(workspace) as asked:
        assert asked.connection is not None
        for text in ("x", "y"):
            for _ in range(2):
                with asked.connection.over({"rows": pa.table({"hash": [text]})}) as connection:
                    assert connection.sql("SELECT hash FROM rows").fetchall() == [(text,)]
            assert hashes(asked, "rows", ref) == ["a"]


def test_rows_in_memory_are_hidden_from_the_next_query(workspace: Workspace) -> None:
    with asking(workspace) as asked:
        assert asked.connection is not None
        with asked.connection.over({"rows": pa.table({"hash": ["x"]})}):
            pass
        with pytest.raises(Exception, match="rows does not exist"):
            asked.query(ALL.format("rows"), {})


def test_a_stream_that_is_still_read_is_not_disturbed(workspace: Workspace) -> None:
    ref = table(workspace, *map(str, range(10)))
    with asking(workspace) as asked:
        rows = asked.stream(ALL.format("rows"), {"rows": ref})
        first = next(rows)["hash"]
        assert len(hashes(asked, "rows", ref)) == 10
        assert [first, *(row["hash"] for row in rows)] == list(map(str, range(10)))


def test_a_damaged_file_is_named_and_the_next_query_answers(workspace: Workspace) -> None:
    good, bad = table(workspace, "a"), table(workspace, "b")
    path = next(workspace.folder_of(bad).glob("*.parquet"))
    path.write_bytes(b"no table")
    with asking(workspace) as asked:
        with pytest.raises(MissingArtifact, match="missing or damaged"):
            hashes(asked, "rows", bad)
        assert hashes(asked, "rows", good) == ["a"]


def test_nothing_is_left_and_a_question_without_query_opens_nothing(workspace: Workspace) -> None:
    ref = table(workspace, "a")
    with asking(workspace) as asked:
        assert asked == workspace
        assert not (workspace.root / "tmp").exists()
        hashes(asked, "rows", ref)
        assert list((workspace.root / "tmp").iterdir())
    assert list((workspace.root / "tmp").iterdir()) == []
