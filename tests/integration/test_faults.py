"""Random schedules of faults at every border of a step, without a server: nothing is ever lost."""

import shutil
from pathlib import Path

import pytest

from benchmarks.fault_flow import say_something, small_flow
from benchmarks.fault_points import KINDS, Died, Fault, faults_in
from benchmarks.fault_real import RealFlow
from benchmarks.fault_schedules import Expected, Tally, run_schedule, schedule_of
from storage.workspace import open_workspace
from tasks.verify import verify_workspace
from tests.support import assert_whole


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    return Expected.of(small_flow, tmp_path_factory.mktemp("undisturbed"))


def run_seeds(seeds: range, expected: Expected, folder: Path) -> Tally:
    total = Tally()
    for seed in seeds:
        total += run_schedule(seed, small_flow, expected, folder / str(seed), say_something)
        shutil.rmtree(folder / str(seed))
    return total


def test_ten_schedules_leave_nothing_broken(expected: Expected, tmp_path: Path) -> None:
    total = run_seeds(range(10), expected, tmp_path)
    assert total.broken == []
    assert sum(total.faults.values()) >= 10


@pytest.mark.slow
def test_two_hundred_schedules_leave_nothing_broken(expected: Expected, tmp_path: Path) -> None:
    total = run_seeds(range(200), expected, tmp_path)
    assert total.broken == []
    assert set(total.faults) == set(KINDS)


@pytest.mark.slow
def test_a_death_at_each_single_place_is_survived(expected: Expected, tmp_path: Path) -> None:
    for place in range(expected.places):
        root = tmp_path / str(place)
        with pytest.raises(Died), faults_in(root, Fault("crash in a write", place)) as injector:
            small_flow(root, 0)
        assert injector.has_struck
        small_flow(root, 0)
        assert_whole(root)
        head = open_workspace(root).memory.head()
        assert head is not None
        assert head.snapshot_id in expected.snapshots[0]
        assert verify_workspace(open_workspace(root)) == []
        shutil.rmtree(root)


@pytest.mark.slow
def test_the_refresh_of_the_tiny_example_survives_ten_schedules(tmp_path: Path) -> None:
    flow = RealFlow(tmp_path / "projects")
    expected = Expected.of(flow, tmp_path / "undisturbed")
    total = Tally()
    for seed in range(10):
        total += run_schedule(seed, flow, expected, tmp_path / str(seed), say_something)
    assert total.broken == []


def test_a_schedule_is_the_same_for_the_same_seed() -> None:
    assert schedule_of(3, 100) == schedule_of(3, 100) != schedule_of(4, 100)
