"""The step that scores the translations of a test set, also apart for kinds of sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.bleu import Score, corpus_bleu, corpus_chrf
from tasks.metrics.mteval import count_corpus
from tasks.step import step
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise

SUBSETS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "all": lambda row: True,
    "with rule spans": lambda row: any(slot["origin"] == "rule" for slot in row["slots"]),
    "without rule spans": lambda row: all(slot["origin"] != "rule" for slot in row["slots"]),
    "with phrases": lambda row: bool(row["slots"]),
    "without phrases": lambda row: not row["slots"],
}
"""Kinds of sentences by the phrases that were offered to them; every system was offered the same.
"""


@step(writes=("scores",), libraries=("sacrebleu",))
def score(
    workspace: Workspace,
    *,
    lines: ArtifactRef,
    translations: ArtifactRef,
    testset: str,
    system: str,
) -> ArtifactRef:
    """Score one system's translations of one test set against its references."""
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    rows = list(workspace.read_rows(translations))
    return workspace.write_rows(
        "scores",
        (
            {"testset": testset, "system": system, "subset": subset, **made}
            for subset, belongs in SUBSETS.items()
            for made in _scores([row for row in rows if belongs(row)], references)
        ),
    )


def _scores(
    rows: Sequence[Mapping[str, Any]], references: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Yield the scores of some sentences; none if there are no sentences."""
    if not rows:
        return
    texts = [detokenise(row["words"]) for row in rows]
    streams = list(zip(*(references[row["sentence_id"]] for row in rows), strict=True))
    words = [" ".join(row["words"]) for row in rows]
    in_words = [[" ".join(tokenise(normalise(text))) for text in stream] for stream in streams]
    scores: dict[str, Score] = {
        "BLEU": corpus_bleu(texts, streams),
        "BLEU-v11b": count_corpus([texts], streams, flavour="v11b").scores()[0],
        "BLEU of words": corpus_bleu(words, in_words, tokenize="none"),
        "chrF2": corpus_chrf(texts, streams),
    }
    for name, made in scores.items():
        yield {
            "metric": name,
            "value": made.value,
            "sentences": len(rows),
            "signature": made.signature,
        }
