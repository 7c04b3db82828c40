"""Rules for 第: places in a row, and the numbered parts of laws, meetings and documents."""

import re

from tasks.rules.numbers import CHINESE, read_integer
from tasks.rules.rule import TO, Reading, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Ordinal, Wording

_PARTS = {
    "条": "article", "章": "chapter", "节": "section", "页": "page", "号决议": "resolution",
    "号法令": "decree no.", "号": "no.", "卷": "volume", "编": "part",
}  # fmt: skip
_PARTS_OF_REGION = {
    "taiwan": {"项": "paragraph", "款": "subparagraph", "目": "item"},
    "mainland": {"款": "paragraph"},
}
"""Parts of an article, which Taiwan and the mainland count with swapped words."""
_THINGS = {
    "季度": "quarter", "天": "day", "周": "week", "个月": "month", "世纪": "century",
    "轮": "round", "代": "generation", "阶段": "stage",
}  # fmt: skip


def _integer(text: str | None) -> int | None:
    if not text:
        return None
    if text.isascii():
        return None if text.startswith("0") else int(text)
    return read_integer(text)


def _read_part(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 第十六条, 第三十四条之一 and 第三十条至第三十四条."""
    unit = found["u"]
    noun = _PARTS.get(unit) or _PARTS_OF_REGION.get(style.region, {}).get(unit)
    first, last, branch = (_integer(found[group]) for group in ("n", "m", "branch"))
    if noun is None or not first or found["between"] not in (None, unit):
        return ABSTAIN
    if (found["m"] and not last) or (found["branch"] and not branch):
        return ABSTAIN
    if last is not None and (last <= first or branch is not None):
        return ABSTAIN
    return Ordinal(first, last, noun, branch=branch)


def _read_thing(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 第三季度 and 第三天; 第二天 is more often the next day."""
    first = _integer(found["n"])
    if not first or (first == 2 and found["u"] == "天"):
        return ABSTAIN
    return Ordinal(first, noun=_THINGS[found["u"]], after=True)


def _read_resolution(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 第1373(2001)号决议 and 第57/270号决议; such numbers are copied."""
    year, session = found["year"], found["session"]
    if year:
        return Wording(f"resolution {found['n']} ( {year} )")
    return Wording(f"resolution {found['n']} / {session}") if session else ABSTAIN


def _read_plan(found: re.Match[str], style: RuleStyle) -> Reading:
    first = _integer(found["n"])
    return Ordinal(first, noun="five-year plan", after=True) if first else ABSTAIN


def _read_anniversary(found: re.Match[str], style: RuleStyle) -> Reading:
    first = _integer(found["n"])
    return Ordinal(first, noun="anniversary", after=True) if first else ABSTAIN


def _read_place(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 第十六届 and 第十三; small ones without a thing are too often words of discourse."""
    first = _integer(found["n"])
    if not first:
        return ABSTAIN
    return Ordinal(first) if first > 10 or found["u"] else None


_NUMBER = rf"(?:[0-9]{{1,4}}|[{CHINESE}]{{1,8}})"
_END = rf"(?![{CHINESE}0-9A-Za-z几]|[.,/(-]?[0-9])"
_PLACES = "届|次(?!级)|名(?!字)|位(?!置)|任|批(?!准)|期(?![间限])|场(?!所)"

RULES = (
    rule(
        "ordinal.resolution/1",
        "term",
        r"""第(?P<n>[0-9]{1,4})(?:[(](?P<year>(?:19|20)[0-9]{2})[)]|/(?P<session>[0-9]{1,4}))号决议""",
        _read_resolution,
        needs="第",
    ),
    rule(
        "ordinal.plan/1",
        "term",
        rf"第(?P<n>{_NUMBER})个五年(?:计划|规划)",
        _read_plan,
        needs="第",
    ),
    rule(
        "ordinal.part/1",
        "term",
        rf"""第(?P<n>{_NUMBER})(?P<between>条|项|款|目|章|节)?(?:{TO}第?(?P<m>{_NUMBER}))?
        (?P<u>号决议|号法令|条|章|节|页|号|卷|编|项(?!目)|款(?!式)|目(?![标的录前]))
        (?:之(?P<branch>{_NUMBER}){_END})?""",
        _read_part,
        needs="第",
    ),
    rule(
        "ordinal.thing/2",
        "number",
        rf"第(?P<n>{_NUMBER})(?P<u>季度|天|周(?!年)|个月|世纪|轮|代(?!表)|阶段)",
        _read_thing,
        needs="第",
    ),
    rule(
        "ordinal.anniversary/1",
        "number",
        rf"(?<![{CHINESE}0-9A-Za-z几数.,])第?(?P<n>{_NUMBER})周年",
        _read_anniversary,
        needs="周",
    ),
    rule(
        "ordinal.place/2",
        "number",
        rf"第(?P<n>{_NUMBER}){_END}(?![多余])(?P<u>{_PLACES})?(?![A-Za-z0-9])",
        _read_place,
        needs="第",
    ),
)
