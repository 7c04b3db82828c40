"""Read sentence pairs together with their links."""

from collections.abc import Iterator

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.candidates import LinkedPair


def read_linked(
    workspace: Workspace, pairs: ArtifactRef, links: ArtifactRef
) -> Iterator[LinkedPair]:
    """Yield words and links of each pair of a shard; both tables are in the order of the ids."""
    texts = workspace.read_columns(pairs, ["pair_id", "source_words", "target_words"])
    found = workspace.read_columns(links, ["pair_id", "source_index", "target_index"])
    assert texts["pair_id"] == found["pair_id"], "links were made for other pairs"
    for source, target, source_index, target_index in zip(
        texts["source_words"],
        texts["target_words"],
        found["source_index"],
        found["target_index"],
        strict=True,
    ):
        yield source, target, tuple(zip(source_index, target_index, strict=True))
