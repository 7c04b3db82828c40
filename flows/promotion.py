"""The gate before production: both models translate the same test sets, then the rules speak."""

import getpass
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from flows.driver import step_window
from flows.opening import snapshot_of
from flows.pipeline import PROMOTE, Refreshed
from flows.settings import Settings
from flows.sources import read_testsets, word_recipe
from flows.training import TrainedModel
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.memory import Snapshot
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.observer import Observer
from tasks.prepare import words
from tasks.promote import gate
from tasks.promote_decide import (
    GATE,
    Judged,
    last_judged,
    must_be_whole,
    promote,
    refuse,
    was_declined,
)
from tasks.promote_models import offered_to, recipe_of
from tasks.promote_proof import known_of
from tasks.recipe import WordRecipe
from tasks.run import Pending, Run
from tasks.step import read_code
from tasks.tag import tag_held_out
from tasks.translate import looked_up, translate
from tasks.window import StepWindow

Outcome = Literal["promoted", "refused", "waits for approval", "in production"]
Lines = Mapping[str, ArtifactRef]
"""The lines of test sets by name."""


@dataclass(frozen=True, slots=True)
class _Contender:
    """A model that translates for the gate."""

    model: ArtifactRef
    recipe: WordRecipe
    """How its words are made."""
    offered: MemoryConfig
    """How it is offered phrases."""

    @staticmethod
    def of(workspace: Workspace, entry: ModelEntry, config: MemoryConfig) -> "_Contender":
        return _Contender(
            entry.ref, recipe_of(workspace, entry), offered_to(workspace, entry, config)
        )


def judged_lines(settings: Settings, lines: Lines) -> Lines:
    """Return the test sets that count: those that are named, or all with the role of a test."""
    named = settings.promotion.testsets or tuple(
        config.name for config in settings.testsets if config.role == "test"
    )
    return {name: lines[name] for name in named}


def judge(
    run: Run,
    settings: Settings,
    candidate: ModelEntry,
    refreshed: tuple[Lines, Snapshot],
    *,
    by_person: bool,
) -> Judged | None:
    """Put a candidate to the test against the model in production; None in a plan.

    Both translate today's test sets, cut into words as each of them knows them, with the same
    phrase memory and the same rules of tagging and decoding. What they translated before is reused.

    Args:
        run: what computes, or plans.
        settings: the limits, and how to tag and decode.
        candidate: the model.
        refreshed: the test sets that count, and the memory of today.
        by_person: whether a person asks for it, who may promote again what was rolled back.

    Raises:
        InputError: a model is damaged.
    """
    workspace, (lines, snapshot) = run.workspace, refreshed
    rival = _in_production(workspace, candidate)
    models = {"candidate": candidate, **({"production": rival} if rival else {})}
    if run.mode != "plan":
        must_be_whole(workspace, models.values())
    # The gate stands at the end of a flow, whatever step the flow began with.
    whole = replace(run, window=StepWindow(run.window.order))
    contenders = {
        which: _Contender.of(workspace, entry, settings.memory) for which, entry in models.items()
    }
    outputs = _translations(whole, settings, contenders, lines, snapshot)
    table = whole.one(
        gate,
        "",
        testsets={
            name: {"lines": ref} | {which: outputs[which, name] for which in models}
            for name, ref in lines.items()
        },
        known=known_of(workspace, candidate, lines, settings.promotion, by_person=by_person),
        limits=settings.promotion.limits,
        style=settings.rules,
    )
    if isinstance(table, Pending):
        return None
    return Judged.of(workspace, candidate, rival.model_id if rival else None, table)


def _in_production(workspace: Workspace, candidate: ModelEntry) -> ModelEntry | None:
    """Return the model that a candidate has to beat; None if there is none, or it is the same."""
    current = workspace.production.current()
    if current in (None, candidate.model_id):
        return None
    return workspace.registry.find(str(current))


def _translations(
    run: Run,
    settings: Settings,
    models: Mapping[str, _Contender],
    lines: Lines,
    snapshot: Snapshot,
) -> dict[tuple[str, str], Any]:
    """Translate every test set with every model; returns tables by model and test set."""
    tagged = _tagged(run, models, lines, snapshot)
    tables = looked_up(settings.decoding, snapshot)
    made = run.all(
        [
            run.prepare(
                translate,
                f"promotion {which} {name}",
                model=models[which].model,
                tagged=ref,
                decoding=settings.decoding,
                **tables,
            )
            for (which, name), ref in tagged.items()
        ]
    )
    return dict(zip(tagged, made, strict=True))


