"""Where and how steps are executed; these settings never change what a step computes."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from storage.engine import EngineConfig
from storage.errors import ConfigError

LOCAL_CLUSTER = "distributed.LocalCluster"
MAX_PARTS = 10_000
"""Most shards, workers or threads: each shard is a run of each step, so more only take longer."""


def is_of_this_machine(address: str) -> bool:
    """Say whether an address is one that no other machine reaches."""
    try:
        host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, or nothing that can be an address
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionConfig:
    """How the work is spread, and how much of the machine it may use."""

    runner: Literal["local", "dask"] = "local"
    """Where shards run: on this machine, or on the workers of a Dask cluster that see the same
    workspace; trainings and what is not split stay with the driver."""
    workers: int = 2
    """Shards that are worked on at the same time, and processes that read a large corpus; with
    Dask, workers of a cluster of the run's own."""
    address: str = ""
    """Dask scheduler that is there already, such as "tcp://10.0.0.5:8786"; empty makes a cluster
    for the run and ends it afterwards."""
    cluster: str = LOCAL_CLUSTER
    """Class of a cluster of the run's own, such as "dask_jobqueue.SLURMCluster" or
    "dask_kubernetes.operator.KubeCluster"."""
    cluster_options: tuple[str, ...] = ()
    """What that class is given, such as ["queue=cpu", "cores=8", "memory=16GB"]."""
    wait_for_workers: float = 60.0
    """Seconds until the scheduler and its first worker must have answered."""
    shards: int = 1
    """Parts into which each corpus is split by document; results do not depend on it."""
    query_memory: str = "2GB"
    """Memory limit of one query, such as "2GB"; what does not fit is spilled to the workspace."""
    query_threads: int = 2
    """Processor threads of one query."""
    wait_seconds: float = 0.0
    """How long to wait for the lease of the workspace before giving up."""

    def __post_init__(self) -> None:
        if self.runner not in ("local", "dask"):
            raise ConfigError(f'execution.runner is {self.runner!r}; expected "local" or "dask".')
        self._check_cluster()
        for name in ("workers", "shards", "query_threads"):
            if not 1 <= getattr(self, name) <= MAX_PARTS:
                raise ConfigError(
                    f"execution.{name} is {getattr(self, name)}; it must be between 1 and "
                    f"{MAX_PARTS}."
                )
        for name in ("wait_seconds", "wait_for_workers"):
            if getattr(self, name) < 0:
                raise ConfigError(
                    f"execution.{name} is {getattr(self, name)}; it must be 0 or more."
                )

    def _check_cluster(self) -> None:
        """Refuse what would have no effect, and options that are no assignments."""
        given = [name for name in ("address", "cluster_options") if getattr(self, name)]
        if self.runner == "local" and given:
            raise ConfigError(
                f'execution.{given[0]} has no effect while execution.runner is "local". '
                'Set runner = "dask", or take the key out.'
            )
        if len(given) == 2:
            raise ConfigError(
                "execution.cluster_options are for a cluster of the run's own, but "
                "execution.address names one that is there already. Take one of them out."
            )
        for option in self.cluster_options:
            if not option.partition("=")[0].strip().isidentifier() or "=" not in option:
                raise ConfigError(
                    f'execution.cluster_options: {option!r} is no option; expected "name=value", '
                    'such as "memory=16GB".'
                )

    @property
    def leaves_this_machine(self) -> bool:
        """Say whether shards may run on other machines."""
        if self.runner != "dask":
            return False
        if not self.address:
            return self.cluster != LOCAL_CLUSTER
        return not is_of_this_machine(self.address)

    @property
    def engine(self) -> EngineConfig:
        """Return the part that the query engine obeys."""
        return EngineConfig(
            query_memory=self.query_memory,
            query_threads=self.query_threads,
            processes=self.workers,
        )
