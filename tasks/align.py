"""Steps that link words: an aligner is trained on all shards and kept, then links each of them, and
pairs of which too little is linked are set aside.
"""

import logging

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.clean import log_dropped
from tasks.mining.alignment import Aligner, count_unaligned
from tasks.mining.config import AlignmentConfig
from tasks.step import step

log = logging.getLogger(__name__)

_PREFIX = "aligner-"

UNLINKED_PAIRS = """
SELECT
    pair_id, corpus, document, position, 'unaligned' AS reason,
    linked || ' of ' || words || ' words are linked' AS detail
FROM (
    SELECT
        *,
        LEN(LIST_DISTINCT(source_index)) + LEN(LIST_DISTINCT(target_index)) AS linked,
        LEN(source_words) + LEN(target_words) AS words,
        GREATEST(LEN(source_words), LEN(target_words)) AS longest
    FROM pairs JOIN links USING (pair_id)
)
WHERE linked < $min_linked_share * words AND longest <= $max_words
ORDER BY pair_id
"""
"""Pairs of which less than a share of the words is linked; what is too long to be linked at all
tells nothing."""

LINKED_PAIRS = "SELECT pairs.* FROM pairs ANTI JOIN dropped USING (pair_id) ORDER BY pair_id"
LINKS_OF_PAIRS = "SELECT links.* FROM links ANTI JOIN dropped USING (pair_id) ORDER BY pair_id"


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


@step(writes=("pairs", "links", "dropped"), name="linked")
def keep_linked(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    links: ArtifactRef,
    min_linked_share: float,
    config: AlignmentConfig,
) -> tuple[ArtifactRef, ArtifactRef, ArtifactRef]:
    """Set aside the pairs of one shard whose sides hardly speak of the same.

    Args:
        workspace: the workspace.
        pairs: the pairs of a shard.
        links: their links.
        min_linked_share: least share of the words of both sides that are linked, 0 to 1.
        config: how they were linked.

    Returns:
        The pairs that are kept, their links, and the pairs that are dropped.
    """
    parameters = {"min_linked_share": min_linked_share, "max_words": config.max_words}
    dropped = workspace.write_query(
        "dropped", UNLINKED_PAIRS, {"pairs": pairs, "links": links}, parameters
    )
    log_dropped(workspace, pairs.rows, dropped)
    if not dropped.rows:
        return pairs, links, dropped
    kept = workspace.write_query("pairs", LINKED_PAIRS, {"pairs": pairs, "dropped": dropped})
    left = workspace.write_query("links", LINKS_OF_PAIRS, {"links": links, "dropped": dropped})
    return kept, left, dropped
