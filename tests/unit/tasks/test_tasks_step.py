"""What the machinery around a step does: key, verified reuse, healing, records and refusals."""

import errno
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.errors import InputError, WorkspaceBusy, WorkspaceError
from storage.workspace import Workspace
from tasks.arguments import UnhashableArgument, source_file
from tasks.run import Run
from tasks.step import Outcome, StepCall, current_call, execute, is_passing, key_of, look_up, step
from tasks.window import StepWindow
from tests.support import content_digests, flip_byte

COMPUTED: list[str] = []
"""Which steps were really computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountConfig:
    limit: int = 3
    share: float = 0.5


@step(writes=("source_counts",))
def count(workspace: Workspace, *, words: tuple[str, ...], config: CountConfig) -> ArtifactRef:
    COMPUTED.append("count")
    rows = [{"source": word, "count": len(word)} for word in words[: config.limit]]
    return workspace.write_rows("source_counts", rows)


@step(writes=("source_counts",))
def double(workspace: Workspace, *, counts: ArtifactRef) -> tuple[ArtifactRef, ...]:
    COMPUTED.append("double")
    rows = [{**row, "count": 2 * row["count"]} for row in workspace.read_rows(counts)]
    return (workspace.write_rows("source_counts", rows),)


@step(writes=("target_counts",))
def undeclared(workspace: Workspace) -> ArtifactRef:
    return workspace.write_rows("source_counts", [])


@step(writes=("source_counts",))
def failing(workspace: Workspace, *, words: str) -> ArtifactRef:
    COMPUTED.append("failing")
    if len(COMPUTED) < 2:
        raise InputError("no words")
    return workspace.write_rows("source_counts", [{"source": current_call().key, "count": 1}])


@pytest.fixture(autouse=True)
def _forget() -> None:
    COMPUTED.clear()


@pytest.fixture
def run(workspace: Workspace) -> Run:
    return new_run(workspace)


def new_run(workspace: Workspace, first: str | None = None, last: str | None = None) -> Run:
    return Run(workspace, StepWindow(("count", "double", "failing"), first, last), "flow-1")


def call_of(words: tuple[str, ...] = ("a", "bb"), config: Any = None) -> "StepCall[ArtifactRef]":
    return StepCall(count, "count", {"words": words, "config": config or CountConfig()})


def records(workspace: Workspace) -> list[tuple[str, str]]:
    return [(item.kind, item.body["label"]) for item in workspace.ledger.records()]


def test_a_result_is_computed_once_and_then_reused(run: Run, workspace: Workspace) -> None:
    first = run.one(count, "x", words=("a",), config=CountConfig())
    assert run.one(count, "x", words=("a",), config=CountConfig()) == first
    assert COMPUTED == ["count"]
    assert run.counts == {"computed": 1, "reused": 1}
    assert records(workspace) == [("run", "count x"), ("reuse", "count x")]


def test_a_record_holds_what_the_key_is_made_of(run: Run, workspace: Workspace) -> None:
    ref = run.one(count, "", words=("a",), config=CountConfig())
    run.one(double, "", counts=ref)
    one, two = [item.body for item in workspace.ledger.records()]
    assert one["settings"] == {"words": ["a"], "config": {"limit": 3, "share": 0.5}}
    assert one["inputs"] == {}
    assert two["inputs"] == {"counts": {"artifact": ref.to_json()}}
    assert two["schemas"] == {"source_counts": 1}
    assert two["flow_run"] == "flow-1"
    assert workspace.ledger.code(two["code"]).keys() == {
        "test_tasks_step:double",
        "test_tasks_step:COMPUTED",
    }
    facts = {name: two[name] for name in ("code", "settings", "inputs", "versions", "schemas")}
    assert two["key"] == key_of("double", facts)


@pytest.mark.parametrize(
    ("words", "config"),
    [(("a",), CountConfig()), (("a", "bb"), CountConfig(limit=1)), (("bb", "a"), CountConfig())],
)
def test_another_setting_is_another_key(
    workspace: Workspace, words: tuple[str, ...], config: CountConfig
) -> None:
    execute(workspace, call_of())
    assert look_up(workspace, call_of(words, config)) == "not computed before"


@pytest.mark.parametrize("part", ["code", "versions", "schemas", "inputs", "settings", "name"])
def test_every_part_of_the_facts_takes_part_in_the_key(part: str) -> None:
    facts = call_of().facts()
    changed = {**facts, part: {"x": 1}} if part != "name" else facts
    name = "other" if part == "name" else "count"
    assert key_of("count", facts) != key_of(name, changed)


def test_a_source_file_counts_by_its_content_and_not_by_its_place(tmp_path: Path) -> None:
    for name, text in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / name).write_text(text)
    keys = [
        key_of("s", StepCall(count, "", {"file": source_file(tmp_path / name)}).facts())
        for name in "abc"
    ]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("damage", ["flip", "remove part", "remove all", "manifest"])
def test_a_damaged_result_is_made_again_with_the_same_digest(
    run: Run, workspace: Workspace, damage: str
) -> None:
    ref = run.one(count, "", words=("a",), config=CountConfig())
    folder = workspace.folder_of(ref)
    if damage == "flip":
        flip_byte(folder / "part-00000.parquet", 60)
    elif damage == "remove part":
        (folder / "part-00000.parquet").unlink()
    elif damage == "manifest":
        (folder / "manifest.json").write_bytes(b"")
    else:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    call = run.prepare(count, "", words=("a",), config=CountConfig())
    assert str(look_up(workspace, call)).startswith("damaged: ")
    assert run.one(count, "", words=("a",), config=CountConfig()) == ref
    assert COMPUTED == ["count", "count"]
    assert workspace.why_broken(ref) is None
    healed = [item.body["healed"] for item in workspace.ledger.records()]
    assert healed == [False, True]


def test_an_output_that_stays_the_same_stops_the_recomputation(run: Run) -> None:
    def flow(limit: int) -> None:
        driver = new_run(run.workspace)
        counts = driver.one(count, "", words=("a", "bb"), config=CountConfig(limit=limit))
        driver.one(double, "", counts=counts)

    flow(2)
    flow(9)
    assert COMPUTED == ["count", "double", "count"]


def test_a_lost_record_of_a_computed_result_is_appended_later(workspace: Workspace) -> None:
    execute(workspace, call_of())  # and its driver dies before it can append the record
    assert records(workspace) == []
    new_run(workspace).one(count, "", words=("a", "bb"), config=CountConfig())
    assert COMPUTED == ["count"]
    assert records(workspace) == [("run", "count"), ("reuse", "count")]
    new_run(workspace).one(count, "", words=("a", "bb"), config=CountConfig())
    assert [kind for kind, _ in records(workspace)] == ["run", "reuse", "reuse"]


def test_a_failed_step_leaves_no_result_and_no_record(run: Run, workspace: Workspace) -> None:
    with pytest.raises(InputError, match="no words"):
        run.one(failing, "", words="x")
    assert records(workspace) == []
    assert content_digests(workspace, ["source_counts"]) == {"source_counts": []}
    ref = run.one(failing, "", words="x")
    assert COMPUTED == ["failing", "failing"]
    # The step knew its key, under which it may keep checkpoints.
    key = next(iter(workspace.ledger.records())).body["key"]
    assert next(workspace.read_rows(ref))["source"] == key


def test_a_worker_with_other_code_is_refused(workspace: Workspace) -> None:
    arguments = {"words": ("a",), "config": CountConfig()}
    call: StepCall[ArtifactRef] = StepCall(count, "count", arguments, "", "0" * 32)
    with pytest.raises(WorkspaceError, match="Install the same version on both"):
        execute(workspace, call)
    assert COMPUTED == []


def test_the_driver_tells_workers_its_code(run: Run) -> None:
    call = run.prepare(count, "", words=(), config=CountConfig())
    assert call.expected_code == count.fingerprint().digest


def test_a_step_may_write_only_what_it_declares(workspace: Workspace) -> None:
    with pytest.raises(AssertionError, match="wrote {'source_counts'} but declares"):
        execute(workspace, StepCall(undeclared, "undeclared", {}))


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (object(), "argument x is a object"),
        ([1, {2}], r"argument x\[1\] is a set"),
        ({"a": (b"",)}, r"argument x\['a'\]\[0\] is a bytes"),
        ({1: "a"}, "argument x has a key that is no text: 1"),
        (CountConfig(share=float("nan")), "argument x.share is nan"),
        (float("inf"), "argument x is inf"),
        (Path("a"), "argument x is a PosixPath"),
        (count, "argument x"),
    ],
)
def test_an_argument_that_cannot_be_hashed_fails_the_step_by_name(
    workspace: Workspace, value: Any, named: str
) -> None:
    with pytest.raises(UnhashableArgument, match=named):
        execute(workspace, StepCall(count, "count", {"x": value}))
    assert COMPUTED == []


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (OSError(errno.EIO, ""), True),
        (OSError(errno.ESTALE, ""), True),
        (ConnectionResetError(), True),
        (TimeoutError(), True),
        (BrokenProcessPool(), True),
        (EOFError(), True),
        (OSError(errno.ENOSPC, ""), False),
        (OSError(errno.EROFS, ""), False),
        (FileNotFoundError(errno.ENOENT, ""), False),
        (PermissionError(errno.EACCES, ""), False),
        (InputError(""), False),
        (WorkspaceError(""), False),
        (WorkspaceBusy(""), False),
        (ValueError(""), False),
        (AssertionError(""), False),
        (KeyboardInterrupt(), False),
    ],
)
def test_only_what_patience_may_mend_is_tried_again(error: BaseException, passing: bool) -> None:
    assert is_passing(error) == passing


def test_a_plan_computes_nothing_and_says_why(run: Run, workspace: Workspace) -> None:
    run.one(count, "", words=("a",), config=CountConfig())
    COMPUTED.clear()
    planned: list[tuple[str, list[str]]] = []

    class Listener:
        def planned(self, call: Any, reasons: Any) -> None:
            planned.append((call.label, list(reasons)))

    def plan(limit: int) -> list[tuple[str, list[str]]]:
        planned.clear()
        planner = Run(workspace, run.window, mode="plan", observer=Listener())  # type: ignore[arg-type]
        counts = planner.one(count, "", words=("a",), config=CountConfig(limit=limit))
        planner.one(double, "", counts=counts)
        return list(planned)

    assert plan(3) == [("count", []), ("double", ["it has never been run"])]
    assert plan(1) == [
        ("count", ["setting config.limit was 3, is 1"]),
        ("double", ["it waits for 'count'"]),
    ]
    assert COMPUTED == []
    assert len(records(workspace)) == 1


def test_steps_before_from_are_taken_as_they_last_were(run: Run, workspace: Workspace) -> None:
    before = run.one(count, "", words=("a",), config=CountConfig())
    taken: list[list[str]] = []

    class Listener:
        def taken(self, call: Any, changed: Any) -> None:
            taken.append(list(changed))

        def __getattr__(self, name: str) -> Any:
            return lambda *_: None

    later = new_run(workspace, first="double")
    later.observer = Listener()
    counts = later.one(count, "", words=("other",), config=CountConfig())
    assert counts == before
    assert taken == [["setting words[0] was a, is other"]]
    later.one(double, "", counts=counts)
    assert COMPUTED == ["count", "double"]


def test_a_step_before_from_without_a_whole_result_is_a_message(workspace: Workspace) -> None:
    later = new_run(workspace, first="double")
    with pytest.raises(WorkspaceError, match="Run `phrasenet run --from count` first"):
        later.one(count, "", words=("a",), config=CountConfig())
    ref = new_run(workspace).one(count, "", words=("a",), config=CountConfig())
    (workspace.folder_of(ref) / "part-00000.parquet").unlink()
    again = new_run(workspace, first="double")
    with pytest.raises(WorkspaceError, match="is damaged .*--from count`: it is made again"):
        again.one(count, "", words=("a",), config=CountConfig())


def test_a_result_that_is_reused_elsewhere_is_known_by_that_name_too(workspace: Workspace) -> None:
    run = new_run(workspace)
    run.one(count, "old name", words=("a",), config=CountConfig())
    run.one(count, "new name", words=("a",), config=CountConfig())
    call = new_run(workspace).prepare(count, "new name", words=("b",), config=CountConfig())
    assert new_run(workspace).reasons(call) == ["setting words[0] was a, is b"]


def test_an_outcome_says_how_it_came_about(workspace: Workspace) -> None:
    computed = execute(workspace, call_of())
    reused = execute(workspace, call_of())
    assert (computed.how, reused.how) == ("computed", "reused")
    assert isinstance(look_up(workspace, call_of()), Outcome)
    assert computed.record == reused.record
    assert computed.record["seconds"] >= 0
    assert computed.record["peak_memory_bytes"] > 1 << 20


def test_a_call_takes_the_lock_and_knows_what_a_person_allowed(workspace: Workspace) -> None:
    for allowed in (False, True):
        run = Run(workspace, StepWindow(("count",), None, None), "flow-1", allow_changed=allowed)
        call = run.prepare(count, "", words=(), config=CountConfig())
        assert (call.shares_lock, call.allow_changed) == (True, allowed)
