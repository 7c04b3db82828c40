"""The `@step` decorator: cache key, verified reuse, retries and run record of one pipeline step.

A step is a plain function `(workspace, *, inputs and settings) -> references`. Its key is made of
its name, the digest of the code that can shape its output, its settings, the content of its inputs,
the versions of the libraries it uses and of the schemas that storage writes. We keep our own cache,
since Prefect's sees neither changed helpers nor vanished files (docs/adr/0002-own-cache-key.md);
Prefect shows a reused step as `Cached`.
"""

import contextlib
import errno
import hashlib
import importlib
import logging
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Generic, Literal, ParamSpec, TypeVar

from storage.errors import PhrasenetError, WorkspaceError
from storage.ledger import canonical_json
from storage.moments import this_moment
from storage.schemas import SCHEMAS
from storage.step_cache import CacheEntry, StepCache
from storage.visiting import note_lost
from storage.workspace import Workspace
from tasks import usage
from tasks.arguments import as_json, is_input, references, result_from_json, result_to_json
from tasks.fingerprint import CodeFingerprint, fingerprint

log = logging.getLogger(__name__)
for _room in ("flows", "tasks", "model", "storage"):
    # Without a level of their own, Prefect hands on warnings only.
    logging.getLogger(_room).setLevel(logging.INFO)

P = ParamSpec("P")
R = TypeVar("R")

_HOPELESS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EFBIG,
}
"""File system errors that waiting does not mend."""

_defined: list["Step[Any, Any]"] = []
"""Every step of the modules that were imported."""


RETRY_DELAYS_SECONDS = (1.0, 5.0, 20.0)


@dataclass(frozen=True, slots=True)
class CurrentCall:
    """The call that is being computed in this context, as far as a step may know of it."""

    key: str = ""
    label: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the key is made of."""
    allow_changed: bool = False
    """Whether a person allowed it to go on from unfinished work of other code or settings."""
    remarks: dict[str, Any] = field(default_factory=dict)
    """What the step adds to its run record: how the result came about, where its key does not say
    all."""


_current: ContextVar[CurrentCall] = ContextVar("current", default=CurrentCall())  # noqa: B039


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R]):
    """What became of one call of a step."""

    result: R
    how: Literal["computed", "reused"]
    record: Mapping[str, Any]
    """The body of the `run` record of the computation, this one or the one that is reused."""
    healed: str = ""
    """Why an earlier result could not be reused, if it was damaged."""


def _defined_step(module: str, name: str) -> "Step[Any, Any]":
    """Find a step where it is defined, so that a worker runs its own code and not the driver's."""
    found: Step[Any, Any] = getattr(importlib.import_module(module), name)
    return found


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier call of a step that differs from this one in nothing but some inputs."""

    inputs: Mapping[str, Any]
    """The inputs that the step continues from, as they were then."""
    result: Any
    """What it returned."""


@dataclass(frozen=True)
class Step(Generic[P, R]):
    """A pipeline step; call it through `tasks.run.Run`, or its `function` in a test of its
    logic.
    """

    name: str
    function: Callable[P, R]
    writes: tuple[str, ...]
    """The kinds of artifacts it may write."""
    libraries: tuple[str, ...] = ()
    retry_delays_seconds: tuple[float, ...] = RETRY_DELAYS_SECONDS
    continues: tuple[str, ...] = ()
    """Inputs that may differ from those of an earlier call, whose result is then a start."""
    with_driver: bool = False
    """Whether it always runs on the driver's machine, such as a training that needs its GPU."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process by name."""
        return _defined_step, (self.function.__module__, self.function.__qualname__)

    def fingerprint(self) -> CodeFingerprint:
        """Return the digest of the code that can shape the step's output."""
        return fingerprint(self.function, self.libraries)


