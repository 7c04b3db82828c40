"""Which phrases a person wants: the list, its mistakes, and the slots it asks for."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.lines import LineTagger
from tasks.mining.config import MemoryConfig
from tasks.phrasebook import Phrasebook
from tasks.recipe import WordRecipe
from tasks.required import Tally, Wanted, demand, read_wanted
from tasks.text.lexicon import Lexicon
from tasks.unknown_words import lexicon_of, replacement
from tasks.word_maker import WordMaker


def written(folder: Path, text: str) -> str:
    path = folder / "wanted.tsv"
    path.write_text(text, "utf-8")
    return str(path)


def tagger(slots: int = 10) -> LineTagger:
    config = MemoryConfig(phrase_slots=slots)
    return LineTagger(Phrasebook.empty(config), config, WordMaker(WordRecipe(), Lexicon()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("甲\tone\ttwo\n", "line 1: expected a Chinese phrase"),
        ("甲\n\t one\n", "line 2: expected a Chinese phrase"),
        ("甲\tone\n甲\ttwo\n", "line 2: '甲' is already in the list"),
        ("\n \n", "names no phrase"),
    ],
)
def test_a_wrong_list_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_wanted(written(tmp_path, text), lowercase=True)


def test_a_line_with_a_translation_makes_a_slot(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "房屋\tThe House\n"), lowercase=True)
    found = demand(tagger(), "房屋很大。", wanted)
    (slot,) = found.row["slots"]
    assert (slot["source"], slot["target"]) == ("房屋", "the house")
    assert found.slots == {0}
    assert found.refused == ()


def test_a_line_without_a_translation_needs_one_that_is_offered(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "房屋\n"), lowercase=True)
    found = demand(tagger(), "房屋很大。", wanted)
    assert found.slots == frozenset()
    assert found.refused[0][0] == "房屋"
    assert "no translation of it is offered" in found.refused[0][1]
    assert demand(tagger(), "天气很好。", wanted).refused == ()


def test_of_overlapping_phrases_the_longer_is_required_and_the_other_told(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "房屋\thouse\n房屋很大\tit is big\n"), lowercase=True)
    found = demand(tagger(), "房屋很大。", wanted)
    assert [slot["target"] for slot in found.row["slots"]] == ["it is big"]
    assert found.refused == (("房屋", "it overlaps '房屋很大', which is required too"),)


def test_what_finds_no_slot_is_told(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "房屋\thouse\n天气\tweather\n"), lowercase=True)
    found = demand(tagger(1), "房屋天气", wanted)
    assert len(found.slots) == 1
    assert "at most 1 slots" in found.refused[0][1]


def test_all_requires_what_is_offered() -> None:
    found = demand(tagger(), "他有五万元。", Wanted())
    assert found.slots == {slot["slot"] for slot in found.row["slots"]}
    assert found.slots


def told(wanted: Wanted, *texts: str) -> list[str]:
    """Return what is said after some sentences, of which every slot was produced."""
    tally = Tally(wanted)
    for text in texts:
        found = demand(tagger(), text, wanted)
        tally.add(found, ["produced"] * len(found.row["slots"]), ("produced",))
    return list(tally.lines())


def test_phrases_of_the_list_that_stand_in_no_line_are_named(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "房屋\thouse\n 月 球\n天气\tweather\n"), lowercase=True)
    assert told(wanted, "房屋很大。", "房屋很小。") == [
        "required 2, produced 2",
        "2 of 3 phrases of the list stood in no line: 月球, 天气",
    ]
    assert told(wanted, "天气很好。", "房屋在月球。")[1:] == []
    assert told(wanted)[1].endswith("3 phrases of the list stood in no line: 房屋, 月球, 天气")


def test_a_phrase_that_is_only_part_of_a_word_is_told_apart(tmp_path: Path) -> None:
    wanted = read_wanted(written(tmp_path, "很高\thigh\n高兴\tglad\n"), lowercase=True)
    assert told(wanted, "他很高兴。") == [
        "required 1, produced 1",
        "1 of 2 phrases of the list stood only inside longer words: 很高",
    ]


def test_of_a_long_list_the_first_are_named_and_the_others_counted(tmp_path: Path) -> None:
    names = [f"甲{chr(ord('一') + number)}" for number in range(23)]
    wanted = read_wanted(written(tmp_path, "\n".join(names)), lowercase=True)
    (_, line) = told(wanted, "天气很好。")
    assert line.endswith(f"{names[19]} and 3 more")


def test_what_is_offered_is_no_list_that_could_be_missed() -> None:
    assert told(Wanted(), "他有五万元。") == ["required 1, produced 1"]
    assert told(Wanted(), "他很好。") == ["required 0, produced 0"]


@pytest.mark.parametrize(
    ("rule", "attended", "expected"),
    [
        ("keep", 0, "UNK"),
        ("copy", 0, "房屋"),
        ("dictionary", 0, "the house"),
        ("dictionary", 1, "大"),
        ("copy", 2, "UNK"),
        ("dictionary", 2, "UNK"),
    ],
)
def test_an_unknown_word_is_kept_copied_or_looked_up(
    rule: str, attended: int, expected: str
) -> None:
    lexicon = lexicon_of(
        [
            {"source": "房屋", "target": "the house", "state": "active"},
            {"source": "大", "target": "big", "state": "rejected"},
        ]
    )
    assert replacement(attended, ["房屋", "大"], rule, lexicon) == expected
