"""How often the guard raises an alarm on real pairs, and how often it sees a changed value.

Real text lies in `../shared/data` beside the project; sets that are absent are left out. One value
a pair is changed on the English side: a kept value's words are replaced by another value of its
kind, as the rules render it. `python -m benchmarks guard`
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from benchmarks.measuring import figure, processor_seconds, say
from tasks.readers.lines import read_lines
from tasks.rules.agreement import english_side, holds
from tasks.rules.english_values import read_english
from tasks.rules.grammar import find_values, forget
from tasks.rules.guard import compare, disagree
from tasks.rules.judged import Judged
from tasks.rules.rendering import render
from tasks.rules.style import RuleStyle
from tasks.rules.values import (
    Amount,
    Clock,
    Date,
    Era,
    Fraction,
    Measure,
    Money,
    Ordinal,
    Share,
    Value,
)

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
SETS = {
    "laws/dev": RuleStyle(region="taiwan"),
    "un/dev": RuleStyle(),
    "wmt/newsdev2017": RuleStyle(),
    "tatoeba": RuleStyle(),
}
LATER_SETS = {
    "wmt/generaltest2022.ref0": RuleStyle(),
    "wmt/generaltest2022.ref1": RuleStyle(),
    "flores/dev": RuleStyle(),
    "python_docs": RuleStyle(),
    "captions": RuleStyle(),
}
"""Sets that were first read when the guard stood; only their alarms are counted."""
SAMPLED = {"python_docs": 20_000, "captions": 20_000}
SEED = 20


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of a set, with its line and the style of its Chinese."""

    name: str
    line: int
    chinese: str
    english: str
    style: RuleStyle


def run() -> None:
    """Print alarms on real pairs, detection of changed values by kind, and speed."""
    pairs = list(_pairs(SETS))
    if not pairs:
        say("  no real text beside the project: nothing to measure")
        return
    _alarms([*pairs, *_pairs(LATER_SETS)])
    _detection(pairs)
    _speed(pairs)


def _pairs(sets: Mapping[str, RuleStyle]) -> Iterator[Pair]:
    for name, style in sets.items():
        lines = list(enumerate(_lines(name), start=1))
        if name in SAMPLED and lines:
            lines = sorted(random.Random(SEED).sample(lines, SAMPLED[name]))
        for line, (chinese, english) in lines:
            yield Pair(name, line, chinese, english, style)


def _lines(name: str) -> Iterator[tuple[str, str]]:
    table = DATA / "general" / f"{name}.tsv.zst"
    chinese = DATA / f"{name.partition('.')[0]}.zh"
    if table.exists():
        for _, text in read_lines(table):
            source, target = text.split("\t")[:2]
            yield source, target
    elif chinese.exists():
        english = read_lines(DATA / f"{name}.en")
        for (_, source), (_, target) in zip(read_lines(chinese), english, strict=True):
            yield source, target


def _alarms(pairs: Sequence[Pair]) -> None:
    """Print, for each set, pairs with judged values, values kept and lost, and alarms."""
    say("  set                         pairs  judged    kept    lost  alarms  at lines")
    for name in SETS | LATER_SETS:
        chosen = [pair for pair in pairs if pair.name == name]
        verdicts = [(pair, compare(pair.chinese, pair.english, pair.style)) for pair in chosen]
        kept, lost = (
            sum(len(getattr(verdict, each)) for _, verdict in verdicts) for each in ("kept", "lost")
        )
        judged = sum(bool(verdict.kept or verdict.lost) for _, verdict in verdicts)
        lines = [pair.line for pair, verdict in verdicts if verdict.disagree]
        shown = ", ".join(str(line) for line in lines)
        say(f"  {name:26}{len(chosen):7,}{judged:8,}{kept:8,}{lost:8,}{len(lines):8,}  {shown}")


