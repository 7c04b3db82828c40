"""The step that counts what a refresh made, and the checks before its memory becomes current."""

from collections.abc import Iterable

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.memory import Snapshot
from storage.workspace import Source, Workspace
from tasks.checks.config import CheckConfig
from tasks.checks.queries import ALL_NEW, CHANGED, MEASURED
from tasks.checks.verdicts import Breach, Measure, MemoryChange, breaches, changes, drift
from tasks.step import step


class ChecksFailed(InputError):
    """A refresh breached a limit of `[checks]`; the current memory stays."""


@step(writes=("checks",), libraries=("duckdb",))
def check(
    workspace: Workspace,
    *,
    raw: tuple[ArtifactRef, ...],
    pairs: tuple[ArtifactRef, ...],
    links: tuple[ArtifactRef, ...],
    phrases: ArtifactRef,
    evidence: ArtifactRef,
) -> ArtifactRef:
    """Count rows, and what is empty or out of range, in what a refresh made.

    Args:
        workspace: where the tables are.
        raw: pairs as they were read.
        pairs: the fit ones.
        links: of the fit ones.
        phrases: the phrase memory.
        evidence: what speaks for it.
    """
    tables: dict[str, Source] = {
        "raw": raw,
        "pairs": pairs,
        "links": links,
        "phrases": phrases,
        "evidence": evidence,
    }
    return workspace.write_query("checks", MEASURED, tables)


def measures_of(workspace: Workspace, checks: ArtifactRef) -> list[Measure]:
    """Return the counts of a table `checks`."""
    return [Measure(**row) for row in workspace.read_rows(checks)]


def last_published(workspace: Workspace) -> ArtifactRef | None:
    """Return the counts of the last publication; None if there was none, or they are gone."""
    for record in workspace.ledger.newest_first():
        if record.kind == "publish":
            value = record.body.get("checks")
            ref = ArtifactRef.from_json(value) if value else None
            return ref if ref is not None and workspace.holds(ref) else None
    return None


def memory_change(workspace: Workspace, before: Snapshot | None, after: Snapshot) -> MemoryChange:
    """Compare the phrases in use of two snapshots; without the first, all are new."""
    if before is None or not workspace.holds(before.phrases):
        return MemoryChange.of(workspace.query(ALL_NEW, {"after": after.phrases})[0])
    tables = {"before": before.phrases, "after": after.phrases}
    return MemoryChange.of(workspace.query(CHANGED, tables)[0])


def must_pass(workspace: Workspace, checks: ArtifactRef, config: CheckConfig) -> None:
    """Refuse a refresh whose data breach a limit.

    Raises:
        ChecksFailed: they do.
    """
    _refuse(breaches(measures_of(workspace, checks), config))


def drift_of(
    workspace: Workspace,
    checks: ArtifactRef,
    head: Snapshot | None,
    snapshot: Snapshot,
    config: CheckConfig,
) -> list[Breach]:
    """Return how a memory differs from the current one, and its data from those of then, as far as
    `[checks] tell_from` makes it worth telling; what is beyond its limit is among it.

    Args:
        workspace: where the tables are.
        checks: what was counted in the refresh.
        head: the current snapshot, if there is one.
        snapshot: what is to take its place.
        config: the limits.
    """
    found: list[Breach] = []
    share = config.tell_from
    before = last_published(workspace)
    if before is not None:
        counts = measures_of(workspace, before), measures_of(workspace, checks)
        found += changes(*counts, config, share=share)
    if head is not None:
        found += drift(memory_change(workspace, head, snapshot), config, share=share)
    return found


def must_resemble(found: Iterable[Breach]) -> None:
    """Refuse a memory that drifted too far.

    Args:
        found: of `drift_of`.

    Raises:
        ChecksFailed: something is beyond its limit.
    """
    _refuse(item for item in found if item.value > item.limit)


def _refuse(found: Iterable[Breach]) -> None:
    listed = [str(breach) for breach in found]
    if listed:
        first = "The phrase memory stays as it was: "
        raise ChecksFailed(first + "\nAlso: ".join(listed))
