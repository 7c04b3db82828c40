"""How often the places that are found in running text stand in the reference translation.

Case, accents and the hyphen of `Shanghai-based` do not count; an adjective (`Russian`) and a name
that the reference drops or puts otherwise count against the finder.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.measuring import figure, processor_seconds, say
from benchmarks.rule_accuracy import DATA, wilson
from tasks.rules import grammar
from tasks.rules.grammar import find
from tasks.rules.style import RuleStyle
from tasks.text.english import tokenise

JUDGED = {
    "laws/test": RuleStyle(region="taiwan", place_names=True),
    "un/dev": RuleStyle(place_names=True),
    "wmt/newstest2019": RuleStyle(region="mainland", place_names=True),
}
"""The sets of the published table, with the region of each corpus."""
DEVELOPED_ON = {"wmt/newsdev2017": RuleStyle(region="mainland", place_names=True)}
MISSES_SHOWN = 12


class Judgement(NamedTuple):
    """What became of one place."""

    testset: str
    line: int
    """From 1."""
    source: str
    target: str
    kind: str
    is_written: bool


def run() -> None:
    """Print the table of the judged sets, what was missed, and the cost."""
    report(JUDGED)


def run_developed() -> None:
    """Print the same of the set that the finder was developed on."""
    report(DEVELOPED_ON)


def report(sets: dict[str, RuleStyle]) -> None:
    """Print for each kind and set the matches and the share written in the reference."""
    absent = [name for name in sets if not (DATA / f"{name}.zh").exists()]
    if absent:
        say(f"  not measured: {', '.join(absent)} are not in ../shared/data")
        return
    judged = [each for name, style in sets.items() for each in judge(name, style)]
    table = defaultdict(list)
    for each in judged:
        table[each.kind].append(each)
    say("| kind | set | matches | written |")
    say("| --- | --- | --- | --- |")
    for kind in sorted(table):
        for name in (*sets, "together"):
            chosen = [each.is_written for each in table[kind] if name in (each.testset, "together")]
            if chosen:
                low, high = wilson(sum(chosen), len(chosen))
                share = f"{sum(chosen) / len(chosen):.3f} ({low:.3f} to {high:.3f})"
                say(f"| {kind} | {name} | {len(chosen):,} | {share} |")
    missed = Counter((each.source, each.target) for each in judged if not each.is_written)
    for (source, target), count in missed.most_common(MISSES_SHOWN):
        say(f"- {count} times `{source}` as `{target}`")
    _say_cost(sets)


def judge(name: str, style: RuleStyle) -> Iterator[Judgement]:
    """Yield a judgement of each place in a set of pairs, two files with one sentence a line."""
    chinese = (DATA / f"{name}.zh").read_text("utf-8").split("\n")
    english = (DATA / f"{name}.en").read_text("utf-8").split("\n")
    for line, (source, reference) in enumerate(zip(chinese, english, strict=True), start=1):
        words = _plain(" ".join(tokenise(reference)))
        for match in find(source, style):
            if match.rule.startswith("place."):
                kind = match.rule.removeprefix("place.").partition("/")[0]
                written = _plain(match.target) in words
                yield Judgement(name, line, match.source, match.target, kind, written)


def _plain(english: str) -> str:
    """Fold case, accents and hyphens; blanks stand around every word."""
    parts = unicodedata.normalize("NFKD", english.lower().replace("-", " "))
    return f" {''.join(mark for mark in parts if not unicodedata.combining(mark))} "


def _say_cost(sets: dict[str, RuleStyle]) -> None:
    """Say what the places cost beside the rules of values."""
    for name, style in sets.items():
        lines = (DATA / f"{name}.zh").read_text("utf-8").split("\n")
        figure(f"{name} with places", len(lines) / _seconds(lines, style), "sentences/s")


def _seconds(lines: list[str], style: RuleStyle) -> float:
    grammar.forget()
    return processor_seconds(lambda: [find(line, style) for line in lines])
