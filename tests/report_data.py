"""A small evaluation made up for the tests of reports: two systems, three sentences."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tasks.metrics.attention_table import AttentionMatrix
from tasks.rating.shown import ShownOutputs, ShownRatings, shown_ratings
from tasks.reports.evaluation_data import EvaluationData, SpeedMeasured, SystemFacts
from tasks.reports.provenance import Source
from tasks.reports.sentence_data import Looks, ShownSentence, ShownTestset, SystemOutput

SYSTEMS = ("rnnsearch", "phrasenet-gate")
SIGNATURE = "nrefs:1|tok:13a"
_TABLES = ("scores", "comparisons", "measures", "ngrams", "phrase_use", "lengths", "gates")
_SENTENCES = ("translations", "outcomes", "sentences", "records", "lines")


def source_of(name: str, number: int, kind: str | None = None) -> Source:
    """Return a source whose digest tells what it is of."""
    digest = f"{number:02d}{name.encode().hex()}".ljust(32, "0")[:32]
    return Source(kind or name, digest, number, f"{name} news", f"{number:032x}")


def score(system: str, metric: str, value: float, subset: str = "all") -> dict[str, Any]:
    """Return a row of scores."""
    return {
        "testset": "news",
        "system": system,
        "subset": subset,
        "metric": metric,
        "value": value,
        "sentences": 3 if subset == "all" else 2,
        "signature": f"{SIGNATURE}|{metric}",
    }


def comparison(metric: str = "BLEU-v13a", **changes: Any) -> dict[str, Any]:
    """Return a row of comparisons."""
    return {
        "testset": "news",
        "baseline": SYSTEMS[0],
        "system": SYSTEMS[1],
        "subset": "all",
        "metric": metric,
        "sentences": 1234,
        "baseline_value": 30.5,
        "baseline_low": 29.0,
        "baseline_high": 32.0,
        "value": 31.266,
        "low": 30.1,
        "high": 32.4,
        "difference": 0.766,
        "difference_low": -0.25,
        "difference_high": 1.75,
        "wins": 0.9,
        "better": 60,
        "worse": 40,
        "p_sign": 0.00001,
        "p_bootstrap": 0.02,
        "p_bootstrap_adjusted": 0.04,
        "p_randomisation": 0.021,
        "signature": SIGNATURE,
        **changes,
    }


def use(system: str, category: str, origin: str, *counts: int) -> dict[str, Any]:
    """Return a row of phrase use: offered, appeared, produced and the four outcomes."""
    names = ("offered", "appeared", "produced", "exact", "misplaced", "spelled", "ignored")
    about = {"testset": "news", "system": system, "category": category, "origin": origin}
    return about | dict(zip(names, counts, strict=True))


def looks_of(source: Sequence[str], words: Sequence[str], *, gated: bool = False) -> Looks:
    """Return attention that is split between one word and the next."""
    rows = np.zeros((len(words) + 1, len(source) + 1))
    for row in range(len(rows)):
        column = min(row, len(source))
        rows[row, column] += 0.75
        rows[row, max(0, column - 1)] += 0.25
    gates = [None, *(0.5 for _ in words)] if gated else []
    return Looks.of(AttentionMatrix(tuple(source), tuple(words), rows), gates)


def slot(number: int, start: int, end: int, target: str, category: str) -> dict[str, Any]:
    """Return a slot of a sentence."""
    return {
        "slot": number,
        "start": start,
        "end": end,
        "target": target,
        "category": category,
        "origin": "dictionary",
        "provider": "names",
        "phrase_id": f"{number:024x}",
    }


def sentence(number: int, texts: tuple[str, str, str], blows: tuple[float, float]) -> ShownSentence:
    """Return a sentence with a phrase on its first two words; the second system produced it.

    Args:
        number: its place, from 1.
        texts: words of source, baseline and system, with blanks between.
        blows: sentence BLEU of both outputs.
    """
    source, *outputs = (text.split() for text in texts)
    slots = [slot(0, 0, 2, " ".join(outputs[1][:2]), "term")] if len(source) > 1 else []
    made = [
        SystemOutput(
            words=words,
            spans=[(0, 2, 0)] if slots and place else [],
            uses=["produced" if place else "offered"] * len(slots),
            outcomes=["exact" if place else "ignored"] * len(slots),
            bleu=blows[place],
            trouble=(place, 0, 0),
            looks=looks_of(source, words, gated=bool(place)),
        )
        for place, words in enumerate(outputs)
    ]
    reference = " ".join(outputs[1]).capitalize() + "."
    return ShownSentence(number, f"news:{number:08d}", source, slots, [reference], made)


SENTENCES = (
    sentence(1, ("中央 银行 上涨", "a bank rose", "central bank rose"), (20.0, 90.0)),
    sentence(2, ("足球 比赛 很 好", "the match is good", "football match is good"), (60.0, 50.0)),
    sentence(3, ("好", "good", "good"), (100.0, 100.0)),
)


def rated(**changes: Any) -> dict[str, Any]:
    """Return a row of ratings of the outputs that the evaluation shows."""
    return {
        "worksheet": "w",
        "number": 1,
        "sentence_id": "news:00000001",
        "testset": "news",
        "baseline": SYSTEMS[0],
        "system": SYSTEMS[1],
        "baseline_outputs": "0",
        "system_outputs": "1",
        "rater": "Lin",
        "adequacy": 1,
        "fluency": 0,
        **changes,
    }


def ratings_shown(rows: Sequence[dict[str, Any]]) -> ShownRatings:
    """Return ratings as a report shows them; the gate of a sentence is a tenth of its number."""
    measures = {
        f"news:{number:08d}": {"gate": number / 10, "source_length": 5} for number in range(1, 4)
    }
    outputs = {
        ("news", system): ShownOutputs(str(place), measures) for place, system in enumerate(SYSTEMS)
    }
    return shown_ratings(rows, outputs)


RATED = ratings_shown(
    [
        rated(number=1),
        rated(number=2, sentence_id="news:00000002", adequacy=-1),
        rated(number=1, rater="Ito"),
        rated(number=2, sentence_id="news:00000002", rater="Ito", adequacy=0),
        rated(number=3, sentence_id="news:00000003", rater="Ito", system_outputs="old"),
    ]
)
"""Two raters of two sentences, and a rating of what the system said before."""


def evaluation(**changes: Any) -> EvaluationData:
    """Return the evaluation, with some parts replaced."""
    log = [
        {
            "step": 10 * number,
            "epoch": number,
            "loss": 5.0 / number,
            "gradient_norm": 1.0,
            "target_words": 1000 * number,
            "dev_loss": 4.0 if number == 2 else None,
        }
        for number in range(1, 4)
    ]
    data = EvaluationData(
        title="News",
        baseline=SYSTEMS[0],
        systems=[
            SystemFacts(system, f"{number}" * 32, 1000 + number, log, _training(system))
            for number, system in enumerate(SYSTEMS)
        ],
        scores=[
            score(system, metric, 40.0 + 7 * place + index, subset)
            for place, system in enumerate(SYSTEMS)
            for index, metric in enumerate(("BLEU", "chrF2"))
            for subset in ("all", "with phrases")
        ],
        comparisons=[comparison(), comparison("BLEU-v11b")],
        measures=[_measure(system) for system in SYSTEMS],
        ngrams=[_ngram(system, order) for system in SYSTEMS for order in range(1, 5)],
        phrase_use=[
            use(SYSTEMS[0], "", "", 4, 1, 0, 0, 0, 1, 3),
            use(SYSTEMS[0], "term", "mined", 4, 1, 0, 0, 0, 1, 3),
            use(SYSTEMS[1], "", "", 4, 3, 2, 2, 0, 1, 1),
            use(SYSTEMS[1], "term", "mined", 4, 3, 2, 2, 0, 1, 1),
        ],
        lengths=[_length(system, low) for system in SYSTEMS for low in (0, 10)],
        gates=[_gate(name) for name in ("content", "function", "number")],
        memory=[("term", "mined", 3)],
        speeds=[SpeedMeasured("news", system, 3, 11, 2.0) for system in SYSTEMS],
        sentences=[ShownTestset("news", 3, SENTENCES)],
        sources=_sources(),
    )
    return replace(data, **changes)


def _sources() -> dict[tuple[str, str], list[Source]]:
    named = {
        (name, "news"): [source_of(name, number)]
        for number, name in enumerate((*_TABLES, *_SENTENCES), start=3)
    }
    for number, name in enumerate(("models", "logs", "memory", "ratings"), start=20):
        named[name, ""] = [source_of(name, number)]
    return named


def _training(system: str) -> dict[str, Any]:
    return {
        "label": f"train {system}",
        "key": "k" * 32,
        "code": "c" * 32,
        "inputs": {"tagged": [{"artifact": {"kind": "tagged", "digest": "d" * 32, "rows": 3}}]},
        "settings": {"configs": [{"hidden": 96}, {"epochs": 9}], "recipe": {"lowercase": True}},
        "versions": {"torch": "2.13.0"},
        "started": "2026-01-02T03:04:05.678+00:00",
        "seconds": 83.2,
        "peak_memory_bytes": 2**30,
    }


def _measure(system: str) -> dict[str, Any]:
    return {**score(system, "Words left out", 1.5), "signature": "links:argmax"}


def _ngram(system: str, order: int) -> dict[str, Any]:
    return {
        "testset": "news",
        "system": system,
        "subset": "all",
        "flavour": "v13a",
        "order": order,
        "individual": 80.0 - order,
        "cumulative": 79.0 - order,
        "brevity_penalty": 0.98,
        "hypothesis_words": 11,
        "reference_words": 12,
        "signature": SIGNATURE,
    }


def _length(system: str, low: int) -> dict[str, Any]:
    return {
        "testset": "news",
        "system": system,
        "low": low,
        "high": 10 if low == 0 else -1,
        "sentences": 2 if low == 0 else 1,
        "bleu_v11b": 30.0 + low,
        "bleu_v13a": 31.0 + low,
        "source_words": 5.0 + low,
        "hypothesis_words": 6.0 + low,
        "reference_words": 6.5 + low,
        "signature": SIGNATURE,
    }


def _gate(name: str) -> dict[str, Any]:
    return {
        "testset": "news",
        "system": SYSTEMS[1],
        "side": "translation",
        "word_class": name,
        "words": 5,
        "mean": 0.4,
        "deviation": 0.1,
    }
