"""How often the English of the rules is right on real pairs: judged against their translations.

Two shares for each category: the English as written stands in the reference, word by word; or the
reference holds the value in any equivalent writing (`5,500,000` for `5.5 million`, `per cent`, the
other order of a date), as `tasks/rules/agreement.py` judges it. A reference that drops or converts
a value counts against the rules.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import say
from tasks.rules.agreement import PERIODS, english_side, holds, unit_name
from tasks.rules.english_values import read_english
from tasks.rules.grammar import find, find_values
from tasks.rules.style import RuleStyle
from tasks.rules.values import (
    Amount,
    Clock,
    ClockRange,
    Date,
    DateRange,
    Era,
    Fraction,
    Measure,
    Moment,
    Money,
    Ordinal,
    Share,
    Value,
)
from tasks.text.english import tokenise

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
NEWS = RuleStyle(region="mainland", spell_up_to=9, percent_sign=True, money_symbols=True)
UNITED_NATIONS = RuleStyle(day_first=True, spell_ordinals=True, money_symbols=True)
LAWS = RuleStyle(region="taiwan")
JUDGED = {
    "laws/test": LAWS,
    "un/dev": UNITED_NATIONS,
    "wmt/newstest2019": NEWS,
}
"""The sets of the published table, with the style of each corpus."""
DEVELOPED_ON = {
    "laws/dev": LAWS,
    "wmt/newsdev2017": NEWS,
}
MISSES_SHOWN = 10


class Judgement(NamedTuple):
    """What became of one match."""

    testset: str
    line: int
    """From 1."""
    source: str
    target: str
    category: str
    is_written: bool
    """The English stands in the reference, word by word."""
    is_held: bool
    """The reference holds the value."""


def run() -> None:
    """Print the table of the judged sets and their first misses."""
    report(JUDGED)


def run_developed() -> None:
    """Print the same of the sets that the rules may be developed on."""
    report(DEVELOPED_ON)


def report(sets: dict[str, RuleStyle]) -> None:
    """Print for each category and set the matches and both shares with their 95 % intervals."""
    absent = [name for name in sets if not (DATA / f"{name}.zh").exists()]
    if absent:
        say(f"  not measured: {', '.join(absent)} are not in ../shared/data")
        return
    judged = [each for name, style in sets.items() for each in judge(name, style)]
    table = defaultdict(list)
    for each in judged:
        table[each.category].append(each)
    say("| category | set | matches | as written | value held |")
    say("| --- | --- | --- | --- | --- |")
    for category in sorted(table):
        for name in (*sets, "together"):
            chosen = [each for each in table[category] if name in (each.testset, "together")]
            if chosen:
                say(f"| {category} | {name} | {_shares(chosen)} |")
    for category in sorted(table):
        _say_misses(category, [each for each in table[category] if not each.is_held])


def _shares(chosen: list[Judgement]) -> str:
    columns = [f"{len(chosen):,}"]
    for count in (sum(each.is_written for each in chosen), sum(each.is_held for each in chosen)):
        low, high = wilson(count, len(chosen))
        columns.append(f"{count / len(chosen):.3f} ({low:.3f} to {high:.3f})")
    return " | ".join(columns)


def _say_misses(category: str, misses: list[Judgement]) -> None:
    if misses:
        counts = ", ".join(f"{n} {name}" for name, n in Counter(m.testset for m in misses).items())
        say(f"\n{category}: {len(misses)} misses ({counts})\n")
    step = max(1, len(misses) // MISSES_SHOWN)
    for each in misses[::step][:MISSES_SHOWN]:
        say(f"- {each.testset} {each.line}: `{each.source}` as `{each.target}`")


def wilson(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); `total` is 1 or more."""
    z = 1.959964
    share = count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    spread *= z / (1 + z * z / total)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def judge(name: str, style: RuleStyle) -> Iterator[Judgement]:
    """Yield a judgement of each match in a set of pairs, two files with one sentence a line."""
    chinese = (DATA / f"{name}.zh").read_text("utf-8").split("\n")
    english = (DATA / f"{name}.en").read_text("utf-8").split("\n")
    for line, (source, reference) in enumerate(zip(chinese, english, strict=True), start=1):
        values = {match.start: match.value for match in find_values(source, style)}
        if not values:
            continue
        words = f" {' '.join(tokenise(reference.lower()))} "
        side = english_side(read_english(reference))
        for match in find(source, style):
            if match.start in values:
                value = values[match.start]
                category = category_of(value, match.rule)
                written = f" {match.target} " in words
                held = written or holds(side, value)
                yield Judgement(name, line, match.source, match.target, category, written, held)


_KINDS: dict[type[Value], str] = {
    Moment: "times", Clock: "times", ClockRange: "times", Era: "decades and centuries",
    Share: "percents", Money: "money", Ordinal: "ordinals", Fraction: "fractions and multiples",
}  # fmt: skip


def category_of(value: Value, rule: str) -> str:
    """Return the row of the table that a value belongs to."""
    match value:
        case Date():
            whole = value.month is not None or value.year is not None
            return "dates with month or year" if whole else "bare days"
        case DateRange():
            return category_of(value.first, rule)
        case Amount():
            return _of_number(value)
        case Measure():
            return _of_measure(value)
        case _:
            return _KINDS.get(type(value)) or _of_wording(rule)


def _of_number(amount: Amount) -> str:
    return "numbers > 10" if amount.low > 10 and amount.bound != "several" else "small numbers"


def _of_measure(value: Measure) -> str:
    name = unit_name(value.unit)
    if name in ("", "person"):
        return _of_number(value.amount)
    return "durations" if name in PERIODS else "quantities with units"


def _of_wording(rule: str) -> str:
    if rule.startswith(("date.business_year", "date.around")):
        return "dates with month or year"
    if rule.startswith("time."):
        return "times"
    if rule.startswith("number."):
        return "small numbers"
    if rule.startswith(("multiple.", "fraction.")):
        return "fractions and multiples"
    if rule.startswith("date."):
        return "decades and centuries"
    if rule.startswith(("quantity.and_a_half", "quantity.half", "quantity.plan", "quantity.two")):
        return "durations"
    return "ordinals" if rule.startswith("ordinal.") else "quantities with units"
