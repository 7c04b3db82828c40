"""Steps that link words: an aligner is trained on all shards and kept, then links each of them."""

import logging

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.alignment import Aligner, count_unaligned
from tasks.mining.config import AlignmentConfig
from tasks.step import step

log = logging.getLogger(__name__)

_PREFIX = "aligner-"


@step(writes=("aligner",), name="aligner")
def train_aligner(
    workspace: Workspace, *, pairs: tuple[ArtifactRef, ...], config: AlignmentConfig
) -> ArtifactRef:
    """Train the aligner on the pairs of all shards, in both directions."""
    columns = [workspace.read_columns(ref, ["source_words", "target_words"]) for ref in pairs]
    aligner = Aligner.train(
        (
            pair
            for shard in columns
            for pair in zip(shard["source_words"], shard["target_words"], strict=True)
        ),
        config,
    )
    with workspace.scratch() as folder:
        aligner.save(str(folder / _PREFIX))
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return workspace.write_bundle("aligner", files)


@step(writes=("links",))
def align(
    workspace: Workspace, *, pairs: ArtifactRef, aligner: ArtifactRef, config: AlignmentConfig
) -> ArtifactRef:
    """Link the words of the pairs of one shard with a trained aligner."""
    trained = Aligner.load(str(workspace.folder_of(aligner) / _PREFIX), config)
    columns = workspace.read_columns(pairs, ["pair_id", "source_words", "target_words"])
    words = list(zip(columns["source_words"], columns["target_words"], strict=True))
    links = trained.align_pairs(words)
    unaligned = count_unaligned(words, config)
    log.info("linked %d pairs; not linked: %s", len(words) - sum(unaligned.values()), unaligned)
    return workspace.write_rows(
        "links",
        (
            {
                "pair_id": identity,
                "source_index": [source for source, _ in found],
                "target_index": [target for _, target in found],
            }
            for identity, found in zip(columns["pair_id"], links, strict=True)
        ),
    )
