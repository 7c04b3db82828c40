"""What a user says about a source: corpora, dictionaries and test sets of the settings file.

These classes only refuse nonsense; whether the files exist is found when they are read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from storage.records import Category
from tasks.readers.lines import DEFAULT_COLUMNS

CorpusFormat = Literal["tsv", "parallel"]
DictionaryFormat = Literal["tsv", "cedict", "cedict-tsv"]
TestsetRole = Literal["test", "dev"]
Script = Literal["simplified", "traditional"]

DICTIONARY_COLUMNS = ("source", "target")
UNKNOWN_LICENCE = "unknown"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusForm:
    """What shapes the pairs that are read from a corpus; where its files lie does not."""

    name: str
    format: CorpusFormat
    columns: tuple[str, ...]
    header: bool
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusConfig:
    """One `[[corpus]]`: sentence pairs to learn from."""

    name: str
    path: str = ""
    """The file, for formats that keep both sides in one."""
    source: str = ""
    """The file of source sentences, for line-parallel files."""
    target: str = ""
    """The file of target sentences, for line-parallel files."""
    documents: str = ""
    """Optional third line-parallel file: the document of each line."""
    format: CorpusFormat = "tsv"
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    """Names of the TSV's columns, left to right; a name that is not known marks a column to
    ignore."""
    header: bool = False
    """Whether the TSV's first line names the columns."""
    licence: str = UNKNOWN_LICENCE
    """SPDX id where there is one, else any text."""
    allow_unknown_licence: bool = False
    """Train on this corpus although nobody knows its licence."""

    def __post_init__(self) -> None:
        where = f"corpus {self.name!r}"
        _check_name("corpus", self.name)
        _check_choice(where, "format", self.format, get_args(CorpusFormat))
        if self.format == "parallel":
            _check_files(
                where,
                given={"source": self.source, "target": self.target},
                not_used={"path": self.path, **_table_settings(self, DEFAULT_COLUMNS)},
            )
        else:
            _check_files(
                where,
                given={"path": self.path},
                not_used={
                    "source": self.source,
                    "target": self.target,
                    "documents": self.documents,
                },
            )
            _check_columns(where, self.columns, ("source", "target"))
        _check_licence(where, self.licence)

    @property
    def form(self) -> CorpusForm:
        """Return the part that shapes the pairs."""
        return CorpusForm(
            name=self.name,
            format=self.format,
            columns=self.columns,
            header=self.header,
            licence=self.licence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryConfig:
    """One `[[dictionary]]`: phrases with a translation that somebody vouches for."""

    name: str
    path: str
    format: DictionaryFormat = "tsv"
    columns: tuple[str, ...] = DICTIONARY_COLUMNS
    """Names of the TSV's columns, left to right: `source`, `target`, `category`; others are
    ignored."""
    header: bool = False
    """Whether the TSV's first line names the columns."""
    category: Category = "term"
    """Category of entries that do not carry one."""
    script: Script = "simplified"
    """Which headword of a CC-CEDICT entry is the source."""
    licence: str = UNKNOWN_LICENCE
    allow_unknown_licence: bool = False

    def __post_init__(self) -> None:
        where = f"dictionary {self.name!r}"
        _check_name("dictionary", self.name)
        _check_choice(where, "format", self.format, get_args(DictionaryFormat))
        _check_choice(where, "category", self.category, get_args(Category))
        _check_choice(where, "script", self.script, get_args(Script))
        if self.format == "tsv":
            headword = "" if self.script == "simplified" else self.script
            _check_files(where, given={"path": self.path}, not_used={"script": headword})
            _check_columns(where, self.columns, ("source", "target"))
        else:
            not_used = _table_settings(self, DICTIONARY_COLUMNS)
            _check_files(where, given={"path": self.path}, not_used=not_used)
        _check_licence(where, self.licence)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsetConfig:
    """One `[[testset]]`: sentences to translate and the references to score against."""

    __test__ = False  # the name begins with Test, and pytest would take it for a test

    name: str
    source: str
    references: tuple[str, ...]
    role: TestsetRole = "test"

    def __post_init__(self) -> None:
        where = f"testset {self.name!r}"
        _check_name("testset", self.name)
        _check_choice(where, "role", self.role, get_args(TestsetRole))
        _check_files(where, given={"source": self.source}, not_used={})
        if isinstance(self.references, str):
            raise ConfigError(
                f"{where}: references is the text {self.references!r}; expected a list of files. "
                f'Write references = ["{self.references}"].'
            )
        if not self.references or not all(self.references):
            raise ConfigError(
                f"{where}: references is {list(self.references)}; expected at least one file. "
                "Name the file that holds the translation of each source line."
            )
        if self.source in self.references:
            raise ConfigError(
                f"{where}: {self.source!r} is both the source and a reference. "
                "Name the file of translations under references."
            )


def check_unique_names(kind: str, names: Sequence[str]) -> None:
    """Raise `ConfigError` if two sources of one kind share a name: ids and reports go by name."""
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{kind} {name!r} is declared {names.count(name)} times; give each its own name."
            )


def _check_name(kind: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{kind}.name is {name!r}; expected letters, digits, dots, hyphens and underscores, "
            "beginning with a letter or digit. The name becomes part of ids and of folder names."
        )


def _check_choice(where: str, key: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ConfigError(f"{where}: {key} is {value!r}; expected one of {', '.join(choices)}.")


def _table_settings(
    config: CorpusConfig | DictionaryConfig, default_columns: tuple[str, ...]
) -> dict[str, object]:
    """Return what only tables read, empty where it says nothing else than the default."""
    columns = [] if config.columns == default_columns else list(config.columns)
    return {"columns": columns, "header": config.header}


def _check_files(where: str, *, given: dict[str, str], not_used: Mapping[str, object]) -> None:
    for key, value in given.items():
        if not value:
            raise ConfigError(
                f'{where}: {key} is missing; expected the name of a file. Add {key} = "...".'
            )
    for key, unread in not_used.items():
        if unread:
            raise ConfigError(
                f"{where}: {key} is {unread!r}, which this format does not read. "
                f"Remove {key}, or set format to the one that has it."
            )


def _check_columns(where: str, columns: Sequence[str], required: Sequence[str]) -> None:
    known = ("source", "target", "document", "category")
    for name in known:
        count = list(columns).count(name)
        if count > 1 or (name in required and count == 0):
            raise ConfigError(
                f"{where}: columns is {list(columns)}; expected {name!r} "
                f"{'exactly once' if name in required else 'at most once'}. "
                "Name the columns from left to right."
            )


def _check_licence(where: str, licence: str) -> None:
    if not licence.strip():
        raise ConfigError(
            f"{where}: licence is empty; expected an SPDX id such as CC-BY-4.0, any text, "
            f'or "{UNKNOWN_LICENCE}". Unknown licences train only with '
            "allow_unknown_licence = true."
        )
