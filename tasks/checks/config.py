"""The limits of the data checks."""

from dataclasses import dataclass

from storage.errors import ConfigError

_SHARES = ("max_dropped", "max_rows_lost", "max_dropped_more", "max_memory_change", "tell_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckConfig:
    """What a refresh must hold before its memory becomes the current one."""

    min_rows: int = 1
    """Sentence pairs that each corpus must have when it is read."""
    max_dropped: float = 0.95
    """Largest share of a corpus that may be set aside as unfit."""
    max_rows_lost: float = 0.5
    """Largest share of a corpus that may be gone since the last publication."""
    max_dropped_more: float = 0.2
    """By how much the share of a corpus that is set aside may have grown since then."""
    max_memory_change: float = 0.5
    """Largest share of the phrases in use before or after that may be new, gone or changed."""
    tell_from: float = 0.5
    """From which share of the last three limits on those of `[deployment] notify` are told of a
    memory that is published: 0.5 tells from half a limit on, 1 only what a person accepted."""
    compare_from: int = 1000
    """Rows or phrases from which on the last publication is compared with; shares of fewer say
    little."""

    def __post_init__(self) -> None:
        """Refuse what is no share or no number."""
        for name in _SHARES:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ConfigError(
                    f"{name} is {getattr(self, name)}; it is a share, so it must be between 0 and "
                    "1."
                )
        for name in ("min_rows", "compare_from"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 0 or more.")
