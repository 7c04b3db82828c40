"""Calls on workers that share no folder with the driver; `tests/integration` has real ones."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.engine import EngineConfig
from storage.errors import MissingArtifact, WorkspaceError
from storage.step_cache import CacheEntry, StepCache
from storage.visiting import Place
from storage.workspace import Workspace, open_workspace
from tasks import errands, prefect_call
from tasks.arguments import SourceFile, result_to_json
from tasks.dask_calls import Cluster
from tasks.errands import Errand, run_errand
from tasks.execution import ExecutionConfig
from tasks.lineage.tombstones import phrase_key
from tasks.prefect_call import _in_order, _on_cluster, _stays_here
from tasks.step import Outcome, StepCall, execute, step
from tasks.tombstones import open_tombstones, write_tombstones
from tests.support import write_counts

PLACE = Place("s3://bucket/zh", EngineConfig())
HOLDER = "a" * 32
computed: list[int] = []


@step(writes=("source_counts",))
def count(workspace: Workspace, *, number: int) -> ArtifactRef:
    """Write a table of one row."""
    computed.append(number)
    return workspace.write_rows("source_counts", [{"source": str(number), "count": number}])


@step(writes=("source_counts",), continues=("pairs",))
def count_on(workspace: Workspace, *, number: int, pairs: ArtifactRef) -> ArtifactRef:
    """Stand for a step that goes on from its last call."""
    raise NotImplementedError


def call(number: int, **more: Any) -> StepCall[Any]:
    return StepCall(count, f"count {number}", {"number": number, **more})


@pytest.fixture
def driver(tmp_path: Path) -> Workspace:
    computed.clear()
    return open_workspace(tmp_path / "driver")


class _Away:
    """A worker's machine: it has its own workspace, and the bucket is a list."""

    def __init__(self, folder: Path) -> None:
        self.workspace = open_workspace(folder)
        self.asked: list[int] = []
        self.arrived: list[ArtifactRef] = []

    def submit_all(
        self, cluster: Any, task_of: Any, where_of: Any, calls: Any, tell: Any
    ) -> Iterator[tuple[int, Outcome[Any]]]:
        for number in reversed(range(len(calls))):  # the last is done first
            assert where_of(calls[number]).place == PLACE
            self.asked.append(calls[number].arguments["number"])
            yield number, execute(self.workspace, calls[number])


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Away:
    made = _Away(tmp_path / "away")
    monkeypatch.setattr(prefect_call, "submit_all", made.submit_all)
    monkeypatch.setattr(
        prefect_call, "_as_task", lambda call: lambda workspace, call: execute(workspace, call)
    )
    monkeypatch.setattr(errands, "deliver", lambda workspace, refs, holder="": None)
    monkeypatch.setattr(errands, "lease_of", lambda workspace: HOLDER)
    monkeypatch.setattr(errands, "is_any_lost", lambda _, refs: False)
    monkeypatch.setattr(errands, "note_arrived", lambda _, refs: made.arrived.extend(refs))
    return made


def found_on_cluster(driver: Workspace, numbers: list[int]) -> list[tuple[int, str, str]]:
    calls = [call(number) for number in numbers]
    cluster = Cluster(ExecutionConfig(runner="dask"))
    found = _in_order(calls, _on_cluster(cluster, driver, PLACE, calls, lambda progress: None))
    return [(c.arguments["number"], o.how, o.result.digest) for c, o in found]


def test_what_is_known_here_asks_no_worker_and_all_is_told_in_order(
    driver: Workspace, away: _Away
) -> None:
    execute(driver, call(2))
    found = found_on_cluster(driver, [1, 2, 3])
    assert [(number, how) for number, how, _ in found] == [
        (1, "computed"),
        (2, "reused"),
        (3, "computed"),
    ]
    assert away.asked == [3, 1]
    assert computed == [2, 3, 1]


def test_the_driver_keeps_what_came_back(driver: Workspace, away: _Away) -> None:
    [(_, _, digest)] = found_on_cluster(driver, [7])
    assert [ref.digest for ref in away.arrived] == [digest]
    # The bucket would hold the table; here it is made at home.
    assert count.function(driver, number=7).digest == digest
    assert [how for _, how, _ in found_on_cluster(driver, [7])] == ["reused"]
    assert away.asked == [7]


