"""How far whole places agree with two dictionaries, asked as names of the mainland.

CC-CEDICT: an entry agrees where its definition holds every word of our English. GeoNames: a place
of China agrees where our name, without district, town and the like, begins one of its names or is
begun by it. What disagrees is not all wrong: GeoNames gives the seat of a county the county's
Chinese name, and both have spellings that English no longer uses.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import say
from benchmarks.rule_accuracy import DATA
from tasks.readers.opening import open_bytes
from tasks.rules.places import read_place
from tasks.rules.style import RuleStyle

CEDICT = DATA / "dictionaries" / "cc_cedict.tsv.zst"
GEONAMES = DATA / "dictionaries" / "places_geonames.tsv.zst"
MAINLAND = RuleStyle(region="mainland")
_KINDS = frozenset(
    ["district", "county", "town", "township", "village", "city", "province", "prefecture"]
    + ["subdistrict", "shi", "xian", "qu", "zhen", "xiang", "cun", "sheng", "diqu", "jiedao"]
)
_SMALL = frozenset(["the", "of", "and"])


def run() -> None:
    """Print how many names of each dictionary are answered and agree."""
    if not all(file.exists() for file in (CEDICT, GEONAMES)):
        say("  not measured: the dictionaries are not in ../shared/data")
        return
    say("| dictionary | names | answered | agree |")
    say("| --- | --- | --- | --- |")
    defined: dict[str, list[str]] = defaultdict(list)
    for source, _, _, definition in _rows(CEDICT):
        defined[source].append(definition)
    _say_row("CC-CEDICT", defined, _is_defined)
    named: dict[str, list[str]] = defaultdict(list)
    for source, english, origin in _rows(GEONAMES):
        if origin.endswith("-CN"):
            named[source].append(english)
    _say_row("GeoNames, China", named, _is_named)


def _rows(file: Path) -> Iterator[list[str]]:
    with open_bytes(file) as stream:
        for line in stream.read().decode("utf-8").splitlines():
            yield line.split("\t")


def _say_row(
    name: str, entries: dict[str, list[str]], agrees: Callable[[str, list[str]], bool]
) -> None:
    counts: Counter[bool] = Counter()
    for source, english in entries.items():
        match = read_place(source, MAINLAND)
        if match is not None:
            counts[agrees(match.target, english)] += 1
    answered = counts.total()
    say(f"| {name} | {len(entries):,} | {answered:,} | {counts[True] / max(1, answered):.3f} |")


def _is_defined(target: str, definitions: list[str]) -> bool:
    held = _letters(" ".join(definitions))
    return all(_letters(word) in held for word in target.split() if word not in _SMALL)


def _is_named(target: str, names: list[str]) -> bool:
    ours = _core(target)
    theirs = [_core(name) for name in names]
    return any(name.startswith(ours) or ours.startswith(name) for name in theirs)


def _core(name: str) -> str:
    words = re.split(r"[\s,'-]+", name.lower())
    return _letters(" ".join(word for word in words if word not in _KINDS))


def _letters(text: str) -> str:
    """Fold case and accents and keep the letters."""
    return re.sub("[^a-z]", "", unicodedata.normalize("NFKD", text.lower()))