def _tagged(
    run: Run, models: Mapping[str, _Contender], lines: Lines, snapshot: Snapshot
) -> dict[tuple[str, str], Any]:
    """Cut and tag every test set as every model knows words; returns tables by model and set."""
    places = [(which, name) for which in models for name in lines]
    cut = run.all(
        [
            run.prepare(
                words,
                f"promotion {which} {name}",
                raw=lines[name],
                lexicon=models[which].model,
                recipe=models[which].recipe,
            )
            for which, name in places
        ]
    )
    tagged = run.all(
        [
            run.prepare(
                tag_held_out,
                f"promotion {which} {name}",
                words=ref,
                memory=snapshot.tables,
                config=models[which].offered,
            )
            for (which, name), ref in zip(places, cut, strict=True)
        ]
    )
    return dict(zip(places, tagged, strict=True))


def consider(
    run: Run, settings: Settings, trained: Sequence[TrainedModel], refreshed: Refreshed
) -> Judged | None:
    """Put the newly trained model of `[model]` to the test, if the settings ask for it.

    A model that is in production already keeps what was found when it got there. None if nobody
    asks, if the run stops before the gate, in a plan or backfill, and if nothing is known.
    """
    if not settings.promotion.automatic or run.past is not None or run.window.is_after(gate.name):
        return None
    (model,) = [made.model for made in trained if made.system == settings.model.system]
    lines = {item.name: item.lines for item in refreshed.testsets}
    chosen = judged_lines(settings, lines), refreshed.snapshot
    if isinstance(model, Pending):
        coming = _Contender(model, word_recipe(settings), settings.memory)
        _translations(run, settings, {"candidate": coming}, *chosen)
        return None
    candidate = run.workspace.registry.find(model.digest)
    if run.workspace.production.current() == model.digest:
        return last_judged(run.workspace, candidate)
    return judge(run, settings, candidate, chosen, by_person=False)


def settle(run: Run, settings: Settings, judged: Judged | None) -> None:
    """Promote a candidate or leave the old model where it is, record it, and tell it.

    Where a person has to approve, nothing is decided yet.
    """
    if judged is None or run.mode == "plan" or run.window.is_after(PROMOTE):
        return
    run.told["promotion"] = {
        "outcome": _settled(run.workspace, settings, judged),
        "model": judged.candidate.model_id,
        "from": judged.production,
        "rules": judged.rules,
        "reasons": judged.reasons,
        "findings": judged.table.to_json(),
    }


def _settled(workspace: Workspace, settings: Settings, judged: Judged) -> Outcome:
    if workspace.production.current() == judged.candidate.model_id:
        return "in production"
    if judged.rules:
        refuse(workspace, judged, "; ".join(judged.reasons), GATE)
        return "refused"
    if was_declined(workspace, judged):
        return "refused"
    if settings.promotion.approval:
        return "waits for approval"
    promote(workspace, judged, "no rule of the gate speaks against it", GATE)
    return "promoted"


def promote_by_person(
    settings: Settings,
    workspace: Workspace,
    candidate: ModelEntry,
    reason: str,
    *,
    force: bool,
    observer: Observer,
) -> tuple[Judged, bool]:
    """Judge a model and promote it, as a person asks; returns what was found, and if it was.

    Args:
        settings: test sets and limits.
        workspace: the workspace, whose lease is taken.
        candidate: the model.
        reason: the person's.
        force: promote it whatever the rules say.
        observer: who is told what is computed.

    Raises:
        InputError: it is in production already, is damaged, or no memory was published yet.
    """
    if workspace.production.current() == candidate.model_id:
        raise InputError(f"Model {candidate.model_id[:12]} is in production already.")
    read_code()
    snapshot = snapshot_of(workspace, None)
    with workspace.lease():
        run = Run(workspace, step_window(None, None), observer=observer)
        names = [config.name for config in settings.testsets]
        lines = dict(zip(names, read_testsets(run, settings), strict=True))
        chosen = judged_lines(settings, lines), snapshot
        judged = judge(run, settings, candidate, chosen, by_person=True)
        assert judged is not None, "nothing is pending where everything is computed"
        is_promoted = force or not judged.rules
        decide = promote if is_promoted else refuse
        decide(workspace, judged, reason, getpass.getuser())
    return judged, is_promoted
