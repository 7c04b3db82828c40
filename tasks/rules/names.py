"""Read one whole Chinese personal name and write it as the person's region does, or abstain.

Mainland: pinyin, the given name in one word, two surnames joined (`Zheng-Li Shufang`), as passports
have it. Hong Kong: government spelling, `Chan Tai-man`, an English name before it. Taiwan:
Wade–Giles without apostrophes, `Tsai Ming-che`. Without a region a name is written only where all
three agree. Names with a middle dot and names of other countries are for dictionaries.
"""

import re
from typing import NamedTuple

from storage.records import RuleMatch
from tasks.rules import cantonese, wade_giles
from tasks.rules.foreign_names import TRANSLITERATED, is_foreign
from tasks.rules.given_names import read_given
from tasks.rules.honorifics import TITLES, is_no_given_name
from tasks.rules.known_persons import KNOWN
from tasks.rules.ordinary_words import is_ordinary_word, simplified
from tasks.rules.pinyin import readings, spell
from tasks.rules.style import Region, RuleStyle
from tasks.rules.surnames import COMMON, COMPOUND, SINGLE, surname_lengths

MAX_CHARACTERS = 60
"""A longer line holds more than one name."""
_REGIONS: dict[str, Region] = {
    "香港": "hongkong", "港": "hongkong", "台湾": "taiwan", "臺灣": "taiwan", "台灣": "taiwan",
    "台": "taiwan", "大陆": "mainland", "大陸": "mainland", "内地": "mainland", "內地": "mainland",
    "中国": "mainland", "中國": "mainland", "北京": "mainland", "上海": "mainland",
    "广东": "mainland", "廣東": "mainland",
}  # fmt: skip
"""What may stand in brackets behind a name; any other place leaves the region unknown."""

_HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
_ENGLISH = "[A-Z][a-z]{1,14}(?:[ -][A-Z][a-z]{0,14})?"
_LINE = re.compile(
    rf"""[\s「『“"]*
    (?:(?:{"|".join(TITLES)})[ ]?)?
    (?P<span>(?:(?P<before>{_ENGLISH})[ ]+)?
    (?P<name>{_HAN}(?:[ \u3000]?{_HAN}){{1,6}}?)
    (?:[ ]+(?P<after>{_ENGLISH})|[ ]?[（(](?P<bracketed>{_ENGLISH})[）)])?)
    (?:[ ]?(?:{"|".join(TITLES)}))?
    (?:[ ]?[（(](?P<place>{_HAN}{{1,12}})[）)])?
    [\s」』”"。]*""",
    re.VERBOSE,
)


class _Name(NamedTuple):
    """A name cut into its parts."""

    surname: str
    given: str


