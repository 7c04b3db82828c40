"""What is counted at the places of a phrase, by hand."""

from collections import defaultdict

import numpy as np
import pytest

from tasks.compiled.arrays import texts_of
from tasks.mining.likely import LikelyPhrases
from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_contexts import English, PhraseFinder, count_contexts, count_units
from tasks.mining.term_counts import count_terms
from tasks.mining.term_scores import border_scores, border_scores_of
from tasks.mining.word_arrays import WordArrays
from tasks.text.english import tokenise
from tests.facts import spelled_facts

NO_UNITS = np.zeros(0, np.int64), np.zeros(0, np.int64)


def _facts(
    sentences: list[str],
    source: str,
    *,
    rules: list[tuple[int, int, str]] = (),  # type: ignore[assignment]
    names: tuple[str, ...] = (),
    units: tuple[tuple[int, int], ...] = (),
    english: list[str] | None = None,
) -> dict[str, dict[str, int]]:
    """Count the facts about one source; the rules saw something in the first sentence."""
    spans = [{"start": start, "end": end, "category": kind} for start, end, kind in rules]
    arrays = WordArrays.of(
        (text.split(), spans if place == 0 else []) for place, text in enumerate(sentences)
    )
    formed = (
        (np.asarray(side, np.int64) for side in zip(*units, strict=True)) if units else NO_UNITS
    )
    phrases = LikelyPhrases.of_lists([source], ["ministry of justice"])
    opposite = [(text, tokenise(text.lower())) for text in english or [""] * len(sentences)]
    facts = count_contexts(
        arrays, phrases, PhraseFinder.of(names), English.of(opposite), max_words=6
    )
    found: dict[str, dict[str, int]] = defaultdict(dict)
    in_units = count_units(arrays, phrases, tuple(formed), max_words=6)  # type: ignore[arg-type]
    for text, fact, value, count in spelled_facts(phrases, [*facts, in_units]):
        assert text == source
        found[fact][value] = count
    return dict(found)


def test_neighbours_and_ways_to_cut() -> None:
    facts = _facts(["向 法务 部 提出", "法务部 , 向 法务 部"], "法务部")
    assert facts["words"] == {"法务 部": 2, "法务部": 1}
    assert facts["left"] == {"向": 2, "": 1}
    assert facts["right"] == {"提出": 1, "": 2}


def test_no_phrase_goes_on_in_the_next_sentence() -> None:
    assert _facts(["向 法务", "部 提出"], "法务部") == {}


@pytest.mark.parametrize(
    ("span", "facts"),
    [
        ((1, 3, "organization"), {"rule": {"organization": 1}}),
        ((1, 4, "organization"), {"covered": {"": 1}, "cut": {"": 1}}),
        ((0, 3, "organization"), {"covered": {"": 1}, "cut": {"": 1}}),
        ((2, 4, "location"), {"cut": {"": 1}}),
        ((0, 2, "location"), {"cut": {"": 1}}),
        ((1, 2, "location"), {}),
        ((3, 4, "location"), {}),
    ],
)
def test_spans_of_rules(span: tuple[int, int, str], facts: dict[str, dict[str, int]]) -> None:
    found = _facts(["向 法务 部 提出"], "法务部", rules=[span])
    assert {name: found[name] for name in ("rule", "covered", "cut") if name in found} == facts


@pytest.mark.parametrize(
    ("name", "covered"),
    [("法务部", False), ("法务部长", True), ("向法务部", True), ("法务", False), ("部长", False)],
)
def test_names_of_dictionaries_cover_what_is_shorter(name: str, covered: bool) -> None:
    assert ("covered" in _facts(["向 法务 部 长 提出"], "法务部", names=(name,))) == covered


def test_units_and_names() -> None:
    facts = _facts(
        ["法务 部 说", "法务 部 说", "法务 部 说", "法务 部 说"],
        "法务部",
        units=((0, 2), (3, 6)),
        english=[
            "said the Ministry of Justice.",
            "Ministry of justice",
            "Ministry of Justice says",
            "MINISTRY OF JUSTICE or the MINISTRY OF JUSTICE",
        ],
    )
    assert facts["unit"] == {"": 1}
    assert facts["named"] == {"ministry of justice": 3}
    assert facts["before"] == {"said": 1, "": 3}
    assert facts["after"] == {"": 2, "says": 1, "or": 1}


def test_nothing_in_nothing() -> None:
    assert _facts([], "法务部") == {}
    assert _facts([""], "法务部") == {}


def test_sequences_fit_the_pattern_and_cross_no_mark_and_no_rule() -> None:
    arrays = WordArrays.of(
        [
            (["有效", "证件", ",", "管理", "机关", "及", "法院"], []),
            (["有效", "证件", "号码"], [{"start": 0, "end": 2, "category": "term"}]),
        ]
    )
    counts = count_terms(arrays, Tagger(), max_words=3)
    several = {" ".join(words): count for words, count in counts.sequences if len(words) > 1}
    assert several == {"有效 证件": 1, "管理 机关": 1, "证件 号码": 1}
    assert dict(counts.sequences)[("有效",)] == 2
    assert ("及",) not in dict(counts.sequences)
    assert dict(counts.neighbours) == {
        ("有效", "证件"): 1,
        ("管理", "机关"): 1,
        ("机关", "及"): 1,
        ("及", "法院"): 1,
        ("证件", "号码"): 1,
    }


def test_borders_are_scored_by_what_all_shards_say() -> None:
    arrays = WordArrays.of([(["a", "b", "c"], [])])
    neighbours = texts_of(["b", "a", "z"]), texts_of(["c", "b", "b"])
    columns = {
        "count": np.asarray([5, 1, 50]),
        "first_count": np.asarray([5, 9, 50]),
        "second_count": np.asarray([5, 60, 60]),
        "total": np.asarray([100, 100, 100]),
    }
    scores = border_scores(arrays, border_scores_of(neighbours, columns))
    assert scores[0] == 0
    assert scores[1] == pytest.approx(39.703, abs=5e-4)
    assert scores[2] == -np.inf