def _detection(pairs: Sequence[Pair]) -> None:
    """Print recall on pairs with one changed value, and alarms on the same pairs unchanged."""
    generator = random.Random(SEED)
    changed: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for pair in pairs:
        made = _changed(pair, generator)
        if made is None:
            continue
        kind, english = made
        changed[kind] += 1
        seen[kind] += disagree(pair.chinese, english, pair.style)
        false[kind] += disagree(pair.chinese, pair.english, pair.style)
    say("  kind         changed    seen  recall  alarms unchanged  precision")
    for kind in [*sorted(changed), "all"]:
        row = [
            sum(each.values()) if kind == "all" else each[kind] for each in (changed, seen, false)
        ]
        precision = row[1] / max(row[1] + row[2], 1)
        say(f"  {kind:11}{row[0]:9,}{row[1]:8,}{row[1] / row[0]:8.1%}{row[2]:18,}{precision:11.1%}")


def _changed(pair: Pair, generator: random.Random) -> tuple[str, str] | None:
    """Replace one kept value of the English by another; None where none stands in one piece."""
    verdict = compare(pair.chinese, pair.english, pair.style)
    candidates = [
        (judged, value)
        for judged in verdict.kept
        for value in read_english(pair.english)
        if value.certain and holds(english_side([value]), judged.value)
    ]
    if not candidates:
        return None
    judged, value = generator.choice(candidates)
    other = _another(judged, generator)
    if other is None:
        return None
    text = render(other, pair.style)
    return judged.kind, pair.english[: value.start] + text + pair.english[value.end :]


def _another(judged: Judged, generator: random.Random) -> Value | None:
    """Return another value of the same type, or None for ranges."""
    value = judged.value
    match value:
        case Amount():
            return _another_amount(value, generator)
        case Measure() | Money() | Share():
            amount = _another_amount(value.amount, generator)
            return None if amount is None else replace(value, amount=amount)
        case Fraction():
            return Fraction(1, value.denominator + generator.randint(1, 5))
        case Ordinal():
            return None if value.last else Ordinal(_moved(value.first, 99, generator))
        case Era():
            step = 10 if value.kind == "decade" else 1
            return replace(value, start=value.start + step * generator.choice([-1, 1]))
        case Clock():
            hour = _moved(value.hour, 11, generator)
            exact = f"{hour} o'clock" if value.minute is None and not value.half else ""
            return replace(value, hour=hour, named="", copied=exact)
        case Date():
            return _another_date(value, generator)
        case _:
            return None


def _another_amount(amount: Amount, generator: random.Random) -> Amount | None:
    """Change a number by a factor of ten, or one by which typing or translating errs."""
    if amount.high is not None:
        return None
    changes = [amount.low * 10, amount.low + 1, amount.low + 10, amount.low * 2]
    if amount.low >= 10 and amount.low % 10 == 0:
        changes.append(amount.low / 10)
    return replace(amount, low=Decimal(generator.choice(changes)), digits=False)


def _moved(number: int, most: int, generator: random.Random) -> int:
    return (number - 1 + generator.randint(1, most - 1)) % most + 1


def _another_date(date: Date, generator: random.Random) -> Date:
    parts = [part for part in ("year", "month", "day") if getattr(date, part) is not None]
    match generator.choice(parts) if parts else "":
        case "year":
            return replace(date, year=(date.year or 0) + generator.choice([-10, -1, 1, 10]))
        case "month":
            day = None if date.day is None else min(date.day, 28)
            return replace(date, month=_moved(date.month or 1, 12, generator), day=day)
        case "day":
            return replace(date, day=_moved(date.day or 1, 28, generator))
        case _:
            return Date(weekday="sunday" if date.weekday != "sunday" else "tuesday")


def _speed(pairs: Sequence[Pair]) -> None:
    """Print pairs a second, beside each side alone, with regions remembered and forgotten."""
    chosen = [pair for pair in pairs if pair.name != "tatoeba"]
    works = {
        "Chinese values alone": lambda: [find_values(pair.chinese, pair.style) for pair in chosen],
        "English values alone": lambda: [read_english(pair.english) for pair in chosen],
        "pairs compared": lambda: [
            disagree(pair.chinese, pair.english, pair.style) for pair in chosen
        ],
    }
    for name, work in works.items():
        work()
        figure(f"{name}, again", len(chosen) / processor_seconds(work), "pairs/s")
        forget()
        figure(f"{name}, first time", len(chosen) / processor_seconds(work), "pairs/s")
