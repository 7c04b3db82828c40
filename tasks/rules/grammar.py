"""Run all rules over a text, settle overlaps, and give back spans in the original text.

The folded text is cut into regions: runs of characters that occur in rules, with at least one
numeral or weekday. A region is read once and remembered, since dates and articles repeat. The
longest match wins; a reading that abstains takes part like any other and leaves its span empty;
equally long overlapping hits that disagree leave both empty. Finders of other things (`FINDERS`)
take part on equal terms.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from storage.records import Category, RuleMatch
from tasks.rules import (
    around_dates,
    bare,
    crowds,
    dates,
    eras,
    halves,
    money,
    ordinals,
    parts,
    quantities,
    rates,
    reigns,
    shares,
    times,
)
from tasks.rules.copied import TO_THE_NEXT_BLANK
from tasks.rules.fold import fold
from tasks.rules.hits import Finder, FindHits, Hit, settle
from tasks.rules.pieces import without_pieces
from tasks.rules.rendering import render
from tasks.rules.rule import Rule
from tasks.rules.set_phrases import outside_set_phrases
from tasks.rules.style import DEFAULT_STYLE, RuleStyle
from tasks.rules.values import Abstain, Value

RULES: tuple[Rule, ...] = (
    *dates.RULES,
    *eras.RULES,
    *reigns.RULES,
    *around_dates.RULES,
    *times.RULES,
    *ordinals.RULES,
    *shares.RULES,
    *parts.RULES,
    *money.RULES,
    *quantities.RULES,
    *halves.RULES,
    *rates.RULES,
    *crowds.RULES,
    *bare.RULES,
)


def _load_persons() -> FindHits:
    from tasks.rules.name_mentions import find_mentions

    return find_mentions


def _load_places() -> FindHits:
    from tasks.rules.place_mentions import find_places

    return find_places


FINDERS: tuple[Finder, ...] = (
    Finder(
        re.compile("[说說称稱示出认認绍紹诉訴调調士师師授生长長席理任记記人员員演]"),
        _load_persons,
        "person_names",
    ),
    Finder(re.compile("[\u4e00-\u9fff]{2}"), _load_places, "place_names"),
)
"""Finders beside the rules."""

MAX_WINDOW = 200
"""A longer region is read through windows of this many characters."""
STEP = 100
"""Windows begin so many characters apart; each also shows what stands `CONTEXT` before."""
CONTEXT = 50
"""More than the longest number, so that no window begins inside one that it reports."""
MAX_NUMERALS = 40
"""A longer run of numerals is no number: it parts regions."""


class ValueMatch(NamedTuple):
    """A value that a rule read in a text: what `RuleMatch` says in English, unwritten."""

    start: int
    end: int
    value: Value
    category: Category
    rule: str


def _characters() -> str:
    """Collect every Chinese character that a rule names, and the signs that join numbers."""
    named = {mark for rule in RULES for mark in rule.regex if mark > "\x7f"}
    return "".join(sorted(named)) + "0-9A-Za-z%$°/:()\\-"


_NUMERAL = "0-9零〇一二三四五六七八九十百千万亿两廿卅兆壹贰叁肆伍陆柒捌玖拾佰仟几数"
_DIGIT = "零〇一二三四五六七八九十"
_UNFOLDED = "０-９○萬億兩貳參叄陸幾數"
_OTHER_LEADS = (
    "(?:星期|礼拜|禮拜|周|週)[日天]|半[个個]?[小世年月天钟鐘]|[农農阴陰][历曆]|"
    "[上本][个個]?世[纪紀]|元年"
)
_LEAD = re.compile(f"[{_NUMERAL}{_UNFOLDED}]|{_OTHER_LEADS}")
"""Without one of these, folded or not, a text holds nothing for the rules."""
_TRILLION = re.compile("兆(?!瓦|赫|帕|欧|字节|焦)")
_LONG_RUN = re.compile(f"[{_NUMERAL}]{{{MAX_NUMERALS + 1},}}+|(?:[0-9] ){{{MAX_NUMERALS},}}+")
_ITEM_ENDS = ("", *":。;,!?()\n")
"""What stands before the number of an item in a list."""
_ALL = _characters()
_REGION = re.compile(
    rf"[{_ALL}](?:[{_ALL}]++|(?<=[0-9])[.,](?=[0-9])|(?<=[{_DIGIT}])[.](?=[{_DIGIT}])|(?<=[{_ALL}])\x20(?=[{_ALL}]))*+"
)


def find(text: str, style: RuleStyle = DEFAULT_STYLE) -> list[RuleMatch]:
    """Find the dates, times, numbers and quantities of a text that have one sure translation.

    Args:
        text: any text, normalised or not.
        style: how the English is written, and the region of the text.

    Returns:
        Matches from left to right, without overlaps; offsets are characters of `text`.
    """
    return [
        RuleMatch(
            hit.start,
            hit.end,
            text[hit.start : hit.end],
            hit.target or "",
            hit.category,
            hit.rule,
        )
        for hit in _hits(text, style)
    ]


def find_values(text: str, style: RuleStyle = DEFAULT_STYLE) -> list[ValueMatch]:
    """Find what `find` finds, as exact values instead of English; arguments and order as there."""
    return [
        ValueMatch(hit.start, hit.end, hit.value, hit.category, hit.rule)
        for hit in _hits(text, style)
        if hit.value is not None
    ]


def forget() -> None:
    """Forget the regions that were read, so that a measurement begins with none."""
    _read_region.cache_clear()


def _hits(text: str, style: RuleStyle) -> list[Hit]:
    """Return the settled hits of all rules and finders; offsets are characters of the text."""
    hits = _read_values(text, style) if _LEAD.search(text) else []
    others = [
        hit
        for finder in FINDERS
        if finder.is_asked_for(style) and finder.lead.search(text)
        for hit in finder.load()(text, style)
    ]
    if not others:
        return hits
    return [hit for hit in settle(hits + others) if hit.target is not None]


def _read_values(text: str, style: RuleStyle) -> list[Hit]:
    """Read a text region by region."""
    folded = fold(text)
    hits: list[Hit] = []
    for start, region in _regions(folded):
        read = _read_region if len(region) <= MAX_WINDOW else _read_through_windows
        hits.extend(hit.moved(start) for hit in read(region, style))
    hits = without_pieces(outside_set_phrases(_outside_copied(hits, folded), folded), folded)
    return _without_list_numbers(hits, folded)


def _without_list_numbers(hits: list[Hit], folded: str) -> list[Hit]:
    """Drop 三、四年 where 三、 may begin the third item of a list, unless it is the whole text."""
    if "、" not in folded:
        return hits
    whole = len(folded.strip())
    return [
        hit
        for hit in hits
        if not hit.rule.startswith("number.neighbours")
        or hit.end - hit.start == whole
        or folded[: hit.start].rstrip()[-1:] not in _ITEM_ENDS
    ]


def _regions(folded: str) -> Iterator[tuple[int, str]]:
    """Yield the regions that can hold a value, with their places."""
    for found in _REGION.finditer(folded):
        start, end = found.span()
        if end - start > MAX_NUMERALS and (runs := list(_LONG_RUN.finditer(found[0]))):
            edges = [0, *(edge for run in runs for edge in run.span()), end - start]
            parts = [(start + a, start + b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        else:
            parts = [(start, end)]
        for first, last in parts:
            if last - first >= 2 and _LEAD.search(folded, first, last):
                yield first, folded[first:last]


def _read_through_windows(region: str, style: RuleStyle) -> Iterator[Hit]:
    """Read a long region through overlapping windows; each answers for the hits of its own part."""
    behind = 0
    for first in range(0, len(region), STEP):
        start = max(0, first - CONTEXT)
        for hit in _read_region(region[start : start + MAX_WINDOW], style):
            if max(first, behind) <= start + hit.start < first + STEP:
                behind = start + hit.end
                yield hit.moved(start)


def _outside_copied(hits: list[Hit], folded: str) -> list[Hit]:
    """Drop hits inside URLs, mail addresses and identifiers."""
    if not hits or not ("://" in folded or "@" in folded or "_" in folded):
        return hits
    copied = [found.span() for found in TO_THE_NEXT_BLANK.finditer(folded)]
    return [
        hit for hit in hits if not any(hit.start < end and start < hit.end for start, end in copied)
    ]


@lru_cache(maxsize=65536)
def _read_region(region: str, style: RuleStyle) -> tuple[Hit, ...]:
    """Read one region: all rules, then overlaps settled, then abstentions taken out."""
    tight, places = _without_blanks(region)
    rules = _rules_for(frozenset(tight) & _NEEDED)
    hits = [hit for rule in rules for hit in _read_rule(rule, tight, style)]
    chosen = settle(hits)
    return tuple(
        hit._replace(start=places[hit.start], end=places[hit.end - 1] + 1)
        for hit in chosen
        if hit.target is not None
    )


_NEEDED = frozenset().union(*(rule.needs for rule in RULES))
"""Every character without which some rule finds nothing."""


@lru_cache(maxsize=4096)
def _rules_for(marks: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules that a text with these of the needed characters can answer to."""
    return tuple(rule for rule in RULES if not rule.needs or not rule.needs.isdisjoint(marks))


