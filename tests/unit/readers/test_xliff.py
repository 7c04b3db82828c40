"""XLIFF 1.2 and 2: only finished translations, and only their text."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.languages import Direction
from tasks.readers.records import RawPair, SetAside
from tasks.readers.xliff import read_xliff
from tests.reader_files import xliff1, xliff2


def pairs(path: Path, direction: Direction = "auto") -> list[tuple[str, str]]:
    records = read_xliff(path, direction=direction)
    return [(item.source, item.target) for item in records if isinstance(item, RawPair)]


def reasons(path: Path) -> list[str]:
    return [item.reason for item in read_xliff(path) if isinstance(item, SetAside)]


UNIT = "<trans-unit id='1'><source>{}</source><target{}>{}</target></trans-unit>"


@pytest.mark.parametrize(
    "state", ["", " state='translated'", " state='final'", " state='signed-off'"]
)
def test_a_finished_target_makes_a_pair(tmp_path: Path, state: str) -> None:
    path = xliff1(tmp_path, UNIT.format("打开", state, "Open"), "zh-CN", "en-US")
    assert list(read_xliff(path)) == [RawPair("打开", "Open", "app.html", 3)]


@pytest.mark.parametrize("state", ["new", "needs-translation", "needs-review-translation"])
def test_an_unfinished_target_makes_none(tmp_path: Path, state: str) -> None:
    path = xliff1(tmp_path, UNIT.format("打开", f" state='{state}'", "打开"), "zh", "en")
    assert (pairs(path), reasons(path)) == ([], ["unfinished"])


@pytest.mark.parametrize(
    ("unit", "reason"),
    [
        ("<trans-unit id='1'><source>a</source></trans-unit>", "untranslated"),
        ("<trans-unit id='1'><source>a</source><target/></trans-unit>", "untranslated"),
        ("<trans-unit id='1'><target>a</target></trans-unit>", "no_source"),
        (
            "<trans-unit id='1' translate='no'><source>a</source><target>a</target></trans-unit>",
            "not_translatable",
        ),
        (
            "<trans-unit id='1' approved='no'><source>a</source><target>b</target></trans-unit>",
            "unfinished",
        ),
    ],
)
def test_what_makes_no_pair_is_counted_with_its_reason(
    tmp_path: Path, unit: str, reason: str
) -> None:
    path = xliff1(tmp_path, unit, "zh", "en")
    assert (pairs(path), reasons(path)) == ([], [reason])


def test_a_file_translated_from_english_is_turned_round(tmp_path: Path) -> None:
    unit = UNIT.format("Open", "", "打开")
    assert pairs(xliff1(tmp_path, unit, "en-US", "zh-Hans")) == [("打开", "Open")]
    assert pairs(xliff1(tmp_path, unit, "en", "")) == [("打开", "Open")]
    assert pairs(xliff1(tmp_path, unit, "", ""), "en-zh") == [("打开", "Open")]


def test_a_file_that_does_not_say_its_language_asks_for_the_direction(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Set direction"):
        pairs(xliff1(tmp_path, UNIT.format("a", "", "b"), "", ""))


def test_units_of_another_language_are_set_aside(tmp_path: Path) -> None:
    path = xliff1(tmp_path, UNIT.format("Open", "", "Ouvrir"), "en", "fr")
    assert (pairs(path), reasons(path)) == ([], ["other_language"])


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("打开<g id='1'>文件</g>菜单", "打开文件菜单"),
        ("共<x id='N'/>个<bpt id='1'>&lt;b&gt;</bpt>错误<ept id='1'>&lt;/b&gt;</ept>", "共个错误"),
        ("见<mrk mtype='term'>附录</mrk>一", "见附录一"),
    ],
)
def test_inline_codes_go_and_what_they_mark_stays(tmp_path: Path, source: str, text: str) -> None:
    assert pairs(xliff1(tmp_path, UNIT.format(source, "", "x"), "zh", "en")) == [(text, "x")]


def test_marked_segments_are_pairs_of_their_own_by_their_number(tmp_path: Path) -> None:
    mark = "<mrk mtype='seg' mid='{}'>{}</mrk>"
    unit = (
        "<trans-unit id='1'><source>甲。乙。丙。</source><seg-source>"
        + "".join(mark.format(n, text) for n, text in enumerate(("甲。", "乙。", "丙。")))
        + f"</seg-source><target>{mark.format(2, 'C.')}{mark.format(0, 'A.')}"
        f"{mark.format(1, '')}</target></trans-unit>"
    )
    path = xliff1(tmp_path, unit, "zh", "en")
    assert pairs(path) == [("甲。", "A."), ("丙。", "C.")]
    assert reasons(path) == ["untranslated"]


def test_proposals_from_memories_are_no_translation(tmp_path: Path) -> None:
    unit = (
        "<group><trans-unit id='1'><source>甲</source>"
        "<alt-trans><source>甲</source><target>guess</target></alt-trans></trans-unit></group>"
    )
    path = xliff1(tmp_path, unit, "zh", "en")
    assert (pairs(path), reasons(path)) == ([], ["untranslated"])


def test_version_2_is_read_segment_by_segment(tmp_path: Path) -> None:
    body = (
        "<unit id='u'><segment state='final'><source>打开<pc id='1'>文件</pc></source>"
        "<target>Open the <pc id='1'>file</pc><ph id='2'/></target></segment>"
        "<ignorable><source> </source></ignorable>"
        "<segment state='initial'><source>乙</source><target>b</target></segment>"
        "<segment><source>丙</source><target>c</target></segment>"
        "<segment state='reviewed'><source>丁</source></segment></unit>"
    )
    path = xliff2(tmp_path, body, "zh-CN", "en")
    assert pairs(path) == [("打开文件", "Open the file"), ("丙", "c")]
    assert reasons(path) == ["unfinished", "untranslated"]


def test_version_2_is_turned_round_too(tmp_path: Path) -> None:
    body = "<unit id='u'><segment><source>b</source><target>乙</target></segment></unit>"
    assert pairs(xliff2(tmp_path, body, "en", "zh")) == [("乙", "b")]


SEGMENTED = (
    "<trans-unit id='1'><source>甲乙</source><seg-source><mrk mtype='seg'{}>甲</mrk>"
    "<mrk mtype='seg'{}>乙</mrk></seg-source><target>{}</target></trans-unit>"
)
NUMBERED = SEGMENTED.replace("{}", " mid='1'", 1).replace("{}", " mid='2'", 1)


def test_a_target_without_marks_is_the_translation_of_the_whole(tmp_path: Path) -> None:
    path = xliff1(tmp_path, NUMBERED.format("ab"), "zh", "en")
    assert (pairs(path), reasons(path)) == ([("甲乙", "ab")], [])


def test_a_segment_that_only_the_target_has_is_counted(tmp_path: Path) -> None:
    target = "<mrk mtype='seg' mid='2'>b</mrk><mrk mtype='seg' mid='3'>c</mrk>"
    path = xliff1(tmp_path, NUMBERED.format(target), "zh", "en")
    assert (pairs(path), reasons(path)) == ([("乙", "b")], ["untranslated", "no_source"])


@pytest.mark.parametrize("number", ["", " mid='1'"])
def test_segments_that_no_number_tells_apart_make_no_pairs(tmp_path: Path, number: str) -> None:
    target = f"<mrk mtype='seg'{number}>a</mrk><mrk mtype='seg'{number}>b</mrk>"
    path = xliff1(tmp_path, SEGMENTED.format(number, number, target), "zh", "en")
    assert (pairs(path), reasons(path)) == ([], ["unnumbered_segments"])


def test_what_a_unit_lies_in_says_whether_it_is_translated(tmp_path: Path) -> None:
    unit = "<unit id='1'{}><segment><source>甲</source><target>a</target></segment></unit>"
    group = f"<group id='g' translate='no'><group id='h'>{unit}</group></group>"
    path = xliff2(tmp_path, group.format(""), "zh", "en")
    assert (pairs(path), reasons(path)) == ([], ["not_translatable"])
    path = xliff2(tmp_path, group.format(" translate='yes'"), "zh", "en")
    assert (pairs(path), reasons(path)) == ([("甲", "a")], [])


def test_a_unit_outside_of_a_file_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "texts.xlf"
    path.write_text(f"<xliff>{UNIT.format('甲', '', 'a')}</xliff>", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: <trans-unit> stands outside of a <file>"):
        list(read_xliff(path))
