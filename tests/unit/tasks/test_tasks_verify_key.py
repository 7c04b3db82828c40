"""A key that was emptied, replaced or lost is told: without it nobody recognises a withdrawal."""

import secrets
from pathlib import Path

import pytest

from storage.datasets import ArtifactRef
from storage.errors import WorkspaceError
from storage.ledger import KEY_MARK
from storage.workspace import Workspace
from tasks.exports import record_export
from tasks.lineage.tombstones import phrase_key
from tasks.tombstones import open_tombstones, write_tombstones
from tasks.verify import verify_workspace
from tasks.withdraw_state import begun


@pytest.fixture
def exported(tmp_path: Path) -> Workspace:
    """A workspace whose ledger holds a keyed hash."""
    workspace = Workspace(tmp_path / "workspace")
    page = tmp_path / "page.html"
    page.write_text("page", "utf-8")
    record_export(workspace, page, "memory as page", [])
    assert verify_workspace(workspace) == []
    return workspace


def key_of(workspace: Workspace) -> Path:
    return workspace.root / "ledger" / "key"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (b"", "ledger/key cannot be used: "),
        (b"short", "has 5 bytes; expected 32"),
        (bytes(32), "record 0 was made with another ledger/key"),
    ],
)
def test_another_key_is_told(exported: Workspace, found: bytes, told: str) -> None:
    key_of(exported).write_bytes(found)
    (finding,) = verify_workspace(exported)
    assert told in finding
    assert "backup" in finding


def test_a_lost_key_is_told_and_not_made_anew_by_looking(exported: Workspace) -> None:
    key_of(exported).unlink()
    (finding,) = verify_workspace(exported)
    assert finding.startswith("ledger/key is missing; ")
    assert not key_of(exported).exists()


def test_a_key_that_was_lost_after_a_withdrawal_without_a_mark_is_told(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.ledger.append("decision", {"decision": "withdraw", "target": "x"})
    assert any(text.startswith("ledger/key is missing; ") for text in verify_workspace(workspace))


def test_a_workspace_that_never_needed_a_key_has_none(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.ledger.append("flow", {"flow_run": "x"})
    assert verify_workspace(workspace) == []
    assert not key_of(workspace).exists()


def test_a_seal_holds_the_key_of_records_that_do_not_name_it(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.ledger.keyed_hash("text")
    workspace.seals.make()
    assert verify_workspace(workspace) == []
    key_of(workspace).write_bytes(secrets.token_bytes(32))
    (finding,) = verify_workspace(workspace)
    assert finding.startswith("ledger/key is not what was sealed on ")


def test_without_its_key_nothing_that_was_withdrawn_is_read_again(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    table = ArtifactRef("tombstones", "0" * 32, 1)
    workspace.tombstones.append("0" * 64, table, frozenset(), is_phrase=False)
    with pytest.raises(WorkspaceError, match=r"ledger/key is missing\. Without it"):
        workspace.ledger.keyed_hasher()
    key_of(workspace).write_bytes(b"")
    with pytest.raises(WorkspaceError, match=r"has 0 bytes; .* Restore it from its backup\.$"):
        workspace.ledger.keyed_hasher()


def test_a_damaged_key_that_no_withdrawal_needs_may_be_deleted(exported: Workspace) -> None:
    key_of(exported).write_bytes(b"")
    with pytest.raises(WorkspaceError, match="has 0 bytes; expected 32.* or delete it: nothing"):
        exported.ledger.key_mark()
    key_of(exported).unlink()
    key_of(exported).mkdir()
    with pytest.raises(WorkspaceError, match=r"key cannot be read \(Is a directory\)"):
        exported.ledger.key_mark()


@pytest.fixture
def withdrawn(tmp_path: Path) -> tuple[Workspace, ArtifactRef]:
    """A workspace from which a phrase was withdrawn, and its table."""
    workspace = Workspace(tmp_path / "withdrawn")
    table = write_tombstones(workspace, [phrase_key("0" * 32)])
    workspace.tombstones.append("0" * 64, table, frozenset(), is_phrase=True)
    body = {"decision": "withdraw", "target": "0" * 64, "table": table.to_json()}
    workspace.ledger.append("decision", {**body, KEY_MARK: workspace.ledger.key_mark()})
    workspace.ledger.append("flow", {"flow_run": "x"})
    return workspace, table


def test_a_replaced_key_opens_no_tombstones(withdrawn: tuple[Workspace, ArtifactRef]) -> None:
    workspace, table = withdrawn
    own = key_of(workspace).read_bytes()
    assert open_tombstones(workspace, [table]).has(phrase_key("0" * 32))
    key_of(workspace).write_bytes(secrets.token_bytes(32))
    with pytest.raises(WorkspaceError, match="record 0 was made with another ledger/key, so"):
        open_tombstones(workspace, [table])
    with pytest.raises(WorkspaceError, match="record 0 was made with another ledger/key, so"):
        begun(workspace, "tiny")
    key_of(workspace).write_bytes(own)
    assert begun(workspace, "tiny") is None
