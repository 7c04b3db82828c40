"""What users say about their sources: nonsense is refused with the key and the remedy."""

from collections.abc import Callable
from typing import Any

import pytest

from storage.errors import ConfigError
from tasks.readers.checks import check_unique_names
from tasks.readers.config import DictionaryConfig
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.testset_config import TestsetConfig


@pytest.mark.parametrize(
    ("make", "settings", "message"),
    [
        (CorpusConfig, {"name": "a b", "path": "x"}, "corpus.name is 'a b'"),
        (CorpusConfig, {"name": "a"}, "corpus 'a': path is missing"),
        (CorpusConfig, {"name": "a", "path": "x", "source": "y"}, "source is 'y', which this"),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "csv"},
            "format is 'csv'; expected one",
        ),
        (CorpusConfig, {"name": "a", "format": "parallel", "source": "x"}, "target is missing"),
        (
            CorpusConfig,
            {"name": "a", "format": "parallel", "source": "x", "target": "y", "path": "z"},
            "path is 'z', which this format does not read",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "columns": ("source",)},
            "expected 'target' exac",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "columns": ("source", "target", "document", "document")},
            "expected 'document' at most once",
        ),
        (CorpusConfig, {"name": "a", "path": "x", "licence": " "}, "licence is empty"),
        (DictionaryConfig, {"name": "d", "path": ""}, "dictionary 'd': path is missing"),
        (DictionaryConfig, {"name": "d", "path": "x", "category": "place"}, "category is 'place'"),
        (DictionaryConfig, {"name": "d", "path": "x", "script": "hant"}, "script is 'hant'"),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "script": "traditional"},
            "dictionary 'd': script is 'traditional', which this format does not read",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "cedict", "header": True},
            "header is True, which this format does not read",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "cedict-tsv", "columns": ("target", "source")},
            r"columns is \['target', 'source'\], which this format does not read",
        ),
        (
            CorpusConfig,
            {
                "name": "a",
                "format": "parallel",
                "source": "x",
                "target": "y",
                "columns": ("source", "target"),
            },
            "columns is .*, which this format does not read",
        ),
        (
            CorpusConfig,
            {"name": "a", "format": "parallel", "source": "x", "target": "y", "header": True},
            "header is True, which this format does not read",
        ),
        (
            TestsetConfig,
            {"name": "t", "source": "x", "references": "y"},
            "expected a list of files",
        ),
        (
            TestsetConfig,
            {"name": "t", "source": "x", "references": ()},
            "expected at least one file",
        ),
        (TestsetConfig, {"name": "t", "source": "x", "references": ("x",)}, "both the source and"),
        (
            TestsetConfig,
            {"name": "t", "source": "x", "references": ("y",), "role": "train"},
            "role is 'train'; expected one of test, dev",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "tmx", "columns": ("source", "target")},
            "columns is .*, which this format does not read",
        ),
        (CorpusConfig, {"name": "a", "format": "catalogs"}, "packages is missing"),
        (CorpusConfig, {"name": "a", "path": "x", "packages": ("*",)}, r"packages is \['\*'\]"),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "tmx", "languages": ("zh",)},
            r"languages is \['zh'\]; expected the source's and the target's",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "tmx", "header": True},
            "header is True",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "xliff", "encoding": "gb18030"},
            "encoding is 'gb18030', which this format does not read",
        ),
        (CorpusConfig, {"name": "a", "path": "x", "encoding": "latin-1"}, "encoding is 'latin-1'"),
        (CorpusConfig, {"name": "a", "path": "x", "on_bad_line": "skip"}, "on_bad_line is 'skip'"),
        (CorpusConfig, {"name": "a", "path": "x", "source_column": "zh"}, "expected both"),
        (CorpusConfig, {"name": "a", "path": "x", "document_column": "id"}, "expected all of them"),
        (
            CorpusConfig,
            {
                "name": "a",
                "path": "x",
                "columns": ("target", "source"),
                "source_column": "1",
                "target_column": "2",
            },
            "both say where the source stands",
        ),
        (
            TestsetConfig,
            {"name": "t", "source": "x", "references": ("y",), "format": "sgml"},
            "format is 'sgml'; expected one of plain, mteval, wmt",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "dict"},
            "format is 'dict'; expected one of tsv, csv, cedict",
        ),
        (DictionaryConfig, {"name": "d", "path": "x", "encoding": "gbk"}, "encoding is 'gbk'"),
        (DictionaryConfig, {"name": "d", "path": "x", "on_bad_line": "skip"}, "on_bad_line is"),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "ldc", "strictness": "high"},
            "strictness is 'high'; expected one of strict, normal, lenient",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "strictness": "strict"},
            "strictness is 'strict', which this format does not read",
        ),
        (DictionaryConfig, {"name": "d", "path": "x", "source_column": "zh"}, "needed together"),
        (DictionaryConfig, {"name": "d", "path": "x", "category_column": "3"}, "only beside them"),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "source_column": "zh", "target_column": "zh"},
            "source_column and target_column both name the column 'zh'",
        ),
        (
            DictionaryConfig,
            {
                "name": "d",
                "path": "x",
                "columns": ("target", "source"),
                "source_column": "1",
                "target_column": "2",
            },
            "both say where the source stands",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "columns": ("simplified", "target"), "script": "both"},
            "script is 'both'",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "columns": ("traditional", "target")},
            "expected 'source' exactly once",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "subjects": ("law",)},
            r"subjects is \['law'\], which this format does not read",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "tbx", "languages": ("zh", "")},
            r"languages is \['zh', ''\]; expected the source's and the target's",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "tbx", "encoding": "big5"},
            "encoding is 'big5', which this format does not read",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "terms-json", "terms": ()},
            "terms is empty",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "terms": ("random",)},
            r"terms is \['random'\], which this format does not read",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "phrase-table", "min_scores": (0.5, -1.0)},
            r"min_scores is \[0.5, -1.0\]; expected numbers of 0 or more",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "phrase-table", "min_scores": (float("nan"),)},
            "min_scores is",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "phrase-table", "min_count": -1},
            "min_count is -1; expected 0 or more",
        ),
        (
            DictionaryConfig,
            {"name": "d", "path": "x", "format": "pairs", "min_count": 2},
            "min_count is 2, which this format does not read",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "source_column": "2", "target_column": "2"},
            "source_column and target_column both name the column '2'",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "format": "gettext", "direction": "en-de"},
            "direction is 'en-de'; expected one of auto, zh-en, en-zh",
        ),
        (
            CorpusConfig,
            {"name": "a", "path": "x", "direction": "zh-en"},
            "direction is 'zh-en', which this format does not read",
        ),
    ],
)
def test_nonsense_is_refused(
    make: Callable[..., object], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make(**settings)


def test_sensible_sources_are_accepted() -> None:
    CorpusConfig(name="laws", path="train.tsv.zst", licence="OGDL-Taiwan-1.0")
    CorpusConfig(name="own", format="parallel", source="a.zh", target="a.en", documents="a.doc")
    DictionaryConfig(name="cedict", path="cedict.u8", format="cedict", script="traditional")
    TestsetConfig(name="test", source="t.zh", references=("t.en", "t2.en"))
    TestsetConfig(name="nist", source="all.sgm", format="mteval")
    CorpusConfig(name="po", path="*.po", format="gettext", direction="zh-en")


def test_two_sources_may_not_share_a_name() -> None:
    check_unique_names("corpus", ["a", "b"])
    with pytest.raises(ConfigError, match="corpus 'a' is declared 2 times"):
        check_unique_names("corpus", ["a", "b", "a"])
