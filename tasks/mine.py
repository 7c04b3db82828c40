"""The step that counts the phrases of one shard of aligned pairs."""

from collections.abc import Iterator, Mapping

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.linked import read_linked
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig
from tasks.progress import track
from tasks.step import step


@step(writes=("phrase_counts", "source_counts", "target_counts"))
def mine(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    links: ArtifactRef,
    config: ExtractionConfig,
    max_words: int,
) -> tuple[ArtifactRef, ArtifactRef, ArtifactRef]:
    """Count the phrase pairs of one shard, and how often each side was extracted at all."""
    linked = track(read_linked(workspace, pairs, links), total=pairs.rows, unit="pairs")
    counts = count_phrases(linked, config, max_words=max_words)
    phrases = workspace.write_rows(
        "phrase_counts",
        (
            {"source": source, "target": target, "count": count}
            for (source, target), count in counts.pairs.items()
        ),
    )
    sources = workspace.write_rows("source_counts", _rows("source", counts.sources))
    targets = workspace.write_rows("target_counts", _rows("target", counts.targets))
    return phrases, sources, targets


def _rows(side: str, counts: Mapping[str, int]) -> Iterator[dict[str, str | int]]:
    return ({side: text, "count": count} for text, count in counts.items())
