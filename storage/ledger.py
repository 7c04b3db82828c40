"""The ledger: what was run, reused or decided, in order, chained by digests, never rewritten.

One file a record, written once. A record carries its sequence number and the digest of the record
before it, so that a changed, lost or reordered one is found. It holds ids, digests, counts,
settings and keyed hashes, never a word of the data, so that a withdrawal can purge text without
breaking it. Only the driver of a flow appends, while it holds the lease of the workspace.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.errors import WorkspaceError
from storage.files import write_bytes
from storage.moments import this_moment
from storage.plain_json import UNREADABLE, damage, plain_record, read_record

GENESIS = "0" * 64
"""What the first record names as the digest of the one before it."""

_KEY_BYTES = 32
_MARK = "mark of the key"
KEY_MARK = "key_mark"
"""Where the body of a record with keyed hashes says which key they were made with."""
_RESTORE = "Without it, texts that were withdrawn are not recognised. Restore it from its backup."
_DELETE = "Restore it from its backup, or delete it: nothing was withdrawn, and a new one is made."
_SEQUENCE_DIGITS = 12


@dataclass(frozen=True, slots=True)
class LedgerRecord:
    """One line of history."""

    sequence: int
    """0-based, without gaps."""
    previous: str
    """SHA-256 of the bytes of the record before."""
    time: str
    """When it was appended, ISO 8601 in UTC."""
    kind: str
    """`flow` and its `end`, `run` (a step that was computed), `reuse`, `publish` (a snapshot) and
    `told` (its drift), `backfill` (a snapshot of a past date, which is not published), or a
    person's `decision`."""
    body: Mapping[str, Any]

    def to_bytes(self) -> bytes:
        """Return the canonical JSON that is written and digested."""
        return canonical_json(
            {
                "sequence": self.sequence,
                "previous": self.previous,
                "time": self.time,
                "kind": self.kind,
                "body": dict(self.body),
            }
        )

    def digest(self) -> str:
        """Return the SHA-256 of the record's bytes as 64 hex digits."""
        return hashlib.sha256(self.to_bytes()).hexdigest()


