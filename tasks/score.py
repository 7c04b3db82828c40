"""The step that scores the translations of a test set, also apart for kinds of sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.bleu import Score, corpus_bleu, corpus_chrf
from tasks.metrics.mteval import count_corpus
from tasks.metrics.values_kept import (
    VALUES_KEPT,
    VALUES_KEPT_BY_REFERENCE,
    count_kept,
    values_kept,
)
from tasks.rules.style import RuleStyle
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
    style: RuleStyle,
) -> ArtifactRef:
    """Score one system's translations of one test set against its references and sources."""
    sentences = {row["sentence_id"]: row for row in workspace.read_rows(lines)}
    rows = list(workspace.read_rows(translations))
    return workspace.write_rows(
        "scores",
        (
            {"testset": testset, "system": system, "subset": subset, **made}
            for subset, belongs in SUBSETS.items()
            for made in _scores([row for row in rows if belongs(row)], sentences, style)
        ),
    )


def _scores(
    rows: Sequence[Mapping[str, Any]],
    sentences: Mapping[str, Mapping[str, Any]],
    style: RuleStyle,
) -> Iterator[dict[str, Any]]:
    """Yield the scores of some sentences; none if there are no sentences."""
    if not rows:
        return
    chosen = [sentences[row["sentence_id"]] for row in rows]
    texts = [detokenise(row["words"]) for row in rows]
    sources = [each["source"] for each in chosen]
    streams = list(zip(*(each["references"] for each in chosen), strict=True))
    words = [" ".join(row["words"]) for row in rows]
    in_words = [[" ".join(tokenise(normalise(text))) for text in stream] for stream in streams]
    scores: dict[str, Score] = {
        "BLEU": corpus_bleu(texts, streams),
        "BLEU-v11b": count_corpus([texts], streams, flavour="v11b").scores()[0],
        "BLEU of words": corpus_bleu(words, in_words, tokenize="none"),
        "chrF2": corpus_chrf(texts, streams),
    }
    kept = count_kept(sources, texts, style)
    if kept[-1].source:
        ceiling = count_kept(sources, [" ".join(each["references"]) for each in chosen], style)
        scores[VALUES_KEPT] = values_kept(kept, style)
        scores[VALUES_KEPT_BY_REFERENCE] = values_kept(ceiling, style)
    for name, made in scores.items():
        yield {
            "metric": name,
            "value": made.value,
            "sentences": len(rows),
            "signature": made.signature,
        }
