"""What is said of withdrawn text that is read again: which withdrawal keeps it out, and why."""

from collections.abc import Iterator

from storage.datasets import ArtifactRef
from storage.ledger import LedgerRecord
from storage.workspace import Workspace
from tasks.lineage.tombstones import REASON, TABLE

KEPT_OUT = """
SELECT corpus AS source, file, text, COUNT(*) AS lines
FROM aside
WHERE reason = $reason
GROUP BY ALL
ORDER BY source, file, text
"""


def kept_out(workspace: Workspace, aside: ArtifactRef) -> Iterator[str]:
    """Say of each file how many of its lines were withdrawn before, with the record and reason.

    Args:
        workspace: the workspace.
        aside: a table `set_aside` of a source.
    """
    rows = workspace.query(KEPT_OUT, {"aside": aside}, {"reason": REASON})
    decisions = _decisions(workspace) if rows else {}
    for row in rows:
        record = decisions.get(row["text"])
        because = (
            f"record {record.sequence} of {record.time[:10]}, {record.body['author']}: "
            f"{record.body['reason']}"
            if record is not None
            else "the record is lost"
        )
        yield (
            f"{row['source']}: {row['lines']:,} lines of {row['file']} were withdrawn and are not "
            f"taken in again ({because})"
        )


def _decisions(workspace: Workspace) -> dict[str, LedgerRecord]:
    """Return the withdrawals by what stands in the place of their text."""
    return {
        f"{TABLE} {record.body['table']['digest']}": record
        for record in workspace.ledger.readable_records()
        if record.kind == "decision" and record.body["decision"] == "withdraw"
    }
