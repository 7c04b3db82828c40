"""Reading and writing the texts of phrases with no object for each."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from storage.columns import PickedTexts, TextColumn
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.compiled.arrays import Numbers, Texts, joined_texts
from tasks.mining.likely import LikelyPhrases


@lru_cache(maxsize=1)
def read_phrases(workspace: Workspace, table: ArtifactRef) -> LikelyPhrases:
    """Read the phrases of a table that is sorted by source and target.

    All shards ask for the same, and to prepare the phrases takes longer than to find them in a
    small shard.
    """
    texts = workspace.read_texts(table, ["source", "target"])
    return LikelyPhrases.of(Texts(*texts["source"]), Texts(*texts["target"]))


def picked_of(parts: Sequence[tuple[Texts, Numbers]]) -> PickedTexts:
    """Return a column of texts: those of each part, by number, one part behind the other."""
    shifts = np.cumsum([0, *(len(texts.starts) - 1 for texts, _ in parts)])
    numbers = [numbers + shift for (_, numbers), shift in zip(parts, shifts, strict=False)]
    whole = joined_texts([texts for texts, _ in parts])
    return PickedTexts(TextColumn(*whole), np.concatenate(numbers))
