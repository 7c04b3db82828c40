"""What is written in a dictionary's format is read back, and every line is accounted for."""

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.records import Category
from tasks.readers.config import DictionaryConfig
from tasks.readers.dictionaries import form_of, read_dictionary
from tasks.readers.entries import DictionaryEntry, FoundEntry
from tasks.readers.table_dictionary import read_table_dictionary

TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="\ufeff"),
    min_size=1,
).filter(lambda text: text == text.strip())
NOT_XML = set("\ufffe\uffff")
HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=2, max_size=8)
WORD = st.text("abcdefghiklmnrstu", min_size=3, max_size=9)
ENGLISH = WORD.map(lambda word: f"X{word}")
"""Capitalised words that no list of function words and no note has."""
ENTRIES = st.lists(st.tuples(HAN, ENGLISH), max_size=6, unique_by=(lambda e: e[0], lambda e: e[1]))


def read_back(content: str, **settings: Any) -> list[Any]:
    config = DictionaryConfig(name="d", path="file", **settings)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content.encode(config.encoding))
        return list(read_dictionary(form_of(config), path))


@given(st.lists(st.tuples(TEXT, TEXT), max_size=8))
def test_tables_are_read_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(pairs)
    tsv = "".join(f"{source}\t{target}\r\n" for source, target in pairs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        for content, quoted in ((tsv, False), (stream.getvalue(), True)):
            path.write_bytes(content.encode())
            found = list(read_table_dictionary(path, quoted=quoted))
            expected = [FoundEntry(*pair, line) for line, pair in enumerate(pairs, start=1)]
            assert found == expected


TEMPLATES = {
    "tsv": "{source}\t{target}\n",
    "csv": '"{source}","{target}"\n',
    "cedict": "{source} {source} [Pin1 yin1] /{target}/\r\n",
    "cedict-tsv": "{source}\t{source}\tPin1 yin1\t{target}\n",
    "ldc": "{source}\t/{target}/\n",
    "ldc-names": "{source}\t/{target}/\n",
    "names": "{source}\t{target}\n",
    "pairs": "{target} {source}\n",
    "phrase-table": "{source} ||| {target} ||| 1 1 1 1 ||| 0-0 ||| 5 5 5\n",
}


@pytest.mark.parametrize("form", TEMPLATES)
@given(entries=ENTRIES)
def test_lines_of_every_format_are_read_as_they_were_written(
    form: Any, entries: list[tuple[str, str]]
) -> None:
    lines = [TEMPLATES[form].format(source=one, target=other) for one, other in entries]
    category: Category = "person" if form == "names" else "term"
    assert read_back("".join(lines), format=form) == [
        DictionaryEntry(*entry, category, line) for line, entry in enumerate(entries, start=1)
    ]


@given(st.lists(st.tuples(HAN, TEXT.filter(lambda text: not set(text) & NOT_XML)), max_size=6))
def test_concepts_of_a_termbase_are_read_as_they_were_written(
    entries: list[tuple[str, str]],
) -> None:
    concepts = [
        f'<termEntry><langSet xml:lang="en"><tig><term>{escape(target)}</term></tig></langSet>'
        f'<langSet xml:lang="zh"><tig><term>{source}</term></tig></langSet></termEntry>\n'
        for source, target in entries
    ]
    content = f"<martif><text><body>{''.join(concepts)}</body></text></martif>"
    found = read_back(content, format="tbx")
    assert [(entry.source, entry.target) for entry in found] == entries


@given(entries=ENTRIES, turned=st.booleans())
def test_terms_of_json_are_read_as_they_were_written(
    entries: list[tuple[str, str]], turned: bool
) -> None:
    terms = {other: [one] if turned else one for one, other in entries}
    content = json.dumps({"proper": terms}, ensure_ascii=turned)
    found = read_back(content, format="terms-json")
    assert [(entry.source, entry.target) for entry in found] == entries


@pytest.mark.parametrize("form", TEMPLATES)
@given(
    st.lists(st.text('甲乙丙ab/| \t[]#1"', max_size=12).map(lambda text: f"{text}\n"), max_size=8)
)
def test_every_line_is_an_entry_or_is_set_aside(form: Any, lines: list[str]) -> None:
    found = read_back("".join(lines), format=form, on_bad_line="drop")
    comments = form not in ("tsv", "csv", "pairs", "phrase-table")
    counted = [
        number
        for number, line in enumerate(lines, start=1)
        if line.strip() and not (comments and line.startswith("#"))
    ]
    if form != "csv":  # whose rows may take several lines
        assert sorted(record.line for record in found) == counted
    assert len(found) <= len(counted)
