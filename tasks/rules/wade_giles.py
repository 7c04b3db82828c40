"""Taiwan's customary spelling of names: Wade–Giles without apostrophes, marks and tones.

Which spelling a person of Taiwan uses is free; this is the customary one, as most passports have
it: `Tsai Ming-che`. Surnames have the spelling that prevails (李 Lee, but 宋 Sung, not Soong).
Written from general knowledge of the system; its syllables were compared with the names of some
hundred persons of Taiwan.
"""

import re

_SURNAMES = {"李": "Lee", "欧阳": "Ouyang", "歐陽": "Ouyang"}
"""Surnames whose prevailing spelling is not that of their syllable."""
_INITIALS = {
    "zh": "ch", "ch": "ch", "sh": "sh", "b": "p", "d": "t", "g": "k", "j": "ch", "q": "ch",
    "x": "hs", "r": "j", "z": "ts", "c": "ts",
}  # fmt: skip
_WHOLE = {
    "zhi": "chih", "chi": "chih", "shi": "shih", "ri": "jih", "zi": "tzu", "ci": "tzu", "si": "szu",
    "er": "erh", "you": "yu", "yan": "yen", "ye": "yeh", "yue": "yueh", "yong": "yung",
    "ge": "ko", "ke": "ko", "he": "ho", "gui": "kuei", "kui": "kuei",
    "guo": "kuo", "kuo": "kuo", "huo": "huo", "shuo": "shuo",
}  # fmt: skip
_FINALS = {"ian": "ien", "ie": "ieh", "ue": "ueh", "üe": "ueh", "ong": "ung", "iong": "iung"}
_FINALS |= {"uo": "o", "ü": "u", "ün": "un", "üan": "uan"}
_SYLLABLE = re.compile("(zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]?)(.+)")


def respell(syllable: str) -> str:
    """Turn a syllable of pinyin, without tone, into Wade–Giles: `xie` is `hsieh`."""
    syllable = syllable.replace("v", "ü")
    if syllable in _WHOLE:
        return _WHOLE[syllable]
    parts = _SYLLABLE.fullmatch(syllable)
    if not parts:
        return syllable
    initial, final = parts.groups()
    return _INITIALS.get(initial, initial) + _FINALS.get(final, final)


def spell_surname(surname: str, syllables: list[str]) -> str:
    """Spell a surname of which the syllables of pinyin are known."""
    return _SURNAMES.get(surname) or "".join(map(respell, syllables)).capitalize()


def spell_given(syllables: list[str]) -> str:
    """Spell a given name: `Ming-che`."""
    return "-".join(map(respell, syllables)).capitalize()