class Ledger:
    """The ledger in the folder `ledger/` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._records = root / "ledger" / "records"
        self._head = root / "ledger" / "HEAD"
        self._key_path = root / "ledger" / "key"
        self._tombstones = root / "ledger" / "tombstones"
        self._code = root / "ledger" / "code"
        self._last: LedgerRecord | None = None

    def append(self, kind: str, body: Mapping[str, Any]) -> LedgerRecord:
        """Append a record; the caller holds the lease of the workspace."""
        last = self._last or self.last()
        record = LedgerRecord(
            sequence=0 if last is None else last.sequence + 1,
            previous=GENESIS if last is None else last.digest(),
            time=this_moment("milliseconds"),
            kind=kind,
            body=body,
        )
        write_bytes(self._path(record.sequence), record.to_bytes())
        newest = {"sequence": record.sequence, "digest": record.digest()}
        write_bytes(self._head, canonical_json(newest))
        self._last = record
        return record

    def last(self) -> LedgerRecord | None:
        """Return the newest record, or None for an empty ledger.

        Raises:
            WorkspaceError: it is damaged.
        """
        paths = self._paths()
        return _read(paths[-1]) if paths else None

    def records(self) -> Iterator[LedgerRecord]:
        """Yield all records, oldest first.

        Raises:
            WorkspaceError: one is damaged.
        """
        for path in self._paths():
            yield _read(path)

    def readable_records(self) -> Iterator[LedgerRecord]:
        """Yield the records that are as they were written, as far as those after them tell, oldest
        first; `problems` names the others.
        """
        whole: list[LedgerRecord] = []
        follower = self._newest()
        for path in reversed(self._paths()):
            record = _as_told(path, follower)
            follower = None if record is None else (record.sequence - 1, record.previous)
            whole += [] if record is None else [record]
        return reversed(whole)

    def newest_first(self) -> Iterator[LedgerRecord]:
        """Yield all records, newest first.

        Raises:
            WorkspaceError: one is damaged.
        """
        for path in reversed(self._paths()):
            yield _read(path)

    def problems(self) -> Iterator[str]:
        """Say what was changed, lost or reordered, one sentence a finding; nothing if all is
        well.
        """
        previous, expected = GENESIS, 0
        record: LedgerRecord | None = None
        for path in self._paths():
            data = path.read_bytes()
            if not path.stem.isdecimal():
                yield f"{path.name} is no ledger record"
                continue
            named = int(path.stem)
            record = _unchanged(path, named)
            if named != expected:
                yield f"record {expected} is missing (the next one is {named})"
            elif record is not None and record.previous != previous:
                yield f"record {named} does not follow from the record before it"
            if record is None:
                yield f"record {named} was changed after it was written"
            previous, expected = hashlib.sha256(data).hexdigest(), named + 1
        yield from self._problems_at_the_end(expected, record)

    def _problems_at_the_end(self, length: int, last: LedgerRecord | None) -> Iterator[str]:
        """Say whether the newest records were changed or lost, which the chain alone cannot tell.

        `HEAD` is written after the record that it names, so after a crash it may be one behind. A
        ledger that is older than `HEAD` gets it with its next record.
        """
        if not self._head.exists():
            return
        newest = self._newest()
        if newest is None:
            yield f"{self._head} was changed after it was written"
            return
        sequence, digest = newest
        if sequence >= length:
            yield f"record {length} is missing (the newest one was {sequence})"
        elif last is not None and last.sequence == sequence and last.digest() != digest:
            yield f"record {sequence} was changed after it was written, or HEAD was"

    def _newest(self) -> tuple[int, str] | None:
        """Return number and digest of the record that `HEAD` names; None if it names none."""
        try:
            newest = json.loads(self._head.read_bytes())
            return int(newest["sequence"]), str(newest["digest"])
        except UNREADABLE:
            return None

    def keep_code(self, digest: str, functions: Mapping[str, str]) -> None:
        """Keep the digests of single functions beside the code digest that a record names."""
        path = self._code / f"{digest}.json"
        if not path.exists():
            write_bytes(path, canonical_json(dict(functions)))

    def code(self, digest: str) -> dict[str, str]:
        """Return the functions that a code digest stands for; empty if they were not kept."""
        try:
            functions = dict(json.loads((self._code / f"{digest}.json").read_bytes()))
        except UNREADABLE:
            return {}
        return functions if all(isinstance(item, str) for item in functions.values()) else {}

    def digest(self) -> str:
        """Return the digest of the newest record, which stands for the whole history before it."""
        paths = self._paths()
        return hashlib.sha256(paths[-1].read_bytes()).hexdigest() if paths else GENESIS

    def keyed_hash(self, text: str) -> str:
        """Hash a text so that only the owner of the workspace's key can recognise it."""
        return self.keyed_hasher()(text)

    def keyed_hasher(self) -> Callable[[str], str]:
        """Return `keyed_hash` for many texts: the key is read once.

        Raises:
            WorkspaceError: the key is damaged, or lost although something was withdrawn.
        """
        is_needed = any(self._tombstones.glob("*.json"))
        if not self.has_key() and not is_needed:
            write_bytes(self._key_path, secrets.token_bytes(_KEY_BYTES), mode=0o600)
        try:
            key = self._key_path.read_bytes()
            wrong = f"has {len(key)} bytes; expected {_KEY_BYTES}"
        except FileNotFoundError:
            key, wrong = b"", "is missing"
        except OSError as error:
            key, wrong = b"", f"cannot be read ({error.strerror})"
        if len(key) != _KEY_BYTES:
            advice = _RESTORE if is_needed else _DELETE
            raise WorkspaceError(f"{self._key_path} {wrong}. {advice}")
        return lambda text: hmac.digest(key, text.encode("utf-8", "replace"), "sha256").hex()

    def has_key(self) -> bool:
        """Say whether there is a key; the first keyed hash makes one."""
        return self._key_path.exists()

    def key_mark(self) -> str:
        """Return what a record says of the key behind its keyed hashes; it does not give it away.

        Raises:
            WorkspaceError: the key is damaged.
        """
        return self.keyed_hash(_MARK)

    def _paths(self) -> list[Path]:
        return sorted(self._records.glob("[0-9]*.json"))

    def _path(self, sequence: int) -> Path:
        return self._records / f"{sequence:0{_SEQUENCE_DIGITS}d}.json"


def _read(path: Path) -> LedgerRecord:
    try:
        return read_record(LedgerRecord, path)
    except UNREADABLE as error:
        raise WorkspaceError(damage(path, error)) from error


def _as_told(path: Path, follower: tuple[int, str] | None) -> LedgerRecord | None:
    """Read a record, or return None if it was changed.

    Args:
        path: its file.
        follower: the number and the digest that what comes after it names; None if that is not
            known, so that only the form of its bytes can be looked at.
    """
    if not path.stem.isdecimal():
        return None
    if follower is None or follower[0] != int(path.stem):
        return _unchanged(path, int(path.stem))
    try:
        data = path.read_bytes()
        told = hashlib.sha256(data).hexdigest() == follower[1]
        return plain_record(LedgerRecord, json.loads(data)) if told else None
    except UNREADABLE:
        return None


def _unchanged(path: Path, sequence: int) -> LedgerRecord | None:
    """Read a record, or return None if its bytes are not what was written under this number."""
    try:
        record = _read(path)
        same = record.sequence == sequence and record.to_bytes() == path.read_bytes()
    except (WorkspaceError, OSError, ValueError):
        return None
    return record if same else None


def canonical_json(value: Any) -> bytes:
    """Write JSON in the one form that is digested: sorted keys, no blanks, UTF-8."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode("utf-8")
