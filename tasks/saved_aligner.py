"""The step that tells how far the text has moved away from the text that trained an aligner."""

import logging

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.step import step

log = logging.getLogger(__name__)

PAIRS_IN_COMMON = """
SELECT
    (SELECT COUNT(*) FROM trained) AS trained,
    (SELECT COUNT(*) FROM pairs) AS pairs,
    (SELECT COUNT(*) FROM trained SEMI JOIN pairs USING (source_words, target_words)) AS stayed,
    (SELECT COUNT(*) FROM pairs SEMI JOIN trained USING (source_words, target_words)) AS known
"""
"""Pairs that trained an aligner, pairs that there are now, and how many of each the others hold."""


@step(writes=(), libraries=("duckdb",))
def drift(
    workspace: Workspace,
    *,
    trained: tuple[ArtifactRef, ...],
    pairs: tuple[ArtifactRef, ...],
) -> float:
    """Return the share of pairs that are not among those that trained an aligner, or are no more.

    Args:
        workspace: where the tables are.
        trained: the pairs that trained it.
        pairs: those of now.

    Returns:
        Pairs that are new and pairs that are gone, by the number that trained it.
    """
    [row] = workspace.query(PAIRS_IN_COMMON, {"trained": trained, "pairs": pairs})
    new, gone = row["pairs"] - row["known"], row["trained"] - row["stayed"]
    log.info(
        "%d pairs are new and %d are gone since the aligner was trained on %d",
        new,
        gone,
        row["trained"],
    )
    return float((new + gone) / max(1, row["trained"]))
