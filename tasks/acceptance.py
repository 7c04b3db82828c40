"""A person's claim that a change of a step's code does not matter: checked, recorded, obeyed.

The claim is never believed without a look: some calls are computed again with the code of today,
aside from the workspace, and must give the same content.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef, Manifest
from storage.errors import InputError
from storage.schemas import SCHEMAS
from storage.step_cache import CacheEntry, StepCache
from storage.workspace import Workspace
from tasks.arguments import references, result_from_json, result_to_json
from tasks.history import ACCEPT, History
from tasks.step import StepCall, key_of, recompute

_PARTS = ("settings", "inputs", "versions", "schemas")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Claim:
    """One call whose code changed, and nothing else."""

    call: StepCall[Any]
    key: str
    """Of the call as it is now."""
    entry: CacheEntry
    """What it gave with the code before."""
    of: str
    """Key of the run that computed it."""

    @property
    def code(self) -> str:
        """Return the digest of the code of now."""
        return self.call.step.fingerprint().digest


def claim_of(workspace: Workspace, history: History, call: StepCall[Any]) -> Claim:
    """Make a claim about a call that would run.

    Raises:
        InputError: it never ran, its result is gone, or more than its code changed.
    """
    before = history.last_by_label.get(call.label)
    cache = StepCache(workspace.root)
    entry = cache.get(call.step.name, before["key"]) if before is not None else None
    if before is None or entry is None:
        raise InputError(
            f"{call.label}: there is no earlier result that could stand for today's. Run "
            f"`phrasenet run --from {call.step.name}`."
        )
    facts = call.facts()
    changed = [part for part in _PARTS if facts[part] != entry.record[part]]
    if changed:
        raise InputError(
            f"{call.label}: not only its code changed, but also its {' and '.join(changed)}; only "
            f"a change of code can be accepted. `phrasenet status --why {call.step.name}` names "
            "all; run the step."
        )
    for ref in references(result_from_json(entry.result)):
        broken = workspace.why_broken(ref)
        if broken is not None:
            raise InputError(f"{call.label}: its result is damaged ({broken}). Run the step.")
    of = str(entry.record.get("accepted_of", entry.record["key"]))
    return Claim(call, key_of(call.step.name, facts), entry, of)


def sample(claims: Sequence[Claim], number: int) -> list[Claim]:
    """Choose calls to compute again, in an order that nobody can foresee and anybody can repeat."""
    return sorted(claims, key=lambda claim: hashlib.sha256(claim.key.encode()).digest())[:number]


def check(workspace: Workspace, claim: Claim) -> None:
    """Compute a call again with the code of now, and compare.

    Raises:
        InputError: the content differs, or cannot be compared; names the first difference.
    """
    before = result_from_json(claim.entry.result)
    for ref in references(before):
        if Manifest.read(workspace.folder_of(ref)).reproducibility == "none":
            raise InputError(
                f"{claim.call.label}: its {ref.kind} comes out differently each time, so nothing "
                "can be checked. Run the step."
            )
    with workspace.aside() as aside:
        _lend(workspace, aside, claim.call)
        now = recompute(aside, claim.call)
        if result_to_json(now) == claim.entry.result:
            return
        difference = next(_differences(workspace, aside, before, now), "another number of results")
    raise InputError(
        f"{claim.call.label}: computed again, it gave something else: {difference}. The change "
        f"matters; run `phrasenet run --from {claim.call.step.name}`."
    )


def _lend(workspace: Workspace, aside: Workspace, call: StepCall[Any]) -> None:
    """Show the inputs of a call, and the key of the workspace, to another workspace."""
    places = [workspace.folder_of(ref) for ref in references(dict(call.arguments))]
    for path in (*places, workspace.root / "ledger" / "key"):
        link = aside.root / path.relative_to(workspace.root)
        if path.exists() and not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path.resolve())


def _differences(workspace: Workspace, aside: Workspace, before: Any, now: Any) -> Iterator[str]:
    old, new = references(before), references(now)
    for was, is_now in zip(old, new, strict=False):
        if was != is_now:
            yield _difference(workspace, aside, was, is_now)
    if not old and not new:
        yield f"was {before!r}, is {now!r}"


def _difference(workspace: Workspace, aside: Workspace, was: ArtifactRef, now: ArtifactRef) -> str:
    """Name the first row, or the first file, in which two artifacts differ."""
    if was.kind != now.kind or was.kind not in SCHEMAS:
        return f"{was.kind}: {_other_file(workspace.folder_of(was), aside.folder_of(now))}"
    pairs = zip_longest(workspace.read_rows(was), aside.read_rows(now))
    for number, (old, new) in enumerate(pairs, start=1):
        if old is None or new is None:
            return f"{was.kind} had {was.rows:,} rows and has {now.rows:,}"
        for name in old:
            if old[name] != new[name]:
                place = ", ".join(f"{key} {old[key]}" for key in SCHEMAS[was.kind].sort_by)
                return (
                    f"{was.kind}, row {number} ({place[:_SHOWN]}): {name} was "
                    f"{_shown(old[name])}, is {_shown(new[name])}"
                )
    return f"{was.kind} has another digest"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _other_file(was: Path, now: Path) -> str:
    files = [{part.name: part.sha256 for part in Manifest.read(at).parts} for at in (was, now)]
    changed = sorted(
        name
        for name in files[0].keys() | files[1].keys()
        if files[0].get(name) != files[1].get(name)
    )
    return f"its file {changed[0]} differs" if changed else "its description differs"


def record(
    workspace: Workspace,
    claims: Sequence[Claim],
    checked: Sequence[Claim],
    asked: tuple[str, str],
) -> None:
    """Record the decision, and let the earlier results count under the code of now.

    Args:
        workspace: the workspace, whose lease the caller holds.
        claims: the calls of one step.
        checked: those that were computed again, with the same result.
        asked: who claims it, and why.
    """
    ledger, (author, reason) = workspace.ledger, asked
    for claim in claims:
        ledger.keep_code(claim.code, claim.call.step.fingerprint().functions)
    ledger.append(
        "decision",
        {
            "decision": ACCEPT,
            "step": claims[0].call.step.name,
            "author": author,
            "reason": reason,
            "calls": [
                {"label": claim.call.label, "key": claim.key, "of": claim.of, "code": claim.code}
                for claim in claims
            ],
            "checked": [claim.call.label for claim in checked],
        },
    )
    cache = StepCache(workspace.root)
    for claim in claims:
        changes: Mapping[str, Any] = {"key": claim.key, "code": claim.code, "accepted_of": claim.of}
        entry = CacheEntry({**claim.entry.record, **changes}, claim.entry.result)
        cache.put(claim.call.step.name, claim.key, entry)
