"""What the counts of a refresh say against its limits: a breach is one sentence that helps."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tasks.checks.config import CheckConfig

BROKEN = {
    "empty": "rows without text or words",
    "unlinked": "pairs without a row of links",
    "range": "rows with a count, an index or a share out of its range",
    "unfounded": "phrases in use for which nothing speaks",
    "several": "phrases in use beside another translation of the same source",
}
"""Checks that allow nothing: such rows come from a defect or from damage."""

_DEFECT = (
    "This is a defect or a damaged table: run `phrasenet audit verify`, and report it if that "
    "finds nothing."
)
_SOURCE = (
    "Look at the source: is the file whole and of the format that is named? If it is meant, change "
    "the limit."
)
_DROPPED = (
    "`phrasenet corpus dropped` says why; mend the source, loosen [text] or change the limit."
)
_ONCE = "If it is meant, publish it once with `--accept-change` (the parameter `accept_change`)."


@dataclass(frozen=True, slots=True)
class Measure:
    """One count of a refresh."""

    name: str
    subject: str
    """A corpus or a table."""
    part: int
    whole: int

    @property
    def share(self) -> float:
        """Return the part as a share, 0 of nothing."""
        return self.part / self.whole if self.whole else 0.0


@dataclass(frozen=True, slots=True)
class Breach:
    """A check that failed."""

    check: str
    subject: str
    value: float
    limit: float
    advice: str

    def __str__(self) -> str:
        """Return one sentence for the log, the message and a notification."""
        return (
            f"check {self.check} of {self.subject} is {self.value:g}, and [checks] allows "
            f"{self.limit:g}. {self.advice}"
        )


def breaches(measures: Iterable[Measure], config: CheckConfig) -> Iterator[Breach]:
    """Yield what is wrong with a refresh taken by itself."""
    for item in measures:
        if item.name == "rows" and item.part < config.min_rows:
            yield Breach("min_rows", item.subject, item.part, config.min_rows, _SOURCE)
        elif item.name == "dropped" and item.share > config.max_dropped:
            yield Breach("max_dropped", item.subject, item.share, config.max_dropped, _DROPPED)
        elif item.name in BROKEN and item.part:
            what = f"{item.subject} ({BROKEN[item.name]})"
            yield Breach(item.name, what, item.part, 0, _DEFECT)


def changes(
    before: Iterable[Measure], after: Iterable[Measure], config: CheckConfig
) -> Iterator[Breach]:
    """Yield what is wrong with a refresh beside the last one that was published.

    A corpus that is new, or that the settings do not name any more, is no breach.
    """
    known = {(item.name, item.subject): item for item in before}
    for item in after:
        old = known.get((item.name, item.subject))
        if old is None or old.whole < config.compare_from:
            continue
        if item.name == "rows":
            lost = 1 - item.part / old.part
            if lost > config.max_rows_lost:
                advice = f"{_SOURCE} {_ONCE}"
                yield Breach("max_rows_lost", item.subject, lost, config.max_rows_lost, advice)
        elif item.name == "dropped":
            more = item.share - old.share
            if more > config.max_dropped_more:
                advice = f"{_DROPPED} {_ONCE}"
                limit = config.max_dropped_more
                yield Breach("max_dropped_more", item.subject, more, limit, advice)


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """How the phrases in use differ between two snapshots."""

    changed: int
    """New, gone, or translated in another way."""
    phrases: int
    """In use before or after."""
    before: int
    after: int

    @property
    def share(self) -> float:
        """Return the share that changed, 0 of nothing."""
        return self.changed / self.phrases if self.phrases else 0.0

    @staticmethod
    def of(row: Mapping[str, int]) -> "MemoryChange":
        """Read the row of the query `CHANGED`."""
        return MemoryChange(row["changed"], row["phrases"], row["before"], row["after"])


def drift(change: MemoryChange, config: CheckConfig) -> Iterator[Breach]:
    """Yield a breach if the memory differs too much from the current one."""
    if change.before >= config.compare_from and change.share > config.max_memory_change:
        advice = f"Compare the sources with those of the last refresh. {_ONCE}"
        limit = config.max_memory_change
        yield Breach("max_memory_change", "the phrase memory", change.share, limit, advice)
