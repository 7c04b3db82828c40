"""The best translations of one sentence, with what shaped each: modes, slots, attention, gates."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tasks.decoding import Models, Translated, printed_units
from tasks.lines import printed
from tasks.text.truecase import Casing

if TYPE_CHECKING:
    from model.hypotheses import Hypothesis

_DIGITS = 4
"""Digits after the point of attention and gates, which are between 0 and 1."""


def n_best(
    models: Models, translated: Translated, most: int, casing: Casing | None, *, records: bool
) -> list[dict[str, Any]]:
    """Return the best translations, best first.

    Args:
        models: what translated.
        translated: a sentence and what was found for it.
        most: most translations.
        casing: how words are written; None if the models make them in their case.
        records: whether to add `attention` (a row over the source words and the end mark for each
            word and the end mark) and `gate` (mean of the context gate for each, or null). With
            several models they are those of the first.
    """
    found = list(translated.hypotheses[:most])
    answers = [_answer(models, translated, hypothesis, casing) for hypothesis in found]
    if records and translated.example is not None:
        for answer, record in zip(answers, _records(models, translated, found), strict=True):
            answer.update(record)
    return answers


def _answer(
    models: Models, translated: Translated, hypothesis: "Hypothesis", casing: Casing | None
) -> dict[str, Any]:
    _, units = printed_units(translated.coded, hypothesis.words, models)
    decoded = models.coder.target.decoded(units)
    return {
        "words": decoded["words"],
        "translation": printed({**decoded, "slots": translated.row["slots"]}, casing),
        "score": hypothesis.score,
        "log_probability": hypothesis.log_probability,
        "steps": decoded["steps"],
        "slots_used": sorted({step["slot"] for step in units} - {-1}),
    }


def _records(
    models: Models, translated: Translated, found: "Sequence[Hypothesis]"
) -> list[dict[str, Any]]:
    from model.records import record_translations

    assert translated.example is not None
    looked_at = record_translations(
        models.translators[0],
        [translated.example] * len(found),
        found,
        clear_on_word_match=models.decoding.clear_on_word_match,
    )
    return [
        {
            "attention": _rounded(record.attention_IJ.tolist()),
            "gate": None if record.gate_mean_I is None else _numbers(record.gate_mean_I.tolist()),
        }
        for record in looked_at
    ]


def _rounded(rows: list[list[float]]) -> list[list[float]]:
    return [[round(number, _DIGITS) for number in row] for row in rows]


def _numbers(values: list[float]) -> list[float | None]:
    """GroundHog's order has no gate at the first word: not a number, which JSON does not know."""
    return [None if math.isnan(value) else round(value, _DIGITS) for value in values]