@dataclass(frozen=True, slots=True)
class StepCall(Generic[R]):
    """One call of a step with its arguments, ready to be looked up or executed anywhere."""

    step: "Step[Any, R]"
    label: str
    """Stable name of the call in its flow, such as `mine laws 3/4`."""
    arguments: Mapping[str, Any]
    flow_run: str = ""
    expected_code: str = ""
    """The driver's code digest; a worker that has other code refuses the call."""
    previous_key: str = ""
    """Cache key of the last call of this label; no result depends on it, only how it is made."""
    shares_lock: bool = True
    """False for a second copy of a call whose first worker does not end: it must not wait."""
    allow_changed: bool = False
    """As in `CurrentCall`."""

    def facts(self) -> dict[str, Any]:
        """Return what the key is made of, by part, in the form that the ledger keeps.

        Raises:
            UnhashableArgument: names the argument that has no plain form.
        """
        code = self.step.fingerprint()
        plain = {name: as_json(name, value) for name, value in self.arguments.items()}
        inputs = {name for name, value in self.arguments.items() if is_input(value)}
        return {
            "code": code.digest,
            "settings": {name: plain[name] for name in plain if name not in inputs},
            "inputs": {name: plain[name] for name in plain if name in inputs},
            "versions": dict(code.libraries),
            "schemas": {
                kind: SCHEMAS[kind].version for kind in self.step.writes if kind in SCHEMAS
            },
        }


def step(
    *,
    writes: tuple[str, ...],
    name: str | None = None,
    libraries: tuple[str, ...] = (),
    retry_delays_seconds: tuple[float, ...] = RETRY_DELAYS_SECONDS,
    continues: tuple[str, ...] = (),
    with_driver: bool = False,
) -> Callable[[Callable[P, R]], Step[P, R]]:
    """Make a pipeline step of a function.

    Args:
        writes: kinds of artifacts that it may write; their schema versions take part in the key.
        name: what users call it; the function's name if left out.
        libraries: distributions that shape the output but are not imported by the step's code.
        retry_delays_seconds: pauses before each further try after a passing fault.
        continues: inputs in which an earlier call may differ and still be a start. The function
            then takes a `before`, which is a `Before` or None; its result must not depend on it.
        with_driver: whether it never runs on another machine.
    """

    def decorate(function: Callable[P, R]) -> Step[P, R]:
        label = name or function.__name__
        made = Step(
            label, function, writes, libraries, retry_delays_seconds, continues, with_driver
        )
        _defined.append(made)
        return made

    return decorate


def steps_named(name: str) -> list["Step[Any, Any]"]:
    """Return the steps of this name among the modules that were imported; two may share one."""
    return [defined for defined in _defined if defined.name == name]


def read_code() -> None:
    """Digest the code of every step now, so that an edit during a long run is not taken for it."""
    code_of_steps()


def code_of_steps() -> dict[str, str]:
    """Return the digest of the code of every step that was imported, by module and name."""
    return {
        f"{defined.function.__module__}:{defined.name}": defined.fingerprint().digest
        for defined in _defined
    }


def current_call() -> CurrentCall:
    """Return the call that is being computed in this context."""
    return _current.get()


def key_of(step_name: str, facts: Mapping[str, Any]) -> str:
    """Return the cache key of a call: 32 hex digits."""
    return hashlib.sha256(canonical_json({"step": step_name, **facts})).hexdigest()[:32]


def is_passing(error: BaseException) -> bool:
    """Say whether patience may mend an error: I/O and lost workers, never wrong data."""
    if isinstance(error, PhrasenetError):
        return False
    if isinstance(error, OSError):
        return error.errno not in _HOPELESS
    return isinstance(error, EOFError) or type(error).__name__ == "BrokenProcessPool"


def look_up(workspace: Workspace, call: StepCall[R]) -> Outcome[R] | str:
    """Return the reusable outcome of a call, or say why it has to be computed."""
    key = key_of(call.step.name, call.facts())
    entry = StepCache(workspace.root).get(call.step.name, key)
    if entry is None:
        return "not computed before"
    result = result_from_json(entry.result)
    broken = next(filter(None, map(workspace.why_broken, references(result))), None)
    if broken is not None:
        return f"damaged: {broken}"
    return Outcome(result, "reused", entry.record)


def may_be_reused(workspace: Workspace, call: StepCall[Any], unknown: tuple[str, ...]) -> bool:
    """Say whether a result that is there would be a call's, if its unknown inputs come out alike.

    Args:
        workspace: where results are.
        call: the call; its unknown arguments may hold anything.
        unknown: inputs that other calls have to make first.
    """
    known = {name: value for name, value in call.arguments.items() if name not in unknown}
    facts = _without(replace(call, arguments=known).facts(), unknown)
    return any(
        _without(entry.record, unknown) == facts
        and not any(map(workspace.why_broken, references(result_from_json(entry.result))))
        for entry in StepCache(workspace.root).entries(call.step.name)
    )


