"""Do the numbers and dates of the two sides of a pair agree? A judge that prefers silence to error.

The grammar reads the Chinese side, `english_values.py` the English one, `judged.py` says which
Chinese values have to be kept, `agreement.py` which writings are equal. Precision comes first:

- A judged value is *kept* if the English holds it in any equivalent writing, and *lost* if not even
  a run of digits, a Roman numeral or a lettered item could be it. What the English may have
  converted (公里 against miles) or points back to (`the preceding paragraph`) is not judged.
- An English value is *added* if it is certain, and nothing on the Chinese side could be it, read
  in any way.
- The sides *disagree* if a value is lost and one of the same kind is added: what is only missing
  may be said elsewhere in the text, what is only added may be an explanation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.rules.agreement import NOTHING, EnglishSide, english_side, holds, unit_name
from tasks.rules.english_units import dimension
from tasks.rules.english_values import EnglishValue, read_english
from tasks.rules.grammar import ValueMatch, find_values
from tasks.rules.judged import SMALL_COUNT, Judged, JudgedKind, judged
from tasks.rules.possible import possible_values, with_all_digits
from tasks.rules.style import DEFAULT_STYLE, RuleStyle
from tasks.rules.values import Date, Measure, Ordinal, Value

_POINTS_BACK = re.compile(
    r"\b(?:preceding|foregoing|previous|above|aforesaid|same)\b", re.IGNORECASE
)
"""Words that stand for the number of an article or paragraph."""
_FISCAL = re.compile(r"\b(?:fiscal|financial|academic|school)[ -]year|\bFY", re.IGNORECASE)
"""Such a year is named by the year in which it begins, or by that in which it ends."""
_CONTRADICTS: dict[JudgedKind, frozenset[str]] = {
    "date": frozenset(["date"]),
    "time": frozenset(["time"]),
    "era": frozenset(["era"]),
    "percent": frozenset(["percent", "points"]),
    "fraction": frozenset(["fraction", "percent"]),
    "money": frozenset(["money", "number"]),
    "measure": frozenset(["measure", "number"]),
    "ordinal": frozenset(["ordinal", "number"]),
    "number": frozenset(["number", "measure", "money"]),
}
"""Kinds of English values that may stand in the place of a lost Chinese one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the values of a pair."""

    kept: Sequence[Judged] = ()
    lost: Sequence[Judged] = ()
    added: Sequence[EnglishValue] = ()
    """Certain English values that nothing in the Chinese explains; looked for where one is lost."""
    unjudged: Sequence[ValueMatch] = ()
    """Chinese values that a translation may drop, or that the English may have converted."""

    @property
    def disagree(self) -> bool:
        """Whether a value is lost, and one of the same kind stands in its place."""
        return any(
            each.kind in _CONTRADICTS[lost.kind] for lost in self.lost for each in self.added
        )


def compare(chinese: str, english: str, style: RuleStyle = DEFAULT_STYLE) -> Verdict:
    """Compare the values of a Chinese text and its English translation.

    Args:
        chinese: any text.
        english: any text; normal or tokenised, any case.
        style: where the Chinese comes from; how it writes English does not matter.
    """
    matches = find_values(chinese, style)
    wanted = [each for match in matches if (each := judged(match)) is not None]
    if not wanted:
        return Verdict(unjudged=matches)
    in_digits = with_all_digits(NOTHING, english)
    if all(holds(in_digits, each.value) for each in wanted):
        return Verdict(wanted, unjudged=_others(matches, wanted))
    side = english_side(read_english(english))
    wider = with_all_digits(side, english)
    kept = [each for each in wanted if holds(wider, each.value)]
    missing = [each for each in wanted if each not in kept]
    lost = [each for each in missing if not _is_excused(each.value, side, english)]
    added = _added(side, chinese, english, matches) if lost else ()
    return Verdict(kept, lost, added, _others(matches, [*kept, *lost]))


def disagree(chinese: str, english: str, style: RuleStyle = DEFAULT_STYLE) -> bool:
    """Say whether a value was certainly replaced by another: the reason `numbers_disagree`."""
    return compare(chinese, english, style).disagree


def clash(chinese: str, english: str, style: RuleStyle = DEFAULT_STYLE) -> str:
    """Say which values certainly clash, as one line for people; empty if none does."""
    verdict = compare(chinese, english, style)
    if not verdict.disagree:
        return ""
    lost = ", ".join(dict.fromkeys(chinese[each.start : each.end] for each in verdict.lost))
    added = ", ".join(dict.fromkeys(english[each.start : each.end] for each in verdict.added))
    return f"{lost} against {added}"


def kept_values(
    chinese: str, english: str, style: RuleStyle = DEFAULT_STYLE
) -> list[tuple[Judged, bool]]:
    """Return the values that any translation has to keep, and whether this one does.

    Unlike `compare`, which excuses what it cannot judge, the values do not depend on the English.
    """
    verdict = compare(chinese, english, style)
    kept = {each.start for each in verdict.kept}
    wanted = [each for match in find_values(chinese, style) if (each := judged(match)) is not None]
    return [(each, each.start in kept) for each in wanted]


def _others(matches: Sequence[ValueMatch], settled: Sequence[Judged]) -> list[ValueMatch]:
    starts = {each.start for each in settled}
    return [match for match in matches if match.start not in starts]


def _is_excused(value: Value, side: EnglishSide, english: str) -> bool:
    """Say whether the English may hold a value in a way that cannot be judged."""
    if isinstance(value, Ordinal):
        return _POINTS_BACK.search(english) is not None
    if isinstance(value, Date) and _FISCAL.search(english):
        return value.year is not None and not side.years.isdisjoint(
            (value.year - 1, value.year + 1)
        )
    return isinstance(value, Measure) and _is_converted(value, side)


def _is_converted(value: Measure, side: EnglishSide) -> bool:
    """Say whether the English measures the same dimension in another unit."""
    unit = unit_name(value.unit)
    wanted = dimension(unit)
    return bool(wanted) and any(
        dimension(each.unit) == wanted for each in side.values if each.unit != unit
    )


def _added(
    side: EnglishSide, chinese: str, english: str, matches: Sequence[ValueMatch]
) -> list[EnglishValue]:
    """Return the certain English values that nothing in the Chinese could be."""
    possible = possible_values(chinese, matches)
    return [
        each
        for each in side.values
        if each.certain and _is_weighty(each, english) and not possible.explains(each)
    ]


def _is_weighty(value: EnglishValue, english: str) -> bool:
    """Say whether an English value is no word that language adds freely (`two`, `third`)."""
    if isinstance(value.value, int) and value.kind in ("number", "ordinal"):
        return value.value > SMALL_COUNT or english[value.start].isdigit()
    return True
