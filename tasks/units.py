"""Steps that learn subwords, and bring tagged sentences to the units of a model."""

from collections.abc import Iterator

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.progress import track
from tasks.recipe import WordRecipe
from tasks.step import step
from tasks.text.units import UNIT_FILES, PairCoder, learn_subwords


@step(writes=("units",), name="units")
def learn_units(
    workspace: Workspace, *, pairs: tuple[ArtifactRef, ...], recipe: WordRecipe, num_subwords: int
) -> ArtifactRef:
    """Learn the subwords of each side that is to have some, from the pairs of all shards."""
    kinds = {"source": recipe.source_units, "target": recipe.target_units}
    files = {
        UNIT_FILES[side]: learn_subwords(_words(workspace, pairs, side), num_subwords)
        for side, units in kinds.items()
        if units == "subwords"
    }
    return workspace.write_bundle("units", files)


def _words(workspace: Workspace, pairs: tuple[ArtifactRef, ...], side: str) -> Iterator[list[str]]:
    for ref in pairs:
        for row in workspace.read_rows(ref, [f"{side}_words"]):
            yield row[f"{side}_words"]


@step(writes=("tagged",), name="code", libraries=("sentencepiece",))
def in_units(
    workspace: Workspace, *, tagged: ArtifactRef, units: ArtifactRef, recipe: WordRecipe
) -> ArtifactRef:
    """Bring the sentences of a tagged table to units."""
    files = workspace.read_bundle(units)
    coder = PairCoder.of(recipe.source_units, recipe.target_units, files)
    rows = (coder.coded(row) for row in workspace.read_rows(tagged))
    return workspace.write_rows("tagged", track(rows, total=tagged.rows, unit="sentences"))
