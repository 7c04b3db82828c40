"""The step that scores translations under weighted contexts (Context Gates, arXiv 1608.06043).

A trained system without a context gate translates with its source contexts multiplied by `a` and
its target contexts by `b`.
"""

from collections.abc import Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.mteval import count_corpus
from tasks.metrics.ngram_counts import HYPOTHESIS_LENGTH
from tasks.step import step
from tasks.text.detokenise import detokenise

PAIRS = ((1.0, 1.0), (1.0, 0.8), (1.0, 0.5), (0.8, 1.0), (0.5, 1.0))
"""The (a, b) of the paper."""


def label_of(source_scale: float, target_scale: float) -> str:
    """Return how a pair of weights is named in labels."""
    return f"a={source_scale:g} b={target_scale:g}"


@step(writes=("scaling_curve",), libraries=("numpy",))
def scaling(
    workspace: Workspace,
    *,
    lines: ArtifactRef,
    translations: Mapping[str, ArtifactRef],
    testset: str,
    system: str,
) -> ArtifactRef:
    """Score the translations under each pair of `PAIRS`, given by their labels."""
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    about = {"testset": testset, "system": system}
    return workspace.write_rows(
        "scaling_curve",
        (
            {
                **about,
                "source_scale": source,
                "target_scale": target,
                **_scored(
                    list(workspace.read_rows(translations[label_of(source, target)])), references
                ),
            }
            for source, target in PAIRS
        ),
    )


def _scored(rows: list[dict[str, Any]], references: Mapping[str, list[str]]) -> dict[str, Any]:
    texts = [detokenise(row["words"]) for row in rows]
    streams = list(zip(*(references[row["sentence_id"]] for row in rows), strict=True))
    papers, today = (
        count_corpus([texts], streams, flavour=flavour) for flavour in ("v11b", "v13a")
    )
    return {
        "sentences": len(rows),
        "bleu_v11b": papers.scores()[0].value,
        "bleu_v13a": today.scores()[0].value,
        "hypothesis_words": float(papers.counts[0, :, HYPOTHESIS_LENGTH].mean()),
        "signature": f"{papers.signature} and {today.signature}",
    }
