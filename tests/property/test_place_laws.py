"""Laws of reading one place: never an exception, sound spans, English that is cut as written."""

from hypothesis import example, given
from hypothesis import strategies as st

from tasks.rules.place_readings import read_specific
from tasks.rules.places import read_place
from tasks.rules.style import RuleStyle
from tasks.text.english import tokenise

PIECES = st.sampled_from([
    "北京", "北京市", "朝阳", "朝阳区", "陕西", "陕西省", "台", "臺灣", "乾", "建国", "路", "街",
    "大道", "号", "8", "十", "第", "三", "中学", "人民", "法院", "大学", "银行", "驻", "大使馆",
    "政府", "省", "市", "县", "区", "镇", "乡", "村", "街道", "自治州", "彝族", "苗族", "阿",
    "乐", "长", "单", "行", "尔", "克", "勒", "山", "湖", "江", "河", "站", "港", "机场", "西",
    "\ud800", "😀", "A", "-", "·", "（", "）", "香港", "大埔", "沙田", "東", "馬鞍山", "段", "弄",
    "楼", "室", "委", "常委会",
])  # fmt: skip
REGIONS = st.sampled_from(["unknown", "mainland", "hongkong", "taiwan"])


@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)), REGIONS)
@example("县" * 10_000, "unknown")
@example("路" * 60, "unknown")
@example("区" * 24, "mainland")
@example("第" + "一" * 59, "unknown")
@example("\ud800", "unknown")
def test_a_reading_slices_back_and_is_cut_as_it_is_written(text: str, region: str) -> None:
    match = read_place(text, RuleStyle(region=region))  # type: ignore[arg-type]
    if match is not None:
        assert text[match.start : match.end] == match.source == text.strip()
        assert match.target == match.target.lower()
        assert tokenise(match.target) == match.target.split(" ")
        assert match.rule.partition("/")[2].isdigit()


@given(st.lists(PIECES, min_size=1, max_size=8).map("".join))
def test_an_unknown_first_part_makes_the_whole_abstain(text: str) -> None:
    assert read_place("㐀" + text, RuleStyle(region="hongkong")) is None


@given(st.text(max_size=6))
def test_a_specific_part_is_ascii_or_abstains(text: str) -> None:
    read = read_specific(text)
    assert read is None or (read.isascii() and read == read.lower() and " " not in read)
