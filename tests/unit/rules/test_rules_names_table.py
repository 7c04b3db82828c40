"""A table of well-known persons in each region, and of words that begin with a surname.

`names_of_persons.txt` has the true spelling of each name by the documented policy.
"""

import re
from pathlib import Path

import pytest

from tasks.rules.foreign_names import FOREIGN
from tasks.rules.known_persons import KNOWN
from tasks.rules.names import read_person
from tasks.rules.ordinary_words import _PERSONS, is_ordinary_word
from tasks.rules.style import Region, RuleStyle
from tasks.rules.surnames import COMPOUND, SINGLE

_TABLE = Path(__file__).with_name("names_of_persons.txt").read_text(encoding="utf-8")
_SECTIONS = dict(re.findall(r"^\[(\w+)\]\n([^\[]+)", _TABLE, re.MULTILINE))
REGIONS: list[Region] = ["mainland", "hongkong", "taiwan"]

RULERS = "周文王 秦王 齐桓公 唐太祖 宋徽宗 明成祖 隋炀帝 汉献帝 魏文侯 汉朝 韩国 宋代"
TITLED = "陈总 李姐 刘师傅 王大爷 张阿姨 杨贵妃 赵姥姥 孙大夫 李氏 张某 钱太太 王校长"
OTHER_PEOPLES = "古丽娜尔 买买提明 洛桑旺堆 索朗多吉 白玛央金 斯琴高娃 乌兰图雅 巴音朝鲁"
FOREIGNERS = "高仓健 武田铁矢 安室奈美惠 小林正树 史密斯 李斯特 马拉多纳 金秀贤 阮文绍 柏辽兹"


def _english(name: str, region: Region) -> str | None:
    match = read_person(name, RuleStyle(region=region))
    return match.target if match else None


def _persons(region: str) -> list[tuple[str, str | None]]:
    entries = re.split(r";\s+|\n", _SECTIONS[region].strip())
    cut = [entry.partition(" ") for entry in entries if entry]
    return [(name, None if english in ("-", "-;") else english) for name, _, english in cut]


@pytest.mark.parametrize("region", REGIONS)
def test_well_known_persons_have_their_true_spelling(region: Region) -> None:
    persons = _persons(region)
    assert len(persons) > 80
    wrong = {n: (e, _english(n, region)) for n, e in persons if _english(n, region) != e}
    assert not wrong


@pytest.mark.parametrize("region", [*REGIONS, "unknown"])
def test_words_that_begin_with_a_surname_are_no_persons(region: Region) -> None:
    words = _SECTIONS["words"].split()
    assert len(words) > 700
    assert not {word: _english(word, region) for word in words if _english(word, region)}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("texts", [TITLED, RULERS, OTHER_PEOPLES, FOREIGNERS])
def test_titles_rulers_and_foreigners_abstain(texts: str, region: Region) -> None:
    assert not {text: _english(text, region) for text in texts.split() if _english(text, region)}


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("总理李克强", "Li Keqiang"),
        ("教授 钱学森", "Qian Xuesen"),
        ("李克强 总理", "Li Keqiang"),
        ("欧阳修先生", "Ouyang Xiu"),
        ("主席", None),
        ("部长先生", None),
        ("王明先生女士", None),
    ],
)
def test_a_title_before_or_behind_a_name_is_left_out(text: str, english: str | None) -> None:
    match = read_person(text, RuleStyle(region="mainland"))
    assert (match.target if match else None) == english
    assert match is None or "".join(match.source.split()) in text


@pytest.mark.parametrize("given", ["贝贝", "菲菲", "诺诺", "迪迪"])
def test_a_doubled_character_is_no_written_out_sound(given: str) -> None:
    assert _english("张" + given, "mainland")
    assert _english("张" + given[0] + "斯", "mainland") is None


@pytest.mark.parametrize("text", ["安全性", "高速度", "安乐岛", "林林总总", "马马虎虎", "高高兴兴"])
def test_a_noun_made_from_a_word_and_a_doubled_surname_are_no_persons(text: str) -> None:
    assert _english(text, "mainland") is None


@pytest.mark.parametrize("surname", sorted(COMPOUND))
def test_every_compound_surname_takes_a_given_name(surname: str) -> None:
    for given in ("力", "波", "小明"):
        if surname + given not in FOREIGN:
            assert _english(surname + given, "mainland"), surname + given


def test_the_tables_do_not_contradict_each_other() -> None:
    assert not set(KNOWN) & FOREIGN
    assert not _PERSONS & FOREIGN
    assert not [name for name in _PERSONS if is_ordinary_word(name)]
    assert all(name[0] in SINGLE or name[:2] in COMPOUND for name in FOREIGN)