def read_person(text: str, style: RuleStyle) -> RuleMatch | None:
    """Read a text that is one whole name, with a title around it or a region in brackets behind.

    Args:
        text: any text; quotation marks and blanks around the name are no part of the match.
        style: the region, which the brackets override, and the policy for ü.

    Returns:
        The match on the name, its English capitalised; None where it is no name or uncertain.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    name = re.sub(r"\s", "", found["name"])
    region = _region(found["place"], style.region)
    english = render_person(name, region, style)
    if english is None:
        return None
    target, rule = english
    first_name = found["before"] or found["after"] or found["bracketed"]
    if first_name:
        target = f"{first_name} {target}"
    start, end = found.span("span")
    return RuleMatch(start, end, text[start:end], target, "person", rule)


def _region(place: str | None, default: Region) -> Region:
    """Say which region a name is of: that in the brackets, if any, else the given one."""
    if place is None or place in ("人名", "姓名"):
        return default
    for length in (2, 1):
        if place[:length] in _REGIONS and (length == 2 or len(place) == 1):
            return _REGIONS[place[:length]]
    return "unknown"


def render_person(name: str, region: Region, style: RuleStyle) -> tuple[str, str] | None:
    """Write a name of two to six Chinese characters; None where it is no name or uncertain.

    Returns:
        The English and the rule that wrote it.
    """
    plain = simplified(name)
    if plain in KNOWN:
        return KNOWN[plain], "person.known/1"
    if len(name) > 2 and name.endswith("阿"):
        return _render_manchu(name, style)
    if name in COMPOUND or is_foreign(plain) or is_ordinary_word(plain):
        return None
    if region != "unknown":
        return _render_in_region(name, region, style)
    written = [_render_in_region(name, each, style) for each in ("mainland", "hongkong", "taiwan")]
    first = written[0]
    if first is None or any(other is None or other[0] != first[0] for other in written):
        return None
    return first[0], "person.all_regions/1"


def _render_manchu(name: str, style: RuleStyle) -> tuple[str, str] | None:
    """Write a name that ends in 阿, as Manchu ones do and Chinese ones do not: one word."""
    syllables = read_given(name)
    if syllables is None or TRANSLITERATED.issuperset(name):
        return None
    return spell(syllables, umlaut=style.umlaut).capitalize(), "person.manchu/1"


def _render_in_region(name: str, region: Region, style: RuleStyle) -> tuple[str, str] | None:
    for parts in _cuts(name):
        english = {"hongkong": _in_hongkong, "taiwan": _in_taiwan}.get(region, _in_mainland)(
            parts, style
        )
        if english:
            return english, f"person.{region}/1"
    return None


def _cuts(name: str) -> list[_Name]:
    """List where a name can be cut into surname and given name, the likeliest first."""
    plain = simplified(name)
    for length in surname_lengths(name):
        given = name[length:]
        if is_no_given_name(plain[:length], plain[length:]):
            return []
        if length > 1 and 1 <= len(given) <= 2 and not _is_counted(name):
            return [_Name(name[:length], given)]
        if length == 1 and 1 <= len(given) <= 2:
            return [_Name(name[0], given)]
    return [_Name(name[:2], name[2:])] if _has_two_surnames(name) else []


def _is_counted(name: str) -> bool:
    """Say whether 第五 counts something (第五章) and is no surname."""
    return (
        name.startswith("第五")
        and name[2] in "章条條項项组組届屆个個次位名号號轮輪期天年月日节節课課批类類级級"
    )


def _has_two_surnames(name: str) -> bool:
    """Say whether a name of four characters begins with two common surnames."""
    return (
        len(name) == 4
        and name[0] in COMMON
        and name[1] in COMMON
        and name[0] != name[1]
        and not is_ordinary_word(simplified(name[:2]))
        and not is_no_given_name(name[1], simplified(name[2:]))
    )


def _surname_syllables(surname: str) -> list[str]:
    """Return the readings of the surnames in a surname: one, or two that stand side by side."""
    whole = COMPOUND.get(surname)
    return [whole] if whole else [SINGLE[character] for character in surname]


def _in_mainland(name: _Name, style: RuleStyle) -> str | None:
    given = read_given(name.given)
    if given is None:
        return None
    surname = "-".join(
        spell([part.lower()], umlaut=style.umlaut).capitalize()
        for part in _surname_syllables(name.surname)
    )
    return f"{surname} {spell(given, umlaut=style.umlaut).capitalize()}"


def _in_hongkong(name: _Name, style: RuleStyle) -> str | None:
    surname, given = cantonese.spell_surname(name.surname), cantonese.spell_given(name.given)
    return f"{surname} {given}" if surname and given else None


def _in_taiwan(name: _Name, style: RuleStyle) -> str | None:
    given = read_given(name.given)
    if given is None or "e" in given:
        return None
    if name.surname in COMPOUND:
        syllables = [readings(character)[0] for character in name.surname]
        surname = wade_giles.spell_surname(name.surname, syllables)
    else:
        surname = " ".join(
            wade_giles.spell_surname(character, [SINGLE[character].lower()])
            for character in name.surname
        )
    return f"{surname} {wade_giles.spell_given(given)}"
