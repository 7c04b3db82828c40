"""The step that records what a model attends to and how its gate stands, word by word.

The first reference of each sentence is fed to the model (forced decoding), and then its own
translation. Where unknown words were copied or looked up, the printed words are fed, since they are
what is kept of the search.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from model.config import DecodingConfig
from model.device_names import BY_KIND
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.decoding import Models, open_models
from tasks.examples import examples_from, taken_slots
from tasks.metrics.attention_table import Side, merged, packed
from tasks.metrics.phrase_spans import PhraseSpan, spans_in_reference, spans_in_translation
from tasks.metrics.word_classes import classes_of
from tasks.progress import track
from tasks.step import step
from tasks.text.units import begins_word

if TYPE_CHECKING:
    from model.hypotheses import Hypothesis
    from model.records import WordRecord

Row = Mapping[str, Any]

_CHUNK_BATCHES = 4


@dataclass(frozen=True, slots=True)
class Feeding:
    """What of `[decoding]` a record depends on beside the translations that are fed; each field as
    in `DecodingConfig`.

    Everything else says how to search, which is done by then, or how fast: words are fed in
    float32, whatever precision the search had.
    """

    device: str = field(metadata=BY_KIND)
    clear_on_word_match: bool
    source_scale: float
    target_scale: float

    @classmethod
    def of(cls, decoding: DecodingConfig) -> "Feeding":
        """Take it from the settings of a search."""
        return cls(**{each.name: getattr(decoding, each.name) for each in fields(cls)})


@step(writes=("records",), with_driver=True)
def record(
    workspace: Workspace,
    *,
    model: ArtifactRef,
    tagged: ArtifactRef,
    translations: ArtifactRef,
    feeding: Feeding,
) -> ArtifactRef:
    """Record one model on the references and on its translations of a tagged table.

    A sentence without words has no record, and one without a reference only that of its
    translation.
    """
    models = open_models([workspace.read_bundle(model)], DecodingConfig(**asdict(feeding)), {})
    sentences = [
        (row, translated)
        for row, translated in zip(
            workspace.read_rows(tagged), workspace.read_rows(translations), strict=True
        )
        if row["source_words"]
    ]
    rows = track(_records(models, sentences), total=2 * len(sentences), unit="records")
    return workspace.write_rows("records", rows)


def _records(models: Models, sentences: Sequence[tuple[Row, Row]]) -> Iterator[dict[str, Any]]:
    chunk = models.decoding.batch_size * _CHUNK_BATCHES
    for first in range(0, len(sentences), chunk):
        part = sentences[first : first + chunk]
        yield from _of_references(models, [row for row, _ in part if row["target_words"]])
        yield from _of_translations(models, part)


def _of_references(models: Models, rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    from model.records import record_references

    coded = [models.coder.coded(row) for row in rows]
    examples = examples_from(
        coded, models.source, models.target, with_reference=True, candidates=models.candidates
    )
    found = record_references(models.translators[0], examples, models.decoding.batch_size)
    for row, looked_at in zip(rows, found, strict=True):
        words = row["target_words"]
        units, starts = models.coder.target.code(words)
        fed = _Fed("reference", words, units, starts[:-1], spans_in_reference(row))
        yield _row(models, row, fed, looked_at)


def _of_translations(
    models: Models, sentences: Sequence[tuple[Row, Row]]
) -> Iterator[dict[str, Any]]:
    from model.records import record_translations

    coded = [models.coder.coded(row) for row, _ in sentences]
    examples = examples_from(
        coded, models.source, models.target, with_reference=False, candidates=models.candidates
    )
    found = record_translations(
        models.translators[0],
        examples,
        [_hypothesis(models, row, translated["steps"]) for row, translated in sentences],
        clear_on_word_match=models.decoding.clear_on_word_match,
        batch_size=models.decoding.batch_size,
    )
    for (row, translated), looked_at in zip(sentences, found, strict=True):
        words, units = translated["words"], [each["word"] for each in translated["steps"]]
        in_words = units == words
        starts = [number for number in range(len(units)) if in_words or begins_word(units, number)]
        fed = _Fed("translation", words, units, starts, spans_in_translation(translated))
        yield _row(models, row, fed, looked_at)


@dataclass(frozen=True, slots=True)
class _Fed:
    """What was fed to the model."""

    side: Side
    words: Sequence[str]
    units: Sequence[str]
    starts: Sequence[int]
    """First unit of each word."""
    spans: Sequence[PhraseSpan]
    """Phrases, on words."""


def _hypothesis(models: Models, row: Row, steps: Sequence[Row]) -> "Hypothesis":
    """Read what search decided back as its translation, with the model's own numbers of slots."""
    from model.hypotheses import Hypothesis, OutputWord

    taken = taken_slots(row, models.candidates)
    number_of = {-1: -1} | {slot["slot"]: number for number, slot in enumerate(taken)}
    ids = models.target.encode([decision["word"] for decision in steps])
    words: list[OutputWord] = []
    for number, decision in zip(ids.tolist(), steps, strict=True):
        slot, before = number_of[decision["slot"]], words[-1] if words else None
        goes_on = before is not None and slot >= 0 and before.slot == slot
        offset = before.offset + 1 if before is not None and goes_on else 0
        words.append(
            OutputWord(number, slot, offset, decision["probability"], decision["attended"])
        )
    return Hypothesis(tuple(words), 0.0, 0.0)


def _row(models: Models, row: Row, fed: _Fed, looked_at: "WordRecord") -> dict[str, Any]:
    source_units, source_starts = models.coder.source.code(row["source_words"])
    attends = models.translators[0].config.attention_kind != "none"
    cells: list[int] = []
    if attends:
        rows_IJ = looked_at.attention_IJ.double().cpu().numpy()
        cells = packed(merged(rows_IJ, fed.starts, source_starts[:-1]))
    known = _known(fed.units, fed.starts, models.target)
    return {
        "sentence_id": row["sentence_id"],
        "side": fed.side,
        "source_words": row["source_words"],
        "source_known": _known(source_units, source_starts[:-1], models.source),
        "words": fed.words,
        "classes": classes_of(fed.words, known, fed.spans),
        "attention": cells,
        "gates": _gates(looked_at, fed.starts),
    }


def _known(units: Sequence[str], starts: Sequence[int], vocabulary: Any) -> list[bool]:
    """Say of each word whether the model knows all of its units."""
    ends = [*starts[1:], len(units)]
    return [
        all(unit in vocabulary for unit in units[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]


def _gates(looked_at: "WordRecord", starts: Sequence[int]) -> list[float | None]:
    """Average the gate over the units of each word and give that of the end mark last."""
    if looked_at.gate_mean_I is None:
        return []
    values = looked_at.gate_mean_I.tolist()
    borders = [*starts, len(values) - 1, len(values)]
    gates: list[float | None] = []
    for start, end in zip(borders[:-1], borders[1:], strict=True):
        inside = [value for value in values[start:end] if not math.isnan(value)]
        gates.append(sum(inside) / len(inside) if inside else None)
    return gates
