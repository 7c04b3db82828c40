"""Whether something was withdrawn on another machine, as the ledger in the bucket tells."""

import json
from pathlib import Path

from storage.plain_json import UNREADABLE
from storage.remote_index import Index

_RECORDS = "ledger/records/"
_DECISIONS = frozenset({"withdraw", "purge", "receipt"})
"""Records of a withdrawal, from its first to its last."""


def is_withdrawn_between(root: Path, before: Index, index: Index) -> bool:
    """Say whether records of a withdrawal came between two moments of a workspace.

    Args:
        root: of the local copy, whose records are those of `index`.
        before: the earlier moment.
        index: the later one.
    """
    new = (path for path, digest in index.files.items() if before.files.get(path) != digest)
    return any(_tells_of_withdrawal(root / path) for path in new if path.startswith(_RECORDS))


def _tells_of_withdrawal(record: Path) -> bool:
    """Say whether a record is one of a withdrawal; one that nobody can read may be one."""
    try:
        return json.loads(record.read_bytes())["body"].get("decision") in _DECISIONS
    except UNREADABLE:
        return True
