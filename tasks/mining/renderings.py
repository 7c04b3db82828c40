"""English words that a Chinese word is known to be translated by, whatever the corpus says.

Function words (`renderings.tsv`, written for the project), numerals, months, names as they are
spelled and what is the same in both languages. What always stands together (被 with both `was` and
`by`) cannot be told apart by counting; some words that everybody knows settle it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

from tasks.mining.name_renderings import name_renderings
from tasks.rules.numbers import read_integer


def _words(text: str) -> list[str]:
    return text.split()


_MONTHS = _words(
    "january february march april may june july august september october november december"
)
_UNITS = {
    "条": "article", "條": "article", "项": "paragraph", "項": "paragraph",
    "款": "subparagraph", "章": "chapter", "节": "section", "節": "section",
}  # fmt: skip
"""What parts of a law are called in official English."""
_SMALL = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_ORDINALS = _words(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
)
_NUMERAL = re.compile(
    r"(第)?([0-9]+|[〇零一二三四五六七八九十百千万萬亿億两兩]+)([条條项項款章节節个個次名月日年])?"
)


@lru_cache(maxsize=1)
def _listed() -> dict[str, frozenset[str]]:
    text = resources.files(__package__).joinpath("renderings.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {source: frozenset(targets.split()) for source, targets in rows}


@lru_cache(maxsize=1 << 16)
def renderings(word: str) -> frozenset[str]:
    """Return lower-cased English words that may translate a Chinese word; most have none."""
    known = _listed().get(word, frozenset())
    return known | {word, word.lower()} | set(_of_numeral(word)) | name_renderings(word)


def _of_numeral(word: str) -> Iterator[str]:
    """Yield the ways to write a number, an ordinal or a month, and the name of its unit."""
    if word == "月":
        yield from _MONTHS
    if word in _UNITS:
        yield _UNITS[word]
    match = _NUMERAL.fullmatch(word)
    value = read_integer(match[2]) if match else None
    if match is None or value is None:
        return
    yield from (str(value), f"{value:,}")
    if value < len(_SMALL):
        yield _SMALL[value]
    if match[1] and value < len(_ORDINALS):
        yield _ORDINALS[value]
    if 1 <= value <= len(_MONTHS) and match[3] in (None, "月"):
        yield _MONTHS[value - 1]
    if match[3] in _UNITS:
        yield _UNITS[match[3]]
