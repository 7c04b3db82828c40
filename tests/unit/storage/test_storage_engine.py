"""Engines are used again, one query at a time, and keep nothing of the query before."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from storage import engine, numbered, writing
from storage.engine import EngineConfig
from storage.errors import WorkspaceError
from storage.numbered import Numbered
from storage.workspace import Workspace, open_workspace
from tests.support import phrase_counts, write_counts

CONFIG = EngineConfig(query_threads=1)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Return a workspace of a process that has run no query yet."""
    engine._idle.clear()
    return open_workspace(tmp_path / "workspace", CONFIG)


def idle() -> list[duckdb.DuckDBPyConnection]:
    return [connection for kept in engine._idle.values() for connection in kept]


def test_an_engine_is_used_again_and_knows_no_table_of_before(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    assert len(workspace.query("SELECT * FROM counts", {"counts": ref})) == 3
    (first,) = idle()
    with pytest.raises(duckdb.CatalogException):
        first.sql("SELECT * FROM counts")
    assert len(workspace.query("SELECT * FROM others", {"others": ref})) == 3
    assert idle() == [first]


def test_a_query_within_a_query_has_an_engine_of_its_own(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    inside = workspace.stream("SELECT * FROM counts ORDER BY source", {"counts": ref})
    next(inside)
    others = write_counts(workspace, 5)
    assert len(workspace.query("SELECT * FROM counts", {"counts": others})) == 5
    assert len(list(inside)) == 2
    assert len(idle()) == 2


def test_registered_tables_are_let_go(workspace: Workspace) -> None:
    table = pa.table({"number": [1, 2]})
    folder = workspace.root / "tmp" / "x"
    with engine.opened({"numbers": table}, CONFIG, folder) as connection:
        assert connection.sql("SELECT SUM(number) FROM numbers").fetchall() == [(3,)]
    with engine.opened({}, CONFIG, folder) as connection, pytest.raises(duckdb.CatalogException):
        connection.sql("SELECT * FROM numbers")


def test_an_engine_that_failed_is_not_used_again(workspace: Workspace) -> None:
    poor = Workspace(workspace.root, EngineConfig(query_memory="1MB"))
    with pytest.raises(WorkspaceError, match="more than the 1MB"):
        poor.query("SELECT list(range) FROM range(3000000)", {})
    assert idle() == []


def test_an_engine_of_other_limits_is_another_one(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    for limit in ("500MB", "600MB"):
        limited = Workspace(workspace.root, EngineConfig(query_memory=limit))
        limited.query("SELECT * FROM counts", {"counts": ref})
    assert [len(kept) for kept in engine._idle.values() if kept] == [1, 1]


def test_no_more_engines_are_kept_than_a_few(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    open_queries = [workspace.stream("SELECT * FROM t", {"t": ref}) for _ in range(4)]
    for rows in open_queries:
        next(rows)
    assert all(len(list(rows)) == 2 for rows in open_queries)
    assert len(idle()) == engine._MOST_IDLE


def test_an_engine_that_read_much_is_closed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = write_counts(workspace)
    monkeypatch.setattr(engine, "_MOST_READ", 100)
    workspace.query("SELECT * FROM counts", {"counts": ref})
    assert idle() == []


def test_an_engine_spills_for_one_query_after_another(workspace: Workspace) -> None:
    small = Workspace(workspace.root, EngineConfig(query_memory="60MB", query_threads=1))
    sql = "SELECT COUNT(*) AS n FROM (SELECT range FROM range(3000000) ORDER BY hash(range))"
    assert [small.query(sql, {}) for _ in range(2)] == [[{"n": 3_000_000}]] * 2
    assert list((workspace.root / "tmp").glob("*")) == []


def test_rows_are_packed_piece_by_piece(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = workspace.write_rows("phrase_counts", phrase_counts(7))
    monkeypatch.setattr(writing, "_PACKED_ROWS", 3)
    again = workspace.write_rows("phrase_counts", iter(reversed(phrase_counts(7))))
    assert again == whole
    assert workspace.write_rows("phrase_counts", []).rows == 0


def test_groups_of_rows_are_as_long_however_the_rows_came(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_PACKED_ROWS", 3)
    monkeypatch.setattr(writing, "ROW_GROUP_ROWS", 4)
    rows = [{"source": f"{number:02}", "count": number} for number in range(10)]
    ref = workspace.write_rows("source_counts", rows)
    file = workspace.folder_of(ref) / "part-00000.parquet"
    groups = pq.ParquetFile(file).metadata
    assert [groups.row_group(n).num_rows for n in range(groups.num_row_groups)] == [4, 4, 2]
    assert workspace.write_rows("source_counts", reversed(rows)) == ref
    assert [row["count"] for row in workspace.read_rows(ref)] == list(range(10))


def test_rows_in_order_may_not_share_a_key(workspace: Workspace) -> None:
    row = {"source": "00", "count": 1}
    with pytest.raises(AssertionError, match="share a key"):
        workspace.write_rows("source_counts", [row, row])


@pytest.mark.parametrize("is_old", [False, True])
def test_tables_that_are_numbered_can_be_told_apart(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, is_old: bool
) -> None:
    parts: tuple[list[tuple[str, int]], ...] = ([("b", 2), ("z", 1)], [], [], [("a", 1)])
    refs = tuple(
        workspace.write_rows(
            "repeats", [{"pair_id": name, "first_id": str(number)} for name, number in part]
        )
        for part in parts
    )
    if is_old:  # such tables are lifted, in memory
        monkeypatch.setattr(numbered, "query_source", lambda root, refs: pa.table({}))
    sql = "SELECT table_number, pair_id, first_id FROM t WHERE first_id < '2' ORDER BY pair_id"
    found = workspace.query(sql, {"t": Numbered(refs)})
    assert [tuple(row.values()) for row in found] == [(3, "a", "1"), (0, "z", "1")]
    every = workspace.query("SELECT * EXCLUDE table_number FROM t", {"t": Numbered(refs)})
    assert every == workspace.query("SELECT * FROM t", {"t": refs})
