"""Read CC-CEDICT, in its own format or as a table, and say which glosses can be *the* translation.

Which glosses are fit to be the one translation of a headword:

1. A gloss that is only a note is none: "see also", "variant of", "CL:", "surname", "abbr. for",
   "used in", a reading, a remark in brackets.
2. Remarks in brackets and Chinese cross references inside a gloss are taken off.
3. A gloss that starts with "to " is a verb, whose form depends on the sentence: not fit.
4. A headword, over all of its lines, must be left with one gloss, of at most `MAX_WORDS` words, and
have
   at least two characters: whatever has two senses, or one that the dictionary explains at length,
   abstains.

This module does not know of categories or of the memory.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from storage.errors import InputError

MAX_WORDS = 6
MIN_CHARACTERS = 2

_LINE = re.compile(
    r"(?P<traditional>\S+) (?P<simplified>\S+) \[(?P<pinyin>[^\]]*)\] /(?P<glosses>.*)/"
)
_REMARK = re.compile(r"\s*\([^()]*\)\s*|\[[^\]]*\]")
_NOTE = re.compile(
    r"(?:see|also written|(?:[a-z]+ )*variant of|same as|equivalent (?:of|to)"
    r"|used (?:in|to|as|for|before|after)|surname|name of|one of)\b"
    r"|(?:also |taiwan )?pr\.|cl:|abbr\.|cf\.|lit\.|fig\.|i\.e\.|e\.g\.",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class CedictEntry:
    """One line of CC-CEDICT."""

    traditional: str
    simplified: str
    pinyin: str
    glosses: tuple[str, ...]
    line: int


def parse_cedict_line(text: str, name: str, number: int) -> CedictEntry | None:
    """Read `TRADITIONAL SIMPLIFIED [pin1 yin1] /gloss/gloss/`; None for comments and blank lines.

    Raises:
        InputError: the line is something else.
    """
    stripped = text.strip()
    if not stripped or stripped.startswith("#"):
        return None
    match = _LINE.fullmatch(stripped)
    if match is None:
        raise InputError(
            f"{name}, line {number}: expected `traditional simplified [pinyin] /gloss/gloss/`, "
            f"found {text[:60]!r}. Fix the line, or put a # before it."
        )
    glosses = _split_glosses(match["glosses"])
    return CedictEntry(match["traditional"], match["simplified"], match["pinyin"], glosses, number)


def parse_cedict_row(text: str, name: str, number: int) -> CedictEntry | None:
    """Read `simplified TAB traditional TAB pinyin TAB gloss/gloss`; None for comments and blank
    lines.

    Raises:
        InputError: the line is something else.
    """
    if not text.strip() or text.startswith("#"):
        return None
    fields = text.split("\t")
    if len(fields) != 4:
        raise InputError(
            f"{name}, line {number}: expected 4 tab-separated columns (simplified, "
            f"traditional, pinyin, glosses), found {len(fields)}: {text[:60]!r}. "
            "Fix the line, or put a # before it."
        )
    simplified, traditional, pinyin, glosses = fields
    return CedictEntry(traditional, simplified, pinyin, _split_glosses(glosses), number)


def _split_glosses(text: str) -> tuple[str, ...]:
    return tuple(gloss.strip() for gloss in text.split("/") if gloss.strip())


def best_translations(
    entries: Iterable[CedictEntry], script: str
) -> Iterator[tuple[str, str, int]]:
    """Yield `(headword, its one translation, line)` for the headwords that have just one.

    Args:
        entries: lines of the dictionary; all are held in memory, since a later line may add a
        sense.
        script: `simplified` or `traditional`: which headword is the source.
    """
    senses: dict[str, dict[str, int]] = {}
    for entry in entries:
        headword = entry.simplified if script == "simplified" else entry.traditional
        found = senses.setdefault(headword, {})
        for gloss in entry.glosses:
            if not is_note(gloss):
                found.setdefault(without_remarks(gloss), entry.line)
    for headword, found in senses.items():
        if len(headword) < MIN_CHARACTERS or len(found) != 1:
            continue
        gloss, line = next(iter(found.items()))
        if is_translation(gloss):
            yield headword, gloss, line


def is_note(gloss: str) -> bool:
    """Say whether a gloss only tells something about the headword."""
    bare = without_remarks(gloss)
    return not bare or _NOTE.match(bare) is not None


def without_remarks(gloss: str) -> str:
    """Take off what stands in brackets."""
    before = ""
    while before != gloss:
        before, gloss = gloss, _REMARK.sub(" ", gloss)
    return " ".join(gloss.split())


def is_translation(gloss: str) -> bool:
    """Say whether a gloss without remarks can stand in a sentence as it is."""
    return (
        0 < len(gloss.split()) <= MAX_WORDS
        and not gloss.startswith("to ")
        and _CHINESE.search(gloss) is None
        and not any(mark in gloss for mark in ";,()[]|")
    )
