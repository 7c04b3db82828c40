"""A workspace is made, opened or refused with a message, and never taken for something else."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from storage import engine
from storage.engine import EngineConfig
from storage.errors import ConfigError, InputError, WorkspaceError
from storage.registry import ModelEntry, ModelRegistry
from storage.workspace import MARKER, Workspace, existing_workspace, open_workspace
from tests.support import files_below, write_counts


def test_a_new_folder_and_an_empty_one_become_workspaces(tmp_path: Path) -> None:
    open_workspace(tmp_path / "a" / "b")
    (tmp_path / "empty").mkdir()
    open_workspace(tmp_path / "empty")
    assert existing_workspace(tmp_path / "empty").root == tmp_path / "empty"


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(WorkspaceError, match=r"not empty \(it holds 'thesis.tex'\)"):
        open_workspace(tmp_path)
    assert files_below(tmp_path) == ["thesis.tex"]


def test_a_file_in_the_place_of_the_workspace_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    for place in (path, path / "below"):
        with pytest.raises(WorkspaceError, match="A folder was expected and a file is there"):
            open_workspace(place)


def test_a_workspace_that_must_be_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="Run `phrasenet run` first"):
        existing_workspace(tmp_path / "none")
    assert files_below(tmp_path) == []


def test_a_newer_format_is_refused(workspace: Workspace) -> None:
    (workspace.root / MARKER).write_text('{"format": 2}')
    with pytest.raises(WorkspaceError, match="has format 2.*formats up to 1. Update phrasenet"):
        open_workspace(workspace.root)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x"}'])
def test_a_damaged_marker_can_be_restored_as_the_message_says(
    workspace: Workspace, text: str
) -> None:
    marker = workspace.root / MARKER
    marker.write_text(text)
    with pytest.raises(WorkspaceError, match="is damaged: expected") as caught:
        open_workspace(workspace.root)
    marker.write_text(str(caught.value).split("expected ")[1].split(". Restore")[0])
    assert open_workspace(workspace.root).root == workspace.root


def test_a_read_only_place_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(WorkspaceError, match="Could not create the workspace .*read-only"):
        open_workspace(tmp_path / "new")


def test_a_query_leaves_nothing_behind(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    workspace.query("SELECT * FROM t", {"t": ref})
    with pytest.raises(ZeroDivisionError), workspace._opened({"t": ref}):
        raise ZeroDivisionError
    assert files_below(workspace.root / "tmp") == []
    assert list((workspace.root / "tmp").iterdir()) == []


def test_a_read_only_workspace_still_answers(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = write_counts(workspace)

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", read_only)
    monkeypatch.setattr(os, "replace", read_only)
    assert len(workspace.query("SELECT * FROM t", {"t": ref})) == 3
    assert workspace.why_broken(ref) is None


def test_a_query_that_needs_more_memory_than_it_may_use_says_so(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path / "small", EngineConfig(query_memory="1MB"))
    with pytest.raises(WorkspaceError, match="more than the 1MB .*Raise the limit"):
        workspace.query("SELECT list(range) FROM range(3000000)", {})


def test_a_query_that_cannot_spill_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    workspace = open_workspace(tmp_path / "full")
    with (
        pytest.raises(WorkspaceError, match="No space left.*Free some space"),
        engine.opened({}, EngineConfig(), workspace.root / "tmp" / "x"),
    ):
        raise duckdb.IOException("No space left on device")


@pytest.mark.parametrize("memory", ["", "2", "lots", "2 gigabytes", "-1GB"])
def test_a_memory_limit_that_makes_no_sense_is_refused(memory: str) -> None:
    with pytest.raises(ConfigError, match='such as "500MB" or "2GB"'):
        EngineConfig(query_memory=memory)


def test_sweeping_removes_what_a_crash_left(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    left = [
        workspace.root / ".partial" / "abc" / "part-00000.parquet",
        workspace.root / "tmp" / "abc" / "spilled",
        workspace.root / "memory" / ".HEAD.12345678.partial",
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    in_use = workspace.root / "tmp" / "reader" / "spilled"
    in_use.parent.mkdir()
    in_use.write_bytes(b"")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(workspace.root / "tmp" / "abc", (two_days_ago, two_days_ago))
    with workspace.lease():
        workspace.sweep()
    assert not any(path.exists() for path in left)
    assert in_use.exists(), "a reader may be spilling to it"
    assert workspace.why_broken(ref) is None


def test_models_are_found_by_the_beginning_of_their_id(tmp_path: Path) -> None:
    registry = ModelRegistry(tmp_path)
    assert registry.entries() == []
    one = ModelEntry("ab12", 2, "rnnsearch", "s1", "k1", "2026-01-01T00:00:00Z")
    two = ModelEntry("ac34", 2, "phrasenet-gate", "s1", "k2", "2025-01-01T00:00:00Z")
    again = replace(one, run_key="k3")
    for entry in (one, two, one):
        registry.register(entry)
    assert registry.entries() == [two, one]
    assert registry.find("ab") == one
    registry.register(again)
    assert registry.entries() == [two, one, again], "another training may end in the same weights"
    assert registry.find("ab").model_id == "ab12"
    assert registry.find("ac").ref.digest == "ac34"
    newer = replace(two, model_id="ae56", registered="2026-02-01T00:00:00Z")
    registry.register(newer)
    assert registry.find("phrasenet-gate") == newer, "a system stands for its newest model"
    for prefix in ("a", "x", "phrasenet"):
        with pytest.raises(InputError, match="phrasenet models list"):
            registry.find(prefix)
