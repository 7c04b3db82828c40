"""The model registry: which models there are and what they were made from.

The weights are an artifact; an entry here names it, its system, and the memory snapshot and
training that it came from. Two trainings may end in the same weights; each has its entry. Pickles
are never read: weights are safetensors, everything else is JSON.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import InputError, MissingArtifact
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.plain_json import UNREADABLE, damage, plain_record, read_record


@dataclass(frozen=True, slots=True)
class SourceLicence:
    """Under which licence a source may be used."""

    kind: str
    """`corpus` or `dictionary`."""
    source: str
    licence: str
    """SPDX id or text."""
    url: str = ""
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One trained model."""

    model_id: str
    """The digest of the model's artifact."""
    files: int
    system: str
    snapshot_id: str
    """The memory snapshot that its training data were tagged with."""
    run_key: str
    """Cache key of the training that made it: code, data, settings and versions."""
    registered: str
    """When, ISO 8601 in UTC."""
    licences: tuple[SourceLicence, ...] = ()
    """Of all sources that the model was trained on, or was offered phrases from."""
    format: int = 1
    """Version of this record."""

    @property
    def ref(self) -> ArtifactRef:
        """Return the reference to the model's artifact."""
        return ArtifactRef("model", self.model_id, self.files)


@dataclass(frozen=True, slots=True)
class WithdrawnMark:
    """That a model was trained on something which was withdrawn later."""

    model_id: str
    reason: str
    record: int
    """Of the ledger: the decision."""
    time: str


class ModelRegistry:
    """The folders `models/registry` and `models/withdrawn` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "models" / "registry"
        self._marks = root / "models" / "withdrawn"

    def mark(self, model_id: str, reason: str, record: int, time: str) -> None:
        """Say that a model was trained on what was withdrawn: weights cannot be cleaned of it."""
        mark = WithdrawnMark(model_id, reason, record, time)
        path = self._marks / f"{model_id}-{record:08d}.json"
        write_bytes(path, canonical_json(asdict(mark)))

    def marks(self, model_id: str) -> list[WithdrawnMark]:
        """Return what a model was trained on and is withdrawn now, oldest first."""
        paths = sorted(self._marks.glob(f"{model_id}-*.json"))
        return [_read_mark(path) for path in paths]

    def register(self, entry: ModelEntry) -> None:
        """Add a model; adding it again changes only what is known of its licences."""
        path = self._folder / f"{entry.model_id}-{entry.run_key[:8]}.json"
        if path.exists():
            known = _read(path)
            if known.licences == entry.licences:
                return
            entry = replace(known, licences=entry.licences)
        write_bytes(path, canonical_json(asdict(entry)))

    def entries(self) -> list[ModelEntry]:
        """Return all models, oldest first.

        Raises:
            MissingArtifact: an entry is damaged.
        """
        found = [_read(path) for path in self._folder.glob("*.json")]
        return sorted(found, key=lambda entry: (entry.registered, entry.model_id, entry.run_key))

    def find(self, name: str) -> ModelEntry:
        """Return the one model that `named` finds.

        Raises:
            InputError: no model or more than one is called so.
        """
        found = self.named(name)
        if len(found) != 1:
            raise InputError(
                f"{len(found)} models have an id that begins with {name!r}, and no system with a "
                "model is called so; expected one. `phrasenet models list` shows them."
            )
        return found[0]

    def named(self, name: str) -> list[ModelEntry]:
        """Return the newest model of a system, or the models whose id begins so, oldest first."""
        entries = self.entries()
        of_system = [entry for entry in entries if entry.system == name]
        fitting = of_system[-1:] or [item for item in entries if item.model_id.startswith(name)]
        # Trainings that ended in the same weights are one model; the newest entry speaks for it.
        return list({entry.model_id: entry for entry in fitting}.values())


def _read(path: Path) -> ModelEntry:
    try:
        value = dict(json.loads(path.read_bytes()))
        licences = tuple(plain_record(SourceLicence, item) for item in value.pop("licences", ()))
        return plain_record(ModelEntry, {**value, "licences": licences})
    except UNREADABLE as error:
        raise MissingArtifact(damage(path, error)) from error


def _read_mark(path: Path) -> WithdrawnMark:
    try:
        return read_record(WithdrawnMark, path)
    except UNREADABLE as error:
        raise MissingArtifact(damage(path, error)) from error
