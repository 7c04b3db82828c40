"""Test sets: segments belong together by document and id, and SGML is no XML."""

import time
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.records import SetAside
from tasks.readers.sgml import decode_entities, read_segments
from tasks.readers.testset_config import TestsetForm
from tasks.readers.testsets import TestLine, read_testset

MTEVAL = TestsetForm(name="t", format="mteval")
PLAIN = TestsetForm(name="t")


def write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def lines(form: TestsetForm, source: Path, *references: Path) -> list[tuple[str, tuple[str, ...]]]:
    read = read_testset(form, source, references)
    return [(line.source, line.references) for line in read if isinstance(line, TestLine)]


SOURCE = """<!DOCTYPE mteval SYSTEM "mteval.dtd">
<srcset setid="tiny" srclang="Chinese">
<DOC docid=d1 sysid=source>
<hl>
<seg id=1> 下雨 </seg>
</hl>
<p>
<SEG ID=2>AT&T 与 R&amp;D，
3 < 5
</p>
<seg id="3">晴</seg>
</DOC>
<doc docid="d2"><seg id=1>下雪</seg></doc>
</srcset>
"""
REFERENCES = """<refset setid="tiny" srclang="Chinese" trglang="English">
<doc docid="d2" sysid="ahe"><seg id="1">snow</seg></doc>
<doc sysid="ahe" docid="d1"><seg id="3">clear</seg><seg id="1">rain</seg></doc>
<doc docid="d1" sysid="ahb"><seg id="2">AT&amp;T and R&D</seg><seg id="1">it rains</seg></doc>
</refset>
"""


def test_sgml_is_read_with_all_its_liberties(tmp_path: Path) -> None:
    source, references = write(tmp_path, "s.sgm", SOURCE), write(tmp_path, "r.sgm", REFERENCES)
    lax = TestsetForm(name="t", format="mteval", on_bad_line="drop")
    assert lines(lax, source, references) == [
        ("下雨", ("rain", "it rains")),
        ("AT&T 与 R&D， 3 < 5", ("", "AT&T and R&D")),
        ("晴", ("clear", "")),
        ("下雪", ("snow", "")),
    ]


def test_all_sets_may_stand_in_one_file_and_what_systems_said_is_no_reference(
    tmp_path: Path,
) -> None:
    outputs = REFERENCES.replace("refset", "tstset").replace("ahe", "system1")
    whole = f"<mteval>{SOURCE}{outputs}{REFERENCES}</mteval>"
    path = write(tmp_path, "all.xml", whole)
    assert [references for _, references in lines(MTEVAL, path)][0] == ("rain", "it rains")
    systems = {item.system for item in read_segments(path) if item.kind == "hypothesis"}
    assert systems == {"system1", "ahb"}


def test_references_of_several_files_are_kept_apart_also_under_one_name(tmp_path: Path) -> None:
    source = write(tmp_path, "s.sgm", '<srcset><doc docid="d"><seg id="1">甲</seg></doc></srcset>')
    files = [
        write(
            tmp_path,
            f"r{number}.sgm",
            f'<refset><doc docid="d" sysid="ref"><seg id="1">{number}</seg></doc></refset>',
        )
        for number in range(3)
    ]
    assert lines(MTEVAL, source, *files) == [("甲", ("0", "1", "2"))]


WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="tiny.zh-en">
  <doc id="a" origlang="zh">
    <src lang="zh"><p><seg id="1">甲</seg><seg id="2">乙</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">a</seg><seg id="2">b</seg></p></ref>
    <ref lang="en" translator="B"><p><seg id="2">bb</seg></p></ref>
    <hyp lang="en" system="S"><p><seg id="1">x</seg><seg id="2">y</seg></p></hyp>
  </doc>
