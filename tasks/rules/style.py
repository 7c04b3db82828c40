"""How the rules write English, and what they may assume about where a text comes from."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from tasks.rules.pinyin import UMLAUTS, Umlaut

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
    spell_ordinals: bool = False
    """Write `sixty-ninth` instead of `69th`; numbers from 100 on keep their digits."""
    hyphenate_fractions: bool = False
    """Write `two-thirds` instead of `two thirds`."""
    region: Region = "unknown"
    """Where the text comes from. In Taiwan `元` is the new Taiwan dollar, `九十五年一月一日` counts
    years from 1912, and articles of laws have `項` as paragraphs and `款` as subparagraphs."""

    umlaut: Umlaut = "yu"
    """What is written for the ü of 吕 and 女 in names: `yu` (Lyu, as in passports after GB/T
    28039-2011), `u` (Lu), `v` (Lv) or `ü` (Lü). The table of places keeps its own spellings."""
    person_names: bool = False
    """Also find personal names in running text; needs a region. Off, since a wrong name is worse
    than none: `docs/rules.md` has the measured precision."""
    place_names: bool = False
    """Also find countries, provinces and cities in running text. Off: `docs/results/places.md` has
    the measured precision."""

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
        if self.umlaut not in UMLAUTS:
            raise ConfigError(
                f"rules.umlaut is {self.umlaut!r}; expected one of {', '.join(UMLAUTS)}."
            )


DEFAULT_STYLE = RuleStyle()
