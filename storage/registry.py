"""The model registry: which models there are, what they were made from, and which is production.

The weights are an artifact; an entry here names it, its system and the memory snapshot and run that
it came from. Pickles are never read: weights are safetensors, everything else is JSON.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.files import write_bytes
from storage.ledger import canonical_json


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One trained model."""

    model_id: str
    """The digest of the model's artifact."""
    files: int
    system: str
    snapshot_id: str
    """The memory snapshot that its training data were tagged with."""
    registered: str
    """When, ISO 8601 in UTC."""

    @property
    def ref(self) -> ArtifactRef:
        """Return the reference to the model's artifact."""
        return ArtifactRef("model", self.model_id, self.files)


class ModelRegistry:
    """The folder `models/registry` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "models" / "registry"

    def register(self, entry: ModelEntry) -> None:
        """Add a model; adding it again changes nothing."""
        path = self._folder / f"{entry.model_id}.json"
        if not path.exists():
            write_bytes(path, canonical_json(asdict(entry)))

    def entries(self) -> list[ModelEntry]:
        """Return all models, oldest first."""
        found = [
            ModelEntry(**json.loads(path.read_bytes())) for path in self._folder.glob("*.json")
        ]
        return sorted(found, key=lambda entry: (entry.registered, entry.model_id))

    def find(self, prefix: str) -> ModelEntry:
        """Return the model whose id begins with `prefix`.

        Raises:
            InputError: no model or more than one has such an id.
        """
        found = [entry for entry in self.entries() if entry.model_id.startswith(prefix)]
        if len(found) != 1:
            raise InputError(
                f"{len(found)} models have an id that begins with {prefix!r}; expected one. "
                "`phrasenet models list` shows them."
            )
        return found[0]
