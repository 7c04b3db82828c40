"""Find places in running text: whole names of the gazetteer between borders of words.

An automaton over all written forms of the gazetteer finds the longest names; organisations and
smaller places take part, so that nothing is read inside of them, but are not reported. A name
counts where both of its ends are borders of the segmenter's words, no mark of a foreign name
touches it (瑞安·罗切特), and nothing behind it makes it part of a longer one (长沙市, 北京时间).
A country counts only before a mark, since before a noun it is an adjective (俄罗斯官员). A name
with more than one usual English counts nowhere. `docs/results/places.md` has the figures.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tasks.rules.gazetteer import WORDS, Entry, all_forms, is_disputed, look_up
from tasks.rules.hits import Hit
from tasks.rules.place_doubts import segment
from tasks.rules.style import Region, RuleStyle
from tasks.text.english import tokenise

_REPORTED = frozenset(["country", "province", "municipality", "territory", "city"])
_SEVERAL = frozenset(
    ["United States", "United Kingdom", "South Korea", "North Korea", "Czechia", "European Union",
     "Myanmar", "Macedonia", "Bosnia and Herzegovina", "Palestine", "Russian Federation",
     "Republic of Korea", "Republic of China", "Soviet Union", "Macao", "Côte d'Ivoire"]
)  # fmt: skip
"""Names beside which English has another usual one (Britain, the U.S., the DPRK, Macau)."""
_ALSO_WORDS_TABLE = """
中卫 资阳 保山 安康 大同 高雄 雪梨 华盛顿 里奥 乔治敦 维多利亚 吉安 三明 福特 林肯 中山 朝阳
阿里 里昂
中衛 資陽 華盛頓 維多利亞 朝陽
"""
_ALSO_WORDS = frozenset(_ALSO_WORDS_TABLE.split())
"""Cities whose name is a person, a word or several places as well."""
_TOUCHING = re.compile("[·•・—–―/／《》<>A-Za-z-]")
"""Beside a name they make it part of something else."""
_LONGER = re.compile(
    "[省市县縣区區镇鎮乡鄉村州人话話菜滩灘籍路街队隊报報港湾灣山江河湖岛島站]|时间|時間|大学|大學|银行|銀行|当局|供水"
)
"""What behind a name makes it part of a longer one."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_MARK = re.compile(r"\s*(?:[，。、；：！？）,.;:!?)”」]|$)")


class _Sought(NamedTuple):
    """The names of texts of one region, and their entries; None where it is not reported."""

    automaton: Any
    entries: tuple[Entry | None, ...]


@lru_cache(maxsize=4)
def _sought(region: Region) -> _Sought:
    from ahocorasick_rs import AhoCorasick, MatchKind

    names = sorted(form for form in all_forms() if len(form) > 1)
    automaton = AhoCorasick(names, matchkind=MatchKind.LeftmostLongest)
    return _Sought(automaton, tuple(_reported(name, region) for name in names))


def _reported(name: str, region: Region) -> Entry | None:
    """Return the entry of a name that is looked for, or None."""
    known = look_up(name, region)
    if known is None or is_disputed(name, "unknown") or name in WORDS or name in _ALSO_WORDS:
        return None
    if known.kind not in _REPORTED or known.english in _SEVERAL or name.endswith("市"):
        return None
    return known


def find_places(text: str, style: RuleStyle) -> Iterator[Hit]:
    """Yield the places of a text from left to right.

    Args:
        text: any text; either script.
        style: names are found only where it asks for them; the region decides what differs.
    """
    if not style.place_names:
        return
    text = _SURROGATES.sub("\ufffd", text)
    sought = _sought(style.region)
    borders: frozenset[int] = frozenset()
    for index, start, end in sought.automaton.find_matches_as_indexes(text):
        entry = sought.entries[index]
        if entry is None or not _may_end(text, end, entry) or _TOUCHING.match(text[:start][-1:]):
            continue
        borders = borders or segment(text)
        if start in borders and end in borders:
            target = " ".join(tokenise(entry.english)).lower()
            yield Hit(start, end, target, "location", f"place.{entry.kind}/1")


def _may_end(text: str, end: int, entry: Entry) -> bool:
    """Say whether a name may end here."""
    if entry.kind == "country":
        return _MARK.match(text, end) is not None
    return _TOUCHING.match(text, end) is None and _LONGER.match(text, end) is None
