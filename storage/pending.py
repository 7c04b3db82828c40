"""Records that wait for their place in the ledger.

Only the holder of the lease appends to the ledger, and a reader who translates a line or writes a
file for somebody else cannot wait for a training to end. What it has to say is kept here, and the
next holder of the lease takes it into the ledger.
"""

import contextlib
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.files import write_bytes
from storage.ledger import canonical_json


@dataclass(frozen=True, slots=True)
class WaitingRecord:
    """One record that waits."""

    kind: str
    body: Mapping[str, Any]


class PendingRecords:
    """The folder `ledger/pending` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "ledger" / "pending"

    def add(self, kind: str, body: Mapping[str, Any]) -> None:
        """Keep a record until somebody holds the lease."""
        count = sum(1 for _ in self._folder.glob("*.json"))
        path = self._folder / f"{count:08d}-{uuid.uuid4().hex}.json"
        write_bytes(path, canonical_json({"kind": kind, "body": dict(body)}))

    def taken(self) -> Iterator[WaitingRecord]:
        """Yield the records that wait, oldest first; each is gone once the next one is asked for.

        The caller holds the lease. After a crash in between, a record is taken twice.
        """
        for path in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                value = json.loads(path.read_bytes())
                yield WaitingRecord(value["kind"], value["body"])
            path.unlink(missing_ok=True)