def _without_blanks(region: str) -> tuple[str, list[int]]:
    """Take out blanks that are not between two digits or letters; keep where each character was."""
    if " " not in region:
        return region, list(range(len(region)))
    kept = [
        place
        for place, mark in enumerate(region)
        if mark != " " or _is_between_ascii_words(region, place)
    ]
    return "".join(region[place] for place in kept), kept


def _is_between_ascii_words(region: str, place: int) -> bool:
    """Say whether a blank parts two Latin letters or digits; the last one of a region does not."""
    around = region[place - 1 : place + 2]
    return len(around) == 3 and around.isascii() and around[0].isalnum() and around[2].isalnum()


def _read_rule(rule: Rule, text: str, style: RuleStyle) -> list[Hit]:
    hits = []
    for found in rule.pattern.finditer(text):
        value = rule.read(found, style)
        if value is not None:
            unsure = _is_ambiguous(found[0], style)
            known = None if unsure or isinstance(value, Abstain) else value
            target = None if known is None else render(known, style)
            hits.append(Hit(*found.span(), target, rule.category, rule.name, known))
    return hits


def _is_ambiguous(text: str, style: RuleStyle) -> bool:
    """Say whether a number holds 兆, which is 10^12 in Taiwan and 10^6 or 10^12 elsewhere."""
    return style.region != "taiwan" and "兆" in text and _TRILLION.search(text) is not None
