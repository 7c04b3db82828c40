"""How the rules write English, and what they may assume about where a text comes from."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError

Region = Literal["unknown", "mainland", "hongkong", "taiwan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleStyle:
    """The style of the corpus; the defaults write `march 20 , 2003` and `55 million us dollars`."""

    day_first: bool = False
    """Write `20 march 2003` instead of `march 20 , 2003`."""
    percent_sign: bool = False
    """Write `3.5 %` instead of `3.5 percent`."""
    money_symbols: bool = False
    """Write `$ 55 million` instead of `55 million us dollars`, where there is a symbol."""
    spell_up_to: int = 10
    """Counts and durations up to this number are spelled out (`three months`); 0 spells none."""
    region: Region = "unknown"
    """Where the text comes from. In Taiwan `元` is the new Taiwan dollar, `九十五年一月一日` counts
    years from 1912, and articles of laws have `項` as paragraphs and `款` as subparagraphs."""

    def __post_init__(self) -> None:
        """Refuse nonsense."""
        if not 0 <= self.spell_up_to <= 20:
            raise ConfigError(
                f"rules.spell_up_to is {self.spell_up_to}; "
                "it must be between 0 and 20 (10 is usual)."
            )
        if self.region not in get_args(Region):
            raise ConfigError(
                f"rules.region is {self.region!r}; expected one of {', '.join(get_args(Region))}."
            )


DEFAULT_STYLE = RuleStyle()
