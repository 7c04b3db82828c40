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
    detail: str = ""
    """The numbers behind the value, where it is a share."""

    @property
    def fact(self) -> str:
        """Return what was found, without advice."""
        detail = f": {self.detail}" if self.detail else ""
        return (
            f"check {self.check} of {self.subject} is {self.value:g}, and [checks] allows "
            f"{self.limit:g}{detail}."
        )

    def __str__(self) -> str:
        """Return what was found and what to do, for the log, the message and a notification."""
        return f"{self.fact} {self.advice}"


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
    before: Iterable[Measure], after: Iterable[Measure], config: CheckConfig, *, share: float = 1.0
) -> Iterator[Breach]:
    """Yield what is wrong with a refresh beside the last one that was published.

    A corpus that is new, or that the settings do not name any more, is no breach.

    Args:
        before: counts of the last publication.
        after: counts of this refresh.
        config: the limits.
        share: of the limits, from which on a change is yielded.
    """
    known = {(item.name, item.subject): item for item in before}
    for item in after:
        old = known.get((item.name, item.subject))
        if old is None or old.whole < config.compare_from:
            continue
        if item.name == "rows":
            found = _rows_lost(old, item, config)
        elif item.name == "dropped":
            found = _dropped_more(old, item, config)
        else:
            continue
        if found.value > share * found.limit:
            yield found


def _rows_lost(old: Measure, new: Measure, config: CheckConfig) -> Breach:
    lost = 1 - new.part / old.part if old.part else 0.0
    detail = f"{old.part:,} rows before, {new.part:,} now"
    advice = f"{_SOURCE} {_ONCE}"
    return Breach("max_rows_lost", new.subject, lost, config.max_rows_lost, advice, detail)


def _dropped_more(old: Measure, new: Measure, config: CheckConfig) -> Breach:
    more = new.share - old.share
    before, now = (f"{item.part:,} of {item.whole:,} rows" for item in (old, new))
    detail = f"{before} were set aside before, {now} now"
    advice = f"{_DROPPED} {_ONCE}"
    return Breach("max_dropped_more", new.subject, more, config.max_dropped_more, advice, detail)


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

    def __str__(self) -> str:
        """Return the counts as a sentence has them."""
        new, gone = self.phrases - self.before, self.phrases - self.after
        return (
            f"of {self.phrases:,} phrases in use before or after, {new:,} are new, {gone:,} gone "
            f"and {self.changed - new - gone:,} translated in another way"
        )

    @staticmethod
    def of(row: Mapping[str, int]) -> "MemoryChange":
        """Read the row of the query `CHANGED`."""
        return MemoryChange(row["changed"], row["phrases"], row["before"], row["after"])


def drift(change: MemoryChange, config: CheckConfig, *, share: float = 1.0) -> Iterator[Breach]:
    """Yield a breach if the memory differs too much from the current one.

    Args:
        change: how it differs.
        config: the limits.
        share: of the limit, from which on it is yielded.
    """
    limit = config.max_memory_change
    if change.before >= config.compare_from and change.share > share * limit:
        advice = f"Compare the sources with those of the last refresh. {_ONCE}"
        subject = "the phrase memory"
        yield Breach("max_memory_change", subject, change.share, limit, advice, str(change))
