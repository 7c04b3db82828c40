"""What a step has to know of withdrawals: the tables of hashes, opened."""

from collections.abc import Iterable, Sequence

from storage.datasets import ArtifactRef
from storage.digests import text_digest
from storage.errors import WorkspaceError
from storage.ledger import KEY_MARK, LedgerRecord, canonical_json
from storage.workspace import Workspace
from tasks.arguments import as_json
from tasks.lineage.tombstones import Gone, Key, hash_of

TOMBSTONES = "tombstones"
"""The kind of the tables of hashes, which only the workspace's own key opens."""
_UNRECOGNISED = ", so texts that were withdrawn are not recognised. Restore it from its backup."


def open_tombstones(workspace: Workspace, tables: Sequence[ArtifactRef]) -> Gone:
    """Open tables `tombstones`; without any, nothing is withdrawn.

    Raises:
        WorkspaceError: there are some, and the key that they were made with is not here.
    """
    must_have_own_key(workspace, tables)
    rows = {ref.digest: workspace.read_rows(ref) for ref in tables}
    return Gone(rows, workspace.ledger.keyed_hasher() if tables else str)


def must_have_own_key(workspace: Workspace, tables: Iterable[ArtifactRef]) -> None:
    """Refuse tables `tombstones` that another key made, as far as the ledger says which one did.

    Records of earlier versions do not say it.

    Raises:
        WorkspaceError: the key is missing, damaged or another one.
    """
    unknown = {ref.digest for ref in tables}
    if not unknown:
        return
    if not workspace.ledger.has_key():
        raise WorkspaceError(f"{workspace.root}: ledger/key is missing{_UNRECOGNISED}")
    mark = workspace.ledger.key_mark()
    for record in workspace.ledger.newest_first():
        digest = _table_of(record)
        if digest in unknown and record.body.get(KEY_MARK, mark) != mark:
            raise WorkspaceError(
                f"{workspace.root}: record {record.sequence} was made with another ledger/key"
                f"{_UNRECOGNISED}"
            )
        unknown.discard(digest)
        if not unknown:
            return


def _table_of(record: LedgerRecord) -> str:
    """Return the digest of the table that a record of a withdrawal wrote; empty for others."""
    is_withdrawal = record.body.get("decision") == "withdraw"
    return str(record.body["table"]["digest"]) if is_withdrawal else ""


def write_tombstones(workspace: Workspace, keys: Iterable[Key]) -> ArtifactRef:
    """Write what is withdrawn as keyed hashes."""
    keyed = workspace.ledger.keyed_hasher()
    rows = ({"kind": key[0], "hash": hash_of(key, keyed)} for key in set(keys))
    return workspace.write_rows(TOMBSTONES, rows)


def reading_key(*facts: object) -> str:
    """Name a reading by its files' contents and their form, whatever else the step is given."""
    return text_digest(canonical_json(as_json("reading", list(facts))).decode())
