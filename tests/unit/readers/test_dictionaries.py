"""Dictionaries: tables, glossed dictionaries with their rule, name lists and word lists."""

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.errors import InputError
from tasks.readers.cedict import parse_cedict_line, parse_cedict_row, plain_reading
from tasks.readers.entries import DictionaryEntry
from tasks.readers.records import SetAside
from tests.reader_files import dictionary_records as records


def pairs(folder: Path, content: str | bytes, **settings: Any) -> list[tuple[str, str]]:
    found = records(folder, content, **settings)
    return [(entry.source, entry.target) for entry in found if isinstance(entry, DictionaryEntry)]


def reasons(folder: Path, content: str | bytes, **settings: Any) -> list[tuple[int, str]]:
    found = records(folder, content, **settings)
    return [(item.line, item.reason) for item in found if isinstance(item, SetAside)]


def test_a_table_is_read_with_its_categories_whatever_marks_and_line_ends_it_has(
    tmp_path: Path,
) -> None:
    content = "\ufeff宁川 \tNingchuan\tlocation\r\n\r\n\tx\t\n华泰\tHuatai\t\r\n"
    settings: dict[str, Any] = {
        "columns": ("source", "target", "category"),
        "category": "person",
    }
    assert records(tmp_path, content, **settings) == [
        DictionaryEntry("宁川", "Ningchuan", "location", 1),
        SetAside(3, "no_source", "\tx\t"),
        DictionaryEntry("华泰", "Huatai", "person", 4),
    ]


def test_columns_are_found_by_place_number_and_header(tmp_path: Path) -> None:
    content = "id\ten\tzh\tkind\tmore\n1\tRiver Town\t河镇\tlocation\tx\n"
    by_place: dict[str, Any] = {"header": True, "columns": ("id", "target", "source", "category")}
    by_name: dict[str, Any] = {
        "header": True,
        "source_column": "zh",
        "target_column": "en",
        "category_column": "kind",
    }
    by_number: dict[str, Any] = {
        "header": True,
        "source_column": "3",
        "target_column": "2",
        "category_column": "4",
    }
    for settings in (by_place, by_name, by_number):
        assert records(tmp_path, content, **settings) == [
            DictionaryEntry("河镇", "River Town", "location", 2)
        ]
    with pytest.raises(InputError, match=r"source_column is 'hz'; expected .* a name of the head"):
        records(tmp_path, content, header=True, source_column="hz", target_column="en")


def test_a_table_with_both_scripts_gives_the_chosen_one_only(tmp_path: Path) -> None:
    columns = ("simplified", "traditional", "target")
    content = "里程\t里程\tmileage\n公里\t公里\tkm\n发展\t發展\tgrowth\n"
    for script, last in (("simplified", "发展"), ("traditional", "發展")):
        found = pairs(tmp_path, content, columns=columns, script=script)
        assert found == [("里程", "mileage"), ("公里", "km"), (last, "growth")]


def test_csv_quotes_commas_and_line_ends(tmp_path: Path) -> None:
    content = '词,译\n"甲","a, ""b"""\n\n乙,"c\nd"\n丙,e\n'
    settings: dict[str, Any] = {"format": "csv", "header": True}
    assert pairs(tmp_path, content, **settings) == [("甲", 'a, "b"'), ("乙", "c\nd"), ("丙", "e")]
    with pytest.raises(InputError, match=r"line 2: expected a row of comma-separated fields"):
        records(tmp_path, '甲,a\n乙,"b\n', format="csv")


@pytest.mark.parametrize(
    ("settings", "bad", "message"),
    [
        ({}, "甲 a", "expected 2 columns or more, found 1"),
        (
            {"columns": ("source", "target", "category")},
            "甲\ta\tplace",
            r"expected a category \(date, .*\), found 'place'",
        ),
        ({"format": "cedict"}, "發展 [fa1] growth", "expected `traditional simplified"),
        ({"format": "cedict-tsv"}, "发展\tgrowth", "expected 4 tab-separated columns"),
        ({"format": "ldc"}, "发展 growth", "expected `word TAB /gloss/gloss/`"),
        ({"format": "ldc-names"}, "甲\ta\tb\tc", "expected `name TAB translation`"),
        ({"format": "pairs"}, "甲 a b", "expected two words"),
        ({"format": "terms-json"}, "[]", "expected a JSON object"),
        ({"format": "terms-json"}, '{"en": 1}', "expected a dictionary 'proper' among 'en'"),
        ({"format": "terms-json"}, '{"proper": {"a": 3}}', "expected a list of texts"),
        ({"format": "phrase-table"}, "甲 ||| a", "expected `source |||"),
        ({"format": "phrase-table"}, "甲 ||| a ||| 0.9 x", "expected at least 4 scores"),
        ({"format": "phrase-table"}, "甲 ||| a ||| 1 1 1 1", "expected counts in the fifth"),
    ],
)
def test_a_bad_line_stops_with_its_place_and_remedy_or_is_set_aside(
    tmp_path: Path, settings: dict[str, Any], bad: str, message: str
) -> None:
    content = f"\n{bad}\n"
    with pytest.raises(InputError, match=rf"file, line 2: {message}") as caught:
        records(tmp_path, content, **settings)
    assert 'on_bad_line = "drop" in the [[dictionary]]' in str(caught.value)
    [dropped] = records(tmp_path, content, on_bad_line="drop", **settings)
    assert isinstance(dropped, SetAside)
    assert dropped.line == 2


