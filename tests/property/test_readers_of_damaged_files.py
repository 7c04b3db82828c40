"""Whatever a file holds: records, or one error that names it; never a crash."""

import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polib
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import ipc

from storage.errors import InputError
from tasks.readers.config import DictionaryConfig
from tasks.readers.corpora import read_part
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.dictionaries import form_of, read_dictionary
from tasks.readers.testset_config import TestsetForm
from tasks.readers.testsets import read_testset

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "rain"\nmsgstr "雨"\n'
LANGUAGES = 'source-language="zh" target-language="en"'
TEXTS = {
    "tsv": "雨\train\n雪\tsnow\n",
    "jsonl": '{"source": "雨", "target": "rain"}\n{"source": "雪", "target": null}\n',
    "gettext": PO,
    "tmx": (
        '<tmx><body><tu><tuv xml:lang="zh"><seg>雨</seg></tuv><tuv lang="en"><seg>a<hi>b</hi></seg>'
        "</tuv></tu></body></tmx>"
    ),
    "xliff": (
        f'<xliff><file {LANGUAGES}><trans-unit id="1"><source>雨</source><target>rain</target>'
        "</trans-unit></file></xliff>"
    ),
}
TABLE = pa.table({"source": pa.array(["雨", None]).dictionary_encode(), "target": ["rain", "snow"]})


def arrow_bytes() -> bytes:
    stream = io.BytesIO()
    with ipc.new_file(stream, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return stream.getvalue()


def parquet_bytes() -> bytes:
    stream = io.BytesIO()
    pq.write_table(TABLE, stream)
    return stream.getvalue()


CORPORA = {
    **{name: text.encode() for name, text in TEXTS.items()},
    "gettext, compiled": polib.pofile(PO).to_binary(),
    "arrow": arrow_bytes(),
    "parquet": parquet_bytes(),
}
DICTIONARIES = {
    "tsv": "雨\train\n",
    "csv": '"雨","heavy\nrain"\n雪,snow\n',
    "cedict": "雨 雨 [yu3] /rain/\n",
    "cedict-tsv": "雨\t雨\tyu3\train\n",
    "ldc": "雨\t/rain/\n",
    "ldc-names": "王明\t/Wang Ming/\tperson\n",
    "names": "王明\tWang Ming\n",
    "pairs": "雨 rain\nsnow 雪\n",
    "phrase-table": "雨 ||| rain ||| 1 1 1 1 ||| 0-0 ||| 4 4 4\n",
    "terms-json": '{"proper": {"雨": ["rain"], "snow": "雪"}}\n',
    "tbx": (
        '<tbx><conceptEntry><langSec xml:lang="zh"><termSec><term>雨</term></termSec></langSec>'
        '<langSec xml:lang="en"><termSec><term>rain</term></termSec></langSec></conceptEntry></tbx>'
    ),
}
TESTSET = (
    '<srcset><doc docid="d"><seg id=1>雨 &amp; <![CDATA[<雪>]]><!-- x --></seg></doc></srcset>\n'
    '<refset sysid="A"><doc docid="d"><seg id="1">rain</seg></doc></refset>\n'
)
ODD = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"<",
    b">",
    b"&x;",
    b'"',
    b"\r",
    b"\n",
    b"]",
    b"1",
)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Draw a file of which up to three pieces were replaced by something else."""
    data = whole
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 8))
        piece = draw(st.sampled_from(ODD) | st.binary(max_size=4))
        data = data[:begin] + piece + data[begin + length :]
    return data


def survives(data: bytes, read: Callable[[Path], Iterator[Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        complaint = ""
        try:
            for _ in read(path):
                pass
        except InputError as error:
            complaint = str(error)
        assert not complaint or str(path) in complaint


@pytest.mark.parametrize("name", CORPORA)
@given(data=st.data())
def test_a_damaged_corpus_gives_records_or_one_error(name: str, data: st.DataObject) -> None:
    settings: dict[str, Any] = {"format": name.partition(",")[0]}
    form = CorpusConfig(name="c", path="x", **settings).form
    survives(data.draw(damaged(CORPORA[name])), lambda path: read_part(form, (path,)))


@pytest.mark.parametrize("name", DICTIONARIES)
@given(data=st.data())
def test_a_damaged_dictionary_gives_records_or_one_error(name: str, data: st.DataObject) -> None:
    settings: dict[str, Any] = {"format": name, "on_bad_line": "drop"}
    form = form_of(DictionaryConfig(name="d", path="x", **settings))
    whole = DICTIONARIES[name].encode()
    survives(data.draw(damaged(whole)), lambda path: read_dictionary(form, path))


@given(damaged(TESTSET.encode()))
def test_a_damaged_test_set_gives_sentences_or_one_error(data: bytes) -> None:
    form = TestsetForm(name="t", format="mteval")
    survives(data, lambda path: read_testset(form, path, ()))
