"""The training of all systems on the same tagged sentences and words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flows.licences import source_licences
from flows.pipeline import HeldOut, Refreshed, Tagged
from flows.settings import Settings
from flows.sources import word_recipe
from flows.statistical import Statistical, train_statistical
from storage.datasets import ArtifactRef
from tasks.casing import casing
from tasks.run import Run
from tasks.smt.config import SMT_SYSTEMS
from tasks.train import train, vocabulary
from tasks.units import in_units, learn_units


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A system and the model that was trained for it."""

    system: str
    model: ArtifactRef
    log: ArtifactRef | None
    """What the training, or the tuning, went through; Moses tells nothing."""
    statistical: Statistical | None = None
    """None for a network."""


def train_systems(
    run: Run, settings: Settings, refreshed: Refreshed, tagged: Tagged
) -> tuple[TrainedModel, ...]:
    """Train all systems of the settings on the same sentences and words."""
    training, held_out, extra = _in_units(run, settings, refreshed, tagged)
    known = run.one(
        vocabulary,
        "",
        tagged=training,
        source_size=settings.model.source_vocabulary,
        target_size=settings.model.target_vocabulary,
    )
    forms = run.one(casing, "", pairs=refreshed.pairs, entries=refreshed.writing.entries)
    dev = {
        "tagged": tuple(ref for item, ref in held_out if item.role == "dev"),
        "texts": _dev_texts(settings, tagged.held_out),
    }
    tables = (known, forms, refreshed.writing.lexicon, *extra)
    trained = _train_networks(run, settings, training, dev, tables)
    for item in trained.values():
        label = f"train {item.system}"
        run.register(label, item.model, item.system, refreshed.snapshot, source_licences(settings))
    words = None if word_recipe(settings).has_units else known
    others = train_statistical(run, settings, refreshed, settings.systems)
    for system, (model, log, table) in others.items():
        trained[system] = TrainedModel(system, model, log, Statistical(table, words))
    return tuple(trained[system] for system in settings.systems)


def _train_networks(
    run: Run,
    settings: Settings,
    training: tuple[ArtifactRef, ...],
    dev: Mapping[str, Any],
    words: tuple[ArtifactRef, ...],
) -> dict[str, TrainedModel]:
    """Train the networks among the systems, side by side."""
    systems = [system for system in settings.systems if system not in SMT_SYSTEMS]
    calls = [
        run.prepare(
            train,
            system,
            tagged=training,
            dev=dev,
            words=words,
            recipe=word_recipe(settings),
            configs=(settings.model_of(system), settings.training),
        )
        for system in systems
    ]
    # Several machines meet at one address, for one training after the other.
    side_by_side = [calls] if settings.training.nodes == 1 else [[call] for call in calls]
    made = [result for some in side_by_side for result in run.all(some)]
    return {
        system: TrainedModel(system, result[0], result[1])
        for system, result in zip(systems, made, strict=True)
    }


def _dev_texts(
    settings: Settings, held_out: HeldOut
) -> tuple[tuple[ArtifactRef, ArtifactRef], ...]:
    """Return the dev sets in words and their lines, if the training translates them."""
    if settings.training.best_by != "bleu":
        return ()
    return tuple((ref, item.lines) for item, ref in held_out if item.role == "dev")


def _in_units(
    run: Run, settings: Settings, refreshed: Refreshed, tagged: Tagged
) -> tuple[tuple[ArtifactRef, ...], HeldOut, tuple[ArtifactRef, ...]]:
    """Bring tagged sentences to the units of the settings; returns also what codes them.

    Test sets stay in words: the step that translates brings them to the units of its model.
    """
    recipe = word_recipe(settings)
    if not recipe.has_units:
        return tagged.training, tagged.held_out, ()
    learned = run.one(
        learn_units,
        "",
        pairs=refreshed.pairs,
        recipe=recipe,
        num_subwords=settings.text.num_subwords,
    )
    dev = [(item, ref) for item, ref in tagged.held_out if item.role == "dev"]
    labelled = [
        (f"training {number}/{len(tagged.training)}", ref)
        for number, ref in enumerate(tagged.training, start=1)
    ] + [(item.name, ref) for item, ref in dev]
    coded = run.all(
        [
            run.prepare(in_units, label, tagged=ref, units=learned, recipe=recipe)
            for label, ref in labelled
        ]
    )
    shards = len(tagged.training)
    held_out = tuple((item, ref) for (item, _), ref in zip(dev, coded[shards:], strict=True))
    return tuple(coded[:shards]), held_out, (learned,)
