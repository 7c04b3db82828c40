"""TMX: languages decide what is what, codes are no text, and nothing reaches beyond the file."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.records import RawPair, SetAside
from tasks.readers.tmx import read_tmx
from tests.reader_files import tmx


def unit(*variants: str) -> str:
    return f"<tu>{''.join(variants)}</tu>"


def variant(language: str, text: str) -> str:
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


def texts(path: Path, languages: tuple[str, str] = ("zh", "en")) -> list[tuple[str, str]]:
    pairs = (record for record in read_tmx(path, languages) if isinstance(record, RawPair))
    return [(pair.source, pair.target) for pair in pairs]


def test_sides_are_chosen_by_language_whatever_their_order_and_spelling(tmp_path: Path) -> None:
    body = unit(variant("en_US", "rain"), variant("ZH-cn", "雨"), variant("fr", "pluie")) + unit(
        variant("zh", "雪"), variant("EN", "snow")
    )
    assert texts(tmx(tmp_path, body)) == [("雨", "rain"), ("雪", "snow")]


def test_the_older_attribute_for_the_language_is_read_and_the_newer_one_wins(
    tmp_path: Path,
) -> None:
    body = (
        '<tu><tuv lang="zh"><seg>雨</seg></tuv><tuv lang="fr" xml:lang="en"><seg>rain</seg></tuv>'
        '<tuv xml:lang="de" lang="en"><seg>Regen</seg></tuv></tu>'
    )
    assert texts(tmx(tmp_path, body)) == [("雨", "rain")]


def test_each_variant_of_the_source_goes_with_each_of_the_target(tmp_path: Path) -> None:
    body = unit(
        variant("zh-CN", "软件"),
        variant("zh-TW", "軟體"),
        variant("en-GB", "colour"),
        variant("en-US", "color"),
    )
    path = tmx(tmp_path, body)
    assert texts(path) == [
        ("软件", "colour"),
        ("软件", "color"),
        ("軟體", "colour"),
        ("軟體", "color"),
    ]
    assert texts(path, ("zh-Hant", "en-US")) == [("軟體", "color")]


def test_a_unit_that_lacks_a_language_or_a_segment_is_counted_and_shifts_nothing(
    tmp_path: Path,
) -> None:
    body = "\n".join(
        [
            unit(variant("zh", "一"), variant("en", "one")),
            unit(variant("en", "two"), variant("de", "zwei")),
            unit(variant("zh", "三"), '<tuv xml:lang="en">three</tuv>'),
            unit(variant("zh", "四"), variant("en", "four")),
        ]
    )
    records = list(read_tmx(tmx(tmp_path, body)))
    assert [(record.line, record.reason) for record in records if isinstance(record, SetAside)] == [
        (4, "no_source_language"),
        (5, "no_segment"),
    ]
    assert [record.line for record in records if isinstance(record, RawPair)] == [3, 6]


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ("按<bpt i='1'>&lt;b&gt;</bpt>确定<ept i='1'>&lt;/b&gt;</ept>键", "按确定键"),
        ("打开<ph x='1'>{0}<sub>提示</sub></ph>文件", "打开文件"),
        ("请<hi type='b'>再<it pos='begin'>[x</it>试</hi>一次", "请再试一次"),
        ("A &amp;amp; B<!-- note -->&#x4E00;", "A &amp; B一"),
        ("\n   第一行\n\t第二行  \n", "第一行 第二行"),
        ("甲\u2028乙\u0085丙", "甲\u2028乙\u0085丙"),
        ("<![CDATA[a < b & c]]>", "a < b & c"),
    ],
)
def test_the_text_of_a_segment_is_what_a_reader_sees(
    tmp_path: Path, segment: str, text: str
) -> None:
    assert texts(tmx(tmp_path, unit(variant("zh", segment), variant("en", "x")))) == [(text, "x")]


def test_a_property_names_the_document(tmp_path: Path) -> None:
    body = (
        "<tu><prop type='x-project'>p</prop><prop type='x-file'> manual.html </prop>"
        f"{variant('zh', '雨')}{variant('en', 'rain')}</tu>"
    )
    path = tmx(tmp_path, body)
    assert list(read_tmx(path, document="x-file")) == [RawPair("雨", "rain", "manual.html", 3)]
    assert list(read_tmx(path)) == [RawPair("雨", "rain", "", 3)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "gb18030"])
def test_the_encoding_is_the_one_of_mark_or_declaration(tmp_path: Path, encoding: str) -> None:
    declared = {"gb18030": "GB18030", "utf-8": "UTF-8"}.get(encoding, "UTF-16")
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<tmx version="1.4"><body>'
    text += unit(variant("zh", "编码"), variant("en", "encoding")) + "</body></tmx>"
    mark = "\ufeff" if encoding.startswith("utf") else ""
    path = tmp_path / "a.tmx"
    path.write_bytes((mark + text).encode(encoding))
    assert texts(path) == [("编码", "encoding")]


@pytest.mark.parametrize(
    ("prolog", "message"),
    [
        ('<!DOCTYPE tmx [<!ENTITY x "boom">]>', "declares the entity 'x'"),
        ('<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/hostname">]>', "declares the entity 'x'"),
        ('<!DOCTYPE tmx [<!ENTITY % p SYSTEM "http://127.0.0.1/p"> %p;]>', "entity 'p'"),
        ("<!DOCTYPE tmx SYSTEM 'tmx14.dtd'>", "the entity &x; is not declared"),
    ],
)
def test_entities_are_refused_and_never_expanded(tmp_path: Path, prolog: str, message: str) -> None:
    path = tmx(tmp_path, unit(variant("zh", "&x;"), variant("en", "x")), prolog)
    with pytest.raises(InputError, match=message):
        list(read_tmx(path))


def test_a_bomb_of_nested_entities_is_refused(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(12))
    prolog = f'<!DOCTYPE tmx [<!ENTITY l0 "ha">{levels}]>'
    path = tmx(tmp_path, f'<tu tuid="&l12;">{variant("zh", "&l12;")}</tu>', prolog)
    with pytest.raises(InputError, match="entity|amplification"):
        list(read_tmx(path))


def test_the_doctype_that_tmx_files_carry_is_no_reason_to_refuse_them(tmp_path: Path) -> None:
    path = tmx(
        tmp_path,
        unit(variant("zh", "雨"), variant("en", "rain")),
        '<!DOCTYPE tmx SYSTEM "tmx14.dtd">',
    )
    assert texts(path) == [("雨", "rain")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<tmx><body><tu>", "line 1: not well-formed XML"),
        ("<xliff></xliff>", "expected XML with the root <tmx>, found <xliff>"),
        ("", "not well-formed XML"),
        ("好\tgood\n", "not well-formed XML"),
    ],
)
def test_what_is_no_tmx_is_refused_with_its_place(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        list(read_tmx(path))


def test_an_entity_that_nobody_declares_is_named(tmp_path: Path) -> None:
    path = tmx(tmp_path, unit(variant("zh", "&rain;"), variant("en", "a")))
    with pytest.raises(InputError, match=r"line 3: not well-formed XML \(Entity 'rain' not defin"):
        list(read_tmx(path))
