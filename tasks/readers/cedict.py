"""Read CC-CEDICT (https://cc-cedict.org/wiki/format:syntax), in its own format or as a table.

Which of the glosses is the translation is decided in `glosses.py`. This module does not know of
categories or of the memory.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tasks.readers.entries import Found
from tasks.readers.glossed import read_glossed
from tasks.readers.glosses import Headword, Strictness, split_glosses
from tasks.readers.lines import Encoding, PathLike

Script = Literal["simplified", "traditional"]

_LINE = re.compile(
    r"(?P<traditional>\S+) (?P<simplified>\S+) \[+(?P<pinyin>[^\]]*)\]+ /(?P<glosses>.*)/"
)
_VARIANT_READING = re.compile(r"\s*\([^)]*\)")
_SYLLABLE_WITH_V = re.compile(r"\b([ln])(v|u:)(?=e?\d?\b)", re.IGNORECASE)

LINE_FORM = "`traditional simplified [pinyin] /gloss/gloss/`"
ROW_FORM = "4 tab-separated columns (simplified, traditional, pinyin, glosses)"


@dataclass(frozen=True, slots=True)
class CedictEntry:
    """One line of CC-CEDICT."""

    traditional: str
    simplified: str
    pinyin: str
    """Numbered tones; ü is written ü, whichever of `u:` and `v` the file has."""
    glosses: tuple[str, ...]
    line: int


def parse_cedict_line(text: str, number: int) -> CedictEntry | None:
    """Read `TRADITIONAL SIMPLIFIED [pin1 yin1] /gloss/gloss/`; None if the line is something
    else.
    """
    match = _LINE.fullmatch(text.strip())
    if match is None:
        return None
    glosses = split_glosses(match["glosses"])
    reading = plain_reading(match["pinyin"])
    return CedictEntry(match["traditional"], match["simplified"], reading, glosses, number)


def parse_cedict_row(text: str, number: int) -> CedictEntry | None:
    """Read `simplified TAB traditional TAB pinyin TAB gloss/gloss`; None if it is something
    else.
    """
    fields = [field.strip() for field in text.split("\t")]
    if len(fields) != 4 or not all(fields[:2]):
        return None
    simplified, traditional, pinyin, glosses = fields
    reading = plain_reading(pinyin)
    return CedictEntry(traditional, simplified, reading, split_glosses(glosses), number)


def plain_reading(pinyin: str) -> str:
    """Return the first reading, without variants in brackets; `nv` and `lu:` become nü and lü."""
    return _SYLLABLE_WITH_V.sub(r"\1ü", _VARIANT_READING.sub("", pinyin)).strip()


def read_cedict(
    path: PathLike,
    *,
    table: bool,
    script: Script,
    strictness: Strictness,
    encoding: Encoding = "utf-8",
) -> Iterator[Found]:
    """Yield one record for each line that is neither blank nor a comment.

    Args:
        path: the file.
        table: whether it is the table of four columns.
        script: which headword is the source; one of the two, never both.
        strictness: how much a gloss has to show before it is taken.
        encoding: how the file is encoded.

    Raises:
        InputError: the file cannot be opened.
    """
    parse: Callable[[str, int], CedictEntry | None] = (
        parse_cedict_row if table else parse_cedict_line
    )

    def headword(text: str, number: int) -> Headword | None:
        entry = parse(text, number)
        if entry is None:
            return None
        source = entry.simplified if script == "simplified" else entry.traditional
        return Headword(source, entry.glosses, number, entry.pinyin[:1].isupper())

    form = ROW_FORM if table else LINE_FORM
    return read_glossed(path, headword, form, strictness, encoding)
