"""The step that links words: both directions, trained on all shards, links kept by shard."""

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.alignment import align as align_pairs
from tasks.mining.config import AlignmentConfig
from tasks.step import step


@step(writes=("links",))
def align(
    workspace: Workspace, *, pairs: tuple[ArtifactRef, ...], config: AlignmentConfig
) -> tuple[ArtifactRef, ...]:
    """Align all pairs; returns one table of links for each shard, in the order of `pairs`."""
    columns = [
        workspace.read_columns(ref, ["pair_id", "source_words", "target_words"]) for ref in pairs
    ]
    words = [
        pair
        for shard in columns
        for pair in zip(shard["source_words"], shard["target_words"], strict=True)
    ]
    links = iter(align_pairs(words, config))
    return tuple(
        workspace.write_rows(
            "links",
            (
                {
                    "pair_id": identity,
                    "source_index": [source for source, _ in found],
                    "target_index": [target for _, target in found],
                }
                for identity, found in zip(shard["pair_id"], links, strict=False)
            ),
        )
        for shard in columns
    )
