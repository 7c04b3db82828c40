"""All that a report shows, as it was read from the tables of an evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.rating.shown import ShownRatings
from tasks.reports.provenance import Source
from tasks.reports.sentence_data import ShownTestset

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SpeedMeasured:
    """How fast a system translated a test set, as the record of that step measured it."""

    testset: str
    system: str
    sentences: int
    words: int
    """Words of the translations."""
    seconds: float
    """Wall time of the whole step, with loading the model."""


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What is known of one trained system."""

    system: str
    model_id: str
    parameters: int
    """Numbers in the weights; 0 for what is no network."""
    log: Rows
    """Training log: `step`, `epoch`, `loss`, `target_words`, `dev_loss`."""
    training: Mapping[str, Any]
    """Record of the training in the ledger; empty if there is none."""


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """All that the page shows; rows are those of the tables of the same name."""

    title: str
    baseline: str
    """The system that others are compared with; an empty text without one."""
    systems: Sequence[SystemFacts]
    scores: Rows
    comparisons: Rows = ()
    measures: Rows = ()
    ngrams: Rows = ()
    phrase_use: Rows = ()
    lengths: Rows = ()
    gates: Rows = ()
    scaling: Rows = ()
    memory: Sequence[tuple[str, str, int]] = ()
    """Active phrases: category, origin, count."""
    ratings: ShownRatings = field(default_factory=ShownRatings)
    """What people said of these translations."""
    gate: Rows = ()
    """What the gate before production found, if it was asked."""
    speeds: Sequence[SpeedMeasured] = ()
    sentences: Sequence[ShownTestset] = ()
    sources: Mapping[tuple[str, str], Sequence[Source]] = field(default_factory=dict)
    """What each kind of rows was read from, by the name of the field here and the test set; the
    latter is empty for what belongs to none."""

    @property
    def testsets(self) -> list[str]:
        """Return the test sets in their order."""
        return list(dict.fromkeys(row["testset"] for row in self.scores))

    @property
    def names(self) -> list[str]:
        """Return the systems in their order."""
        return [facts.system for facts in self.systems]

    @property
    def main(self) -> str:
        """Return the system that the report is about: the last one that is not the baseline."""
        others = [name for name in self.names if name != self.baseline]
        return (others or self.names)[-1]

    def read_from(self, *names: str, testset: str = "") -> list[Source]:
        """Return the artifacts of some kinds of rows, of one test set or of all."""
        return [
            source
            for wanted in names
            for (name, where), found in self.sources.items()
            if name == wanted and testset in ("", where)
            for source in found
        ]


def of(rows: Rows, **wanted: Any) -> list[Mapping[str, Any]]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]
