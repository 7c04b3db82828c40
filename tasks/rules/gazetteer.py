"""The gazetteer: names of places and organisations that no rule gives, with their English.

`gazetteer.tsv` beside this file was written for the project: one name a line, sorted, with its
Traditional form where that differs, its kind and the region whose usage it is. Names of countries
that it lacks come from Babel (CLDR). Both are read on first use.
"""

from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from tasks.rules.style import Region

HEADER = ["source", "traditional", "english", "kind", "region"]
ORGANIZATIONS = frozenset(
    ["un", "international", "foreign", "state", "company", "university", "body"]
)
"""Kinds that are organisations; all others are locations."""
DIVISIONS = frozenset(
    ["province", "municipality", "autonomous_region", "prefecture", "city", "county", "town"]
    + ["district", "territory"]
)
"""Kinds that an administrative ending may follow."""
WORDS = frozenset(
    ["东方", "東方", "江山", "互助", "合作", "山顶", "山頂", "灯塔", "燈塔", "滨江", "濱江",
     "金钟", "金鐘", "青衣", "上环", "上環", "和平"]
)  # fmt: skip
"""Names that are common words as well: alone they say nothing."""
_NOT_COUNTRIES = frozenset(["CQ", "DG", "EA", "EU", "EZ", "QO", "UM", "UN", "XA", "XB", "ZZ"])


class Entry(NamedTuple):
    """One name and its English, in the case of running text (`Xi'an`)."""

    source: str
    traditional: str
    english: str
    kind: str
    region: str
    """`world`, `mainland`, `hongkong`, `macao` or `taiwan`."""


def parse(text: str) -> list[Entry]:
    """Read the lines of a gazetteer; an empty Traditional form says that it is the same."""
    header, *lines = text.splitlines()
    assert header.split("\t") == HEADER, header
    return [Entry(*line.split("\t")) for line in lines]


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Return the project's own names, sorted by name and region."""
    return tuple(parse(resources.files(__package__).joinpath("gazetteer.tsv").read_text("utf-8")))


@lru_cache(maxsize=1)
def _countries() -> tuple[Entry, ...]:
    """List what Babel calls the countries in Simplified, Taiwan's and Hong Kong's Chinese."""
    from babel import Locale

    english = Locale.parse("en").territories
    usages = (("zh_Hans", "world"), ("zh_Hant", "taiwan"), ("zh_Hant_HK", "hongkong"))
    return tuple(
        Entry(name, "", english[code].replace("’", "'").replace("&", "and"), "country", region)
        for locale, region in usages
        for code, name in Locale.parse(locale).territories.items()
        if len(code) == 2 and code in english and code not in _NOT_COUNTRIES
    )


@lru_cache(maxsize=1)
def _by_name() -> dict[str, tuple[Entry, ...]]:
    """Index all entries by both of their forms; our own take the place of Babel's."""
    index: dict[str, list[Entry]] = {}
    for entry in entries():
        for form in forms(entry):
            index.setdefault(form, []).append(entry)
    own = frozenset(index)
    for entry in _countries():
        if entry.source not in own:
            index.setdefault(entry.source, []).append(entry)
    return {name: tuple(found) for name, found in index.items()}


def forms(entry: Entry) -> frozenset[str]:
    """List the ways in which a name is written, with 台 and 臺."""
    written = {entry.source, entry.traditional} - {""}
    return frozenset(written | {form.replace("台", "臺") for form in written if "台" in form})


def look_up(name: str, region: Region, kinds: frozenset[str] | None = None) -> Entry | None:
    """Return the entry of a name, or None where it is unknown or regions differ on its English.

    Args:
        name: in either script.
        region: of the text; its own usage decides where others differ.
        kinds: take only entries of these kinds.
    """
    found = [e for e in _by_name().get(name, ()) if kinds is None or e.kind in kinds]
    home = [e for e in found if e.region == region]
    candidates = home or found
    return candidates[0] if len({e.english for e in candidates}) == 1 else None


def is_disputed(name: str, region: Region) -> bool:
    """Say whether a name is known and its English differs by region."""
    return name in _by_name() and look_up(name, region) is None


def all_forms() -> frozenset[str]:
    """Return every written form of every name, those of Babel's countries among them."""
    return frozenset(_by_name())
