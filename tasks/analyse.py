"""The step that looks into one system's translations of one test set, beside scoring them.

What is measured, and from which papers, is said in `tasks/metrics/`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Slot
from storage.workspace import Workspace
from tasks.analysis import Sentence, alignment_measures, gate_measures, sentence_rows, sums_of
from tasks.gold import gold_of
from tasks.metrics.bleu import Score
from tasks.metrics.gate_analysis import gates_by_class
from tasks.metrics.length_buckets import length_buckets
from tasks.metrics.mteval import count_corpus
from tasks.metrics.phrase_outcomes import SlotOutcome, count_outcomes, outcomes
from tasks.metrics.phrase_use import TranslatedSentence
from tasks.step import step
from tasks.test_set_terms import scores_of_terms
from tasks.text.detokenise import detokenise
from tasks.text.units import slot_of_each_word

Tables = Mapping[str, ArtifactRef]

NAMES = ("outcomes", "phrase_use", "sentences", "measures", "lengths", "gates")
"""What the results of the step are called, in their order."""


@step(
    writes=(
        "slot_outcomes",
        "phrase_use",
        "sentence_measures",
        "measures",
        "length_buckets",
        "gate_classes",
    ),
    libraries=("numpy",),
)
def analyse(
    workspace: Workspace, *, outputs: Tables, answers: Tables, testset: str, system: str
) -> tuple[ArtifactRef, ...]:
    """Look into one system's translations; returns the tables of `NAMES`.

    Args:
        workspace: where the tables are.
        outputs: the system's `translations` and `records`, and the `baseline`'s translations where
            it is another system.
        answers: of the test set its `lines`, and its `gold` links and `terms` where there are any.
        testset: its name.
        system: the system's name.
    """
    about = {"testset": testset, "system": system}
    sentences = _sentences(workspace, outputs, answers)
    found = [
        (sentence.row, outcome)
        for sentence in sentences
        for outcome in outcomes(
            _translated(sentence.row),
            sentence.attention("translation"),
            sentence.reference_words(),
        )
    ]
    rows = list(sentence_rows(sentences))
    return (
        workspace.write_rows("slot_outcomes", (_outcome_row(*item) for item in found)),
        workspace.write_rows("phrase_use", _use_rows([item for _, item in found], about)),
        workspace.write_rows("sentence_measures", rows),
        workspace.write_rows(
            "measures",
            (
                {**about, "subset": subset, **_score_row(score), "sentences": number}
                for subset, score, number in _measures(workspace, sentences, rows, answers)
            ),
        ),
        workspace.write_rows("length_buckets", _length_rows(sentences, about)),
        workspace.write_rows("gate_classes", _gate_rows(sentences, about)),
    )


def _sentences(workspace: Workspace, outputs: Tables, answers: Tables) -> list[Sentence]:
    """Put together what is known of each sentence."""
    lines = {row["sentence_id"]: row for row in workspace.read_rows(answers["lines"])}
    records: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in workspace.read_rows(outputs["records"]):
        records.setdefault(row["sentence_id"], {})[row["side"]] = row
    baseline = (
        {row["sentence_id"]: row["words"] for row in workspace.read_rows(outputs["baseline"])}
        if "baseline" in outputs
        else {}
    )
    return [
        Sentence(
            row,
            lines[row["sentence_id"]],
            records.get(row["sentence_id"], {}),
            baseline.get(row["sentence_id"]),
        )
        for row in workspace.read_rows(outputs["translations"])
    ]


def _translated(row: Mapping[str, Any]) -> TranslatedSentence:
    return TranslatedSentence(
        tuple(row["words"]),
        tuple(slot_of_each_word(row["words"], row["steps"])),
        tuple(Slot(**slot) for slot in row["slots"]),
    )


def _outcome_row(row: Mapping[str, Any], found: SlotOutcome) -> dict[str, Any]:
    slot = found.slot
    return {
        "sentence_id": row["sentence_id"],
        "slot": slot.slot,
        "category": slot.category,
        "origin": slot.origin,
        "phrase_id": slot.phrase_id,
        "source": slot.source,
        "target": slot.target,
        "use": found.use,
        "outcome": found.outcome,
        "start": found.start,
        "end": found.end,
    }


def _use_rows(found: list[SlotOutcome], about: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for count in count_outcomes(found):
        numbers = asdict(count)
        yield {
            **about,
            **numbers,
            "category": count.category or "",
            "origin": count.origin or "",
        }


def _measures(
    workspace: Workspace,
    sentences: list[Sentence],
    rows: list[dict[str, Any]],
    answers: Tables,
) -> Iterator[tuple[str, Score, int]]:
    """Yield the subset, the score and the number of sentences of each measure."""
    yield from sums_of(sentences, rows)
    yield from gate_measures(rows)
    if "gold" in answers:
        gold = {row["sentence_id"]: gold_of(row) for row in workspace.read_rows(answers["gold"])}
        yield from alignment_measures(sentences, gold)
    if "terms" in answers:
        found = scores_of_terms(
            workspace.read_rows(answers["terms"]),
            [sentence.line for sentence in sentences],
            [detokenise(sentence.row["words"]) for sentence in sentences],
        )
        yield from (("all", score, number) for score, number in found)


def _score_row(score: Score) -> dict[str, Any]:
    return {"metric": score.name, "value": score.value, "signature": score.signature}


def _length_rows(sentences: list[Sentence], about: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    if not sentences:
        return
    texts = [detokenise(sentence.row["words"]) for sentence in sentences]
    streams = list(zip(*(sentence.line["references"] for sentence in sentences), strict=True))
    papers, today = (
        count_corpus([texts], streams, flavour=flavour) for flavour in ("v11b", "v13a")
    )
    lengths = [len(sentence.row["source_words"]) for sentence in sentences]
    for bucket in length_buckets(lengths, [papers, today]):
        yield {
            **about,
            "low": bucket.low,
            "high": bucket.high,
            "sentences": bucket.sentences,
            "bleu_v11b": bucket.bleu[0],
            "bleu_v13a": bucket.bleu[1],
            "source_words": bucket.source_words,
            "hypothesis_words": bucket.hypothesis_words,
            "reference_words": bucket.reference_words,
            "signature": f"{papers.signature} and {today.signature}",
        }


def _gate_rows(sentences: list[Sentence], about: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for side in ("reference", "translation"):
        kept = [sentence.records[side] for sentence in sentences if side in sentence.records]
        with_gate = [(row["gates"], row["classes"]) for row in kept if row["gates"]]
        for found in gates_by_class(with_gate):
            yield {**about, "side": side, **asdict(found)}
