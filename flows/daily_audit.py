"""What a daily audit looks at: records and files, licences, decontamination, and results made again
if asked. The checks are in `tasks`; here they are put in order.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import flows.stages  # noqa: F401 - defines all steps, so that results can be made again
from flows.driver import step_window
from flows.licences import check_licences
from flows.rebuild import files_of
from flows.settings import Settings
from flows.workspaces import last_read
from storage.errors import ConfigError
from storage.files import write_bytes
from storage.lineage import Lineage, lineage_of
from storage.moments import shown
from storage.workspace import Workspace
from tasks.audit_decontamination import contaminations, held_out_index, learners
from tasks.audit_models import licences_of
from tasks.lineage.audit_report import Check, audit_report
from tasks.rebuild import Rebuilt, rebuild, rebuildable, sampled
from tasks.run import Run
from tasks.verify import verify_workspace

REPORTS = Path("reports") / "audits"


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit found."""

    checks: tuple[Check, ...]
    text: str
    """The page."""
    path: Path
    """Where it was written."""


def audit(settings: Settings, workspace: Workspace, *, sample: str, seed: int) -> Audited:
    """Look at everything and write the page.

    Args:
        settings: of the workspace.
        workspace: what is audited.
        sample: which results are made again, as `phrasenet audit verify --rebuild` takes it; empty
            for none.
        seed: draws the sample.
    """
    now = datetime.datetime.now(datetime.UTC)
    checks = tuple(_checks(settings, workspace, sample, seed))
    ledger = workspace.ledger.digest()
    text = audit_report(checks, time=shown(now.isoformat()), ledger=ledger)
    path = workspace.root / REPORTS / f"audit-{now:%Y-%m-%dT%H%M%S}.md"
    write_bytes(path, text.encode("utf-8", "replace"))
    return Audited(checks, text, path)


def _checks(settings: Settings, workspace: Workspace, sample: str, seed: int) -> Iterator[Check]:
    graph = lineage_of(workspace)
    yield _records(workspace, graph)
    yield _licences(settings, workspace)
    yield _decontamination(settings, workspace, graph)
    if sample:
        yield rebuilding(rebuild_sample(settings, workspace, sample, seed), seed)


def _records(workspace: Workspace, graph: Lineage) -> Check:
    artifacts = sum(node.ref is not None for node in graph.nodes.values())
    last = workspace.ledger.last()
    records = 0 if last is None else last.sequence + 1
    seals = len(workspace.seals.all())
    looked_at = f"{records:,} records, {artifacts:,} artifacts, {seals:,} seals"
    unsealed = () if seals else ("Nothing is sealed. `phrasenet audit seal` seals what is there.",)
    return Check("Records and files", looked_at, tuple(verify_workspace(workspace)), unsealed)


def _licences(settings: Settings, workspace: Workspace) -> Check:
    """Check the sources of the settings, and each model that is kept."""
    findings, notes = [], []
    try:
        check_licences(settings)
    except ConfigError as error:
        findings.append(str(error))
    models = [entry for entry in workspace.registry.entries() if workspace.holds(entry.ref)]
    for entry in models:
        verdict, named = licences_of(entry), f"model {entry.model_id[:12]} ({entry.system})"
        findings += [f"{named}: {conflict}" for conflict in verdict.conflicts]
        if verdict.unknown:
            notes.append(
                f"{named}: nothing is known of the licence {', '.join(map(repr, verdict.unknown))}."
            )
        for mark in workspace.registry.marks(entry.model_id):
            notes.append(
                f"{named} was trained on what was withdrawn on {mark.time[:10]} "
                f"(record {mark.record}): {mark.reason}."
            )
    sources = len(settings.corpora) + len(settings.dictionaries)
    looked_at = f"{sources:,} sources, {len(models):,} models"
    return Check("Licences", looked_at, tuple(findings), tuple(notes))


def _decontamination(settings: Settings, workspace: Workspace, graph: Lineage) -> Check:
    """Look up all pairs that the memory and the models learned from in the test sets of today."""
    run = Run(workspace, step_window(None, None), mode="plan")
    lines = [ref for ref in last_read(run, settings) if ref.kind == "test_lines"]
    learned = learners(workspace, graph, workspace.memory.head())
    text = settings.text
    index = held_out_index(workspace, graph, lines, text.overlap_words)
    kinds = ("whole",) if text.decontaminate == "whole" else ("whole", "run")
    found = tuple(
        f"{item.learned} learned from {len(item.pair_ids):,} pairs that stand in {item.testset}, "
        f"such as pair {item.pair_ids[0]}"
        for item in contaminations(workspace, learned, index, kinds)
    )
    pairs = sum(ref.rows for ref in {ref for item in learned for ref in item.pairs})
    looked_at = f"{pairs:,} pairs against {sum(ref.rows for ref in lines):,} held-out sentences"
    if text.decontaminate == "off":
        off = ('[text] decontaminate is "off", so that this is no finding.',) if found else ()
        return Check("Decontamination", looked_at, notes=(*found, *off))
    return Check("Decontamination", looked_at, found)


def rebuild_sample(
    settings: Settings, workspace: Workspace, sample: str, seed: int
) -> list[Rebuilt]:
    """Make a sample of the results again.

    Raises:
        InputError: the sample means nothing.
    """
    made = sampled(rebuildable(workspace), sample, seed)
    return list(rebuild(workspace, made, files_of(settings)))


def rebuilding(results: list[Rebuilt], seed: int) -> Check:
    """Return what a rebuild found as a check."""
    outcomes = [item.outcome for item in results]
    looked_at = f"{outcomes.count('equal'):,} of {len(results):,} results made again, seed {seed}"
    return Check(
        "Rebuilding",
        looked_at,
        tuple(map(str, (item for item in results if item.outcome == "differs"))),
        tuple(map(str, (item for item in results if item.outcome == "not rebuilt"))),
    )
