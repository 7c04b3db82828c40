"""What a reader of dictionaries yields: entries, and what is none with the reason.

Every entry or line of a file is one record, so that kept and set aside add up to what was read.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from storage.records import Category
from tasks.readers import texts
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, excerpt, fault

SECTION = "dictionary"


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """One translation that a dictionary gives for one source phrase, as written there."""

    source: str
    target: str
    category: Category
    line: int
    """1-based line of the file."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry as a reader finds it, before its category is settled."""

    source: str
    target: str
    line: int
    category: Category | None = None
    """None if the file does not say."""
    remark: str = ""
    """What the file says beside the translation, such as the years of a life."""


Found = FoundEntry | SetAside


def read_texts(path: PathLike, encoding: Encoding) -> Iterator[tuple[int, str] | SetAside]:
    """Yield `(line number, text)` of the lines that are not blank, and faults for others."""
    for item in texts.read_texts(path, encoding, section=SECTION):
        if isinstance(item, SetAside) or item[1].strip():
            yield item


def bad_line(path: PathLike, number: int, text: str, expected: str, reason: str) -> SetAside:
    """Set aside a line that does not have its format.

    Args:
        path: the file.
        number: the line.
        text: what stands there.
        expected: what should stand there; completes "expected ...".
        reason: one word for the counts.
    """
    found = f"expected {expected}, found {excerpt(text)}. Fix the line, or set format to another."
    where = f"{os.fspath(path)}, line {number}"
    return fault(where, number, reason, text, found, section=SECTION)
