"""Seals: a Merkle root over everything that a workspace recorded, to be kept elsewhere.

A seal lists the digest of every file that must never change: records of the ledger, manifests,
snapshots and their history, decisions, the registry's models. The root stands for the whole list
(RFC 9162, section 2.1.1: leaves and inner nodes are hashed with different prefixes). Whoever has
the root can tell later that nothing which was there then was changed, lost or taken out, even by
someone who rewrote all chains.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.digests import file_digest
from storage.errors import InputError
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.moments import shown, this_moment
from storage.plain_json import UNREADABLE, plain_record

_SEALED = (
    "ledger/key",
    "ledger/records/*.json",
    "ledger/code/*.json",
    "ledger/tombstones/*.json",
    "memory/snapshots/*.json",
    "memory/history/*.json",
    "memory/decisions/*.json",
    "ratings/*.json",
    "translations/*.json",
    "models/registry/*.json",
    "models/withdrawn/*.json",
    "models/production/*.json",
    "warehouse/*/*/manifest.json",
    "models/*/manifest.json",
    "reports/*/manifest.json",
)
"""What is never rewritten. The registry is: a model's licences may be corrected, which shows."""


@dataclass(frozen=True, slots=True)
class Seal:
    """One list of leaves with its root."""

    number: int
    time: str
    root: str
    """64 hex digits."""
    leaves: Mapping[str, str]
    """SHA-256 by path, relative to the workspace."""


def merkle_root(leaves: Sequence[bytes]) -> str:
    """Return the root of a list of leaves, as RFC 9162 defines it; 64 hex digits."""
    return _root([hashlib.sha256(b"\x00" + leaf).digest() for leaf in leaves]).hex()


def _root(hashes: Sequence[bytes]) -> bytes:
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + _root(hashes[:split]) + _root(hashes[split:])).digest()


def _root_of(leaves: Mapping[str, str]) -> str:
    return merkle_root([f"{path}\0{leaves[path]}".encode() for path in sorted(leaves)])


class Seals:
    """The folder `ledger/seals` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._workspace = root
        self._folder = root / "ledger" / "seals"

    def make(self) -> Seal:
        """Seal what is there; the caller holds the lease."""
        leaves = {
            path.relative_to(self._workspace).as_posix(): file_digest(path)
            for pattern in _SEALED
            for path in sorted(self._workspace.glob(pattern))
        }
        now = this_moment()
        seal = Seal(len(self._paths()), now, _root_of(leaves), leaves)
        write_bytes(
            self._folder / f"{seal.number:08d}.json",
            canonical_json({name: getattr(seal, name) for name in Seal.__slots__}),
        )
        return seal

    def all(self) -> list[Seal]:
        """Return all seals that can be read, oldest first."""
        return [seal for path in self._paths() if (seal := _read(path)) is not None]

    def with_root(self, root: str) -> Seal:
        """Return the seal with a root that somebody kept, or its beginning.

        Raises:
            InputError: there is none: the seal was changed or taken out, or the root is another's.
        """
        found = [seal for seal in self.all() if len(root) >= 8 and seal.root.startswith(root)]
        if len({seal.root for seal in found}) != 1:
            raise InputError(
                f"No seal of this workspace has the root {root!r}; expected one of its roots, as "
                "`phrasenet audit seal` printed it. If it did, the seal was changed or taken out."
            )
        return found[-1]

    def problems(self, seals: Sequence[Seal], purged: Collection[str]) -> Iterator[str]:
        """Say what differs from seals, one sentence a finding.

        Args:
            seals: which ones.
            purged: paths whose absence is recorded.
        """
        for number, path in enumerate(self._paths()):
            if path.stem != f"{number:08d}" or _read(path) is None:
                yield f"{path} was changed, or a seal before it is missing"
        for seal in seals:
            yield from self._differences(seal, purged)

    def _differences(self, seal: Seal, purged: Collection[str]) -> Iterator[str]:
        if _root_of(seal.leaves) != seal.root:
            yield f"the list of seal {seal.number} does not have its root"
        for name, digest in seal.leaves.items():
            path = self._workspace / name
            if not path.is_file():
                if name not in purged:
                    yield f"{name} is gone; it was sealed on {shown(seal.time)}"
            elif file_digest(path) != digest:
                yield f"{name} is not what was sealed on {shown(seal.time)}"

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*.json"))


def _read(path: Path) -> Seal | None:
    """Read a seal; None if it is damaged or its list does not have its root."""
    try:
        value = json.loads(path.read_bytes())
        seal = plain_record(Seal, value)
        if not all(isinstance(digest, str) for digest in seal.leaves.values()):
            return None
    except UNREADABLE:
        return None
    return seal if seal.number == int(path.stem) and _root_of(seal.leaves) == seal.root else None
