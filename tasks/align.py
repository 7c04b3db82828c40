"""Steps that link words: an aligner is trained on all shards and kept, then links each of them, and
pairs of which too little is linked are set aside.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from storage.datasets import ArtifactRef
from storage.table_schema import Reproducibility
from storage.workspace import Workspace
from tasks import eflomal
from tasks.clean import log_dropped
from tasks.continued import write_continued
from tasks.mining.alignment import Aligner, UnalignedReason, count_unaligned
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.symmetrise import Links
from tasks.mining.word_table import WordPair
from tasks.step import Before, step

log = logging.getLogger(__name__)

_PREFIX = "aligner-"
_AT_ONCE = 1 << 12
"""Pairs that are linked at a time: a list of words or links takes many times what it says."""

LinkPairs = Callable[[list[WordPair]], list[Links]]

TRAINING_PAIRS = """
SELECT source_words, target_words FROM pairs
WHERE LEN(source_words) BETWEEN 1 AND $max_words AND LEN(target_words) BETWEEN 1 AND $max_words
ORDER BY MD5(pair_id), pair_id LIMIT $most
"""
"""The pairs that train an aligner: all, or a sample that does not depend on their order."""

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

_SAME_PAIRS = """
SELECT pair_id FROM pairs JOIN pairs_before AS old USING (pair_id)
WHERE pairs.source_words = old.source_words AND pairs.target_words = old.target_words
"""
CHANGED_PAIRS = f"SELECT * FROM pairs ANTI JOIN ({_SAME_PAIRS}) USING (pair_id) ORDER BY pair_id"
KNOWN_LINKS = f"SELECT before.* FROM before SEMI JOIN ({_SAME_PAIRS}) USING (pair_id)"
"""Links of pairs whose words are the same as before."""

LINKED_PAIRS = "SELECT pairs.* FROM pairs ANTI JOIN dropped USING (pair_id) ORDER BY pair_id"
LINKS_OF_PAIRS = "SELECT links.* FROM links ANTI JOIN dropped USING (pair_id) ORDER BY pair_id"


@step(writes=("aligner",), name="aligner", libraries=("duckdb",))
def train_aligner(
    workspace: Workspace, *, pairs: tuple[ArtifactRef, ...], config: AlignmentConfig
) -> ArtifactRef:
    """Train the aligner on the pairs of all shards, or a sample of them, in both directions."""
    limits = {"max_words": config.max_words, "most": config.training_pairs}
    words = [
        (row["source_words"], row["target_words"])
        for row in workspace.stream(TRAINING_PAIRS, {"pairs": pairs}, limits)
    ]
    log.info("training on %d of %d pairs", len(words), sum(ref.rows for ref in pairs))
    if config.engine == "eflomal":
        files = {eflomal.PRIORS: eflomal.train_priors(words, config)}
    else:
        with workspace.scratch() as folder:
            Aligner.train(words, config).save(str(folder / _PREFIX))
            files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return workspace.write_bundle("aligner", files, reproducibility=reproducibility(config))


def reproducibility(config: AlignmentConfig) -> Reproducibility:
    """Say how far an aligner and its links can be made again: a program without a seed gives others
    each time, so what it gave is the input of all that follows."""
    return "none" if config.engine == "eflomal" else "exact"


@step(writes=("links",), libraries=("duckdb",), continues=("pairs",))
def align(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    aligner: ArtifactRef,
    config: AlignmentConfig,
    before: Before | None = None,
) -> ArtifactRef:
    """Link the words of the pairs of one shard with a trained aligner."""
    link = _linker(workspace, aligner, config)
    again = reproducibility(config)
    if before is None:
        rows = workspace.read_rows(pairs, ["pair_id", "source_words", "target_words"])
        return workspace.write_rows("links", _linked(link, rows, config), reproducibility=again)
    tables = {"pairs": pairs, "pairs_before": before.inputs["pairs"], "before": before.result}
    changed = _linked(link, workspace.stream(CHANGED_PAIRS, tables), config)
    return write_continued(workspace, "links", tables, KNOWN_LINKS, changed, reproducibility=again)


def _linker(workspace: Workspace, aligner: ArtifactRef, config: AlignmentConfig) -> LinkPairs:
    """Read a trained aligner."""
    if config.engine == "eflomal":
        priors = workspace.read_bundle(aligner)[eflomal.PRIORS]
        return lambda pairs: eflomal.link_pairs(pairs, priors, config)
    return Aligner.load(str(workspace.folder_of(aligner) / _PREFIX), config).align_pairs


def _linked(
    link: LinkPairs, pairs: Iterable[Mapping[str, Any]], config: AlignmentConfig
) -> Iterator[dict[str, Any]]:
    """Link pairs, some at a time, and yield the rows of their links."""
    waiting, number, unaligned = iter(pairs), 0, Counter[UnalignedReason]()
    # `eflomal` samples the links of all pairs together, so it needs them at once.
    at_once = None if config.engine == "eflomal" else _AT_ONCE
    while read := list(islice(waiting, at_once)):
        words = [(row["source_words"], row["target_words"]) for row in read]
        unaligned.update(count_unaligned(words, config))
        number += len(read)
        for row, found in zip(read, link(words), strict=True):
            yield {
                "pair_id": row["pair_id"],
                "source_index": [source for source, _ in found],
                "target_index": [target for _, target in found],
            }
    linked = number - unaligned.total()
    log.info("linked %d pairs; not linked: %s", linked, dict(unaligned))


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
