"""Make results again from what the ledger says of them, and compare: the strongest proof that a
workspace is what its records say.

A result is made again in a folder of its own, from the inputs that its record names, without any
earlier result to start from. It can be made again only by the code and the libraries that made it;
what can be expected then is what its manifest says: every row (`exact`), every row on the same kind
of machine (`same-machine`), or nothing (`none`).
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from storage.datasets import ArtifactRef, Manifest
from storage.differences import first_difference
from storage.errors import InputError, PhrasenetError
from storage.workspace import Workspace
from tasks import usage
from tasks.arguments import references
from tasks.history import why_changed
from tasks.progress import listen
from tasks.recall import CannotRecall, Files, recalled_call
from tasks.step import Step, StepCall, key_of, recompute, steps_named

Outcome = Literal["equal", "differs", "not rebuilt"]

_SHOWN_REASONS = 3
_NUMBER = re.compile(r"[-+]?\d{1,6}(\.\d*)?|[-+]?\d+(\.\d*)?%", re.ASCII)
"""A number of runs, or a share; longer numbers are ids."""
_MEANINGS = (
    "all, a number of runs from 1, a share above 0% and up to 100% such as 5%, the name of a step "
    "or kind, or the beginning of an artifact's id"
)


@dataclass(frozen=True, slots=True)
class Made:
    """A run that is in the ledger, with those of its results that are still there."""

    record: Mapping[str, Any]
    refs: tuple[ArtifactRef, ...]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What became of one result."""

    ref: ArtifactRef
    label: str
    """Of the call that makes it."""
    outcome: Outcome
    detail: str = ""
    """Where it differs first, or why it was not made again."""

    def __str__(self) -> str:
        """Say it in a line."""
        named = f"{self.ref.kind}/{self.ref.digest} of {self.label}"
        return f"{named}: {self.outcome}{': ' if self.detail else ''}{self.detail}"


def rebuildable(workspace: Workspace) -> list[Made]:
    """Return the runs whose results are still there, each result with the run of today's code if
    there is one, else with the last one; if several steps wrote it, with a run of each.
    """
    makers: dict[tuple[ArtifactRef, str], Mapping[str, Any]] = {}
    for record in workspace.ledger.readable_records():
        if record.kind == "run":
            for ref in map(ArtifactRef.from_json, record.body["outputs"]):
                made_by = ref, record.body["step"]
                known = makers.get(made_by)
                if known is None or not _is_of_today(known):
                    makers[made_by] = record.body
    made: dict[str, tuple[Mapping[str, Any], list[ArtifactRef]]] = {}
    for (ref, _), body in makers.items():
        if workspace.holds(ref):
            made.setdefault(body["key"], (body, []))[1].append(ref)
    return [Made(body, tuple(refs)) for body, refs in made.values()]


def _is_of_today(record: Mapping[str, Any]) -> bool:
    step = _step_of(record)
    return step is not None and step.fingerprint().digest == record["code"]


def _step_of(record: Mapping[str, Any]) -> Step[Any, Any] | None:
    """Return the step of a record: the one with its code, else the last one of its name."""
    named = steps_named(record["step"])
    same = [step for step in named if step.fingerprint().digest == record["code"]]
    return next(iter(same or named[::-1]), None)


def sampled(made: Sequence[Made], sample: str, seed: int) -> list[Made]:
    """Choose what is made again.

    Args:
        made: all that could be.
        sample: `all`, a number of results, a share such as `5%`, the name of a step or kind, or the
            beginning of the digest of a result.
        seed: draws the numbers and shares.

    Raises:
        InputError: the sample means nothing.
    """
    check_sample(sample)
    number = _number(sample, len(made))
    if number is not None:
        return random.Random(seed).sample(list(made), min(number, len(made)))
    chosen = [item for item in made if _is_meant(item, sample)]
    if not chosen:
        steps = ", ".join(sorted({item.record["step"] for item in made})) or "none was run"
        raise InputError(
            f"--rebuild {sample!r}: nothing is called so; expected {_MEANINGS}. Steps with "
            f"results: {steps}."
        )
    return chosen


