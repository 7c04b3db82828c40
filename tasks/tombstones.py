"""What a step has to know of withdrawals: the tables of hashes, opened."""

from collections.abc import Iterable, Sequence

from storage.datasets import ArtifactRef
from storage.digests import text_digest
from storage.errors import WorkspaceError
from storage.ledger import canonical_json
from storage.workspace import Workspace
from tasks.arguments import as_json
from tasks.lineage.tombstones import Gone, Key, hash_of

TOMBSTONES = "tombstones"
"""The kind of the tables of hashes, which only the workspace's own key opens."""


def open_tombstones(workspace: Workspace, tables: Sequence[ArtifactRef]) -> Gone:
    """Open tables `tombstones`; without any, nothing is withdrawn.

    Raises:
        WorkspaceError: there are some, and the key that they were made with is not here.
    """
    if tables and not workspace.ledger.has_key():
        raise WorkspaceError(
            f"{workspace.root}: ledger/key is missing, so texts that were withdrawn are not "
            "recognised. Restore it from its backup."
        )
    rows = {ref.digest: workspace.read_rows(ref) for ref in tables}
    return Gone(rows, workspace.ledger.keyed_hasher() if tables else str)


def write_tombstones(workspace: Workspace, keys: Iterable[Key]) -> ArtifactRef:
    """Write what is withdrawn as keyed hashes."""
    keyed = workspace.ledger.keyed_hasher()
    rows = ({"kind": key[0], "hash": hash_of(key, keyed)} for key in set(keys))
    return workspace.write_rows(TOMBSTONES, rows)


def reading_key(*facts: object) -> str:
    """Name a reading by its files' contents and their form, whatever else the step is given."""
    return text_digest(canonical_json(as_json("reading", list(facts))).decode())
