"""Rules for years counted from an era or a reign: 民国, 昭和, 光绪.

Eras of the republic and of modern Japan share our calendar. Reigns of China count lunar years,
which are named by the year of ours that holds most of them; with a month or day they abstain.
"""

import re
from typing import NamedTuple

from tasks.rules.calendar_parts import NEXT, SMALL, read_year
from tasks.rules.rule import Reading, abstain, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Date


class Reign(NamedTuple):
    """Years of our calendar, and how many years were counted."""

    before_first: int
    last: int


ERAS = {
    "昭和": Reign(1925, 64), "平成": Reign(1988, 31), "令和": Reign(2018, 99),
    "大正": Reign(1911, 15), "民国": Reign(1911, 299), "中华民国": Reign(1911, 299),
}  # fmt: skip
"""Eras whose years are those of our calendar."""

REIGNS = {
    "贞观": Reign(626, 23), "开元": Reign(712, 29), "洪武": Reign(1367, 31),
    "永乐": Reign(1402, 22), "宣德": Reign(1425, 10), "成化": Reign(1464, 23),
    "弘治": Reign(1487, 18),
    "嘉靖": Reign(1521, 45), "隆庆": Reign(1566, 6), "万历": Reign(1572, 48),
    "崇祯": Reign(1627, 17), "顺治": Reign(1643, 18), "康熙": Reign(1661, 61),
    "雍正": Reign(1722, 13), "乾隆": Reign(1735, 60), "嘉庆": Reign(1795, 25),
    "道光": Reign(1820, 30), "咸丰": Reign(1850, 11), "同治": Reign(1861, 13),
    "光绪": Reign(1874, 34), "宣统": Reign(1908, 3), "明治": Reign(1867, 45),
}  # fmt: skip
"""Reigns that count lunar years, those of Meiji until its sixth."""

ANY_YEAR = r"(?:[0-9]{1,4}|[零〇0一二三四五六七八九十百千廿卅]{1,7}|元)"


def era_year(era: str, year: int | None) -> int | None:
    """Return the year of our calendar, or None where the era had no such year."""
    reign = ERAS.get(era) or REIGNS[era]
    return None if year is None or not 0 < year <= reign.last else reign.before_first + year


def _read_reign(found: re.Match[str], style: RuleStyle) -> Reading:
    year = era_year(found["era"], read_year(found["y"]))
    return ABSTAIN if year is None else Date(year)


def _read_before_republic(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 民国前三年: three years before the first."""
    year = read_year(found["y"])
    return ABSTAIN if not year or year > 100 else Date(ERAS["民国"].before_first + 1 - year)


_NAMES = "|".join(REIGNS)

RULES = (
    rule(
        "date.reign/2",
        "date",
        rf"(?P<era>{_NAMES})(?P<y>{ANY_YEAR})年{NEXT}(?![间代级])",
        _read_reign,
        needs="年",
    ),
    rule(
        "date.reign_day/1",
        "date",
        rf"(?:{_NAMES}|民国前){ANY_YEAR}年(?:[正腊冬闰]|{SMALL})月(?:初?{SMALL}日?)?",
        abstain,
        needs="年",
    ),
    rule(
        "date.before_republic/1",
        "date",
        rf"民国前(?P<y>{ANY_YEAR})年{NEXT}",
        _read_before_republic,
        needs="前",
    ),
)
