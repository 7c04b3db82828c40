"""What a rule is: a pattern over folded text and a function that reads the value of a hit."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from storage.records import Category
from tasks.rules.numbers import LEFT, NUMBER, RIGHT
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Abstain, Value

Reading = Value | Abstain | None
"""A value; ABSTAIN where one exists but must not be guessed; None where the hit is none."""
Reader = Callable[[re.Match[str], RuleStyle], Reading]


@dataclass(frozen=True)
class Rule:
    """One rule. `name` ends with its version: raise it when the rule's output changes."""

    name: str
    category: Category
    regex: str
    """Its pattern; blanks and line ends only serve the reader of the code."""
    read: Reader
    needs: frozenset[str]
    """A text without any of these characters cannot hold a hit; empty where all texts can."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern: compiled when first used, since compiling all takes long."""
        return re.compile(self.regex, re.VERBOSE)


def rule(name: str, category: Category, regex: str, read: Reader, *, needs: str = "") -> Rule:
    """Make a rule."""
    return Rule(name, category, regex, read, frozenset(needs))


def abstain(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read nothing, and keep others from reading a part of it."""
    return ABSTAIN


def first_reading(rules: Sequence[Rule], text: str, style: RuleStyle) -> Reading:
    """Return what the first rule that covers the whole text reads."""
    for each in rules:
        found = each.pattern.fullmatch(text)
        reading = each.read(found, style) if found else None
        if reading is not None:
            return reading
    return None


TO = "(?:至|到|--?)"
"""Between the ends of a range (all dashes are folded to one)."""


def number(group: str = "n") -> str:
    """Return the pattern of a whole number as a named group."""
    return f"{LEFT}(?P<{group}>{NUMBER}){RIGHT}"


def number_range(first: str = "n", last: str = "m", between: str = "") -> str:
    """Return the pattern of a range of numbers; `between` may follow the first."""
    return f"{LEFT}(?P<{first}>{NUMBER}){between}{TO}(?P<{last}>{NUMBER}){RIGHT}"
