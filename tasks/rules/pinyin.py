"""Pinyin words: syllables joined into one word, with the apostrophe that keeps them apart.

Names are written without tones. The apostrophe stands before a syllable that begins with a, e or o
and is not the first (Xi'an, Chang'an). What is written for ü is a setting: passports of the
mainland write `lyu` and `nyu`, much English text `lu`, some `lv`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

Umlaut = Literal["u", "yu", "v", "ü"]
"""What stands for ü after l and n: `Lu`, `Lyu`, `Lv` or `Lü`."""
UMLAUTS: tuple[Umlaut, ...] = get_args(Umlaut)


def spell(syllables: Sequence[str], *, umlaut: Umlaut = "u") -> str:
    """Write syllables as one word, lower-cased: `spell(["xi", "an"])` is `xi'an`.

    Args:
        syllables: without tones; ü is written `ü` or `v`.
        umlaut: what is written for ü; lüe and nüe are `lue` and `nue` unless it is `ü`, as in
            passports.
    """
    word = "".join(
        ("'" if place and syllable[:1] in ("a", "e", "o") else "") + syllable
        for place, syllable in enumerate(syllables)
    )
    word = word.replace("v", "ü")
    return word if umlaut == "ü" else word.replace("üe", "ue").replace("ü", umlaut)


@lru_cache(maxsize=16384)
def readings(character: str) -> tuple[str, ...]:
    """List the readings of one Chinese character without tones, the usual one first.

    ü is written `v`. A character without a reading has none: the list is empty.
    """
    from pypinyin import Style, pinyin

    found = pinyin(character, style=Style.NORMAL, heteronym=True, errors="ignore")
    return tuple(dict.fromkeys(found[0])) if found else ()
