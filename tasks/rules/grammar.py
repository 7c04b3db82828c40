"""Run all rules over a text, settle overlaps, and give back spans in the original text.

The folded text is cut into regions: runs of characters that occur in rules, with at least one
numeral or weekday. A region is read once and remembered, since dates and articles repeat. The
longest match wins; a reading that abstains takes part like any other and leaves its span empty;
equally long overlapping hits that disagree leave both empty.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from storage.records import Category, RuleMatch
from tasks.rules import bare, dates, eras, money, ordinals, quantities, rates, shares, times
from tasks.rules.copied import TO_THE_NEXT_BLANK
from tasks.rules.fold import fold
from tasks.rules.rendering import render
from tasks.rules.rule import Rule
from tasks.rules.style import DEFAULT_STYLE, RuleStyle
from tasks.rules.values import Abstain

RULES: tuple[Rule, ...] = (
    *dates.RULES,
    *eras.RULES,
    *times.RULES,
    *ordinals.RULES,
    *shares.RULES,
    *money.RULES,
    *quantities.RULES,
    *rates.RULES,
    *bare.RULES,
)

MAX_REGION = 200
"""A longer run of numerals and units is no date or amount; it is left alone."""


class Hit(NamedTuple):
    """What a rule read inside a region; `target` is None where it abstains."""

    start: int
    end: int
    target: str | None
    category: Category
    rule: str


def _characters() -> str:
    """Collect every Chinese character that a rule names, and the signs that join numbers."""
    named = {mark for rule in RULES for mark in rule.pattern.pattern if mark > "\x7f"}
    return "".join(sorted(named)) + "0-9A-Za-z%$°/:()\\-"


_NUMERAL = "0-9零〇一二三四五六七八九十百千万亿两廿卅兆壹贰叁肆伍陆柒捌玖拾佰仟几数"
_UNFOLDED = "０-９○萬億兩貳參叄陸幾數"
_OTHER_LEADS = "(?:星期|礼拜|禮拜|周|週)[日天]|半[个個]?[小世]|[上本][个個]?世[纪紀]|元年"
_LEAD = re.compile(f"[{_NUMERAL}{_UNFOLDED}]|{_OTHER_LEADS}")
"""Without one of these, folded or not, a text holds nothing for the rules."""
_ALL = _characters()
_REGION = re.compile(
    rf"[{_ALL}](?:[{_ALL}]++|(?<=[0-9])[.,](?=[0-9])|(?<=[{_ALL}])\x20(?=[{_ALL}]))*+"
)


def find(text: str, style: RuleStyle = DEFAULT_STYLE) -> list[RuleMatch]:
    """Find the dates, times, numbers and quantities of a text that have one sure translation.

    Args:
        text: any text, normalised or not.
        style: how the English is written, and the region of the text.

    Returns:
        Matches from left to right, without overlaps; offsets are characters of `text`.
    """
    if not _LEAD.search(text):
        return []
    folded = fold(text)
    matches: list[RuleMatch] = []
    for region in _REGION.finditer(folded):
        start, end = region.span()
        if end - start < 2 or end - start > MAX_REGION or not _LEAD.search(folded, start, end):
            continue
        for hit in _read_region(region[0], style):
            first, last = start + hit.start, start + hit.end
            matches.append(
                RuleMatch(
                    first,
                    last,
                    text[first:last],
                    hit.target or "",
                    hit.category,
                    hit.rule,
                )
            )
    return _outside_copied(matches, folded)


def _outside_copied(matches: list[RuleMatch], folded: str) -> list[RuleMatch]:
    """Drop matches inside URLs, mail addresses and identifiers."""
    if not matches or not ("://" in folded or "@" in folded or "_" in folded):
        return matches
    copied = [found.span() for found in TO_THE_NEXT_BLANK.finditer(folded)]
    return [m for m in matches if not any(m.start < end and start < m.end for start, end in copied)]


@lru_cache(maxsize=65536)
def _read_region(region: str, style: RuleStyle) -> tuple[Hit, ...]:
    """Read one region: all rules, then overlaps settled, then abstentions taken out."""
    tight, places = _without_blanks(region)
    marks = frozenset(tight)
    hits = [
        hit
        for rule in RULES
        if not rule.needs or not rule.needs.isdisjoint(marks)
        for hit in _read_rule(rule, tight, style)
    ]
    chosen = settle(hits)
    return tuple(
        hit._replace(start=places[hit.start], end=places[hit.end - 1] + 1)
        for hit in chosen
        if hit.target is not None
    )


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
            target = None if isinstance(value, Abstain) else render(value, style)
            hits.append(Hit(*found.span(), target, rule.category, rule.name))
    return hits


def settle(hits: list[Hit]) -> list[Hit]:
    """Accept the longest first; equally long hits that overlap and disagree abstain."""
    if len(hits) < 2:
        return hits
    accepted: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        rivals = [other for other in accepted if other.start < hit.end and hit.start < other.end]
        if not rivals:
            accepted.append(hit)
        for rival in rivals:
            same_length = rival.end - rival.start == hit.end - hit.start
            if same_length and rival.target != hit.target:
                accepted[accepted.index(rival)] = rival._replace(target=None)
    return sorted(accepted)
