"""Records that wait for the ledger, and files that were written for others."""

from pathlib import Path

from storage.digests import file_digest
from storage.exports import Export
from storage.workspace import Workspace
from tasks.exports import record_export
from tasks.pending_records import TRANSLATED, adopt, say
from tests.support import write_counts


def test_a_record_is_appended_at_once_or_by_the_next_holder(workspace: Workspace) -> None:
    assert say(workspace, "decision", {"decision": "one"})
    with workspace.lease():
        for name in ("two", "three"):
            assert not say(workspace, "decision", {"decision": name})
        assert [record.body["decision"] for record in workspace.ledger.records()] == ["one"]
    assert say(workspace, "decision", {"decision": "four"})
    said = [record.body["decision"] for record in workspace.ledger.records()]
    assert said == ["one", "two", "three", "four"]
    assert list(workspace.ledger.problems()) == []
    assert list(workspace.pending.taken()) == []


def test_a_damaged_record_is_left_out_and_the_others_are_taken(workspace: Workspace) -> None:
    for number in range(3):
        workspace.pending.add("decision", {"decision": str(number)})
    damaged = sorted((workspace.root / "ledger" / "pending").iterdir())[1]
    damaged.write_bytes(b"{")
    with workspace.lease():
        adopt(workspace)
    assert [record.body["decision"] for record in workspace.ledger.records()] == ["0", "2"]


def test_translations_that_are_taken_twice_are_listed_once(workspace: Workspace) -> None:
    table = write_counts(workspace)
    body = {TRANSLATED: True, "outputs": [table.to_json()]}
    for _ in range(2):
        workspace.pending.add("run", body)
    with workspace.lease():
        adopt(workspace)
    assert workspace.translations.tables() == (table,)


def test_a_folder_is_known_by_the_file_that_names_the_rest(
    workspace: Workspace, tmp_path: Path
) -> None:
    table = write_counts(workspace)
    folder, marker = tmp_path / "model", tmp_path / "model" / "names.json"
    folder.mkdir()
    marker.write_bytes(b"{}")
    record_export(workspace, folder, "model with its memory", [table], content=marker)
    assert [export.path for export in workspace.exports.holding([table])] == [str(folder)]
    assert [record.body["content"] for record in workspace.ledger.records()] == [
        file_digest(marker)
    ]


def test_a_file_is_known_by_its_path_and_the_ledger_holds_no_text(
    workspace: Workspace, tmp_path: Path
) -> None:
    table = write_counts(workspace)
    other = write_counts(workspace, 5)
    path = tmp_path / "a-telling-name.tsv"
    for text in ("one", "two"):
        path.write_text(text, encoding="utf-8")
        record_export(workspace, path, "memory as tsv", [table, table])
    (export,) = workspace.exports.all()
    assert export == Export(str(path), "memory as tsv", export.time, (table,))
    assert workspace.exports.holding([other]) == []
    assert workspace.exports.holding([other, table]) == [export]
    first, second = workspace.ledger.records()
    assert first.body["path"] == second.body["path"]
    assert first.body["content"] != second.body["content"]
    assert "telling" not in str([record.body for record in (first, second)])
    next((workspace.root / "exports").iterdir()).write_bytes(b"[]")
    assert list(workspace.exports.all()) == []
