"""The systems that are no networks: their training, their translations, and what is recorded of
them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flows.settings import Settings
from storage.datasets import ArtifactRef
from tasks.moses import moses_train, moses_translate
from tasks.run import Run
from tasks.smt.config import SMT, SMT_SYSTEMS
from tasks.smt_train import smt_table, smt_tune
from tasks.smt_translate import smt_record, smt_translate

if TYPE_CHECKING:
    from flows.analyses import SystemOnTest
    from flows.pipeline import Refreshed


@dataclass(frozen=True, slots=True)
class Statistical:
    """What a system that is no network has beside its model."""

    table: ArtifactRef | None
    """Phrase table with language model; Moses keeps its own in its model."""
    vocabulary: ArtifactRef | None
    """Words that the networks know, whose units are words."""


def train_statistical(
    run: Run, settings: Settings, refreshed: "Refreshed", systems: Sequence[str]
) -> dict[str, tuple[ArtifactRef, ArtifactRef | None, ArtifactRef | None]]:
    """Train those of some systems that are no networks.

    Returns:
        By system its model, its log and its phrase table; None where it has none.
    """
    pairs, links = refreshed.pairs, refreshed.links
    dev = tuple((item.words, item.lines) for item in refreshed.testsets if item.role == "dev")
    made: dict[str, tuple[ArtifactRef, ArtifactRef | None, ArtifactRef | None]] = {}
    for system in (each for each in systems if each in SMT_SYSTEMS):
        lowercase = settings.text.lowercase
        if system == SMT:
            table = run.one(smt_table, "", pairs=pairs, links=links, config=settings.smt)
            tuned = run.one(
                smt_tune, "", table=table, dev=dev, config=settings.smt, lowercase=lowercase
            )
            made[system] = tuned[0], tuned[1], table
        else:
            model = run.one(moses_train, "", pairs=pairs, links=links, dev=dev, lowercase=lowercase)
            made[system] = model, None, None
    return made


def translate_statistical(
    run: Run, settings: Settings, pairs: Sequence["SystemOnTest"]
) -> Iterator[ArtifactRef]:
    """Translate the test sets of systems that are no networks; yields in the order of `pairs`."""
    own = run.all(
        [
            run.prepare(
                smt_translate,
                pair.label,
                model=pair.made.model,
                table=pair.made.statistical.table,
                tagged=pair.tagged,
                config=settings.smt,
            )
            for pair in pairs
            if pair.made.statistical and pair.made.statistical.table
        ]
    )
    moses = run.all(
        [
            run.prepare(moses_translate, pair.label, model=pair.made.model, tagged=pair.tagged)
            for pair in pairs
            if pair.made.statistical and not pair.made.statistical.table
        ]
    )
    found = {True: iter(own), False: iter(moses)}
    for pair in pairs:
        if pair.made.statistical:
            yield next(found[pair.made.statistical.table is not None])


def record_statistical(
    run: Run, pairs: Sequence["SystemOnTest"], translated: Sequence[ArtifactRef]
) -> list[ArtifactRef]:
    """Record the words of systems that are no networks, in the order of `pairs`."""
    return run.all(
        [
            run.prepare(
                smt_record,
                pair.label,
                tagged=pair.tagged,
                translations=output,
                vocabulary=pair.made.statistical.vocabulary,
            )
            for pair, output in zip(pairs, translated, strict=True)
            if pair.made.statistical
        ]
    )
