"""The simulation behind `docs/scale.md` on cases whose answer is known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cluster_simulation import Cluster, Stage, simulate
from benchmarks.scale_plan import Cost, stages_of

SMOOTH = {"lost_per_hour": 0.0, "stuck_share": 0.0, "spread": 0.0, "overhead_seconds": 0.0}


def wall(stage: Stage, cluster: Cluster, seed: int = 1) -> float:
    return simulate([stage], cluster, seed=seed)[0].wall_seconds


@pytest.mark.parametrize(
    ("shards", "workers", "expected"),
    [(10, 1, 100.0), (10, 10, 10.0), (10, 4, 30.0), (10, 100, 10.0), (1, 100, 100.0)],
)
def test_equal_shards_run_in_rounds(shards: int, workers: int, expected: float) -> None:
    assert wall(Stage("mine", 100.0, shards), Cluster(workers, **SMOOTH)) == pytest.approx(expected)


def test_one_driver_hands_out_shards_one_after_the_other() -> None:
    cluster = Cluster(100, **{**SMOOTH, "overhead_seconds": 0.5})
    assert wall(Stage("mine", 100.0, 100), cluster) == pytest.approx(100 * 0.5 + 1.0)


def test_a_stuck_shard_ends_with_its_copy() -> None:
    stage = Stage("mine", 100_000.0, 1000)
    cluster = Cluster(500, **{**SMOOTH, "stuck_share": 0.003, "stuck_factor": 50.0})
    found = simulate([stage], cluster, seed=3)[0]
    assert found.copies > 0
    # two rounds of 100 s; a copy begins after three times that, and ends 100 s later
    assert found.wall_seconds <= 100 + 300 + 100 + 1e-6


@given(st.integers(2, 60), st.integers(1, 20), st.floats(0, 30), st.integers(0, 99))
def test_every_shard_is_done_whatever_dies(
    shards: int, workers: int, lost: float, seed: int
) -> None:
    stage = Stage("mine", 60.0 * shards, shards)
    cluster = Cluster(workers, lost_per_hour=lost)
    found = simulate([stage, Stage("select", 5.0, 1)], cluster, seed=seed)
    assert [time.name for time in found] == ["mine", "select"]
    assert found[0].wall_seconds >= 60.0 * shards / workers * 0.3
    assert found == simulate([stage, Stage("select", 5.0, 1)], cluster, seed=seed)


def test_losses_cost_time() -> None:
    stage, calm = Stage("mine", 360_000.0, 1000), Cluster(50, **SMOOTH)
    rough = Cluster(50, **{**SMOOTH, "lost_per_hour": 1.0})
    assert simulate([stage], rough, seed=1)[0].lost > 0
    assert wall(stage, rough) > wall(stage, calm)


def test_what_sees_a_sample_costs_the_same_for_any_number_of_pairs() -> None:
    measured = {name: Cost(60.0, 0, 0, 0) for name in ("ingest", "aligner", "mine")}
    stages = {stage.name: stage for stage in stages_of(measured, 1000, 1_000_000, workers=8)}
    assert stages["aligner"] == Stage("aligner", 60.0, 1)
    assert stages["ingest"] == Stage("ingest", 60_000.0, 1)
    assert stages["mine"] == Stage("mine", 60_000.0, 200)  # of five minutes each
    wide = stages_of(measured, 1000, 1_000_000, workers=10_000)
    assert wide[-1].shards == 2000  # of half a minute each
