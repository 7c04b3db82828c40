"""What a user says about a corpus: one `[[corpus]]` of the settings file.

These classes only refuse nonsense; whether the files exist is found when they are read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from storage.errors import ConfigError
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
from tasks.readers.languages import Direction
from tasks.readers.lines import Encoding
from tasks.readers.records import OnBadLine
from tasks.readers.tsv import DEFAULT_COLUMNS, ColumnNames

CorpusFormat = Literal[
    "tsv", "parallel", "moses", "tmx", "xliff", "gettext", "catalogs", "jsonl", "parquet", "arrow"
]

DEFAULT_LANGUAGES = ("zh", "en")
_COLUMN_SETTINGS = frozenset({"source_column", "target_column", "document_column"})
_READ: Mapping[str, frozenset[str]] = {
    "tsv": frozenset({"path", "columns", "header", "encoding"}) | _COLUMN_SETTINGS,
    "parallel": frozenset({"source", "target", "documents", "encoding"}),
    "moses": frozenset({"path", "languages", "encoding"}),
    "tmx": frozenset({"path", "languages", "document_column"}),
    "xliff": frozenset({"path", "languages", "direction"}),
    "gettext": frozenset({"path", "languages", "direction"}),
    "catalogs": frozenset({"packages", "languages"}),
    "jsonl": frozenset({"path", "encoding"}) | _COLUMN_SETTINGS,
    "parquet": frozenset({"path"}) | _COLUMN_SETTINGS,
    "arrow": frozenset({"path"}) | _COLUMN_SETTINGS,
}
"""The settings that each format reads, beside those that all have."""
_OF_SOME_FORMATS = frozenset().union(*_READ.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusForm:
    """What shapes the pairs that are read from a corpus; where its files lie does not."""

    name: str
    format: CorpusFormat
    columns: ColumnNames = field(default_factory=ColumnNames)
    languages: tuple[str, str] = DEFAULT_LANGUAGES
    direction: Direction = "auto"
    encoding: Encoding = "utf-8"
    on_bad_line: OnBadLine = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusConfig:
    """One `[[corpus]]`: sentence pairs to learn from."""

    name: str
    """What it is called in tables and commands."""
    path: str = ""
    """The file, or a pattern such as "catalogs/*.po"; for `moses` the name without its language."""
    source: str = ""
    """The file of source sentences, for line-parallel files."""
    target: str = ""
    """The file of target sentences, for line-parallel files."""
    documents: str = ""
    """Optional third line-parallel file: the document of each line."""
    format: CorpusFormat = "tsv"
    """How it is written; docs/sources.md says what each format reads."""
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    """Names of the TSV's columns, left to right; a name that is not known marks a column to
    ignore."""
    header: bool = False
    """Whether the TSV's first line names the columns."""
    source_column: str = ""
    """Where the source stands: name or number of a TSV's column, name of a column of a table, path
    of a JSON field such as "translation.zh"."""
    target_column: str = ""
    """Where the target stands."""
    document_column: str = ""
    """Where the document's name stands; in TMX the type of the unit's `<prop>`."""
    languages: tuple[str, ...] = DEFAULT_LANGUAGES
    """Language of the source and of the target; ["zh-TW", "en"] takes no text of the mainland."""
    direction: Direction = "auto"
    """From which language the file translates; `auto` asks the file, and takes messages of gettext
    for English."""
    packages: tuple[str, ...] = ()
    """Installed packages whose catalogs are read; ["*"] takes all that have some."""
    encoding: Encoding = "utf-8"
    """Encoding of a text file; XML and catalogs say their own."""
    on_bad_line: OnBadLine = "stop"
    """Stop at a bad line, or set it aside with its reason."""
    licence: str = UNKNOWN_LICENCE
    """SPDX id where there is one, else any text."""
    licence_url: str = ""
    """Where the licence can be read."""
    attribution: str = ""
    """Whom the licence asks to name."""
    allow_unknown_licence: bool = False
    """Train on this corpus although nobody knows its licence."""

    def __post_init__(self) -> None:
        where = f"corpus {self.name!r}"
        check_name("corpus", self.name)
        check_choice(where, "format", self.format, get_args(CorpusFormat))
        check_choice(where, "direction", self.direction, get_args(Direction))
        check_choice(where, "encoding", self.encoding, get_args(Encoding))
        check_choice(where, "on_bad_line", self.on_bad_line, get_args(OnBadLine))
        read = _READ[self.format]
        check_unread(where, settings_given(self, _OF_SOME_FORMATS - read))
        needed = [key for key in ("path", "source", "target") if key in read]
        check_given(where, {key: getattr(self, key) for key in needed})
        if self.format == "catalogs" and not self.packages:
            raise ConfigError(
                f"{where}: packages is missing; expected names of installed packages. Add "
                'packages = ["*"] for all that have catalogs.'
            )
        if len(self.languages) != 2 or not all(self.languages):
            raise ConfigError(
                f"{where}: languages is {list(self.languages)}; expected the source's and the "
                'target\'s, such as ["zh", "en"].'
            )
        self._check_columns(where)
        check_licence(where, self.licence)

    def _check_columns(self, where: str) -> None:
        if bool(self.source_column) != bool(self.target_column):
            raise ConfigError(
                f"{where}: only one of source_column and target_column is set; expected both."
            )
        if self.format == "tsv" and not self.source_column:
            if self.document_column:
                raise ConfigError(
                    f"{where}: document_column is set and source_column and target_column are "
                    "not; expected all of them, or columns in their place."
                )
            check_columns(where, self.columns, ("source", "target"))
        check_distinct(
            where,
            {
                key: getattr(self, key)
                for key in ("source_column", "target_column", "document_column")
            },
        )
        if self.source_column and self.columns != DEFAULT_COLUMNS:
            raise ConfigError(
                f"{where}: columns and source_column both say where the source stands. Remove one."
            )

    @property
    def form(self) -> CorpusForm:
        """Return the part that shapes the pairs."""
        named = self.format not in ("tsv", "tmx")
        return CorpusForm(
            name=self.name,
            format=self.format,
            columns=ColumnNames(
                columns=self.columns,
                header=self.header,
                source=self.source_column or ("source" if named else ""),
                target=self.target_column or ("target" if named else ""),
                document=self.document_column,
            ),
            languages=(self.languages[0], self.languages[1]),
            direction=self.direction,
            encoding=self.encoding,
            on_bad_line=self.on_bad_line,
        )
