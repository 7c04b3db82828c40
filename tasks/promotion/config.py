"""What must not get worse before a model goes into production."""

from dataclasses import dataclass
from typing import get_args

from storage.errors import ConfigError
from tasks.lineage.licences import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLimits:
    """How much worse a candidate may be, where it is measured; see `PromotionConfig`."""

    significance: float = 0.05
    max_phrase_fall: float = 2.0
    min_phrases: int = 30
    max_values_fall: float = 2.0
    min_values: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionConfig:
    """When a trained model takes the place of the one in production."""

    automatic: bool = False
    """`run`, `evaluate` and `retrain` put the system of `[model]` to the test when they have
    trained it, and promote it unless a rule speaks against it. Without it, `phrasenet models
    promote ID --reason TEXT` does so."""
    testsets: tuple[str, ...] = ()
    """Test sets on which it must not be worse; empty for all whose role is "test"."""
    significance: float = 0.05
    """A test set got worse if its BLEU (13a) fell and the paired bootstrap or the approximate
    randomisation gives a smaller p-value than this."""
    max_phrase_fall: float = 2.0
    """By how many percent points the share of the offered phrases that appear may fall, for each
    category and for all."""
    min_phrases: int = 30
    """Categories with fewer offered phrases are not judged by themselves."""
    max_values_fall: float = 2.0
    """By how many percent points the share of the numbers and dates that are kept may fall, for
    each kind and for all."""
    min_values: int = 30
    """Kinds with fewer values are not judged by themselves."""
    refuse_conditions: tuple[str, ...] = ()
    """Conditions that no model in production may bring with it, such as "non-commercial"; also
    "attribution", "share-alike", "copyleft", "no-derivatives"."""
    accept_licences: tuple[str, ...] = ()
    """Licences that phrasenet does not know and that somebody has read and found fit."""
    approval: bool = False
    """A person has to approve, too: in the UI of a standing Prefect server, where the flow run
    waits, or with `phrasenet models promote ID --reason TEXT`."""
    approval_hours: float = 72.0
    """How long a flow run waits for a person; then the old model stays."""
    demote_withdrawn: bool = False
    """A model loses production when something that it was trained on is withdrawn: none is in
    production then, until another one is promoted."""

    def __post_init__(self) -> None:
        """Refuse nonsense."""
        _check_range("significance", self.significance, (0.0, 1.0), "a probability; 0.05 is usual")
        points = "percent points"
        _check_range("max_phrase_fall", self.max_phrase_fall, (0.0, 100.0), points, closed=True)
        _check_range("max_values_fall", self.max_values_fall, (0.0, 100.0), points, closed=True)
        _check_range(
            "approval_hours", self.approval_hours, (0.0, 8761.0), "hours, of a year at most"
        )
        for name in ("min_phrases", "min_values"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 1 or more.")
        for name in self.refuse_conditions:
            if name not in get_args(Condition):
                raise ConfigError(
                    f"refuse_conditions names {name!r}; expected some of "
                    f"{', '.join(get_args(Condition))}."
                )

    @property
    def limits(self) -> GateLimits:
        """Return the part that measuring obeys."""
        return GateLimits(
            significance=self.significance,
            max_phrase_fall=self.max_phrase_fall,
            min_phrases=self.min_phrases,
            max_values_fall=self.max_values_fall,
            min_values=self.min_values,
        )


def _check_range(
    name: str, value: float, limits: tuple[float, float], what: str, *, closed: bool = False
) -> None:
    low, high = limits
    if not (low <= value <= high if closed else low < value < high):
        word = "between" if closed else "strictly between"
        raise ConfigError(f"{name} is {value}; it must be {word} {low:g} and {high:g} ({what}).")
