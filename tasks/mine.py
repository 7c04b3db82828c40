"""The step that counts the phrases of one shard of aligned pairs."""

from storage.columns import TextColumn
from storage.datasets import ROW_GROUP_ROWS, ArtifactRef
from storage.workspace import Workspace
from tasks.linked import read_corpora
from tasks.mining.candidates import PhraseCounter, SideCounts
from tasks.mining.config import ExtractionConfig
from tasks.progress import track
from tasks.recount import Counts, recount
from tasks.step import Before, step


@step(
    writes=("pair_counts", "source_phrases", "target_phrases"),
    libraries=("duckdb",),
    continues=("pairs", "links"),
)
def mine(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    links: ArtifactRef,
    config: ExtractionConfig,
    max_words: int,
    before: Before | None = None,
) -> Counts:
    """Count the phrase pairs of one shard, and how often each side was extracted at all."""

    def count(place: Workspace, pairs: ArtifactRef, links: ArtifactRef) -> Counts:
        return count_shard(place, pairs, links, PhraseCounter(config, max_words=max_words))

    if before is None:
        return count(workspace, pairs, links)
    return recount(workspace, (pairs, links), before, count)


def count_shard(
    workspace: Workspace, pairs: ArtifactRef, links: ArtifactRef, counter: PhraseCounter
) -> Counts:
    """Write what `counter` counts in one shard."""
    for corpus, _ in track(
        read_corpora(workspace, pairs, links),
        total=pairs.rows,
        unit="pairs",
        size=lambda batch: len(batch[1]),
    ):
        counter.add(corpus)
    counts = counter.counts()
    sources, targets = counts.sources, counts.targets
    pieces = (
        {
            "source_key": sources.keys[piece[:, 0]],
            "target_key": targets.keys[piece[:, 1]],
            "count": piece[:, 2],
        }
        for piece in counts.pairs.pieces(ROW_GROUP_ROWS)
    )
    phrases = workspace.write_arrays("pair_counts", pieces)
    return (
        phrases,
        _write_side(workspace, "source", sources),
        _write_side(workspace, "target", targets),
    )


def _write_side(workspace: Workspace, side: str, counts: SideCounts) -> ArtifactRef:
    return workspace.write_arrays(
        f"{side}_phrases",
        {f"{side}_key": counts.keys, side: TextColumn(*counts.texts), "count": counts.counts},
    )
