"""Snapshots of the phrase memory: immutable, named by content; `HEAD` names the current one.

A snapshot is a small JSON file that refers to the tables of phrases and of their evidence. The
history says which snapshot became current when, and is never rewritten.
"""

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.digests import text_digest
from storage.errors import InputError, MissingArtifact
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.moments import past_moment, shown, this_moment
from storage.plain_json import UNREADABLE, damage, read_record


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of the phrase memory."""

    phrases: ArtifactRef
    evidence: ArtifactRef
    rules: ArtifactRef | None = None
    """How often the rules are right in the training text; None where nobody counted it."""
    alignments: ArtifactRef | None = None
    """How mined phrases are linked inside, and in how many sentence pairs they stand; None in
    snapshots of before that was kept."""
    word_links: ArtifactRef | None = None
    """How often the words inside of them are linked in all sentence pairs."""

    @property
    def tables(self) -> tuple[ArtifactRef, ...]:
        """Return what tagging reads: the phrases and, if they were counted, the uses of rules."""
        return (self.phrases,) if self.rules is None else (self.phrases, self.rules)

    @property
    def snapshot_id(self) -> str:
        """Return the name of the snapshot: the digest of what it refers to."""
        return text_digest(canonical_json(self.to_json()).decode())

    def to_json(self) -> dict[str, Any]:
        """Return the form that is stored and digested."""
        tables = {name: getattr(self, name) for name in self.__slots__}
        return {name: ref.to_json() for name, ref in tables.items() if ref is not None}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Snapshot":
        """Read the form that `to_json` writes."""
        known = {name: value[name] for name in Snapshot.__slots__ if name in value}
        return Snapshot(**{name: ArtifactRef.from_json(ref) for name, ref in known.items()})


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """When a snapshot became the current one, and why."""

    sequence: int
    snapshot_id: str
    time: str
    reason: str


_DATE_FIRST = re.compile(r"\d{4}-\d\d?-")
_ID = re.compile(r"[0-9a-f]+")
_FORMS = "expected one such as 3fa9c2, 2026-03-01 or 2026-03-01T08:30+08:00 (UTC without a zone)."


def moment_of(text: str) -> datetime.datetime | None:
    """Read a date, which stands for its end, or a time; None if the text does not begin as one.

    Raises:
        InputError: it begins as a date and is none, or lies in the future.
    """
    if not _DATE_FIRST.match(text):
        return None
    try:
        return past_moment(text)
    except ValueError as error:
        raise InputError(
            f"{text!r} is no date or time; expected one such as 2026-03-01 or 2026-03-01T08:30."
        ) from error


class PhraseMemory:
    """The folder `memory/` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "memory"

    def head(self) -> Snapshot | None:
        """Return the current snapshot, or None before the first one is published.

        Raises:
            MissingArtifact: it is gone or damaged.
        """
        snapshot_id = self._head_id()
        if snapshot_id is None:
            return None
        # A damaged name may be too long for the file system, so it is only compared with names.
        if snapshot_id not in (path.stem for path in (self._folder / "snapshots").glob("*.json")):
            raise MissingArtifact(
                f"{self._folder / 'HEAD'} names the snapshot {snapshot_id[:40]!r}, which is not "
                "there. Run `phrasenet refresh`: it is made again."
            )
        return self.snapshot(snapshot_id)

    def snapshot(self, prefix: str) -> Snapshot:
        """Return the snapshot whose id begins with `prefix`.

        Raises:
            InputError: no snapshot or more than one has such an id.
            MissingArtifact: its file is damaged.
        """
        paths = sorted((self._folder / "snapshots").glob("*.json")) if prefix else []
        found = [path for path in paths if path.name.startswith(prefix)]
        if len(found) != 1:
            raise InputError(
                f"The phrase memory has {len(found)} snapshots whose id begins with {prefix!r}; "
                "expected one. `phrasenet memory history` lists them."
            )
        try:
            snapshot = Snapshot.from_json(json.loads(found[0].read_bytes()))
        except UNREADABLE:
            snapshot = None
        if snapshot is None or snapshot.snapshot_id != found[0].stem:
            raise MissingArtifact(
                f"{found[0]} is damaged. Run `phrasenet refresh`: the snapshot is made again."
            )
        return snapshot

    def as_of(self, text: str) -> Snapshot:
        """Return a snapshot by the beginning of its id, or the one that was current at a time.

        Args:
            text: the beginning of an id; or a date such as 2026-03-01 (its end counts) or a time
                such as 2026-03-01T08:30, UTC unless it says otherwise.

        Raises:
            InputError: there is no such snapshot, or nothing had been published by then.
            MissingArtifact: its file is damaged.
        """
        moment = moment_of(text)
        if moment is None and not _ID.fullmatch(text):
            raise InputError(
                f"{text!r} is neither the beginning of a snapshot's id nor a date or time; "
                f"{_FORMS} `phrasenet memory history` lists all snapshots."
            )
        if moment is None:
            return self.snapshot(text)
        history = self.history()
        before = [
            entry for entry in history if datetime.datetime.fromisoformat(entry.time) <= moment
        ]
        if not before:
            first = f" The first snapshot is of {shown(history[0].time)}." if history else ""
            raise InputError(
                f"Nothing had been published by {shown(moment.isoformat())}.{first} "
                "`phrasenet memory history` lists all snapshots."
            )
        return self.snapshot(before[-1].snapshot_id)

    def store(self, snapshot: Snapshot) -> None:
        """Write a snapshot without making it the current one."""
        path = self._folder / "snapshots" / f"{snapshot.snapshot_id}.json"
        data = canonical_json(snapshot.to_json())
        if not path.exists() or path.read_bytes() != data:
            write_bytes(path, data)

    def publish(self, snapshot: Snapshot, *, reason: str) -> bool:
        """Make a snapshot the current one; say whether that changed anything.

        The caller holds the lease. The history is written before `HEAD` moves: after a crash in
        between, the next publication finds its entry there and only moves `HEAD`.
        """
        self.store(snapshot)
        history = self.history()
        is_last = bool(history) and history[-1].snapshot_id == snapshot.snapshot_id
        if is_last and self._head_id() == snapshot.snapshot_id:
            return False
        if not is_last:
            entry = HistoryEntry(
                sequence=len(history),
                snapshot_id=snapshot.snapshot_id,
                time=this_moment(),
                reason=reason,
            )
            write_bytes(
                self._folder / "history" / f"{entry.sequence:08d}.json",
                canonical_json({name: getattr(entry, name) for name in entry.__slots__}),
            )
        write_bytes(self._folder / "HEAD", snapshot.snapshot_id.encode() + b"\n")
        return True

    def _head_id(self) -> str | None:
        try:
            return (self._folder / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None

    def history(self) -> list[HistoryEntry]:
        """Return which snapshots were current, oldest first.

        Raises:
            MissingArtifact: an entry is damaged.
        """
        return [_entry(path) for path in sorted((self._folder / "history").glob("*.json"))]


def _entry(path: Path) -> HistoryEntry:
    try:
        entry = read_record(HistoryEntry, path)
        if datetime.datetime.fromisoformat(entry.time).tzinfo is None:
            raise ValueError(f"time is {entry.time!r}")  # times of two kinds cannot be compared
        return entry
    except UNREADABLE as error:
        raise MissingArtifact(damage(path, error)) from error
