"""How a Chinese name may be written in English: what an aligner can know of a name that it has
never seen.

A word of a few characters is spelled in pinyin, whole, as surname and given name, and as the
specific part of a place before its ending (province, city, town). Nothing says that the word is a
name; an aligner only prefers such links where such an English word stands opposite.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

from tasks.mining.function_words import is_function_word, is_numeral
from tasks.rules.pinyin import readings, spell
from tasks.rules.surnames import COMPOUND, SINGLE, surname_lengths

_ENDINGS = {
    "省": "province", "市": "city", "县": "county", "縣": "county", "区": "district",
    "區": "district", "镇": "town", "鎮": "town", "乡": "township", "鄉": "township",
    "村": "village",
}  # fmt: skip
"""What follows the specific part of a place, and how it is translated."""
_NAME = re.compile(r"[\u4e00-\u9fff]{2,5}")
_LONGEST_PERSON = 4
_MAX_SPELLINGS = 16
"""Most ways to spell one part: characters with several readings multiply."""


def name_renderings(word: str) -> frozenset[str]:
    """Return lower-cased English words that may stand for the parts of a Chinese name.

    Args:
        word: a Chinese word; only one of two to five characters can be a name here.
    """
    if not _NAME.fullmatch(word) or is_function_word(word) or is_numeral(word):
        return frozenset()
    found = set(_spellings(word)) | set(_of_place(word))
    if len(word) <= _LONGEST_PERSON:
        found.update(_of_person(word))
    return frozenset(spelled for spelled in found if not is_function_word(spelled))


def _of_place(word: str) -> Iterator[str]:
    ending = _ENDINGS.get(word[-1])
    if ending:
        yield ending
        yield from _spellings(word[:-1])


def _of_person(word: str) -> Iterator[str]:
    for length in surname_lengths(word):
        surname = word[:length]
        yield spell([(SINGLE if length == 1 else COMPOUND)[surname].lower()])
        yield from _spellings(word[length:])


@lru_cache(maxsize=1 << 14)
def _spellings(part: str) -> tuple[str, ...]:
    """Return the pinyin of a part in one word, the usual reading of each character first."""
    ways = [readings(character) for character in part]
    return tuple(dict.fromkeys(spell(way) for way in islice(product(*ways), _MAX_SPELLINGS)))
