"""How long stages of shards take on workers that differ, get stuck and die: a simulation by events.

It follows the rules of `tasks/dask_calls.py`: shards go to free workers in their order, the shard
of a lost worker is queued again, and a straggler gets one copy on a free worker.
"""

import heapq
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from tasks.dask_calls import STRAGGLER_FACTOR, STRAGGLER_SECONDS


@dataclass(frozen=True, slots=True)
class Stage:
    """Work between two points at which everything before must be done."""

    name: str
    seconds: float
    """Processor seconds of the whole."""
    shards: int
    """Parts that run side by side; 1 where it needs everything at once."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers, each with one thread, and what happens to them."""

    workers: int
    lost_per_hour: float = 0.01
    """Expected losses of one worker in an hour of work."""
    restart_seconds: float = 120.0
    """Until a lost worker is replaced."""
    stuck_share: float = 0.002
    """Share of shards whose worker gets stuck, such as on a bad disk."""
    stuck_factor: float = 20.0
    """How many times as long a stuck shard takes."""
    spread: float = 0.25
    """Standard deviation of the logarithm of a shard's time; documents differ."""
    overhead_seconds: float = 0.11
    """Of Prefect and Dask for one shard, one after the other on the driver."""


@dataclass(slots=True)
class StageTime:
    """What became of a stage."""

    name: str
    wall_seconds: float = 0.0
    lost: int = 0
    """Shards that were run again since their worker died."""
    copies: int = 0
    """Stragglers that were run twice."""


@dataclass(slots=True)
class _Race:
    """The state of one stage: events are `(time, order, kind, shard)`."""

    cluster: Cluster
    chance: random.Random
    seconds: float
    queue: deque[int]
    free: int
    events: list[tuple[float, int, str, int]] = field(default_factory=list)
    started: dict[int, float] = field(default_factory=dict)
    copied: set[int] = field(default_factory=set)
    taken: list[float] = field(default_factory=list)
    running: dict[int, int] = field(default_factory=dict)
    driver_free: float = 0.0
    order: int = 0


def simulate(stages: Sequence[Stage], cluster: Cluster, *, seed: int) -> list[StageTime]:
    """Return the wall time of each stage, one after the other.

    Args:
        stages: in their order.
        cluster: the workers; stages of one shard run on the driver, which does not fail.
        seed: of all draws; the same seed gives the same answer.
    """
    chance = random.Random(seed)
    return [
        _run(stage, cluster, chance) if stage.shards > 1 else StageTime(stage.name, stage.seconds)
        for stage in stages
    ]


def _run(stage: Stage, cluster: Cluster, chance: random.Random) -> StageTime:
    race = _Race(
        cluster,
        chance,
        stage.seconds / stage.shards,
        deque(range(stage.shards)),
        cluster.workers,
    )
    told, now = StageTime(stage.name), 0.0
    while len(race.taken) < stage.shards:
        while race.queue and race.free:
            shard = race.queue.popleft()
            race.started[shard] = now
            _start(race, shard, now)
        now, _, kind, shard = heapq.heappop(race.events)
        _happen(race, told, now, kind, shard)
    told.wall_seconds = now
    return told


def _start(race: _Race, shard: int, now: float) -> None:
    """Give a shard to a free worker: it ends, or the worker dies first."""
    cluster, chance = race.cluster, race.chance
    race.driver_free = max(race.driver_free, now) + cluster.overhead_seconds
    seconds = race.seconds * chance.lognormvariate(-(cluster.spread**2) / 2, cluster.spread)
    if chance.random() < cluster.stuck_share:
        seconds *= cluster.stuck_factor
    rate = cluster.lost_per_hour / 3600
    dies = chance.expovariate(rate) if rate else float("inf")
    race.free -= 1
    race.running[shard] = race.running.get(shard, 0) + 1
    _at(race, race.driver_free + min(seconds, dies), "lost" if dies < seconds else "done", shard)


def _at(race: _Race, time: float, kind: str, shard: int) -> None:
    race.order += 1
    heapq.heappush(race.events, (time, race.order, kind, shard))


def _happen(race: _Race, told: StageTime, now: float, kind: str, shard: int) -> None:
    if kind == "back":
        race.free += 1
    elif kind == "look":
        _copy_if_straggler(race, told, now, shard)
        return
    elif kind == "lost":
        _at(race, now + race.cluster.restart_seconds, "back", shard)
        race.running[shard] -= 1
        if shard in race.started and not race.running[shard]:
            race.queue.append(shard)
            told.lost += 1
    else:
        race.free += 1
        race.running[shard] -= 1
        if shard in race.started:
            race.taken.append(now - race.started.pop(shard))
    if not race.queue:
        for other in race.started:
            _copy_if_straggler(race, told, now, other)


def _copy_if_straggler(race: _Race, told: StageTime, now: float, shard: int) -> None:
    """Copy a shard that takes too long, or look again when it would."""
    if shard not in race.started or shard in race.copied or not race.taken or race.queue:
        return
    due = race.started[shard] + max(STRAGGLER_SECONDS, STRAGGLER_FACTOR * median(race.taken))
    if now < due:
        _at(race, due, "look", shard)
    elif race.free:
        race.copied.add(shard)
        told.copies += 1
        _start(race, shard, now)