def execute(workspace: Workspace, call: StepCall[R]) -> Outcome[R]:
    """Reuse a call's result or compute it, where the step runs.

    Raises:
        WorkspaceError: this worker's code is not the driver's.
    """
    facts = call.facts()
    if call.expected_code not in ("", facts["code"]):
        raise WorkspaceError(
            f"Step {call.step.name}: this worker's code ({facts['code'][:8]}) is not the code "
            "of the "
            f"flow ({call.expected_code[:8]}). Install the same version on both and run again."
        )
    key, cache = key_of(call.step.name, facts), StepCache(workspace.root)
    # Before the lock too: a worker that never ends may hold it, though another had the result.
    found = look_up(workspace, call)
    if isinstance(found, Outcome):
        return found
    with cache.locked(call.step.name, key) if call.shares_lock else contextlib.nullcontext():
        found = look_up(workspace, call)
        if isinstance(found, Outcome):
            workspace.checkpoints.drop(key)
            return found
        healed = found if found.startswith("damaged") else ""
        current = CurrentCall(key, call.label, facts, call.allow_changed)
        _current.set(current)
        continues = call.step.continues
        before = earlier(workspace, call, continues) if continues else None
        result, measures = _measured(workspace, call, before)
        _assert_declared(call.step, result)
        record = {
            "step": call.step.name,
            "label": call.label,
            "key": key,
            **facts,
            "outputs": [ref.to_json() for ref in references(result)],
            "flow_run": call.flow_run,
            **({"continued": call.previous_key} if before else {}),
            **({"remarks": current.remarks} if current.remarks else {}),
            **measures,
        }
        cache.put(call.step.name, key, CacheEntry(record, result_to_json(result)))
        if healed:
            note_lost(workspace, references(result))
        workspace.checkpoints.finish(key, call.label)
    return Outcome(result, "computed", record, healed)


def recompute(workspace: Workspace, call: StepCall[R]) -> R:
    """Compute a call again, whatever is known of it, and record nothing: to compare results.

    Args:
        workspace: holds what the call reads and takes what it writes.
        call: what is to be computed.
    """
    facts = call.facts()
    token = _current.set(CurrentCall(key_of(call.step.name, facts), call.label, facts))
    try:
        return call.step.function(workspace, **call.arguments)
    finally:
        _current.reset(token)


def _assert_declared(step: "Step[Any, Any]", result: Any) -> None:
    undeclared = {ref.kind for ref in references(result)} - set(step.writes)
    assert not undeclared, f"step {step.name} wrote {undeclared} but declares {step.writes}"


def earlier(workspace: Workspace, call: StepCall[Any], apart: tuple[str, ...]) -> Before | None:
    """Return the last call of the same label, if it differs from this one in some inputs at most.

    Args:
        workspace: where its tables are; they must be whole.
        call: the call of now.
        apart: the inputs in which the two may differ.
    """
    entry = StepCache(workspace.root).get(call.step.name, call.previous_key)
    if entry is None or _without(entry.record, apart) != _without(call.facts(), apart):
        return None
    inputs = {name: result_from_json(entry.record["inputs"].get(name)) for name in apart}
    before = Before(inputs, result_from_json(entry.result))
    is_whole = not any(map(workspace.why_broken, references([inputs, before.result])))
    return before if is_whole else None


def _without(facts: Mapping[str, Any], inputs: tuple[str, ...]) -> dict[str, Any]:
    """Return the facts of a call but for some inputs."""
    rest = {name: value for name, value in facts["inputs"].items() if name not in inputs}
    parts = ("code", "settings", "versions", "schemas")
    return {"inputs": rest, **{part: facts[part] for part in parts}}


def _measured(
    workspace: Workspace, call: StepCall[R], before: Before | None
) -> tuple[R, dict[str, Any]]:
    started = this_moment("milliseconds")
    clock, processor = time.monotonic(), usage.start()
    start = {"before": before} if before else {}
    result = call.step.function(workspace, **call.arguments, **start)
    return result, {
        "started": started,
        "seconds": round(time.monotonic() - clock, 3),
        **asdict(usage.usage_since(processor)),
        "machine": usage.machine(),
    }
