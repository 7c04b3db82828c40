"""How far a withdrawal came, as the ledger and the folder of receipts tell: what an interrupted one
needs to be completed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import WorkspaceError
from storage.files import write_bytes
from storage.ledger import LedgerRecord
from storage.plain_json import UNREADABLE, plain_record
from storage.workspace import Workspace
from tasks.lineage.withdrawal import Receipt, receipt_text
from tasks.tombstones import must_have_own_key

RECEIPTS = Path("reports") / "receipts"
_MEMO_DIGITS = 32


def target_hash(workspace: Workspace, name: str) -> str:
    """Return what the list of tombstones calls something that a person named."""
    return workspace.ledger.keyed_hash(f"withdrawal\0{name}")


@dataclass(frozen=True, slots=True)
class Begun:
    """How far a withdrawal of this name came, as the ledger tells."""

    record: int
    """Its newest record."""
    finished: bool
    """Whether it has its receipt."""
    phrase_ids: tuple[str, ...] = ()
    """Phrases that rested on the target alone when it was begun."""
    purged: tuple[ArtifactRef, ...] = ()
    """What was to be removed since it was begun, there or not."""
    files: tuple[str, ...] = ()
    """The same, of other files."""
    receipt: Path | None = None
    """Where its receipt was written, though the ledger does not know it yet."""


def begun(workspace: Workspace, name: str) -> Begun | None:
    """Return how far the withdrawal under a name came; None if there is none.

    Raises:
        WorkspaceError: something was withdrawn with another key, so that nobody can tell.
    """
    must_have_own_key(workspace, [item.table for item in workspace.tombstones.all()])
    records = _records_of(workspace, target_hash(workspace, name))
    if not records:
        return None
    newest = records[-1]
    if newest.body["decision"] == "receipt":
        return Begun(newest.sequence, finished=True)
    refs = [ref for record in records for ref in purged_by(record)]
    stem = receipt_stem(workspace, newest.body.get("of_record", -1)).with_suffix(".json")
    return Begun(
        newest.sequence,
        finished=False,
        phrase_ids=_remembered(workspace, newest.body["target"]),
        purged=tuple(dict.fromkeys(refs)),
        files=tuple(f for record in records for f in record.body.get("purged_files", ())),
        receipt=stem if stem.is_file() else None,
    )


def remember(workspace: Workspace, target: str, phrase_ids: Sequence[str]) -> None:
    """Keep which phrases rested on a target: once it is gone, nobody can tell any more.

    Their ids stand beside the receipts, where no proof looks, and are gone when the receipt is.
    """
    data = json.dumps({"phrases": list(phrase_ids)}).encode()
    write_bytes(memo_of(workspace, target), data)


def _remembered(workspace: Workspace, target: str) -> tuple[str, ...]:
    try:
        return tuple(json.loads(memo_of(workspace, target).read_bytes())["phrases"])
    except UNREADABLE:
        return ()


def memo_of(workspace: Workspace, target: str) -> Path:
    """Return where it is noted which phrases rested on a target, by its hash."""
    return workspace.root / RECEIPTS / f"begun-{target[:_MEMO_DIGITS]}.json"


def _records_of(workspace: Workspace, target: str) -> list[LedgerRecord]:
    """Return the records of a withdrawal, oldest first: since its last receipt, or that one."""
    found: list[LedgerRecord] = []
    for record in workspace.ledger.newest_first():
        if record.kind == "decision" and record.body.get("target") == target:
            if record.body["decision"] == "receipt":
                return found[::-1] or [record]
            found.append(record)
    return found[::-1]


def purged_by(record: LedgerRecord) -> list[ArtifactRef]:
    """Return the artifacts that a record says are removed."""
    return [ArtifactRef.from_json(value) for value in record.body.get("purged", ())]


def write_receipt(workspace: Workspace, receipt: Receipt) -> list[Path]:
    """Write a receipt as JSON and as Markdown; returns both files."""
    stem = receipt_stem(workspace, receipt.record)
    data = json.dumps({**asdict(receipt), "clean": receipt.is_clean}, indent=1, ensure_ascii=False)
    texts = {stem.with_suffix(".md"): receipt_text(receipt), stem.with_suffix(".json"): data + "\n"}
    for path, text in texts.items():
        write_bytes(path, text.encode("utf-8", "replace"))
    return [stem.with_suffix(".json"), stem.with_suffix(".md")]


def read_receipt(path: Path) -> Receipt:
    """Read a receipt from the JSON that `write_receipt` wrote.

    Raises:
        WorkspaceError: it is damaged.
    """
    try:
        value: dict[str, Any] = json.loads(path.read_bytes())
        value.pop("clean")
        value = {"models_demoted": [], "exports": [], **value}  # older receipts do not name them
        tuples: dict[str, Any] = {
            name: tuple(item) if isinstance(item, list) else item for name, item in value.items()
        }
        return plain_record(Receipt, tuples)
    except UNREADABLE as error:
        raise WorkspaceError(
            f"The receipt {path} is damaged: {error}. Move it away and give the same `phrasenet "
            "audit withdraw` again, which writes it anew."
        ) from error


def receipt_stem(workspace: Workspace, record: int) -> Path:
    """Return the path of a receipt without its ending, by the record of its decision."""
    return workspace.root / RECEIPTS / f"withdrawal-{record:08d}"
