"""The step that compares the systems of one test set with a baseline, sentence by sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.mteval import Flavour, bleu_of_sums, count_corpus
from tasks.metrics.significance import compare, holm
from tasks.step import step
from tasks.subsets import SUBSETS, with_unknown
from tasks.text.detokenise import detokenise

FLAVOURS: tuple[Flavour, ...] = ("v13a", "v11b")
TRIALS = 1000
SEED = 1


@step(writes=("comparisons",), libraries=("numpy",))
def comparison(
    workspace: Workspace,
    *,
    lines: ArtifactRef,
    translations: Mapping[str, ArtifactRef],
    records: ArtifactRef,
    testset: str,
    baseline: str,
) -> ArtifactRef:
    """Compare every other system with the baseline, on all sentences and on each kind of them.

    Args:
        workspace: where the tables are.
        lines: the lines of the test set, with references.
        translations: outputs by system; all of the same sentences in the same order.
        records: records of any of the systems, which say what words are unknown to all of them.
        testset: its name.
        baseline: the system that the others are compared with.
    """
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    systems = [baseline, *(name for name in translations if name != baseline)]
    known = list(workspace.read_rows(records, ["sentence_id", "side", "source_known"]))
    outputs = {
        name: with_unknown(workspace.read_rows(translations[name]), known) for name in systems
    }
    return workspace.write_rows(
        "comparisons",
        (
            {"testset": testset, "subset": subset, **row}
            for subset, belongs in SUBSETS.items()
            for row in _compared(
                {name: [row for row in rows if belongs(row)] for name, rows in outputs.items()},
                references,
            )
        ),
    )


def _compared(
    outputs: Mapping[str, Sequence[Mapping[str, Any]]], references: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each system but the first, which is the baseline; none without sentences."""
    baseline, *others = outputs
    ids = [row["sentence_id"] for row in outputs[baseline]]
    for rows in outputs.values():
        assert [row["sentence_id"] for row in rows] == ids, "systems translated other sentences"
    if not ids or not others:
        return
    texts = [[detokenise(row["words"]) for row in rows] for rows in outputs.values()]
    streams = list(zip(*(references[sentence_id] for sentence_id in ids), strict=True))
    for flavour in FLAVOURS:
        yield from _rows_of(flavour, texts, streams, list(outputs))


def _rows_of(
    flavour: Flavour,
    texts: Sequence[Sequence[str]],
    streams: Sequence[Sequence[str]],
    systems: Sequence[str],
) -> Iterator[dict[str, Any]]:
    corpus = count_corpus(texts, streams, flavour=flavour)
    own, found = compare(
        corpus.counts, lambda sums: bleu_of_sums(sums, flavour), trials=TRIALS, seed=SEED
    )
    adjusted = holm([item.bootstrap.p_value for item in found])
    for system, item, p_adjusted in zip(systems[1:], found, adjusted, strict=True):
        yield {
            "baseline": systems[0],
            "system": system,
            "metric": f"BLEU-{flavour}",
            "sentences": len(texts[0]),
            "baseline_value": own.value,
            "baseline_low": own.low,
            "baseline_high": own.high,
            "value": item.score.value,
            "low": item.score.low,
            "high": item.score.high,
            "difference": item.difference.value,
            "difference_low": item.difference.low,
            "difference_high": item.difference.high,
            "wins": item.wins,
            "better": item.sign.better,
            "worse": item.sign.worse,
            "p_sign": item.sign.p_value,
            "p_bootstrap": item.bootstrap.p_value,
            "p_bootstrap_adjusted": p_adjusted,
            "p_randomisation": item.randomisation.p_value,
            "signature": f"{corpus.signature}|trials:{TRIALS}|seed:{SEED}",
        }
