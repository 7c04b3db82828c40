"""The order of a withdrawal: plan, tombstones, an ordinary refresh, purge, proof, receipt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flows.driver import step_window
from flows.settings import Settings
from flows.source_files import find_corpus, find_file
from flows.sources import corpus_reading, dictionary_reading
from flows.stages import evaluate_stages
from flows.workspaces import last_read
from storage.datasets import ArtifactRef
from storage.errors import InputError, WorkspaceError
from storage.lineage import lineage_of
from storage.memory import Snapshot
from storage.step_cache import StepCache
from storage.workspace import Workspace
from tasks import withdraw as work
from tasks import withdraw_state as state
from tasks.arguments import references, result_from_json
from tasks.lineage.withdrawal import Receipt, WithdrawalPlan
from tasks.observer import Silent
from tasks.run import Run
from tasks.step import StepCall, key_of
from tasks.withdraw_counts import plan_of
from tasks.withdraw_plan import Current, Found, find_rows, models_of
from tasks.withdraw_target import find_target

Rebuild = Callable[[], Mapping[str, Any]]
"""Refreshes the memory; returns how many calls were `computed` and `reused`."""


@dataclass
class _Collector(Silent):
    calls: list[StepCall[Any]] = field(default_factory=list)

    def planned(self, call: StepCall[Any], reasons: Any) -> None:
        if not reasons:
            self.calls.append(call)


@dataclass(frozen=True, slots=True)
class Planned:
    """A withdrawal before it is done."""

    settings: Settings
    workspace: Workspace
    named: str
    """As the person named it."""
    found: Found
    plan: WithdrawalPlan
    cleared: frozenset[str]
    """Readings that hold nothing of it."""
    snapshot: Snapshot | None


def plan_withdrawal(settings: Settings, workspace: Workspace, named: str) -> Planned:
    """Find what a name stands for, and what would become of it.

    Raises:
        InputError: nothing is called so, or nothing would be left to mine.
    """
    graph, snapshot = lineage_of(workspace), workspace.memory.head()
    target = find_target(workspace, graph, snapshot, named)
    current, labels = current_state(settings, workspace)
    found = find_rows(workspace, graph, snapshot, current, target)
    earlier = state.begun(workspace, named)
    if earlier is not None and not earlier.finished:
        ids = sorted({*found.phrase_ids, *earlier.phrase_ids})
        found = replace(found, phrase_ids=tuple(ids))
    _must_leave_pairs(current, found)
    plan = plan_of(workspace, graph, snapshot, current, found)
    readings = _readings(settings)
    step = "ingest" if target.of_corpus else "dictionary"
    readings.pop(f"{step} {target.provider}", None)
    cleared = frozenset(key for label, key in readings.items() if label in labels)
    return Planned(settings, workspace, named, found, plan, cleared, snapshot)


def _must_leave_pairs(current: Current, found: Found) -> None:
    read = sum(ref.rows for ref in current.sources if ref.kind == "raw_pairs")
    if found.target.of_corpus and read and read == found.num_current:
        raise InputError(
            f"Without {found.target.name} no sentence pair is left to mine. Remove the workspace "
            "instead, or add another [[corpus]] and refresh first."
        )


def current_state(settings: Settings, workspace: Workspace) -> tuple[Current, set[str]]:
    """Return what is up to date with the settings, and the labels of its calls.

    Raises:
        InputError: a source of the settings is not there.
    """
    collector = _Collector()
    run = Run(workspace, step_window(None, None), mode="plan", observer=collector)
    report = evaluate_stages(run, settings)
    cache, refs, keys = StepCache(workspace.root), set[ArtifactRef](), set[str]()
    for call in collector.calls:
        key = key_of(call.step.name, call.facts())
        entry = cache.get(call.step.name, key)
        refs.update(references(call.arguments))
        refs.update(references(result_from_json(entry.result)) if entry else ())
        # What was accepted under the code of now is the run that was computed then.
        keys.add(entry.record.get("accepted_of", key) if entry else key)
    refs.update([report] if isinstance(report, ArtifactRef) else [])
    current = Current(frozenset(refs), frozenset(keys), last_read(run, settings))
    return current, {call.label for call in collector.calls}


def _readings(settings: Settings) -> dict[str, str]:
    """Return the key of each reading of the settings by the label of its call."""
    readings = {
        f"ingest {config.name}": corpus_reading(config, find_corpus(settings, config))
        for config in settings.corpora
    }
    return readings | {
        f"dictionary {config.name}": dictionary_reading(config, find_file(settings, config.path))
        for config in settings.dictionaries
    }


def withdraw(
    planned: Planned,
    asked_by: work.Asked,
    rebuild: Rebuild,
    *,
    purge_models: bool = False,
    demote: work.Demote = work.keep_production,
) -> tuple[Receipt, list[Path]]:
    """Do a withdrawal, or what is left of one that was interrupted; the caller holds the lease.

    Returns the receipt and its files.

    Raises:
        WorkspaceError: the memory was rolled back, so that its current state still holds the text.
    """
    workspace, found, graph = planned.workspace, planned.found, lineage_of(planned.workspace)
    models = models_of(workspace, graph, planned.snapshot, found)
    before = work.phrase_ids_of(workspace, planned.snapshot) | set(found.phrase_ids)
    named, earlier = planned.named, state.begun(workspace, planned.named)
    record = work.begin(workspace, graph, found, asked_by, named=named, cleared=planned.cleared)
    marked, demoted = work.mark_models(workspace, models, record, demote)
    rebuilt = rebuild()
    lost = sorted(before - work.phrase_ids_of(workspace, workspace.memory.head()))
    refs = _to_purge(planned, lost, models=purge_models)
    files = work.purge(workspace, named, record, refs)
    going = [*_of_earlier(earlier), *state.purged_by(record), *refs]
    workspace.share()  # so that what is left in a bucket is what the index names, and strays
    proof = work.prove(workspace, found, _alone(found, lost), going)
    receipt = Receipt(
        withdrawn=found.target.name,
        kind=found.target.kind,
        reason=asked_by.reason,
        author=asked_by.author,
        time=record.time,
        record=record.sequence,
        rows=len(found.rows),
        phrases=tuple(lost),
        removed=tuple(ref.to_json() for ref in dict.fromkeys(going)),
        files=(*(earlier.files if earlier else ()), *record.body["purged_files"], *files),
        models_marked=marked,
        models_removed=tuple(ref.digest for ref in refs if ref.kind == "model"),
        models_demoted=demoted,
        exports=planned.plan.exports,
        rebuilt={name: rebuilt[name] for name in ("computed", "reused")},
        **proof,
    )
    paths = state.write_receipt(workspace, receipt)
    work.finish(workspace, named, receipt, going)
    return receipt, paths


def finish_withdrawal(workspace: Workspace, named: str) -> tuple[Receipt, list[Path]] | None:
    """Do what is left of a withdrawal whose receipt was written; the caller holds the lease.

    Returns the receipt and its files; None if there is no such withdrawal.
    """
    earlier = state.begun(workspace, named)
    if earlier is None or earlier.receipt is None:
        return None
    receipt = state.read_receipt(earlier.receipt)
    work.finish(workspace, named, receipt, earlier.purged)
    return receipt, [earlier.receipt, earlier.receipt.with_suffix(".md")]


def _of_earlier(earlier: state.Begun | None) -> tuple[ArtifactRef, ...]:
    return earlier.purged if earlier is not None and not earlier.finished else ()


def _to_purge(planned: Planned, lost: list[str], *, models: bool) -> list[ArtifactRef]:
    """Return what has to go now that the memory was rebuilt; a phrase leaves its text behind."""
    workspace, found = planned.workspace, planned.found
    current, _ = current_state(planned.settings, workspace)
    _must_be_current(workspace.memory.head(), current)
    if found.target.kind == "phrase":
        return []
    alone = _alone(found, lost)
    return work.to_purge(workspace, lineage_of(workspace), found, current, alone, models=models)


def _alone(found: Found, lost: list[str]) -> list[str]:
    """Return the phrases that are gone and rested on the target alone: nothing may name them."""
    return sorted(set(lost) & set(found.phrase_ids))


def _must_be_current(head: Snapshot | None, current: Current) -> None:
    if head is not None and head.phrases not in current.refs:
        raise WorkspaceError(
            "The phrase memory was rolled back to a snapshot that may rest on what is withdrawn, "
            "and stays there. Choose the newest snapshot with `phrasenet memory rollback`, then "
            "withdraw again; nothing was purged yet."
        )
