"""Real files are read by naming their format and columns only; nothing of them is kept here."""

from pathlib import Path
from typing import Any

import pytest

from tasks.readers.corpora import Origin, read_corpus
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.records import RawPair
from tasks.readers.testset_config import TestsetConfig
from tasks.readers.testsets import TestLine, read_testset
from tests.support import ROOT

DATA = ROOT.parent / "shared" / "data"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the real text is not at {DATA}"),
]

CORPORA: list[tuple[str, dict[str, Any], int]] = [
    ("laws/train.tsv.zst", {"columns": ("source", "target", "document")}, 238_051),
    ("laws/titles.tsv.zst", {"source_column": "1", "target_column": "2"}, 3_089),
    ("general/tatoeba.tsv.zst", {}, 27_556),
    ("general/wikipedia_mlqe.tsv.zst", {}, 8_984),
    ("general/python_docs.tsv.zst", {}, 62_596),
    ("general/captions.tsv.zst", {}, 25_914),
    ("dictionaries/places_geonames.tsv.zst", {"columns": ("source", "target", "country")}, 22_618),
]
TESTSETS = [
    ("laws/dev.zh", ("laws/dev.en",), 1_500),
    ("laws/test.zh", ("laws/test.en",), 1_500),
    ("un/dev.zh", ("un/dev.en",), 4_000),
    ("wmt/newsdev2017.zh", ("wmt/newsdev2017.en",), 2_002),
    ("wmt/newstest2019.zh", ("wmt/newstest2019.en",), 2_000),
    (
        "wmt/generaltest2022.zh",
        ("wmt/generaltest2022.ref0.en", "wmt/generaltest2022.ref1.en"),
        1_875,
    ),
    ("flores/dev.zh", ("flores/dev.en",), 997),
]


@pytest.mark.parametrize(("name", "said", "number"), CORPORA, ids=[row[0] for row in CORPORA])
def test_a_real_corpus_is_read_to_its_last_pair(
    name: str, said: dict[str, Any], number: int
) -> None:
    path = DATA / name
    config = CorpusConfig(name="real", path=str(path), **said)
    records = [record for _, record in read_corpus(config.form, [(path,)], [Origin(name, "x")])]
    assert len(records) == number
    assert all(isinstance(record, RawPair) for record in records)


@pytest.mark.parametrize(("source", "references", "number"), TESTSETS)
def test_a_real_test_set_is_read_to_its_last_sentence(
    source: str, references: tuple[str, ...], number: int
) -> None:
    config = TestsetConfig(name="real", source=source, references=references)
    files: list[Path] = [DATA / name for name in references]
    lines = list(read_testset(config.form, DATA / source, files))
    assert len(lines) == number
    assert all(isinstance(line, TestLine) for line in lines)
