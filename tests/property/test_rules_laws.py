"""Laws of the grammar: what is written is read back, and spans are sound."""

import datetime
from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from tasks.rules.fold import fold
from tasks.rules.grammar import RULES, find
from tasks.rules.numbers import read_integer, read_number
from tasks.rules.style import RuleStyle
from tasks.text.english import tokenise
from tests.reference.rules_numerals import FORMAL, TRADITIONAL, digit_by_digit, in_chinese

INTEGERS = st.one_of(
    st.integers(0, 10**16 - 1),
    st.integers(1, 16).flatmap(lambda digits: st.integers(0, 10**digits - 1)),
    st.builds(lambda head, zeros: head * 10**zeros, st.integers(1, 9999), st.integers(0, 12)),
)
FULL_WIDTH = str.maketrans("0123456789,.", "０１２３４５６７８９，．")
PIECES = st.sampled_from(
    [
        "第",
        "条",
        "届",
        "至",
        "到",
        "-",
        "约",
        "近",
        "百分之",
        "%",
        "年",
        "月",
        "日",
        "时",
        "点",
        "分",
        "半",
        "个",
        "人",
    ]
    + [
        "元",
        "美元",
        "公里",
        "左右",
        "多",
        "余",
        "几",
        "数",
        "上午",
        "下午",
        "世纪",
        "年代",
        "周",
        "星期",
        "农历",
        "民国",
    ]
    + [
        "公元前",
        "三",
        "十",
        "百",
        "千",
        "万",
        "亿",
        "两",
        "〇",
        "零",
        "一",
        "5",
        "12",
        "2003",
        "1,234",
        "3.5",
        "，",
        "的",
    ]
    + [
        " ",
        "A",
        "．",
        "：",
        "（",
        "）",
        "\ud800",
        "٣",
        "季度",
        "上半年",
        "倍",
        "成",
        "之",
        "08:15",
        "·",
        "北京时间",
    ]
)
STYLES = st.sampled_from(
    [RuleStyle(), RuleStyle(region="taiwan", money_symbols=True, day_first=True)]
)


@given(INTEGERS)
@example(10**16 - 1)
@example(10_015)
@example(100_000_000_010_000)
def test_every_integer_is_read_back_from_each_writing(value: int) -> None:
    chinese = in_chinese(value)
    assert read_integer(chinese) == value
    assert read_number(fold(chinese.translate(TRADITIONAL))) == value
    assert read_number(str(value)) == value
    assert read_number(f"{value:,}") == value
    assert read_number(fold(f"{value:,}".translate(FULL_WIDTH))) == value
    formal = chinese.translate(FORMAL)
    assert read_number(formal) == (value if len(formal) > 1 or value == 0 else None)


@given(st.integers(1, 10**12 - 1).map(lambda value: value * 10**4))
def test_every_round_number_is_read_back_from_mixed_writing(value: int) -> None:
    eights, rest = divmod(value, 10**8)
    mixed = (f"{eights}亿" if eights else "") + (f"{rest // 10**4}万" if rest else "")
    assert read_number(mixed) == value


@given(st.integers(1, 9999), st.integers(0, 9999))
def test_the_trillion_of_taiwan_is_read_there_and_abstains_elsewhere(high: int, low: int) -> None:
    value = high * 10**12 + low * 10**8
    text = f"{in_chinese(high)}兆" + (f"{low}億" if low else "")
    if low:
        text = f"{high}兆{low}億"
    assert read_number(fold(text)) == value
    assert not find(f"{text}元")
    assert len(find(f"{text}元", RuleStyle(region="taiwan"))) == 1


@given(st.integers(1, 10**8), st.integers(1, 4), st.sampled_from([("万", 10**4), ("亿", 10**8)]))
def test_decimals_with_a_scale_are_read_exactly(
    digits: int, places: int, scale: tuple[str, int]
) -> None:
    mark, size = scale
    value = Decimal(digits).scaleb(-places)
    assert read_number(f"{value:f}{mark}") == value * size


