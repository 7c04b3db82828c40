"""Dictionaries: tables, and CC-CEDICT with its rule of which gloss is the one translation."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.cedict import parse_cedict_line, parse_cedict_row
from tasks.readers.config import DictionaryConfig
from tasks.readers.dictionaries import (
    DictionaryEntry,
    form_of,
    read_dictionary,
    read_tsv_dictionary,
)


def write(folder: Path, content: str) -> Path:
    path = folder / "dictionary"
    path.write_text(content, encoding="utf-8", newline="")
    return path


def cedict(folder: Path, content: str, **settings: str) -> list[tuple[str, str]]:
    path = write(folder, content)
    config = DictionaryConfig(name="d", path=str(path), format="cedict", **settings)  # type: ignore[arg-type]
    return [(entry.source, entry.target) for entry in read_dictionary(form_of(config), config.path)]


def test_a_table_is_read_with_its_categories(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeff宁川 \tNingchuan\tlocation\r\n\r\n\tx\t\n华泰\tHuatai\t\r\n")
    entries = read_tsv_dictionary(path, columns=("source", "target", "category"), category="person")
    assert list(entries) == [
        DictionaryEntry("宁川", "Ningchuan", "location", 1),
        DictionaryEntry("华泰", "Huatai", "person", 4),
    ]


def test_further_columns_of_a_table_are_ignored(tmp_path: Path) -> None:
    config = DictionaryConfig(name="d", path=str(write(tmp_path, "甲\ta\tsomething\tmore\n")))
    assert list(read_dictionary(form_of(config), config.path)) == [
        DictionaryEntry("甲", "a", "term", 1)
    ]


def test_a_header_is_no_entry(tmp_path: Path) -> None:
    path = write(tmp_path, "zh\ten\n甲\ta\n")
    assert [e.line for e in read_tsv_dictionary(path, header=True)] == [2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "甲 a\n",
            r"line 1: expected 3 tab-separated columns \(category, source, target\), found 1",
        ),
        ("term\t甲\ta\nplace\t乙\tb\n", r"line 2: expected a category \(date, .*\), found 'place'"),
    ],
)
def test_a_bad_row_of_a_table_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(
            read_tsv_dictionary(write(tmp_path, content), columns=("category", "source", "target"))
        )


def test_a_cedict_line_has_one_reading_and_its_glosses_are_split_at_slashes_only() -> None:
    entry = parse_cedict_line(
        "甲乙 甲乙 [jia3 yi3] /first item (cf. 丙丁[bing3 ding1], 戊[wu4])/", "f", 1
    )
    assert entry is not None
    assert entry.pinyin == "jia3 yi3"
    assert entry.glosses == ("first item (cf. 丙丁[bing3 ding1], 戊[wu4])",)
    entry = parse_cedict_line("發展 发展 [fa1 zhan3] /development/growth/", "f", 1)
    assert entry is not None
    assert (entry.traditional, entry.simplified) == ("發展", "发展")
    assert entry.glosses == ("development", "growth")
    entry = parse_cedict_line("生活 生活 [sheng1 huo2] /life, livelihood/", "f", 1)
    assert entry is not None
    assert entry.glosses == ("life, livelihood",)
    entry = parse_cedict_line("VIP室 VIP室 [V I P shi4] /VIP lounge/", "f", 1)
    assert entry is not None
    assert entry.simplified == "VIP室"


def test_comments_and_blank_lines_of_cedict_are_no_entries() -> None:
    for text in ("# comment", "", "  \r"):
        assert parse_cedict_line(text, "f", 1) is None
        assert parse_cedict_row(text, "f", 1) is None


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (parse_cedict_line, "發展 [fa1 zhan3] development", "expected `traditional simplified"),
        (parse_cedict_row, "发展\tdevelopment", "expected 4 tab-separated columns"),
    ],
)
def test_a_bad_line_of_cedict_is_refused(parse: object, text: str, message: str) -> None:
    assert callable(parse)
    with pytest.raises(InputError, match=rf"^d\.u8, line 3: {message}"):
        parse(text, "d.u8", 3)


def test_only_a_headword_with_one_sense_has_a_translation(tmp_path: Path) -> None:
    content = """\
# a comment
湖泊 湖泊 [hu2 po1] /lake/
發展 发展 [fa1 zhan3] /development/growth/
單子 单子 [Shan4 zi5] /surname Shan/
單子 单子 [dan1 zi5] /list/CL:張|张[zhang1]/
銀行 银行 [yin2 hang2] /bank (financial institution)/
行長 行长 [hang2 zhang3] /bank president/
行長 行长 [xing2 chang2] /length of a journey/
走路 走路 [zou3 lu4] /to walk/
的話 的话 [de5 hua4] /(see also 如果)/
湖 湖 [hu2] /lake/
解釋 解释 [jie3 shi4] /an explanation that is far too long to be one term/
"""
    assert cedict(tmp_path, content) == [
        ("湖泊", "lake"),
        ("单子", "list"),
        ("银行", "bank"),
    ]
    assert ("銀行", "bank") in cedict(tmp_path, content, script="traditional")
