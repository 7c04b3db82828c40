"""Read lists in the manner of the Linguistic Data Consortium; users bring their own copies.

The lexicon (as LDC2002L27) has `word TAB /gloss/gloss/` on a line; the lists of proper names (as
LDC2005T34) have a name, a tab and one translation or several between slashes, and may name the type
of the name in a third column. Older releases are GB-encoded: that is a setting.
"""

import re
from collections.abc import Iterator

from storage.records import Category
from tasks.readers.entries import Found, FoundEntry, bad_line, read_texts
from tasks.readers.glossed import read_glossed
from tasks.readers.glosses import Headword, Strictness, split_glosses
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, set_aside

_LEXICON_LINE = re.compile(r"(?P<word>\S(?:[^\t/]*\S)?)\s+/(?P<glosses>.*)/")
LEXICON_FORM = "`word TAB /gloss/gloss/`"
NAMES_FORM = "`name TAB translation`, or `name TAB /translation/translation/`, and at most a type"

_TYPES: tuple[tuple[str, Category], ...] = (
    ("person", "person"),
    ("people", "person"),
    ("who", "person"),
    ("place", "location"),
    ("loc", "location"),
    ("geo", "location"),
    ("gpe", "location"),
    ("org", "organization"),
    ("corp", "organization"),
    ("compan", "organization"),
    ("industry", "organization"),
    ("press", "organization"),
)
"""How types and file names begin or are put together, and the category that is meant."""
_SHORT_TYPES: dict[str, Category] = {"per": "person", "pers": "person"}
"""Types that other words begin with too."""


def read_lexicon(
    path: PathLike, *, strictness: Strictness, encoding: Encoding = "utf-8"
) -> Iterator[Found]:
    """Yield one record for each line of a lexicon that is neither blank nor a comment.

    Raises:
        InputError: the file cannot be opened.
    """
    return read_glossed(path, _lexicon_line, LEXICON_FORM, strictness, encoding)


def _lexicon_line(text: str, number: int) -> Headword | None:
    match = _LEXICON_LINE.fullmatch(text.strip())
    if match is None:
        return None
    return Headword(match["word"], split_glosses(match["glosses"]), number)


def read_names(path: PathLike, *, encoding: Encoding = "utf-8") -> Iterator[Found]:
    """Yield one record for each line of a list of names that is neither blank nor a comment.

    A name without a translation, or with several spellings, is set aside.

    Raises:
        InputError: the file cannot be opened.
    """
    for item in read_texts(path, encoding):
        if isinstance(item, SetAside):
            yield item
        elif not item[1].startswith("#"):
            yield _name(path, *item)


def _name(path: PathLike, number: int, text: str) -> Found:
    fields = [field.strip() for field in text.strip().split("\t")]
    if len(fields) > 3 or not fields[0]:
        return bad_line(path, number, text, NAMES_FORM, "columns")
    spellings = list(dict.fromkeys(split_glosses(fields[1]))) if len(fields) > 1 else []
    if not spellings:
        return set_aside(number, "no_translation", text)
    if len(spellings) > 1:
        return set_aside(number, "several_translations", text)
    category = category_of_type(fields[2]) if len(fields) == 3 else None
    return FoundEntry(fields[0], spellings[0], number, category)


def category_of_type(name: str) -> Category | None:
    """Return the category that a type or a file name speaks of, or None."""
    words = re.split(r"[^a-z]+", name.lower())
    for word in words:
        if word in _SHORT_TYPES:
            return _SHORT_TYPES[word]
    return next((category for start, category in _TYPES if _begins(words, start)), None)


def _begins(words: list[str], start: str) -> bool:
    return any(word.startswith(start) for word in words)