def test_workers_that_see_the_folder_work_in_it(
    driver: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def submit_all(
        cluster: Any, task_of: Any, where_of: Any, calls: Any, tell: Any
    ) -> Iterator[tuple[int, Outcome[Any]]]:
        for number in (1, 0):
            assert where_of(calls[number]) is driver
            yield number, execute(driver, calls[number])

    monkeypatch.setattr(prefect_call, "submit_all", submit_all)
    calls, cluster = [call(1), call(2)], Cluster(ExecutionConfig(runner="dask"))
    found = _in_order(calls, _on_cluster(cluster, driver, None, calls, lambda progress: None))
    assert [(c.arguments["number"], o.how) for c, o in found] == [(1, "computed"), (2, "computed")]


def test_outcomes_are_told_as_soon_as_all_before_them_are_there() -> None:
    calls = [call(number) for number in range(3)]
    outcomes: list[Any] = ["a", "b", "c"]
    heard: list[int] = []

    def found() -> Iterator[tuple[int, Any]]:
        for number in (1, 0, 2):
            heard.append(number)
            yield number, outcomes[number]

    told: Iterator[Any] = _in_order(calls, found())
    assert next(told) == (calls[0], "a")
    assert heard == [1, 0]
    assert [outcome for _, outcome in told] == ["b", "c"]


def test_files_of_the_user_are_read_where_they_are() -> None:
    file = SourceFile(Path("pairs.tsv"), "0" * 32)
    for value in (file, [file], {"gold": (file,)}):
        assert _stays_here(call(1, parts=value), PLACE)
        assert not _stays_here(call(1, parts=value), None)
    assert not _stays_here(call(1), PLACE)


def test_what_needs_the_key_of_withdrawn_texts_stays_with_the_driver(driver: Workspace) -> None:
    tombstones = write_tombstones(driver, [phrase_key("0" * 32)])
    decided = {"listings": (), "decisions": (tombstones,)}
    assert _stays_here(call(1, claimed=decided), PLACE)
    assert not _stays_here(call(1, claimed=decided), None)


def test_without_the_key_nothing_that_was_withdrawn_is_let_in(
    driver: Workspace, tmp_path: Path
) -> None:
    tombstones = write_tombstones(driver, [phrase_key("0" * 32)])
    elsewhere = open_workspace(tmp_path / "elsewhere")
    with pytest.raises(WorkspaceError, match="ledger/key is missing"):
        open_tombstones(elsewhere, [tombstones])
    assert not elsewhere.ledger.has_key()


@pytest.fixture
def on_worker(driver: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process be a worker of Dask, with a folder for what it fetches."""
    monkeypatch.setattr(errands, "visit", lambda place, below: driver)
    dask: Any = ModuleType("distributed")
    worker = SimpleNamespace(address="tcp://10.0.0.7:4001", local_directory=str(tmp_path))
    dask.get_worker = lambda: worker
    monkeypatch.setitem(sys.modules, "distributed", dask)


@pytest.mark.usefixtures("on_worker")
def test_an_error_of_the_workspace_names_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_access(*_: object) -> None:
        raise WorkspaceError("The workspace s3://bucket/zh cannot be read or written: no key.")

    monkeypatch.setattr(errands, "deliver", no_access)
    with pytest.raises(WorkspaceError, match=r"^Dask worker tcp://10.0.0.7:4001: The workspace"):
        run_errand(Errand(PLACE, None, HOLDER), call(1))


@pytest.mark.usefixtures("on_worker")
def test_a_worker_delivers_for_the_holder_of_its_errand(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[list[ArtifactRef], str]] = []
    monkeypatch.setattr(errands, "deliver", lambda _, refs, holder: heard.append((refs, holder)))
    outcome = run_errand(Errand(PLACE, None, HOLDER), call(1))
    assert heard == [([outcome.result], HOLDER)]


def test_what_a_worker_missed_is_looked_for_in_the_bucket(
    driver: Workspace, away: _Away, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[ArtifactRef] = []
    monkeypatch.setattr(errands, "note_lost", lambda _, refs: noted.extend(refs))
    read, result = (write_counts(driver, number) for number in (1, 2))
    before = {"outputs": [], "inputs": result_to_json({"pairs": read})}
    StepCache(driver.root).put("count_on", "before", CacheEntry(before, result_to_json(result)))
    new = write_counts(driver, 3)
    on = replace(call(1, pairs=new), step=count_on, previous_key="before")

    def misses(*_: object) -> Iterator[tuple[int, Any]]:
        raise MissingArtifact("a part is gone")
        yield

    monkeypatch.setattr(prefect_call, "submit_all", misses)
    cluster = Cluster(ExecutionConfig(runner="dask"))
    with pytest.raises(MissingArtifact):
        list(_on_cluster(cluster, driver, PLACE, [on], lambda progress: None))
    assert set(noted) == {read, result, new}


@pytest.mark.parametrize("is_lost", [True, False])
def test_nobody_continues_from_what_the_bucket_lost(
    driver: Workspace, away: _Away, monkeypatch: pytest.MonkeyPatch, is_lost: bool
) -> None:
    monkeypatch.setattr(errands, "is_any_lost", lambda _, refs: is_lost)
    entry = CacheEntry({"outputs": [], "inputs": {}}, [])
    StepCache(driver.root).put("count_on", "before", entry)
    on = replace(call(1), step=count_on, previous_key="before")
    errand = errands.errand_of(driver, PLACE, on)
    assert errand == Errand(PLACE, None if is_lost else entry, HOLDER)


def test_what_was_healed_is_looked_for_in_the_bucket(
    driver: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[ArtifactRef] = []
    monkeypatch.setattr("tasks.step.note_lost", lambda _, refs: noted.extend(refs))
    made = execute(driver, call(1)).result
    assert execute(driver, call(1)).how == "reused"
    assert not noted
    next(driver.folder_of(made).glob("part*")).write_bytes(b"other bytes")
    assert execute(driver, call(1)).healed
    assert noted == [made]
