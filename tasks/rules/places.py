"""Read a text as one whole place or organisation; English, or nothing where a part is unknown.

The gazetteer comes first, then organisations, divisions, addresses and features. Names that regions
write differently abstain unless the region of the text is given.
"""

from collections.abc import Callable

from storage.records import Category, RuleMatch
from tasks.rules.addresses import address
from tasks.rules.divisions import chain
from tasks.rules.features import feature
from tasks.rules.gazetteer import ORGANIZATIONS, WORDS, is_disputed, look_up
from tasks.rules.organizations import organization
from tasks.rules.style import RuleStyle
from tasks.rules.whole_name import simplify
from tasks.text.english import tokenise

_LONGEST_COUNTRY = 12
MAX_NAME = 60
"""A longer text is no name; it is left alone."""


def read_place(text: str, style: RuleStyle) -> RuleMatch | None:
    """Read a whole text, blanks around it left out, as a place or an organisation.

    Args:
        text: any text; either script.
        style: the region of the text, and what is written for ü.

    Returns:
        One match whose offsets are characters of `text`, its English lower-cased and tokenised; or
        None where a part is unknown, or read or written differently by region.
    """
    name = text.strip()
    if not 2 <= len(name) <= MAX_NAME:
        return None
    read = _read(name, style)
    if read is None:
        return None
    english, category, rule = read
    start = text.index(name)
    target = " ".join(tokenise(english)).lower()
    return RuleMatch(start, start + len(name), name, target, category, rule)


def _read(name: str, style: RuleStyle) -> tuple[str, Category, str] | None:
    simple = simplify(name)
    if simple is None or (name in WORDS and style.region != "hongkong"):
        return None
    for form in (name, simple):
        known = look_up(form, style.region)
        if known is not None:
            kind: Category = "organization" if known.kind in ORGANIZATIONS else "location"
            return known.english, kind, "place.gazetteer/1"
        if is_disputed(form, style.region):
            return None
    composed = organization(simple, style)
    if composed is not None:
        return composed[0], "organization", composed[1]
    for rule, read in _LOCATIONS:
        english = read(simple, style)
        if english is not None:
            return english, "location", rule
    return None


def _divisions(name: str, style: RuleStyle) -> str | None:
    parts = chain(name, style)
    if parts is None:
        return _in_a_country(name, style)
    return ", ".join(reversed(parts))


def _in_a_country(name: str, style: RuleStyle) -> str | None:
    """Translate a place with its country before it (中国北京)."""
    for length in range(min(len(name) - 2, _LONGEST_COUNTRY), 1, -1):
        country = look_up(name[:length], style.region, frozenset(["country"]))
        if country is not None and name[length:] not in WORDS:
            parts = chain(name[length:], style)
            return ", ".join([*reversed(parts), country.english]) if parts else None
    return None


_LOCATIONS: tuple[tuple[str, Callable[[str, RuleStyle], str | None]], ...] = (
    ("place.division/1", _divisions),
    ("place.address/1", address),
    ("place.feature/1", feature),
)
