import pytest

from storage.errors import ConfigError
from tasks.text.config import Units
from tasks.text.units import (
    UNIT_FILES,
    PairCoder,
    UnitCoder,
    join_units,
    learn_subwords,
    slot_of_each_word,
)

SENTENCES = [
    ["the", "council", "will", "meet", "again", "in", "the", "capital"],
    ["the", "counsel", "met", "the", "council", "in", "march"],
    ["again", "and", "again", "the", "capital", "will", "meet"],
]


@pytest.fixture(scope="module")
def model() -> bytes:
    return learn_subwords(SENTENCES, 60)


def test_the_same_sentences_give_the_same_subwords(model: bytes) -> None:
    assert learn_subwords(SENTENCES, 60) == model


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ("words", ["中国", "银行"]),
        ("characters", ["▁中", "国", "▁银", "行"]),
    ],
)
def test_words_are_cut_into_units(units: Units, expected: list[str]) -> None:
    assert UnitCoder(units).code(["中国", "银行"])[0] == expected


@pytest.mark.parametrize("units", ["words", "characters", "subwords"])
@pytest.mark.parametrize(
    "words", [["the", "council", "met"], ["unheard", "☃☃", "3.5", "中国", ","], ["a_b"], []]
)
def test_units_put_together_give_the_words_back(
    units: Units, words: list[str], model: bytes
) -> None:
    coder = UnitCoder(units, model)
    coded, starts = coder.code(words)
    assert coder.join(coded) == words
    assert len(starts) == len(words) + 1
    for word, start, end in zip(words, starts, starts[1:], strict=False):
        assert coder.join(coded[start:end]) == [word]


def test_the_mark_itself_cannot_be_mistaken(model: bytes) -> None:
    for units in ("characters", "subwords"):
        coder = UnitCoder(units, model)
        assert coder.join(coder.code(["a▁b", "▁"])[0]) == ["a_b", "_"]


def test_slots_count_units_once_a_row_is_coded(model: bytes) -> None:
    row = {
        "source_words": ["在", "三月", "开会"],
        "target_words": ["met", "in", "march"],
        "slots": [
            {
                "slot": 0,
                "start": 1,
                "end": 2,
                "target": "march",
                "target_start": 2,
                "target_end": 3,
            },
            {
                "slot": 1,
                "start": 2,
                "end": 3,
                "target": "meeting",
                "target_start": -1,
                "target_end": -1,
            },
        ],
    }
    coder = PairCoder.of("characters", "subwords", {UNIT_FILES["target"]: model})
    made = coder.coded(row)
    [march, meeting] = made["slots"]
    assert made["source_words"][march["start"] : march["end"]] == ["▁三", "月"]
    place = slice(march["target_start"], march["target_end"])
    assert made["target_words"][place] == march["target"].split()
    assert join_units(made["target_words"]) == row["target_words"]
    assert (meeting["target_start"], meeting["target_end"]) == (-1, -1)


@pytest.mark.parametrize(
    ("units", "slots"),
    [
        (["▁he", "▁m", "et", "▁", "x"], [0, 1, 3]),
        (["he", "▁", "▁met"], [0, 2]),
        (["▁", "▁he"], [1]),
        (["▁"], []),
        (["he", "met"], [0]),
    ],
)
def test_a_word_came_from_the_slot_of_its_first_unit(units: list[str], slots: list[int]) -> None:
    steps = [{"word": unit, "slot": number} for number, unit in enumerate(units)]
    words = join_units(units)
    assert slot_of_each_word(words, steps) == slots
    assert len(words) == len(slots)


def test_words_that_are_units_have_their_own_slots() -> None:
    steps = [{"word": "he", "slot": -1}, {"word": "met", "slot": 2}]
    assert slot_of_each_word(["he", "met"], steps) == [-1, 2]


def test_nothing_sticks_to_a_phrase(model: bytes) -> None:
    units = [("▁central", 0), ("▁bank", 0), ("ers", -1), ("▁m", -1), ("et", -1), ("▁in", 1)]
    steps = [{"word": unit, "slot": slot} for unit, slot in units]
    made = UnitCoder("subwords", model).decoded(steps)
    assert made["words"] == ["central", "bank", "ers", "met", "in"]
    assert slot_of_each_word(made["words"], made["steps"]) == [0, 0, -1, -1, 1]
    assert UnitCoder("words").decoded(steps)["words"] == [unit for unit, _ in units]


@pytest.mark.parametrize(("sentences", "size"), [(SENTENCES, 10), ([], 60)])
def test_too_few_subwords_and_no_text_are_refused(sentences: list[list[str]], size: int) -> None:
    with pytest.raises(ConfigError, match=f"text.num_subwords is {size}"):
        learn_subwords(sentences, size)
