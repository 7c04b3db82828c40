"""What a user says about a dictionary: one `[[dictionary]]` of the settings file.

This class only refuses nonsense; whether the file exists is found when it is read.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from tasks.readers.cedict import Script
from tasks.readers.checks import (
    UNKNOWN_LICENCE,
    check_choice,
    check_columns,
    check_distinct,
    check_given,
    check_licence,
    check_name,
    check_unread,
    settings_given,
)
from tasks.readers.glosses import Strictness
from tasks.readers.lines import Encoding
from tasks.readers.records import OnBadLine

DictionaryFormat = Literal[
    "tsv",
    "csv",
    "cedict",
    "cedict-tsv",
    "ldc",
    "ldc-names",
    "tbx",
    "phrase-table",
    "names",
    "pairs",
    "terms-json",
]
CategoryChoice = Literal[
    "by-format",
    "by-rule",
    "date",
    "number",
    "quantity",
    "time",
    "person",
    "location",
    "organization",
    "term",
]

DICTIONARY_COLUMNS = ("source", "target")
DEFAULT_MIN_SCORES = (0.5, 0.0, 0.9, 0.0)
_TABLE = frozenset(
    {"columns", "header", "source_column", "target_column", "category_column", "script"}
)
_READ: Mapping[str, frozenset[str]] = {
    "tsv": _TABLE | {"encoding"},
    "csv": _TABLE | {"encoding"},
    "cedict": frozenset({"script", "strictness", "encoding"}),
    "cedict-tsv": frozenset({"script", "strictness", "encoding"}),
    "ldc": frozenset({"strictness", "encoding"}),
    "ldc-names": frozenset({"encoding"}),
    "tbx": frozenset({"languages", "subjects"}),
    "phrase-table": frozenset({"min_scores", "min_count", "encoding"}),
    "names": frozenset({"encoding"}),
    "pairs": frozenset({"encoding"}),
    "terms-json": frozenset({"terms", "encoding"}),
}
"""The settings that each format reads, beside those that all have."""
_OF_SOME_FORMATS = frozenset().union(*_READ.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryConfig:
    """One `[[dictionary]]`: phrases with a translation that somebody vouches for."""

    name: str
    """What it is called in tables and commands."""
    path: str
    """The file."""
    format: DictionaryFormat = "tsv"
    """How it is written; docs/sources.md says what each format reads."""
    columns: tuple[str, ...] = DICTIONARY_COLUMNS
    """Names of a table's columns, left to right: `source` (or `simplified` and `traditional`),
    `target`, `category`; others are ignored."""
    header: bool = False
    """Whether a table's first line names the columns."""
    source_column: str = ""
    """Name or number of a table's source column, in place of `columns`."""
    target_column: str = ""
    """Name or number of its target column."""
    category_column: str = ""
    """Name or number of its category column."""
    languages: tuple[str, ...] = ("zh", "en")
    """Languages of a termbase; ["zh-TW", "en"] takes no term of the mainland."""
    subjects: tuple[str, ...] = ()
    """Subject fields of a termbase to read; [] for all."""
    terms: tuple[str, ...] = ("proper",)
    """Which dictionaries of a JSON file are read."""
    min_scores: tuple[float, ...] = DEFAULT_MIN_SCORES
    """Smallest value of each score of a phrase table, in its order: p(f|e), lex(f|e), p(e|f),
    lex(e|f)."""
    min_count: int = 3
    """Fewest times that a pair of a phrase table was seen; 0 asks for no counts."""
    category: CategoryChoice = "by-format"
    """Category of entries that carry none. `by-rule` tells names apart by their endings;
    `by-format` is `person` for `names`, the kind that the file's name says for `ldc-names`, else
    `term`."""
    script: Script = "simplified"
    """Which headword is the source, where the file has both."""
    strictness: Strictness = "normal"
    """Which glosses can be the translation: `lenient` takes any single sense of up to six words,
    `normal` one word for every two characters, `strict` of these only names and counted nouns."""
    encoding: Encoding = "utf-8"
    """Encoding of a text file; XML says its own."""
    trusted: bool = True
    """Whether it outranks mined phrases; otherwise they outrank it."""
    on_bad_line: OnBadLine = "stop"
    """Stop at a bad line, or set it aside with its reason."""
    licence: str = UNKNOWN_LICENCE
    """SPDX id where there is one, else any text."""
    licence_url: str = ""
    """Where the licence can be read."""
    attribution: str = ""
    """Whom the licence asks to name."""
    allow_unknown_licence: bool = False
    """Use this dictionary although nobody knows its licence."""

    def __post_init__(self) -> None:
        where = f"dictionary {self.name!r}"
        check_name("dictionary", self.name)
        for key, choices in (
            ("format", DictionaryFormat),
            ("category", CategoryChoice),
            ("script", Script),
            ("strictness", Strictness),
            ("encoding", Encoding),
            ("on_bad_line", OnBadLine),
        ):
            check_choice(where, key, getattr(self, key), get_args(choices))
        check_given(where, {"path": self.path})
        check_unread(where, settings_given(self, _OF_SOME_FORMATS - _READ[self.format]))
        self._check_columns(where)
        self._check_values(where)
        check_licence(where, self.licence)

    def _check_columns(self, where: str) -> None:
        if self.format not in ("tsv", "csv"):
            return
        if bool(self.source_column) != bool(self.target_column) or (
            self.category_column and not self.source_column
        ):
            raise ConfigError(
                f"{where}: source_column and target_column are needed together, and "
                "category_column only beside them. Set both, or columns in their place."
            )
        check_distinct(
            where,
            {
                key: getattr(self, key)
                for key in ("source_column", "target_column", "category_column")
            },
        )
        if self.source_column and self.columns != DICTIONARY_COLUMNS:
            raise ConfigError(
                f"{where}: columns and source_column both say where the source stands. Remove one."
            )
        by_script = {"simplified", "traditional"} & set(self.columns)
        if self.script != "simplified" and not by_script:
            check_unread(where, {"script": self.script})
        check_columns(where, self.source_names, ("source", "target"))

    @property
    def source_names(self) -> tuple[str, ...]:
        """Return the names of the columns, the one of the chosen script named `source`."""
        if "source" in self.columns:
            return self.columns
        return tuple("source" if name == self.script else name for name in self.columns)

    def _check_values(self, where: str) -> None:
        if any(not math.isfinite(score) or score < 0 for score in self.min_scores):
            raise ConfigError(
                f"{where}: min_scores is {list(self.min_scores)}; expected numbers of 0 or more."
            )
        if self.min_count < 0:
            raise ConfigError(f"{where}: min_count is {self.min_count}; expected 0 or more.")
        if not self.terms:
            raise ConfigError(f'{where}: terms is empty; expected names, such as ["proper"].')
        if len(self.languages) != 2 or not all(self.languages):
            raise ConfigError(
                f"{where}: languages is {list(self.languages)}; expected the source's and the "
                'target\'s, such as ["zh", "en"].'
            )
