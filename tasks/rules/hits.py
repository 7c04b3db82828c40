"""What finders report, and how overlapping reports are settled: the longest wins."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from storage.records import Category
from tasks.rules.style import RuleStyle
from tasks.rules.values import Value


class Hit(NamedTuple):
    """What a rule read, as a span `[start, end)`; `target` is None where it abstains."""

    start: int
    end: int
    target: str | None
    category: Category
    rule: str
    value: Value | None = None

    def moved(self, by: int) -> "Hit":
        """Return the hit `by` characters further on."""
        return Hit(self.start + by, self.end + by, *self[2:])


FindHits = Callable[[str, RuleStyle], Iterable[Hit]]


class Finder(NamedTuple):
    """A source of hits beside the rules of values, loaded when the first text needs it."""

    lead: re.Pattern[str]
    """A text in which this finds nothing holds no hit."""
    load: Callable[[], FindHits]
    """Returns the function that finds; its offsets are characters of the text as it is given."""
    setting: str = ""
    """The switch of `RuleStyle` that asks for it; empty where it always runs."""

    def is_asked_for(self, style: RuleStyle) -> bool:
        """Say whether the style wants what this finds."""
        return not self.setting or bool(getattr(style, self.setting))


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
    return sorted(accepted, key=lambda hit: hit.start)
