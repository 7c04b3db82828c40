"""Whether the licences of several sources go together, by the conditions that each one sets.

A table of what licences ask for, not legal advice. SPDX expressions are read: with AND all parts
hold, with OR the holder of the text lets one choose. A licence that is not in the table is unknown,
and then nothing is concluded.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Condition = Literal["attribution", "share-alike", "copyleft", "non-commercial", "no-derivatives"]

_CONDITIONS: dict[str, frozenset[Condition]] = {
    "CC0-1.0": frozenset(),
    "PDDL-1.0": frozenset(),
    "Unlicense": frozenset(),
    "0BSD": frozenset(),
    "public-domain": frozenset(),
    **dict.fromkeys(
        ("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "PSF-2.0", "Python-2.0"),
        frozenset[Condition]({"attribution"}),
    ),
    **dict.fromkeys(
        ("CC-BY-2.0", "CC-BY-2.0-FR", "CC-BY-2.5", "CC-BY-3.0", "CC-BY-4.0", "ODC-By-1.0"),
        frozenset[Condition]({"attribution"}),
    ),
    **dict.fromkeys(
        ("OGDL-Taiwan-1.0", "OGL-UK-3.0", "Unicode-3.0", "Unicode-DFS-2016", "CDLA-Permissive-2.0"),
        frozenset[Condition]({"attribution"}),
    ),
    **dict.fromkeys(
        ("CC-BY-SA-2.0", "CC-BY-SA-2.5", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "ODbL-1.0"),
        frozenset[Condition]({"attribution", "share-alike"}),
    ),
    **dict.fromkeys(
        ("GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later"),
        frozenset[Condition]({"attribution", "copyleft"}),
    ),
    **dict.fromkeys(
        ("LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MPL-2.0"),
        frozenset[Condition]({"attribution", "copyleft"}),
    ),
    **dict.fromkeys(
        ("CC-BY-NC-2.0", "CC-BY-NC-3.0", "CC-BY-NC-4.0"),
        frozenset[Condition]({"attribution", "non-commercial"}),
    ),
    **dict.fromkeys(
        ("CC-BY-NC-SA-3.0", "CC-BY-NC-SA-4.0"),
        frozenset[Condition]({"attribution", "non-commercial", "share-alike"}),
    ),
    **dict.fromkeys(
        ("CC-BY-ND-3.0", "CC-BY-ND-4.0"), frozenset[Condition]({"attribution", "no-derivatives"})
    ),
    **dict.fromkeys(
        ("CC-BY-NC-ND-3.0", "CC-BY-NC-ND-4.0"),
        frozenset[Condition]({"attribution", "non-commercial", "no-derivatives"}),
    ),
}
"""What each licence asks of those who pass on what they made of the text (the licence texts)."""

_TOKEN = re.compile(r"\(|\)|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a set of licences."""

    conditions: tuple[Condition, ...]
    """What must be kept when the model is passed on, by all sources together."""
    conflicts: tuple[str, ...]
    """Pairs that do not go together, in words."""
    unknown: tuple[str, ...]
    """Licences of which nothing is known here."""

    @property
    def go_together(self) -> bool | None:
        """Say whether they do; None if a licence is not known."""
        if self.conflicts:
            return False
        return None if self.unknown else True


def judge(licences: Iterable[str]) -> Verdict:
    """Judge the licences of all sources of one model.

    Args:
        licences: SPDX expressions or names.
    """
    named = sorted(set(licences))
    read = {name: choices(name) for name in named}
    unknown = tuple(name for name in named if read[name] is None)
    known = {name: found for name, found in read.items() if found is not None}
    conditions = {condition for found in known.values() for condition in min(found, key=_burden)}
    return Verdict(tuple(sorted(conditions)), tuple(_conflicts(known)), unknown)


def choices(expression: str) -> list[frozenset[Condition]] | None:
    """Return the sets of conditions among which an expression lets one choose; None if it names a
    licence that is not known, or is no expression.
    """
    tokens = _TOKEN.findall(expression)
    found = _either(tokens)
    return found if found is not None and not tokens else None


def _either(tokens: list[str]) -> list[frozenset[Condition]] | None:
    found = _both(tokens)
    while found is not None and tokens and tokens[0].upper() == "OR":
        tokens.pop(0)
        other = _both(tokens)
        found = None if other is None else found + other
    return found


def _both(tokens: list[str]) -> list[frozenset[Condition]] | None:
    found = _one(tokens)
    while found is not None and tokens and tokens[0].upper() == "AND":
        tokens.pop(0)
        other = _one(tokens)
        found = None if other is None else [one | two for one in found for two in other]
    return found


def _one(tokens: list[str]) -> list[frozenset[Condition]] | None:
    if not tokens:
        return None
    token = tokens.pop(0)
    if token == "(":
        found = _either(tokens)
        return found if found is not None and tokens and tokens.pop(0) == ")" else None
    if len(tokens) > 1 and tokens[0].upper() == "WITH":
        del tokens[:2]
    conditions = _CONDITIONS.get(token)
    return None if conditions is None else [conditions]


def _burden(conditions: frozenset[Condition]) -> tuple[int, list[str]]:
    return len(conditions), sorted(conditions)


def _conflicts(known: dict[str, list[frozenset[Condition]]]) -> list[str]:
    """Say which single licences and pairs cannot be met however one chooses."""
    alone = [
        f"{name} does not allow that anything made of the text is passed on"
        for name, found in known.items()
        if all("no-derivatives" in conditions for conditions in found)
    ]
    names = sorted(known)
    pairs = [
        f"{one} and {other}: {reason}"
        for number, one in enumerate(names)
        for other in names[number + 1 :]
        if (reason := _clash(known[one], known[other]))
    ]
    return alone + pairs


def _clash(first: Sequence[frozenset[Condition]], second: Sequence[frozenset[Condition]]) -> str:
    """Say why two licences do not go together in any of their choices, or return ""."""
    reasons = [_why_not(one, other) for one in first for other in second]
    return "" if any(not reason for reason in reasons) else reasons[0]


def _why_not(one: frozenset[Condition], other: frozenset[Condition]) -> str:
    for demanding, freeing in ((one, other), (other, one)):
        shared = {"share-alike", "copyleft"} & freeing
        if "non-commercial" in demanding and shared and "non-commercial" not in freeing:
            return f"one forbids commercial use, the other ({min(shared)}) forbids to add that"
    if "copyleft" in one | other and "share-alike" in one | other and one != other:
        return "both ask that the result carry their own terms"
    return ""
