"""Artifacts are written once, whole or not at all, and damage to them is found."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from storage import datasets, schemas, table_schema
from storage.datasets import ArtifactRef, Manifest, artifact_folder
from storage.errors import MissingArtifact, WorkspaceError
from storage.files import PARTIAL
from storage.workspace import Workspace
from tests.support import files_below, flip_byte, phrase_counts, write_counts


def left_over(workspace: Workspace) -> list[str]:
    """Return what lies in the workspace beside its marker."""
    return [name for name in files_below(workspace.root) if name != "phrasenet-workspace.json"]


def test_a_table_lies_under_its_content_digest_with_a_manifest(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    folder = workspace.root / "warehouse" / "phrase_counts" / ref.digest
    assert files_below(folder) == ["manifest.json", "part-00000.parquet"]
    manifest = Manifest.read(folder)
    assert (manifest.content_digest, manifest.rows) == (ref.digest, 3)
    assert manifest.reproducibility == "exact"
    assert workspace.why_broken(ref) is None


def test_models_and_reports_have_folders_of_their_own(workspace: Workspace) -> None:
    for kind, home in (("model", "models"), ("report", "reports"), ("checkpoint", None)):
        ref = workspace.write_bundle(kind, {"a.txt": b"text"})
        expected = workspace.root / (home or f"warehouse/{kind}") / ref.digest
        assert workspace.folder_of(ref) == expected
        assert (expected / "a.txt").read_bytes() == b"text"


def test_writing_the_same_rows_again_changes_no_file(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    part = workspace.folder_of(ref) / "part-00000.parquet"
    before = part.stat()
    assert write_counts(workspace) == ref
    assert part.stat() == before
    assert files_below(workspace.root / PARTIAL) == []


def test_a_bundle_is_named_by_its_names_and_bytes(workspace: Workspace) -> None:
    ref = workspace.write_bundle("model", {"a": b"1", "b": b"2"})
    assert workspace.write_bundle("model", {"b": b"2", "a": b"1"}) == ref
    assert workspace.write_bundle("model", {"a": b"2", "b": b"1"}) != ref
    assert workspace.write_bundle("model", {"a": b"1", "c": b"2"}) != ref
    assert workspace.read_bundle(ref) == {"a": b"1", "b": b"2"}


def test_a_bundle_says_how_far_it_can_be_rebuilt(workspace: Workspace) -> None:
    ref = workspace.write_bundle("model", {"a": b"1"}, reproducibility="same-machine")
    assert Manifest.read(workspace.folder_of(ref)).reproducibility == "same-machine"


@pytest.mark.parametrize("write", ["table", "bundle"])
def test_a_crash_before_the_rename_leaves_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crash)
    writers = {
        "table": lambda: write_counts(workspace),
        "bundle": lambda: workspace.write_bundle("model", {"a": b"1"}),
    }
    with pytest.raises(KeyboardInterrupt):
        writers[write]()
    assert left_over(workspace) == []


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "The disk is full. Free some space"),
        (errno.EDQUOT, "The disk quota is used up."),
        (errno.EROFS, "The file system is read-only. Choose a workspace"),
        (errno.EACCES, "Permission denied. Choose a workspace"),
    ],
)
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_cannot_be_written_is_a_message_and_leaves_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str, call: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, "said by Arrow at great length")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(WorkspaceError, match=remedy) as caught:
        write_counts(workspace)
    assert str(workspace.root) in str(caught.value)
    assert os.strerror(number) in str(caught.value)
    assert "Arrow" not in str(caught.value)
    assert left_over(workspace) == []


def test_a_passing_fault_stays_what_it_is_so_that_it_is_tried_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        write_counts(workspace)
    assert caught.value.errno == errno.EIO
    assert left_over(workspace) == []


FILL_THE_DISK = """
import resource, signal, sys
from dataclasses import replace
from pathlib import Path
from storage.errors import WorkspaceError
from storage.workspace import open_workspace
from tests.support import write_counts
workspace = open_workspace(Path(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_counts(workspace, 20000)
except WorkspaceError as error:
    print(error)
"""


def test_a_write_that_really_stops_in_the_middle_leaves_nothing(workspace: Workspace) -> None:
    """The limit on the size of files stands for a full disk: Arrow has written half a file."""
    done = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(workspace.root)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "File too large. The file would pass the size limit" in done.stdout
    assert left_over(workspace) == []


def test_damage_is_told_apart(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    folder = workspace.folder_of(ref)
    part, manifest = folder / "part-00000.parquet", folder / "manifest.json"
    whole, description = part.read_bytes(), manifest.read_bytes()

    flip_byte(part, 100)
    assert workspace.why_broken(ref) == f"{part} was changed after it was written"
    part.write_bytes(whole[:-1])
    assert workspace.why_broken(ref) == f"{part} was changed after it was written"
    part.unlink()
    assert workspace.why_broken(ref) == f"{part} is missing"
    part.write_bytes(whole)
    manifest.unlink()
    assert "there is no readable manifest.json" in str(workspace.why_broken(ref))
    manifest.write_bytes(b"[]")
    assert "there is no readable manifest.json" in str(workspace.why_broken(ref))
    manifest.write_bytes(description.replace(b'"exact"', b'"none"'))
    assert workspace.why_broken(ref) == f"{manifest} was changed after it was written"
    other = write_counts(workspace, 4)
    manifest.write_bytes((workspace.folder_of(other) / "manifest.json").read_bytes())
    assert workspace.why_broken(ref) == f"{manifest} describes another artifact"
    manifest.write_bytes(description)
    assert workspace.why_broken(ref) is None


def test_a_damaged_artifact_is_replaced_when_it_is_written_again(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    part = workspace.folder_of(ref) / "part-00000.parquet"
    whole = part.read_bytes()
    flip_byte(part, 50)
    assert write_counts(workspace) == ref
    assert part.read_bytes() == whole
    assert workspace.why_broken(ref) is None
    assert files_below(workspace.root / PARTIAL) == []


def test_an_artifact_that_another_writer_published_first_is_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = write_counts(workspace)
    # As if the other one had finished between our look and our rename.
    monkeypatch.setattr("storage.writing.why_broken", lambda *_: None)
    assert write_counts(workspace) == ref
    assert files_below(workspace.root / PARTIAL) == []


@pytest.mark.parametrize("damage", ["remove", "truncate"])
def test_reading_a_damaged_artifact_says_how_to_mend_it(workspace: Workspace, damage: str) -> None:
    ref = write_counts(workspace)
    part = workspace.folder_of(ref) / "part-00000.parquet"
    if damage == "remove":
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:30])
    with pytest.raises(MissingArtifact, match="phrasenet run"):
        list(workspace.read_rows(ref))
    with pytest.raises(MissingArtifact, match="phrasenet run"):
        workspace.query("SELECT * FROM counts", {"counts": ref})


def test_damaged_decisions_come_back_from_a_backup_only(workspace: Workspace) -> None:
    ref = workspace.write_rows("decisions", [])
    (workspace.folder_of(ref) / "part-00000.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingArtifact, match="restore it from a backup") as caught:
        list(workspace.read_rows(ref))
    assert "phrasenet run" not in str(caught.value)


def test_a_query_on_a_damaged_table_never_looks_like_a_defect(workspace: Workspace) -> None:
    ref = write_counts(workspace, 300)
    path = workspace.folder_of(ref) / "part-00000.parquet"
    data, told = path.read_bytes(), []
    for position in range(0, len(data), max(1, len(data) // 60)):
        flip_byte(path, position)
        try:
            workspace.query("SELECT source, target, count FROM counts", {"counts": ref})
        except (MissingArtifact, WorkspaceError) as error:
            told.append(str(error))
        path.write_bytes(data)
    assert len(told) > 10
    assert all("damaged" in text or "could not read" in text for text in told)


def test_reading_a_damaged_bundle_says_how_to_mend_it(workspace: Workspace) -> None:
    ref = workspace.write_bundle("model", {"a": b"1"})
    (workspace.folder_of(ref) / "a").unlink()
    with pytest.raises(MissingArtifact, match="phrasenet run"):
        workspace.read_bundle(ref)


def test_rows_with_the_same_key_are_a_defect(workspace: Workspace) -> None:
    rows = [*phrase_counts(2), phrase_counts(1)[0]]
    with pytest.raises(AssertionError, match="share a key"):
        workspace.write_rows("phrase_counts", rows)
    assert left_over(workspace) == []


def test_a_table_of_a_newer_schema_is_refused(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    newer = replace(Manifest.read(workspace.folder_of(ref)), schema_version=2)
    path = workspace.folder_of(ref) / "manifest.json"
    path.write_bytes(replace(newer, bytes_digest=newer.seal()).to_bytes())
    with pytest.raises(WorkspaceError, match="has schema version 2.*Update phrasenet"):
        list(workspace.read_rows(ref))


def test_a_table_of_an_older_schema_is_read_through_its_migration(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa

    ref = write_counts(workspace)
    old = schemas.SCHEMAS["phrase_counts"]
    new = table_schema.TableSchema(
        "phrase_counts", 2, old.columns.append(pa.field("weight", pa.float64())), old.sort_by
    )
    monkeypatch.setattr(schemas, "SCHEMAS", {**schemas.SCHEMAS, "phrase_counts": new})
    with pytest.raises(WorkspaceError, match="schema version 1.*can no longer read"):
        list(workspace.read_rows(ref))

    def weigh(table: pa.Table) -> pa.Table:
        return table.append_column("weight", pa.array([0.5] * table.num_rows))

    monkeypatch.setattr(schemas, "MIGRATIONS", {("phrase_counts", 1): weigh})
    assert [row["weight"] for row in workspace.read_rows(ref)] == [0.5] * 3
    assert workspace.read_columns(ref, ["weight"]) == {"weight": [0.5] * 3}
    assert workspace.query("SELECT SUM(weight) AS sum FROM t", {"t": ref}) == [{"sum": 1.5}]


def test_large_tables_are_read_in_order_and_by_column(workspace: Workspace) -> None:
    number = datasets.ROW_GROUP_ROWS + 10
    ref = write_counts(workspace, number)
    part = workspace.folder_of(ref) / "part-00000.parquet"
    with pq.ParquetFile(part) as file:
        assert file.num_row_groups == 2
    assert workspace.read_columns(ref, ["count"])["count"] == list(range(number))


def test_a_reference_survives_its_json_form(tmp_path: Path) -> None:
    ref = ArtifactRef("pairs", "0" * 32, 7)
    assert ArtifactRef.from_json(json.loads(json.dumps(ref.to_json()))) == ref
    assert artifact_folder(tmp_path, ref) == tmp_path / "warehouse" / "pairs" / ("0" * 32)
