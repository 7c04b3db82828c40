"""Where two tables, or two bundles, begin to differ."""

import random
from pathlib import Path

import pytest

from storage import datasets
from storage.datasets import ArtifactRef
from storage.differences import first_difference
from storage.workspace import Workspace, open_workspace
from tests.support import phrase_counts


@pytest.fixture
def other(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "other")


def told(ours: Workspace, ref: ArtifactRef, other: Workspace, second: ArtifactRef) -> str | None:
    return first_difference(ours.root, ref, other.root, second)


@pytest.mark.parametrize("group", [3, 1 << 16])
def test_the_first_row_that_differs_is_named(
    workspace: Workspace, other: Workspace, monkeypatch: pytest.MonkeyPatch, group: int
) -> None:
    """The reference: look at one row after the other."""
    monkeypatch.setattr("storage.differences.ROW_GROUP_ROWS", group)
    chance = random.Random(5)
    for _ in range(12):
        rows = phrase_counts(chance.randrange(1, 12))
        changed = [dict(row) for row in rows]
        for row in changed:
            if chance.random() < 0.2:
                row["count"] = 99
        changed = changed[: chance.randrange(len(changed) + 1)]
        first = workspace.write_rows("phrase_counts", rows)
        second = other.write_rows("phrase_counts", changed)
        unequal = [
            number
            for number in range(len(rows))
            if number >= len(changed) or rows[number] != changed[number]
        ]
        found = told(workspace, first, other, second)
        if not unequal:
            assert found is None
            continue
        assert found is not None
        assert found.startswith(f"row {unequal[0] + 1} ")
        ends = "differs in count" if unequal[0] < len(changed) else "is not made again"
        assert found.endswith(ends)
        assert "词" not in found  # a key of text is not repeated


def test_a_row_that_is_new_and_an_id_are_named(workspace: Workspace, other: Workspace) -> None:
    rows: list[dict[str, object]] = [
        {"pair_id": f"p{number}", "source_index": [], "target_index": []} for number in "123"
    ]
    ref = workspace.write_rows("links", rows)
    more: list[dict[str, object]] = [
        *rows,
        {"pair_id": "p4", "source_index": [1], "target_index": [2]},
    ]
    found = told(workspace, ref, other, other.write_rows("links", more))
    assert found == "row 4 (pair_id p4) is made now and is not kept"


def test_what_a_table_claims_to_hold_plays_no_part(workspace: Workspace, other: Workspace) -> None:
    rows = phrase_counts(4)
    ref = workspace.write_rows("phrase_counts", rows)
    rows[2]["count"] = 7
    forged = other.write_rows("phrase_counts", rows)
    named = datasets.artifact_folder(other.root, ref)
    datasets.artifact_folder(other.root, forged).rename(named)
    assert told(workspace, ref, other, ref) == "row 3 differs in count"


def test_files_of_bundles_are_compared_byte_by_byte(workspace: Workspace, other: Workspace) -> None:
    ref = workspace.write_bundle("model", {"a": b"one", "b": b"two"})
    for files, expected in (
        ({"a": b"one", "b": b"two"}, None),
        ({"a": b"one", "b": b"twx"}, "file b differs from byte 2 on"),
        ({"a": b"one", "b": b"twofold"}, "file b differs from byte 3 on"),
        ({"a": b"one"}, "file b is not made again"),
        ({"0": b"", "a": b"one", "b": b"two"}, "file 0 is made now and is not kept"),
    ):
        assert told(workspace, ref, other, other.write_bundle("model", files)) == expected
