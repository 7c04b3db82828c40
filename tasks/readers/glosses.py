"""Say which gloss of a bilingual dictionary can be *the* translation of its headword.

The glosses of CC-CEDICT and of the LDC's lexicon explain; few of them can stand in a sentence as
they are. The rule, its three degrees and how often each was found in references are documented in
`docs/sources.md` and `docs/results/dictionaries.md`. This module knows no file format.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.mining.function_words import ENGLISH
from tasks.readers.entries import Found, FoundEntry
from tasks.readers.records import set_aside

Strictness = Literal["strict", "normal", "lenient"]

MAX_WORDS = 6
"""Longest translation of all, in English words."""
MIN_CHARACTERS = 2
CHARACTERS_A_WORD = 2
"""Of a headword, for each English word, unless lenient: longer glosses explain more than they
translate."""

_REMARK = re.compile(r"\s*\([^()]*\)\s*|\[[^\]]*\]")
_NOTE = re.compile(
    r"(?:see|also written|(?:[a-z]+ )*variant of|same as|equivalent (?:of|to)"
    r"|used (?:in|to|as|for|before|after)|surname|name of|one of)\b"
    r"|(?:also |taiwan )?pr\.|cl:|abbr\.|cf\.|lit\.|fig\.|i\.e\.|e\.g\.",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_NO_TRANSLATION = re.compile(r"[;,:()\[\]|\"?!…]|\b(?:or|sb|sth|etc|aka|one's)\b")
"""Marks and words of an explanation, a choice or a gap to fill."""
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Headword:
    """One line of a dictionary of glosses."""

    source: str
    glosses: tuple[str, ...]
    line: int
    name: bool | None = None
    """Whether the reading marks a proper name; None where the file gives no reading."""


@dataclass(frozen=True, slots=True)
class _Sense:
    gloss: str
    raw: str
    name: bool
    line: int


def choose_translations(lines: Iterable[Headword], strictness: Strictness) -> Iterator[Found]:
    """Yield one record for each line: the one translation of its headword, or why there is none.

    Args:
        lines: lines of the dictionary; all are held in memory, since a later line may add a sense.
        strictness: how much a gloss has to show before it is taken.
    """
    headwords: dict[str, list[Headword]] = {}
    for line in lines:
        headwords.setdefault(line.source, []).append(line)
    for same in headwords.values():
        yield from _choose(same, strictness)


def _choose(same: Sequence[Headword], strictness: Strictness) -> Iterator[Found]:
    senses: dict[str, _Sense] = {}
    for line in same:
        for gloss in line.glosses:
            if not is_note(gloss):
                bare = without_remarks(gloss)
                # Without a reading, the gloss's own capital is all that marks a name.
                name = _ARTICLE.sub("", bare)[:1].isupper() and line.name is not False
                senses.setdefault(bare, _Sense(bare, gloss, name, line.line))
    counted = any(gloss.startswith("CL:") for line in same for gloss in line.glosses)
    reason = _why_not(same[0].source, list(senses.values()), counted, strictness)
    kept = next(iter(senses.values())) if not reason else None
    for line in same:
        if kept is not None and line.line == kept.line:
            target = _ARTICLE.sub("", kept.gloss, count=1) or kept.gloss
            yield FoundEntry(line.source, target, line.line, remark=kept.raw)
        else:
            shown = f"{line.source} /{'/'.join(line.glosses)}/"
            yield set_aside(line.line, reason or _why_silent(line), shown)


def _why_silent(line: Headword) -> str:
    return "only_notes" if all(map(is_note, line.glosses)) else "repeated"


def _why_not(
    source: str, senses: Sequence[_Sense], counted: bool, strictness: Strictness
) -> str | None:
    """Say why a headword gets no translation; None if it gets its only sense."""
    if not senses:
        return "only_notes"
    if len(senses) > 1:
        return "several_senses"
    if len(source) < MIN_CHARACTERS:
        return "one_character"
    return _why_unfit(source, senses[0], counted, strictness)


def _why_unfit(source: str, sense: _Sense, counted: bool, strictness: Strictness) -> str | None:
    """Say why the only sense of a headword is not its translation; None if it is."""
    if not is_translation(sense.gloss) or "(bound form)" in sense.raw:
        return "no_translation"
    words = _ARTICLE.sub("", sense.gloss, count=1).split()
    if strictness == "lenient":
        return None
    if len(words) * CHARACTERS_A_WORD > len(source):
        return "too_many_words"
    if all(word.lower() in ENGLISH for word in words):
        return "function_word"
    if strictness == "strict" and not (sense.name or counted):
        return "no_name_or_counted_noun"
    return None


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
    """Say whether a gloss without remarks can stand in a sentence as it is.

    A verb's form depends on the sentence, so "to ..." cannot.
    """
    return (
        0 < len(gloss.split()) <= MAX_WORDS
        and not gloss.startswith("to ")
        and _CHINESE.search(gloss) is None
        and _NO_TRANSLATION.search(gloss) is None
    )


def split_glosses(text: str) -> tuple[str, ...]:
    """Split glosses at slashes, and only there: a comma belongs to its gloss."""
    return tuple(gloss.strip() for gloss in text.split("/") if gloss.strip())
