"""Where and how steps are executed; these settings never change what a step computes."""

from dataclasses import dataclass
from typing import Literal

from storage.engine import EngineConfig
from storage.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionConfig:
    """How the work is spread, and how much of the machine it may use."""

    runner: Literal["local"] = "local"
    """Where steps run: on this machine."""
    workers: int = 2
    """Shards that are worked on at the same time."""
    shards: int = 1
    """Parts into which each corpus is split by document; results do not depend on it."""
    query_memory: str = "2GB"
    """Memory limit of one query, such as "2GB"; what does not fit is spilled to the workspace."""
    query_threads: int = 2
    wait_seconds: float = 0.0
    """How long to wait for the lease of the workspace before giving up."""

    def __post_init__(self) -> None:
        if self.runner != "local":
            raise ConfigError(f'execution.runner is {self.runner!r}; expected "local".')
        for name in ("workers", "shards", "query_threads"):
            if getattr(self, name) < 1:
                raise ConfigError(
                    f"execution.{name} is {getattr(self, name)}; it must be 1 or more."
                )
        if self.wait_seconds < 0:
            raise ConfigError(
                f"execution.wait_seconds is {self.wait_seconds}; it must be 0 or more."
            )

    @property
    def engine(self) -> EngineConfig:
        """Return the part that the query engine obeys."""
        return EngineConfig(query_memory=self.query_memory, query_threads=self.query_threads)