def test_a_line_of_another_encoding_is_bad_and_a_named_encoding_is_read(tmp_path: Path) -> None:
    content = "发展\t/growth/\n开发\t/develop/development/\n".encode("gb18030")
    assert pairs(tmp_path, content, format="ldc", encoding="gb18030") == [("发展", "growth")]
    with pytest.raises(InputError, match=r"line 1: expected UTF-8.*iconv -f GB18030"):
        records(tmp_path, content, format="ldc")
    found = reasons(tmp_path, content, format="ldc", on_bad_line="drop")
    assert found == [(1, "encoding"), (2, "encoding")]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_dictionaries_may_be_compressed(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    content = pack("甲乙 a\n".encode())
    assert pairs(tmp_path, content, name=f"words{ending}", format="pairs") == [("甲乙", "a")]


def test_a_cedict_line_has_one_reading_and_its_glosses_are_split_at_slashes_only() -> None:
    def glosses(text: str) -> tuple[str, ...]:
        entry = parse_cedict_line(text, 1)
        assert entry is not None
        return entry.glosses

    entry = parse_cedict_line("丙丁 丙丁 [bing3 ding1] /third (cf. 戊己[wu4 ji3], 庚[geng1])/", 1)
    assert entry is not None
    assert entry.pinyin == "bing3 ding1"
    assert entry.glosses == ("third (cf. 戊己[wu4 ji3], 庚[geng1])",)
    entry = parse_cedict_line("書店 书店 [[shu1dian4]] /bookshop/bookstore/", 1)
    assert entry is not None
    assert (entry.traditional, entry.simplified) == ("書店", "书店")
    assert entry.glosses == ("bookshop", "bookstore")
    assert glosses("家居 家居 [jia1 ju1] /home, dwelling/") == ("home, dwelling",)
    entry = parse_cedict_line("VCD機 VCD机 [V C D ji1] /VCD player/", 1)
    assert entry is not None
    assert (entry.simplified, entry.pinyin) == ("VCD机", "V C D ji1")
    assert parse_cedict_row("甲\t甲\tjia3\tfirst/A", 1) is not None


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        ("lu:4", "lü4"),
        ("lv4 shi1", "lü4 shi1"),
        ("Nv3", "Nü3"),
        ("lve4", "lüe4"),
        ("lu:e4", "lüe4"),
        ("V I P shi4", "V I P shi4"),
        ("lü4 (variant lü2)", "lü4"),
    ],
)
def test_a_reading_is_the_first_one_with_its_umlaut(written: str, reading: str) -> None:
    assert plain_reading(written) == reading


CEDICT = """\
# a comment
湖泊 湖泊 [hu2 po1] /lake/
發展 发展 [fa1 zhan3] /development/growth/
單子 单子 [Shan4 zi5] /surname Shan/
單子 单子 [dan1 zi5] /list/CL:張|张[zhang1]/
銀行 银行 [yin2 hang2] /bank (financial institution)/
走路 走路 [zou3 lu4] /to walk/
的話 的话 [de5 hua4] /(see also 如果)/
湖 湖 [hu2] /lake/
解釋 解释 [jie3 shi4] /an explanation that is far too long to be one term/
寧川 宁川 [Ning2 chuan1] /the Ningchuan/
這些 这些 [zhe4 xie1] /these/
甲殼 甲壳 [jia3 qiao4] /outer shell/
臺鐵 台铁 [Tai2 tie3] /abbr. for 臺灣鐵路|台湾铁路, Taiwan Railway/
魚肉 鱼肉 [yu2 rou4] /(bound form) fish/
伯恩 伯恩 [Bo2 en1] /Bern or Berne/
"""
LENIENT = [
    ("湖泊", "lake"),
    ("单子", "list"),
    ("银行", "bank"),
    ("宁川", "Ningchuan"),
    ("这些", "these"),
    ("甲壳", "outer shell"),
]


@pytest.mark.parametrize(
    ("strictness", "accepted"),
    [
        ("lenient", LENIENT),
        ("normal", LENIENT[:4]),
        ("strict", [("单子", "list"), ("宁川", "Ningchuan")]),
    ],
)
def test_only_a_headword_with_one_fit_sense_has_a_translation(
    tmp_path: Path, strictness: str, accepted: list[tuple[str, str]]
) -> None:
    settings: dict[str, Any] = {"format": "cedict", "strictness": strictness}
    assert pairs(tmp_path, CEDICT, **settings) == accepted
    assert len(records(tmp_path, CEDICT, **settings)) == len(CEDICT.splitlines()) - 1