</dataset>
"""


def test_the_xml_of_wmt_holds_source_references_and_outputs(tmp_path: Path) -> None:
    path = write(tmp_path, "wmt.xml", WMT)
    form = TestsetForm(name="t", format="wmt")
    assert lines(form, path) == [("甲", ("a", "")), ("乙", ("b", "bb"))]
    outputs = [item.text for item in read_segments(path) if item.kind == "hypothesis"]
    assert outputs == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("A&amp;amp;B", "A&amp;B"),
        ("&lt;b&gt; &quot;x&quot; &apos;y&apos;", "<b> \"x\" 'y'"),
        ("&#19968;&#x4E8C;&#X4e09;", "一二三"),
        ("R&D, AT&T; &copy &unknown; &#xD800; &#0; &#99999999;",) * 2,
        ("&", "&"),
    ],
)
def test_entities_are_decoded_once_and_all_else_is_text(text: str, decoded: str) -> None:
    assert decode_entities(text) == decoded


def test_tags_and_comments_may_run_over_lines(tmp_path: Path) -> None:
    source = (
        '<srcset\n setid="x">\n<!-- a\n <seg id="9">no</seg>\n -->\n<doc\n docid="d">'
        "<seg\n id = '1'>甲<x>乙\n\n丙</seg></doc></srcset>"
    )
    path = write(tmp_path, "s.sgm", source)
    assert [(item.key, item.text) for item in read_segments(path)] == [(("d", "1"), "甲<x>乙 丙")]


def test_an_old_encoding_is_read_where_it_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, "s.sgm", SOURCE + REFERENCES, "gb18030")
    form = TestsetForm(name="t", format="mteval", encoding="gb18030", on_bad_line="drop")
    assert lines(form, path)[0] == ("下雨", ("rain", "it rains"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("一\n二\n", "expected <seg> elements"),
        ("<doc docid=d><seg id=1>甲</seg></doc>", "line 1: a <seg> stands outside"),
        ("<refset><doc docid=d><seg id=1>a</seg></doc></refset>", "expected source segments"),
        (
            '<!DOCTYPE x [\n<!ENTITY e "boom">\n]>\n<srcset></srcset>',
            "line 2: .*declares an entity",
        ),
        (
            "<srcset><doc docid=d>" + "<seg id=1>甲</seg>" * 2 + "</doc></srcset>",
            "a second segment",
        ),
        (
            "<srcset><doc docid=d><seg id=1>甲</seg></doc></srcset>"
            "<refset><doc docid=e><seg id=1>a</seg></doc></refset>",
            "1 segments of the references have no source",
        ),
    ],
)
def test_files_that_cannot_be_a_test_set_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        lines(MTEVAL, write(tmp_path, "s.sgm", text))


def test_plain_files_have_any_number_of_references(tmp_path: Path) -> None:
    source = write(tmp_path, "s", "甲\n乙\u2028丙\n")
    references = [write(tmp_path, f"r{number}", f"{number}\r\nb\r\n") for number in range(4)]
    assert lines(PLAIN, source, *references) == [
        ("甲", ("0", "1", "2", "3")),
        ("乙\u2028丙", ("b",) * 4),
    ]


def test_an_empty_sentence_is_left_out_on_all_sides_and_counted(tmp_path: Path) -> None:
    source = write(tmp_path, "s", "甲\n \n丙\n丁\n")
    references = write(tmp_path, "r", "a\nb\n\nd\n"), write(tmp_path, "q", "A\nB\n\t\nD\n")
    read = list(read_testset(PLAIN, source, references))
    assert [line.position for line in read if isinstance(line, TestLine)] == [0, 3]
    assert [(item.line, item.reason) for item in read if isinstance(item, SetAside)] == [
        (2, "empty_source"),
        (3, "no_reference"),
    ]
    assert all("[[testset]]" in item.fault for item in read if isinstance(item, SetAside))


def test_unequal_plain_files_are_refused(tmp_path: Path) -> None:
    source, reference = write(tmp_path, "s", "甲\n乙\n"), write(tmp_path, "r", "a\n")
    with pytest.raises(InputError, match="r has 1 lines and .*s has 2"):
        lines(PLAIN, source, reference)


SEGMENT = '<srcset><doc docid="d"><seg id="1">{}</seg></doc></srcset>'


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<![CDATA[<雨> &amp;]]>", "<雨> &amp;"),
        ("甲<![CDATA[\n<]]>乙", "甲 <乙"),
        ("甲<!-- 乙\n<seg id='2'>丙</seg>\n-->丁", "甲丁"),
        ("a <b\nc", "a <b c"),
        ("3 < 5 <x> <hl>雨</hl>", "3 < 5 <x> 雨"),
    ],
)
def test_a_segment_holds_what_it_shows(tmp_path: Path, written: str, text: str) -> None:
    path = write(tmp_path, "s.sgm", SEGMENT.format(written))
    assert [segment.text for segment in read_segments(path)] == [text]


@pytest.mark.parametrize("ending", ["<!-- x", "<![CDATA[x", "<seg id", "</se", "\n<seg\nid=2"])
def test_a_file_that_ends_within_something_was_cut_short(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path, "s.sgm", SEGMENT.format("雨") + ending + "\n")
    with pytest.raises(InputError, match="the file ends within"):
        list(read_segments(path))


def test_reading_takes_time_in_proportion_to_what_never_ends(tmp_path: Path) -> None:
    def seconds(lines: int) -> float:
        path = write(tmp_path, "s.sgm", SEGMENT.format("雨") + "<!-- " + "x\n" * lines)
        begin = time.process_time()
        with pytest.raises(InputError, match="the file ends within"):
            list(read_segments(path))
        return time.process_time() - begin

    assert seconds(40_000) < 40 * max(seconds(4_000), 0.001)
