"""The step that scores the translations of a test set, also apart for kinds of sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.bleu import Score, corpus_bleu, corpus_chrf, corpus_ter
from tasks.metrics.mteval import Flavour, count_corpus
from tasks.metrics.values_kept import (
    VALUES_KEPT_BY_REFERENCE,
    count_kept,
    values_kept,
)
from tasks.rules.style import RuleStyle
from tasks.step import step
from tasks.subsets import each_subset, with_unknown
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise

FLAVOURS: tuple[Flavour, ...] = ("v11b", "v13a")
TER_SUBSETS = ("all",)
"""TER takes longer than all other scores together."""


@step(writes=("scores", "ngram_scores"), libraries=("sacrebleu",))
def score(
    workspace: Workspace,
    *,
    lines: ArtifactRef,
    outputs: Mapping[str, ArtifactRef],
    testset: str,
    system: str,
    style: RuleStyle,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Score one system's translations of one test set against its references and sources.

    Returns the scores, and BLEU taken apart by the length of n-grams.

    Args:
        workspace: where the tables are.
        lines: the lines of the test set, with references.
        outputs: the system's `translations` and `records`.
        testset: its name.
        system: the system's name.
        style: where the sources come from.
    """
    sentences = {row["sentence_id"]: row for row in workspace.read_rows(lines)}
    rows = with_unknown(
        workspace.read_rows(outputs["translations"]), workspace.read_rows(outputs["records"])
    )
    about = {"testset": testset, "system": system}
    subsets = each_subset(rows)
    return (
        workspace.write_rows(
            "scores",
            (
                {**about, "subset": subset, **made}
                for subset, chosen in subsets.items()
                for made in _scores(chosen, sentences, style, with_ter=subset in TER_SUBSETS)
            ),
        ),
        workspace.write_rows(
            "ngram_scores",
            (
                {**about, "subset": subset, **made}
                for subset, chosen in subsets.items()
                for made in _ngram_scores(chosen, sentences)
            ),
        ),
    )


def _scores(
    rows: Sequence[Mapping[str, Any]],
    sentences: Mapping[str, Mapping[str, Any]],
    style: RuleStyle,
    *,
    with_ter: bool,
) -> Iterator[dict[str, Any]]:
    """Yield the scores of some sentences, at least one."""
    chosen = [sentences[row["sentence_id"]] for row in rows]
    texts = [detokenise(row["words"]) for row in rows]
    sources = [each["source"] for each in chosen]
    streams = list(zip(*(each["references"] for each in chosen), strict=True))
    words = [" ".join(row["words"]) for row in rows]
    in_words = [[" ".join(tokenise(normalise(text))) for text in stream] for stream in streams]
    scores: list[Score] = [
        corpus_bleu(texts, streams),
        count_corpus([texts], streams, flavour="v11b").scores()[0],
        replace(corpus_bleu(words, in_words, tokenize="none"), name="BLEU of words"),
        corpus_chrf(texts, streams),
    ]
    if with_ter:
        scores.append(corpus_ter(texts, streams))
    kept = count_kept(sources, texts, style)
    if kept[-1].source:
        ceiling = count_kept(sources, [" ".join(each["references"]) for each in chosen], style)
        scores.append(values_kept(kept, style))
        scores.append(replace(values_kept(ceiling, style), name=VALUES_KEPT_BY_REFERENCE))
    for made in scores:
        yield {
            "metric": made.name,
            "value": made.value,
            "sentences": len(rows),
            "signature": made.signature,
        }


def _ngram_scores(
    rows: Sequence[Mapping[str, Any]], sentences: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield individual and cumulative BLEU of each order, as both scripts make it."""
    texts = [detokenise(row["words"]) for row in rows]
    references = (sentences[row["sentence_id"]]["references"] for row in rows)
    streams = list(zip(*references, strict=True))
    for flavour in FLAVOURS:
        corpus = count_corpus([texts], streams, flavour=flavour)
        apart = corpus.breakdown(0)
        for order, (individual, cumulative) in enumerate(
            zip(apart.individual, apart.cumulative, strict=True), start=1
        ):
            yield {
                "flavour": flavour,
                "order": order,
                "individual": individual,
                "cumulative": cumulative,
                "brevity_penalty": apart.brevity_penalty,
                "hypothesis_words": apart.hypothesis_words,
                "reference_words": apart.reference_words,
                "signature": corpus.signature,
            }
