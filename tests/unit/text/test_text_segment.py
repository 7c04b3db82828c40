import tempfile
from collections.abc import Sequence
from pathlib import Path

import jieba
import pytest

from storage.records import Span
from tasks.text.segment import Cutter, segment

PLAIN = [
    "中国人民银行行长宣布新的货币政策",
    "他来到了网易杭研大厦",
    "三楼楼下有一家咖啡馆，iron早餐很受欢迎",
    "小明硕士毕业于中国科学院计算所，后在日本京都大学深造",
    "奥迪A6与T恤，占17.6%，工信处女干事每月经过下属科室",
    "結婚的和尚未結婚的都要排隊",
]


def words(text: str, spans: Sequence[Span] = (), cutter: Cutter | None = None) -> list[str]:
    return [word.text for word in segment(text, spans, cutter=cutter)]


@pytest.fixture(scope="module")
def private_jieba(tmp_path_factory: pytest.TempPathFactory) -> jieba.Tokenizer:
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(tmp_path_factory.mktemp("jieba"))
    return tokenizer


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.filterwarnings("ignore")
def test_the_words_are_those_of_jieba(text: str, private_jieba: jieba.Tokenizer) -> None:
    assert words(text) == [word for word in private_jieba.cut(text) if word.strip()]


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("二〇〇三年三月二十日", 0, 10, ["二〇〇三", "年", "三", "月", "二十", "日"]),
        ("２０２０年５月３日", 0, 9, ["２０２０", "年", "５", "月", "３", "日"]),
        ("百分之三点五", 0, 6, ["百分之", "三点五"]),
        ("公元前二二一年", 0, 7, ["公元前", "二二一", "年"]),
        ("3,000.5万元", 0, 9, ["3,000.5", "万", "元"]),
        ("1.25亿美元", 0, 7, ["1.25", "亿", "美元"]),
        ("17.6%", 0, 5, ["17.6", "%"]),
        ("下午三点五十分", 0, 7, ["下午", "三", "点", "五十", "分"]),
        ("下午四点半", 0, 5, ["下午", "四", "点", "半"]),
        ("第十六条", 0, 4, ["第", "十六", "条"]),
        ("一百五十公里", 0, 6, ["一百五十", "公里"]),
    ],
)
def test_numbers_and_units_are_words_inside_a_span(
    text: str, start: int, end: int, expected: list[str]
) -> None:
    assert words(text, [Span(start, end)]) == expected


def test_no_word_crosses_the_border_of_a_span() -> None:
    text = "于2016年9月4日或08:15修改"
    assert words(text, [Span(1, 10), Span(11, 16)]) == [
        "于", "2016", "年", "9", "月", "4", "日", "或", "08", ":", "15", "修改",
    ]  # fmt: skip
    assert words("中国人民银行", [Span(1, 3)])[0] == "中"


@pytest.mark.parametrize(
    "whole",
    [
        "http://example.org/a1b2",
        "www.example.org",
        "my_name",
        "A6",
        "45,876",
        "name.surname@example.org",
        "__PH1__",
        "index.page",
    ],
)
def test_addresses_identifiers_and_grouped_digits_stay_whole(whole: str) -> None:
    assert whole in words(f"见{whole}中的说明")


def test_offsets_slice_the_text_and_blanks_are_no_words() -> None:
    text = "甲 有　三千元\n"
    found = segment(text, [Span(4, 7)])
    assert [(word.start, word.end) for word in found] == [(0, 1), (2, 3), (4, 6), (6, 7)]
    assert all(text[word.start : word.end] == word.text for word in found)


def test_characters_are_words_where_the_setting_says_so() -> None:
    assert words("共3楼 ABC，好", cutter=Cutter("characters")) == [
        "共", "3", "楼", "ABC", "，", "好",
    ]  # fmt: skip


def test_a_lone_surrogate_is_a_word_like_any_other() -> None:
    assert "".join(words("孤\ud800字")) == "孤\ud800字"


@pytest.mark.parametrize("unit", ["一", "a_", "1", "a.", "1,", "http://", "a@"])
def test_a_long_line_takes_no_quadratic_time(unit: str) -> None:
    line = unit * 20_000
    assert "".join(words(line)) == line


USER_WORDS = ["货币政策委员会", "网易杭研大厦", "大学深造", "冯·诺伊曼", "奥迪A6", "「甲」组"]
TEXTS_WITH_USER_WORDS = [
    "中国人民银行货币政策委员会宣布新的货币政策",
    "他来到了网易杭研大厦，后在日本京都大学深造",
    "冯·诺伊曼开着奥迪A6，参加了「甲」组的比赛",
]


@pytest.fixture(scope="module")
def original() -> Cutter:
    return Cutter("jieba", USER_WORDS)


@pytest.fixture(scope="module")
def taught() -> Cutter:
    return Cutter("rjieba", USER_WORDS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [*PLAIN, *TEXTS_WITH_USER_WORDS])
def test_both_segmenters_cut_alike_with_user_words(
    text: str, original: Cutter, taught: Cutter
) -> None:
    assert words(text, cutter=taught) == words(text, cutter=original)


@pytest.mark.parametrize("word", USER_WORDS)
def test_a_user_word_stays_whole_whatever_characters_it_holds(word: str, taught: Cutter) -> None:
    assert word in words(f"这是{word}的书", cutter=taught)


def test_user_words_change_nothing_inside_a_span_or_for_others() -> None:
    taught = Cutter("rjieba", ["三月二十", "在三月"])
    assert words("在三月二十日", [Span(1, 6)], taught) == ["在", "三", "月", "二十", "日"]
    assert words("在三月二十日") == words("在三月二十日", cutter=Cutter())


@pytest.mark.filterwarnings("ignore")
def test_nothing_global_is_touched(original: Cutter) -> None:
    assert words("网易杭研大厦", cutter=original) == ["网易杭研大厦"]
    assert not jieba.dt.initialized
    assert "货币政策委员会" not in jieba.dt.FREQ
    assert not (Path(tempfile.gettempdir()) / "jieba.cache").exists()