def check_sample(sample: str) -> None:
    """Refuse a sample that is empty, or a number or share that asks for nothing or too much.

    Raises:
        InputError: says what is expected.
    """
    is_wrong = not sample.strip()
    if _NUMBER.fullmatch(sample):
        share = float(sample.rstrip("%"))
        is_wrong = share <= 0 or (share > 100 if sample.endswith("%") else not sample.isdecimal())
    if is_wrong:
        raise InputError(f"--rebuild {sample!r}: expected {_MEANINGS}.")


def _number(sample: str, total: int) -> int | None:
    """Return how many results a sample asks for; None if it is no number and no share."""
    if sample == "all":
        return total
    if not _NUMBER.fullmatch(sample):
        return None
    if sample.endswith("%"):
        return max(1, round(float(sample[:-1]) / 100 * total))
    return int(sample)


def _is_meant(made: Made, text: str) -> bool:
    names = (made.record["step"], made.record["label"])
    short = text.rpartition("/")[2]
    return text in names or any(
        ref.kind == text or (len(short) >= 4 and ref.digest.startswith(short)) for ref in made.refs
    )


def rebuild(workspace: Workspace, made: Sequence[Made], files: Files) -> Iterator[Rebuilt]:
    """Make results again, one run after the other, and say of each whether it is the same.

    Args:
        workspace: where the results are; it is left as it is.
        made: the runs that are made again.
        files: where the files of users lie now.
    """
    for item in made:
        label = item.record["label"]
        refs = [ref for ref in item.refs if _why_kept(workspace, ref) is None]
        for ref in item.refs:
            if ref not in refs:
                yield Rebuilt(ref, label, "not rebuilt", _why_kept(workspace, ref) or "")
        try:
            outcomes = _rebuild(workspace, item, refs, files) if refs else []
        except (PhrasenetError, OSError) as error:
            outcomes = [Rebuilt(ref, label, "not rebuilt", str(error)) for ref in refs]
        yield from outcomes


def _why_kept(workspace: Workspace, ref: ArtifactRef) -> str | None:
    """Say why a result is not made again; None if it is."""
    if _reproducibility(workspace, ref) == "none":
        return "it can be made only once, and is kept"
    return None


def _reproducibility(workspace: Workspace, ref: ArtifactRef) -> str:
    try:
        return Manifest.read(workspace.folder_of(ref)).reproducibility
    except PhrasenetError:
        return "exact"  # `verify` names the damage, and so does the comparison


def _rebuild(
    workspace: Workspace, made: Made, refs: Sequence[ArtifactRef], files: Files
) -> list[Rebuilt]:
    call = _same_call(workspace, made.record, files)
    outputs = [ArtifactRef.from_json(value) for value in made.record["outputs"]]
    with workspace.aside() as aside:
        aside.borrow(workspace, references(call.arguments))
        listen(call.label, ())
        again = dict(zip(outputs, references(recompute(aside, call)), strict=True))
        return [_compared(workspace, made, ref, (aside, again[ref])) for ref in refs]


def _same_call(workspace: Workspace, record: Mapping[str, Any], files: Files) -> StepCall[Any]:
    """Return the call that a record tells of.

    Raises:
        CannotRecall: it would not be the same call today.
    """
    step = _step_of(record)
    if step is None:
        raise CannotRecall(f"there is no step {record['step']} any more")
    call = recalled_call(step, record, files)
    if key_of(step.name, call.facts()) != record["key"]:
        kept = workspace.ledger.code(record["code"])
        reasons = why_changed(record, call.facts(), kept, step.fingerprint().functions)
        raise CannotRecall(f"it was made otherwise: {', '.join(reasons[:_SHOWN_REASONS])}")
    for ref in references(call.arguments):
        broken = workspace.why_broken(ref)
        if broken is not None:
            raise CannotRecall(f"what it was made from is gone: {broken}")
    return call


def _compared(
    workspace: Workspace, made: Made, ref: ArtifactRef, again: tuple[Workspace, ArtifactRef]
) -> Rebuilt:
    label = made.record["label"]
    found = first_difference(workspace.root, ref, again[0].root, again[1])
    if found is None:
        return Rebuilt(ref, label, "equal")
    before, now = made.record.get("machine", usage.machine()), usage.machine()
    if _reproducibility(workspace, ref) == "same-machine" and before != now:
        why = f"it may differ: it was made on {before}, and this is {now}"
        return Rebuilt(ref, label, "not rebuilt", why)
    return Rebuilt(ref, label, "differs", found)
