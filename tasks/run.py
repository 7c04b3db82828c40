"""One run of a flow, seen from its driver: hands calls of steps to Prefect and keeps the ledger.

The same flow code serves three ends, according to the `Run` it is given: to *run* (through
Prefect), to run *directly* (in tests, without Prefect) and to *plan* (nothing is computed; calls
whose inputs are not known yet are pending). Only the driver, which holds the lease, appends to the
ledger.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Literal, NoReturn, ParamSpec, TypeVar, cast

from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.memory import Snapshot
from storage.moments import this_moment
from storage.registry import ModelEntry, SourceLicence
from storage.step_cache import StepCache
from storage.workspace import Workspace
from tasks import prefect_call
from tasks.arguments import references, result_from_json
from tasks.dask_calls import Cluster
from tasks.history import History, why_changed
from tasks.observer import Observer, Silent
from tasks.past import READERS, Past
from tasks.progress import listen
from tasks.step import Before, Outcome, Step, StepCall, earlier, execute, look_up
from tasks.window import StepWindow, UntilReached

log = logging.getLogger(__name__)

SHARE_SECONDS = 30.0
"""Time between two pushes to a workspace in a bucket."""

P = ParamSpec("P")
R = TypeVar("R")


class Pending:
    """The result, or a part of the result, of a call that a plan did not compute."""

    def __init__(self, label: str, call: str = "") -> None:
        """Remember which call would have to run first, and which one gives the result."""
        self.label = label
        self.call = call or label

    def __getitem__(self, index: Any) -> "Pending":
        """Any part of what is pending is pending."""
        return self

    def __iter__(self) -> NoReturn:
        """Nobody knows how many parts there will be; take them by their number."""
        raise TypeError(f"the result of {self.label} is pending and cannot be unpacked")


@dataclass(slots=True)
class Run:
    """The driver of one flow run."""

    workspace: Workspace
    window: StepWindow
    flow_run: str = ""
    mode: Literal["prefect", "direct", "plan"] = "direct"
    observer: Observer = field(default_factory=Silent)
    workers: int = 1
    """Calls that are worked on at the same time, where they do not depend on each other."""
    cluster: Cluster | None = None
    """Where shards run; None keeps them on this machine."""
    counts: dict[str, int] = field(default_factory=lambda: {"computed": 0, "reused": 0})
    stop: Callable[[], None] = lambda: None
    """Asked before and after each call; raises if a person asked to stop."""
    past: Past | None = None
    """Of a backfill: the sources are taken as they were then, and nothing is published."""
    backfilled: str = ""
    """Id of the snapshot that a backfill made."""
    told: dict[str, Any] = field(default_factory=dict)
    """What a flow tells at its end beside counts, by name; values are plain JSON."""
    allow_changed: bool = False
    """Whether a step may go on from unfinished work of other code, settings or data."""
    about: str = ""
    """What all calls of this run are about, such as a cell of an experiment; ends their labels."""
    handed_on: list[tuple[StepCall[Any], Outcome[Any]]] | None = None
    """Where the ledger is another process's: the calls and outcomes that it has to record."""
    _shared_at: float = field(default_factory=time.monotonic)
    _history: History | None = None
    _labels: dict[str, StepCall[Any]] = field(default_factory=dict)

    @property
    def history(self) -> History:
        """Return what the ledger knows, read at first use."""
        if self._history is None:
            past = self.past
            self._history = History.of(self.workspace.ledger) if past is None else past.history
        return self._history

    def prepare(
        self,
        step: Step[Concatenate[Workspace, P], R],
        label: str,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> StepCall[R]:
        """Make a call of a step; `label` names it within the step, such as a corpus and a shard."""
        assert not args, "steps take their inputs and settings by name"
        name = self._named(f"{step.name} {label}".strip())
        before = self.history.last_by_label.get(name)
        return StepCall(
            step,
            name,
            arguments,
            self.flow_run,
            step.fingerprint().digest,
            before["key"] if before else "",
            allow_changed=self.allow_changed,
        )

    def _named(self, label: str) -> str:
        return f"{label} [{self.about}]" if self.about else label

    def one(
        self,
        step: Step[Concatenate[Workspace, P], R],
        label: str,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> R:
        """Call a step and return its result."""
        return self.all([self.prepare(step, label, *args, **arguments)])[0]

    def last(self, call: StepCall[Any], apart: tuple[str, ...]) -> Before | None:
        """Return the last call of the same label, if it differs in the inputs named at most and all
        that it read and wrote is still whole.
        """
        return earlier(self.workspace, call, apart)

    def last_result(self, call: StepCall[R]) -> R | None:
        """Return what the last call of the same label returned, if that is still known."""
        entry = StepCache(self.workspace.root).get(call.step.name, call.previous_key)
        return None if entry is None else result_from_json(entry.result)

    def all(self, calls: Sequence[StepCall[R]]) -> list[R]:
        """Make calls that do not depend on each other and return their results in order.

        Raises:
            UntilReached: the step lies after the last one that was asked for.
        """
        if any(self.window.is_after(call.step.name) for call in calls):
            raise UntilReached
        self.stop()
        self._assert_new_labels(calls)
        if self.mode == "plan":
            return [self._planned(call) for call in calls]
        if self.past is not None and any(call.step.name in READERS for call in calls):
            return [self.past.taken(self.workspace, call) for call in calls]
        if any(self.window.is_before(call.step.name) for call in calls):
            return [self._taken(call) for call in calls]
        return [self.recorded(call, outcome) for call, outcome in self._outcomes(calls)]

    def _assert_new_labels(self, calls: Sequence[StepCall[Any]]) -> None:
        """A label is how the history knows a call, so within a flow it means one thing."""
        for call in calls:
            same = self._labels.setdefault(call.label, call).arguments == call.arguments
            assert same, f"two different calls are labelled {call.label!r}"

    def _outcomes(self, calls: Sequence[StepCall[R]]) -> Iterator[tuple[StepCall[R], Outcome[R]]]:
        for call in calls:
            self.observer.started(call)
        if self.mode == "prefect":
            yield from prefect_call.outcomes(
                self.workspace, calls, self.observer.progress, self.workers, self.cluster
            )
            return
        for call in calls:
            listen(call.label, (self.observer.progress,))
            yield call, execute(self.workspace, call)

    def recorded(self, call: StepCall[R], outcome: Outcome[R]) -> R:
        """Append to the ledger what became of a call, and return its result."""
        ledger, key = self.workspace.ledger, outcome.record["key"]
        if self.handed_on is not None:
            self.handed_on.append((call, outcome))
            return self._told(call, outcome)
        if key not in self.history.keys or outcome.how == "computed":
            # A reused result may lack its record: its driver died before it could append it.
            self._append_run(call, outcome)
        if outcome.how == "reused":
            body = {"step": call.step.name, "label": call.label, "key": key}
            ledger.append("reuse", {**body, "flow_run": self.flow_run})
        return self._told(call, outcome)

    def _told(self, call: StepCall[R], outcome: Outcome[R]) -> R:
        self.history.note({**outcome.record, "label": call.label})
        self._share()
        self.counts[outcome.how] += 1
        self.stop()
        self.observer.finished(call, outcome)
        return outcome.result

    def _share(self) -> None:
        """Push to a workspace in a bucket now and then, so that little is lost with a machine."""
        if time.monotonic() - self._shared_at > SHARE_SECONDS:
            self.workspace.share()
            self._shared_at = time.monotonic()

    def _append_run(self, call: StepCall[Any], outcome: Outcome[Any]) -> None:
        ledger = self.workspace.ledger
        ledger.keep_code(outcome.record["code"], call.step.fingerprint().functions)
        ledger.append("run", {**outcome.record, "healed": bool(outcome.healed)})

    def _planned(self, call: StepCall[R]) -> Any:
        first = next(pending_in(tuple(call.arguments.values())), None)
        if first is not None:
            self.observer.planned(call, [f"it waits for {first.label!r}"])
            return Pending(first.label, call.label)
        found = look_up(self.workspace, call)
        if isinstance(found, Outcome):
            self.observer.planned(call, [])
            return found.result
        reasons = [found] if found.startswith("damaged") else self.reasons(call)
        self.observer.planned(call, reasons or [found])
        return Pending(call.label)

    def view(
        self,
        step: Step[Concatenate[Workspace, P], R],
        label: str,
        *args: P.args,
        **arguments: P.kwargs,
    ) -> R:
        """Make something for people to look at from results, such as a report.

        A view is kept and recorded like the result of a step, but it is no step of a plan: a
        changed template is no reason to run anything, and the view is simply made anew.

        Raises:
            UntilReached: the view lies after the last step that was asked for.
        """
        call = self.prepare(step, label, *args, **arguments)
        if self.window.is_after(step.name):
            raise UntilReached
        if self.mode == "plan":
            pending = next(pending_in(tuple(call.arguments.values())), None)
            found = "" if pending else look_up(self.workspace, call)
            return found.result if isinstance(found, Outcome) else cast(R, Pending(call.label))
        outcome = execute(self.workspace, call)
        if outcome.how == "computed":
            self._append_run(call, outcome)
        return outcome.result

    def publish(
        self,
        name: str,
        snapshot: Snapshot,
        *,
        checks: ArtifactRef | None = None,
        guard: Callable[[Snapshot | None], Mapping[str, Any]] = lambda head: {},
    ) -> Snapshot:
        """Make a snapshot of the phrase memory the current one, and return the one that is current.

        A snapshot that a person rolled away from is not published again; the one that the person
        chose stays. A run that only plans, or begins later, publishes nothing.

        Args:
            name: of the publication among the steps.
            snapshot: the memory that was made.
            checks: what was counted in it.
            guard: asked with the current snapshot before another one takes its place; raises to
                refuse, and returns what the record says beside.

        Raises:
            UntilReached: `name` lies after the last step that was asked for.
        """
        if self.window.is_after(name):
            raise UntilReached
        if any(isinstance(getattr(snapshot, name), Pending) for name in snapshot.__slots__):
            return snapshot
        memory, head = self.workspace.memory, self.workspace.memory.head()
        if self.past is not None:
            return self._stored(snapshot, self.past)
        if head is not None and snapshot.snapshot_id in self._rolled_back():
            self.observer.held(snapshot, head)
            return head
        if self.about and any(e.snapshot_id == snapshot.snapshot_id for e in memory.history()):
            return snapshot  # experiments on several sets of texts would move HEAD to and fro
        if self.mode != "plan" and not self.window.is_before(name) and head != snapshot:
            found = guard(head)
            # The snapshot's file first, so that no record names what is not there; then the ledger:
            # after a crash in between, the next run publishes and records again.
            memory.store(snapshot)
            body = {"snapshot": snapshot.snapshot_id, "flow_run": self.flow_run}
            counted = {"checks": checks.to_json()} if checks is not None else {}
            self.workspace.ledger.append("publish", {**body, **counted, **found})
            memory.publish(snapshot, reason=f"refresh {self.flow_run}".strip())
        return snapshot

    def _stored(self, snapshot: Snapshot, past: Past) -> Snapshot:
        """Keep the snapshot of a backfill beside the history, which is not rewritten."""
        body = {
            "snapshot": snapshot.snapshot_id,
            "as_of": past.moment.isoformat(),
            "flow_run": self.flow_run,
        }
        self.backfilled = snapshot.snapshot_id
        self.workspace.memory.store(snapshot)
        self.workspace.ledger.append("backfill", body)
        return snapshot

    def _rolled_back(self) -> set[str]:
        """Return the snapshots that people rolled away from and did not choose again since."""
        rejected: set[str] = set()
        for record in self.workspace.ledger.records():
            if record.kind == "decision" and record.body["decision"] == "rollback":
                rejected.add(record.body["from"])
                rejected.discard(record.body["to"])
        return rejected

    def register(
        self,
        label: str,
        model: ArtifactRef,
        system: str,
        snapshot: Snapshot,
        licences: tuple[SourceLicence, ...],
    ) -> None:
        """Enter the model that the call `label` trained into the registry."""
        if self.mode == "plan":
            return
        now = this_moment()
        last = self.history.last_by_label[self._named(label)]
        run_key = last.get("accepted_of", last["key"])
        self.workspace.registry.register(
            ModelEntry(
                model.digest, model.rows, system, snapshot.snapshot_id, run_key, now, licences
            )
        )

    def reasons(self, call: StepCall[Any]) -> list[str]:
        """Say in what a call differs from the last one of its label; empty if there was none."""
        before = self.history.last_by_label.get(call.label)
        if before is None:
            return ["it has never been run"]
        kept = self.history.ledger.code(before["code"])
        return why_changed(before, call.facts(), kept, call.step.fingerprint().functions)

    def _taken(self, call: StepCall[R]) -> R:
        """Return what a step before `--from` last gave, whatever changed since."""
        before = self.history.last_by_label.get(call.label)
        entry = (
            None
            if before is None
            else StepCache(self.workspace.root).get(call.step.name, before["key"])
        )
        if entry is None:
            raise MissingArtifact(
                f"--from {self.window.first}: the step before it, {call.label!r}, has no result in "
                f"this workspace. Run `phrasenet run --from {call.step.name}` first."
            )
        result: R = result_from_json(entry.result)
        for ref in references(result):
            self._must_be_whole(call, ref)
        self.observer.taken(call, self.reasons(call))
        return result

    def _must_be_whole(self, call: StepCall[Any], ref: ArtifactRef) -> None:
        broken = self.workspace.why_broken(ref)
        if broken:
            raise MissingArtifact(
                f"--from {self.window.first}: the result of {call.label!r} is damaged ({broken}). "
                f"Run `phrasenet run --from {call.step.name}`: it is made again."
            )


def pending_in(value: Any) -> Iterator[Pending]:
    """Yield the pending parts of an argument."""
    if isinstance(value, Pending):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from pending_in(item)
    elif isinstance(value, Mapping):
        yield from pending_in(tuple(value.values()))