def test_what_has_no_translation_says_why(tmp_path: Path) -> None:
    assert reasons(tmp_path, CEDICT, format="cedict") == [
        (3, "several_senses"),
        (4, "only_notes"),
        (7, "no_translation"),
        (8, "only_notes"),
        (9, "one_character"),
        (10, "no_translation"),
        (12, "function_word"),
        (13, "too_many_words"),
        (14, "only_notes"),
        (15, "no_translation"),
        (16, "no_translation"),
    ]


def test_the_lexicon_follows_the_same_rule(tmp_path: Path) -> None:
    content = "湖泊\t/lake/\n发展\t/develop/development/\n很长\t/a reversed and long remark/\n"
    assert pairs(tmp_path, content, format="ldc") == [("湖泊", "lake")]
    assert reasons(tmp_path, content, format="ldc") == [
        (2, "several_senses"),
        (3, "too_many_words"),
    ]


def test_name_lists_take_one_spelling_and_a_type_from_a_column_or_the_file(tmp_path: Path) -> None:
    content = "宁川\t/Ningchuan/\n海特\tHeit\tperson\n阿伦\t/Alan/Allen/\n无译\n"
    found = records(tmp_path, content, name="propernames_place.txt", format="ldc-names")
    assert found == [
        DictionaryEntry("宁川", "Ningchuan", "location", 1),
        DictionaryEntry("海特", "Heit", "person", 2),
        SetAside(3, "several_translations", "阿伦\t/Alan/Allen/"),
        SetAside(4, "no_translation", "无译"),
    ]
    [entry] = records(tmp_path, "王宁\tWang Ning\n", format="names")
    assert entry == DictionaryEntry("王宁", "Wang Ning", "person", 1)


def test_word_lists_of_either_direction_give_words_with_one_translation(tmp_path: Path) -> None:
    content = "猫 cat\ndog 狗\n狗\thound\n猫 Cat\nradio radio\n"
    assert pairs(tmp_path, content, format="pairs") == [("猫", "cat")]
    assert sorted(reasons(tmp_path, content, format="pairs")) == [
        (2, "several_translations"),
        (3, "several_translations"),
        (4, "repeated"),
        (5, "not_one_chinese"),
    ]


def test_terms_in_json_are_keyed_by_either_language(tmp_path: Path) -> None:
    content = (
        '{"proper": {"Harbour Fund": ["海港基金", "港基金"], "QE": ["QE"]}, "random": {}}\n'
        '{"proper": {"债券": ["Bond", "bond"], "银行": ["bank", "shore"]}, "noterm": []}\n'
    )
    assert pairs(tmp_path, content, format="terms-json") == [
        ("海港基金", "Harbour Fund"),
        ("港基金", "Harbour Fund"),
        ("债券", "Bond"),
    ]
    assert reasons(tmp_path, content, format="terms-json") == [
        (1, "not_one_chinese"),
        (2, "several_translations"),
    ]


def test_a_phrase_table_gives_what_reaches_every_threshold(tmp_path: Path) -> None:
    content = (
        "中 国 ||| China &apos;s ||| 0.6 0.1 0.95 0.1 ||| 0-0 1-0 ||| 9 8 7\n"
        "中 国 ||| Chinese ||| 0.6 0.1 0.5 0.1 ||| 0-0 ||| 9 8 7\n"
        "北 国 ||| North ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n"
    )
    assert pairs(tmp_path, content, format="phrase-table") == [("中 国", "China 's")]
    assert reasons(tmp_path, content, format="phrase-table") == [
        (2, "below_min_scores"),
        (3, "below_min_count"),
    ]
    loose: dict[str, Any] = {"min_scores": (0.0, 0.0, 0.4), "min_count": 0}
    assert len(pairs(tmp_path, content, format="phrase-table", **loose)) == 3


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("宁川省\tNingchuan Province", "location"),
        ("省\tProvince", "term"),
        ("海产品\tseafood", "term"),
        ("远方银行\tBank of Yuanfang", "organization"),
        ("王小宁\tWang Xiaoning", "person"),
        ("王府\tWang Palace", "person"),
        ("安娜·贝尔\tAnna Bell", "person"),
        ("中国银行\tbank in China", "term"),
    ],
)
def test_categories_by_rule_need_both_sides(tmp_path: Path, line: str, category: str) -> None:
    [entry] = records(tmp_path, line, category="by-rule")
    assert isinstance(entry, DictionaryEntry)
    assert entry.category == category


@pytest.mark.parametrize(
    ("kind", "category"),
    [("PER", "person"), ("LOC", "location"), ("GPE", "location"), ("ORG", "organization")],
)
def test_a_short_type_of_a_name_outranks_the_name_of_the_file(
    tmp_path: Path, kind: str, category: str
) -> None:
    content = f"海宁\tHaining\t{kind}\n"
    [found] = records(tmp_path, content, "press_names.txt", format="ldc-names")
    assert isinstance(found, DictionaryEntry)
    assert found.category == category
