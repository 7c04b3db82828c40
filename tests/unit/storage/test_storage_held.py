"""Rows that are held in memory are those of the table, and are written as a query writes them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import MissingArtifact
from storage.held import hold_rows
from storage.workspace import Workspace, open_workspace

HASHES = st.lists(st.text("abc", max_size=3), unique=True, max_size=8)
SAME = "SELECT * FROM whole WHERE hash IN (SELECT UNNEST($values)) ORDER BY kind, hash"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return open_workspace(tmp_path_factory.mktemp("held") / "workspace")


@given(held=HASHES, wanted=HASHES)
def test_rows_are_those_that_a_query_finds(
    workspace: Workspace, held: list[str], wanted: list[str]
) -> None:
    whole = workspace.write_rows("tombstones", [{"kind": "line", "hash": text} for text in held])
    rows = hold_rows(workspace.root, whole, "hash", wanted)
    with workspace.aside() as aside:
        asked = workspace.write_query("tombstones", SAME, {"whole": whole}, {"values": wanted})
        assert rows.write(aside.root) == asked
        assert aside.holds(asked)


def test_a_table_that_is_gone_is_told(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path / "workspace")
    whole = workspace.write_rows("tombstones", [{"kind": "line", "hash": "a"}])
    for file in workspace.folder_of(whole).glob("*.parquet"):
        file.unlink()
    with pytest.raises(MissingArtifact):
        hold_rows(workspace.root, whole, "hash", ["a"])
