"""What is written in a format comes back from its reader, whatever the texts are."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import polib
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather

from tasks.readers.corpora import Origin, read_corpus
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.gettext import read_gettext
from tasks.readers.records import RawPair, SetAside, stop_at_faults
from tasks.readers.testset_config import TestsetForm
from tasks.readers.testsets import TestLine, read_testset
from tasks.readers.tsv import read_tsv
from tests.reader_files import tmx, xliff1, xliff2

Texts = Sequence[tuple[str, str]]

LINE = st.text(
    st.one_of(
        st.sampled_from("中文 aA\"'“”&<>;\u2028\u2029\u0085\u00a0\u3000{}%\\#|_-"),
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"),
    ),
    max_size=12,
)
"""A text that fits on a line."""
TEXT = LINE.map(str.strip).filter(lambda text: bool(text) and text == text.strip(" "))
"""A text as XML keeps it, which is no place for blanks at the ends."""
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6)


def as_tsv(folder: Path, pairs: Texts) -> Path:
    path = folder / "a.tsv"
    path.write_bytes("".join(f"{source}\t{target}\r\n" for source, target in pairs).encode())
    return path


def as_tmx(folder: Path, pairs: Texts) -> Path:
    unit = '<tu><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="zh"><seg>{}</seg></tuv></tu>'
    return tmx(folder, "\n".join(unit.format(escape(t), escape(s)) for s, t in pairs))


def as_xliff1(folder: Path, pairs: Texts) -> Path:
    unit = "<trans-unit><source>{}</source><target>{}</target></trans-unit>"
    body = "\n".join(unit.format(escape(target), escape(source)) for source, target in pairs)
    return xliff1(folder, body, "en", "zh-CN")


def as_xliff2(folder: Path, pairs: Texts) -> Path:
    unit = "<unit><segment><source>{}</source><target>{}</target></segment></unit>"
    body = "\n".join(unit.format(escape(source), escape(target)) for source, target in pairs)
    return xliff2(folder, body, "zh", "en")


def as_jsonl(folder: Path, pairs: Texts) -> Path:
    path = folder / "a.jsonl"
    rows = [json.dumps({"source": source, "target": target}) for source, target in pairs]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def as_table(folder: Path, pairs: Texts) -> pa.Table:
    return pa.table({"source": [pair[0] for pair in pairs], "target": [pair[1] for pair in pairs]})


def as_parquet(folder: Path, pairs: Texts) -> Path:
    pq.write_table(as_table(folder, pairs), folder / "a.parquet", row_group_size=2)
    return folder / "a.parquet"


def as_arrow(folder: Path, pairs: Texts) -> Path:
    feather.write_feather(as_table(folder, pairs), folder / "a.arrow", chunksize=2)
    return folder / "a.arrow"


WRITERS: dict[str, Callable[[Path, Texts], Path]] = {
    "tsv": as_tsv,
    "tmx": as_tmx,
    "xliff": as_xliff1,
    "xliff 2": as_xliff2,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
    "arrow": as_arrow,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("formats")


def texts_of(folder: Path, form: str, path: Path) -> list[tuple[str, str]]:
    config = CorpusConfig(name="a", path=str(path), format=form.split()[0])  # type: ignore[arg-type]
    records = read_corpus(config.form, [(path,)], [Origin(path.name, "x")])
    return [(record.source, record.target) for _, record in records if isinstance(record, RawPair)]


@pytest.mark.parametrize("form", WRITERS)
@given(pairs=PAIRS)
def test_pairs_come_back_as_they_were_written(folder: Path, form: str, pairs: Texts) -> None:
    assert texts_of(folder, form, WRITERS[form](folder, pairs)) == pairs


@pytest.mark.parametrize("compiled", [False, True])
@given(pairs=PAIRS)
def test_messages_come_back_turned_round(folder: Path, compiled: bool, pairs: Texts) -> None:
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    messages = {target: source for source, target in pairs}
    catalog.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in messages.items())
    path = folder / ("a.mo" if compiled else "a.po")
    (catalog.save_as_mofile if compiled else catalog.save)(str(path))
    read = stop_at_faults(read_gettext(path))
    found = {record.target: record.source for record in read if isinstance(record, RawPair)}
    assert found == messages


@given(
    lines=st.lists(
        st.one_of(
            st.tuples(LINE, LINE).map("\t".join),
            LINE,
            st.tuples(LINE, LINE, LINE).map("\t".join),
        ).map(str.encode)
        | st.binary(max_size=6).map(lambda data: data.replace(b"\n", b"")),
        min_size=1,
        max_size=8,
    )
)
def test_kept_and_set_aside_add_up_to_the_lines(folder: Path, lines: list[bytes]) -> None:
    path = folder / "any.tsv"
    path.write_bytes(b"\n".join(lines) + b"\n")
    records = list(read_tsv(path))
    assert [record.line for record in records] == list(range(1, len(lines) + 1))
    assert all(record.reason and record.fault for record in records if isinstance(record, SetAside))


@given(
    segments=st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.integers(1, 4)),
        st.tuples(TEXT, st.none() | TEXT, TEXT),
        min_size=1,
        max_size=6,
    ),
    data=st.data(),
)
def test_segments_find_their_references_whatever_the_order(
    folder: Path, segments: dict[tuple[str, int], tuple[str, str | None, str]], data: st.DataObject
) -> None:
    def marked(kind: str, side: int) -> str:
        order = data.draw(st.permutations(sorted(segments))) if side else segments
        parts = [
            f"<doc docid={document} sysid=s{side}><seg id={number}>{escape(text)}</seg></doc>"
            for document, number in order
            if (text := segments[document, number][side]) is not None
        ]
        return f"<{kind}>{''.join(parts)}</{kind}>\n"

    path = folder / "set.sgm"
    sets = marked("srcset", 0) + marked("refset", 2) + marked("REFSET", 1)
    path.write_text(sets, encoding="utf-8")
    read = read_testset(TestsetForm(name="t", format="mteval"), path, [])
    found = [(line.source, line.references) for line in read if isinstance(line, TestLine)]
    one_only = all(first is None for _, first, _ in segments.values())
    assert found == [
        (source, (second,) if one_only else (second, first or ""))
        for source, first, second in segments.values()
    ]