@given(st.dates(datetime.date(1800, 1, 1), datetime.date(2199, 12, 31)))
def test_every_date_is_read_back_from_each_writing(date: datetime.date) -> None:
    month = date.strftime("%B").lower()
    english = f"{month} {date.day} , {date.year}"
    writings = [
        f"{digit_by_digit(date.year)}年{in_chinese(date.month)}月{in_chinese(date.day)}日",
        f"{date.year}年{date.month}月{date.day}日",
        f"{date.year}年{date.month:02d}月{date.day:02d}日".translate(FULL_WIDTH),
        f"{date.year} 年 {date.month} 月 {date.day} 日",
        date.isoformat(),
    ]
    writings += [
        f"{digit_by_digit(date.year)}年{in_chinese(date.month)}月{in_chinese(date.day)}号",
        f"{digit_by_digit(date.year).replace('〇', '零')}年{date.month}月{date.day}日",
        f"{digit_by_digit(date.year).replace('〇', '○')}年{date.month}月{date.day}日",
        f"{date.year}/{date.month}/{date.day}",
        f"公元{date.year}年{date.month}月{date.day}日",
    ]
    if date.year > 1911:
        roc = in_chinese(date.year - 1911)
        writings.append(f"民国{roc}年{in_chinese(date.month)}月{in_chinese(date.day)}日")
    for writing in writings:
        assert [(m.source, m.target) for m in find(writing)] == [(writing, english)]


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_of_a_24_hour_clock_is_read_back(hour: int, minute: int) -> None:
    text = f"{in_chinese(hour)}时{in_chinese(minute)}分"
    targets = [m.target for m in find(text)]
    half = "a.m." if hour < 12 else "p.m."
    expected = f"{(hour + 11) % 12 + 1}:{minute:02d} {half}"
    names = {(0, 0): "midnight", (12, 0): "noon"}
    assert targets == [names.get((hour, minute), expected)]


@given(st.lists(PIECES, max_size=14).map("".join), STYLES)
def test_spans_slice_the_text_and_never_overlap(text: str, style: RuleStyle) -> None:
    found = find(text, style)
    assert all(text[m.start : m.end] == m.source and m.target for m in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert all(not m.source[0].isspace() and not m.source[-1].isspace() for m in found)


@given(st.lists(PIECES, max_size=14).map("".join), STYLES)
def test_the_english_is_tokenised_and_lower_cased(text: str, style: RuleStyle) -> None:
    for match in find(text, style):
        assert tokenise(match.target) == match.target.split(" ")
        assert match.target == match.target.lower()


@given(st.lists(PIECES, max_size=14).map("".join), STYLES)
def test_writing_the_english_into_the_text_twice_changes_nothing(
    text: str, style: RuleStyle
) -> None:
    once = [match.target for match in find(text, style)]
    for english in once:
        assert _with_english(english, style) == english


def _with_english(text: str, style: RuleStyle) -> str:
    for match in reversed(find(text, style)):
        text = text[: match.start] + match.target + text[match.end :]
    return text


@given(st.lists(st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)), max_size=60))
def test_dates_glued_together_are_read_one_by_one(dates: list[datetime.date]) -> None:
    written = [f"{date.year}年{date.month}月{date.day}日" for date in dates]
    assert [match.source for match in find("".join(written))] == written


@given(st.lists(PIECES, max_size=14).map("".join))
def test_folding_keeps_the_length_and_twice_changes_nothing(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(st.lists(PIECES, max_size=10).map("".join))
def test_full_width_text_has_the_same_matches(text: str) -> None:
    plain = [(m.start, m.end, m.target) for m in find(text)]
    assert [(m.start, m.end, m.target) for m in find(text.translate(FULL_WIDTH))] == plain


def test_rules_have_different_names_and_a_version() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(name.rpartition("/")[2].isdigit() for name in names)
