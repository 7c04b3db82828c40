"""The best translations of a sentence, with modes, slots, attention and gates."""

from typing import Any

import pytest

from model.config import DecodingConfig
from model.vocabulary import Vocabulary
from tasks.decoding import Models, translate_rows
from tasks.n_best import n_best
from tasks.text.units import PairCoder
from tests.reference.model_examples import toy_config, toy_translator

WORDS = [f"w{number}" for number in range(10)]
SIDE = Vocabulary.build(dict.fromkeys(WORDS, 1), 12)


def slot(number: int, start: int, target: str) -> dict[str, Any]:
    return {
        "slot": number, "start": start, "end": start + 1, "source": f"s{start}", "target": target,
        "category": "term", "origin": "dictionary", "phrase_id": target, "provider": "d",
        "target_start": -1, "target_end": -1,
    }  # fmt: skip


ROW = {
    "sentence_id": "one",
    "source_words": ["w1", "w2", "w3"],
    "target_words": [],
    "slots": [slot(0, 0, "w4 new"), slot(1, 0, "w5"), slot(2, 2, "w6 w7")],
}


def models(system: str, **changes: Any) -> Models:
    translator = toy_translator(toy_config(system, **changes), scale=0.8)
    decoding = DecodingConfig(beam=6, max_length_ratio=2.0)
    return Models((translator,), SIDE, SIDE, decoding, {}, PairCoder.of("words", "words", {}))


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        ("phrasenet-softmax+context-gate", {"phrase_candidates": 2}),
        ("phrasenet-gate+context-gate", {}),
        ("groundhog-gru+gate", {"order": "groundhog"}),
        ("rnnsearch", {}),
    ],
)
def test_each_translation_tells_what_shaped_it(system: str, changes: dict[str, Any]) -> None:
    opened = models(system, **changes)
    (translated,) = translate_rows(opened, [ROW])
    found = n_best(opened, translated, 4, None, records=True)
    assert [item["score"] for item in found] == sorted((i["score"] for i in found), reverse=True)
    for item in found:
        length = len(item["words"]) + 1
        assert len(item["attention"]) == length
        assert all(sum(row) == pytest.approx(1, abs=0.01) for row in item["attention"])
        modes = {step["slot"] for step in item["steps"] if step["mode"] == "phrase"}
        assert item["slots_used"] == sorted(modes)
        for step in item["steps"]:
            if step["slot"] >= 0:
                assert step["word"] in ROW["slots"][step["slot"]]["target"].split()
        if "gate" not in system.removeprefix("phrasenet-gate"):
            assert item["gate"] is None
        else:
            assert len(item["gate"]) == length
            first, *others = item["gate"]
            assert (first is None) == ("order" in changes)
            assert all(0 < value < 1 for value in others)


def test_a_system_for_one_translation_keeps_the_numbers_of_the_sentence() -> None:
    opened = models("phrasenet-gate")
    (translated,) = translate_rows(opened, [ROW], [frozenset({0, 1, 2})])
    assert translated.required == {2}
    assert set(translated.impossible) == {0, 1}
    assert "several translations" in translated.impossible[0]
    assert translated.row["uses"][2] == "produced"
    assert {step["slot"] for step in translated.row["steps"]} <= {-1, 2}
    both = models("phrasenet-softmax", phrase_candidates=2)
    (translated,) = translate_rows(both, [ROW], [frozenset({0, 1, 2})])
    assert translated.impossible == {}
    assert translated.row["uses"].count("produced") == 2
