"""Settings of the text steps: how words are made and which pairs are unfit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from storage.errors import ConfigError

Segmenter = Literal["rjieba", "jieba", "characters"]
WantedScript = Literal["keep", "simplified", "traditional"]
Variant = Literal["standard", "taiwan", "hongkong"]
Units = Literal["words", "characters", "subwords"]
Duplicates = Literal["keep", "exact", "normalised"]
Decontamination = Literal["off", "whole", "run"]

_CHOICES: Mapping[str, Any] = {
    "segmenter": Segmenter,
    "script": WantedScript,
    "variant": Variant,
    "source_units": Units,
    "target_units": Units,
    "duplicates": Duplicates,
    "decontaminate": Decontamination,
}
MOST_CHARACTERS = 100_000
"""A longer side is measured no further: whatever the settings say, its pair is too long."""
_LEAST: Mapping[str, tuple[float, str]] = {
    "num_subwords": (10, " (8000 is usual)"),
    "max_words": (1, ""),
    "max_characters": (1, ""),
    "ratio_free_words": (0, " (6 is usual)"),
    "max_ratio": (1, " (5 is usual)"),
    "max_tags": (0, ""),
    "overlap_words": (2, " (13 is usual)"),
}
_SHARES = (
    "min_script_share",
    "min_english",
    "max_kana_share",
    "max_symbol_share",
    "min_linked_share",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextConfig:
    """How both sides become words, and the limits within which a pair is kept."""

    segmenter: Segmenter = "rjieba"
    """How Chinese is cut: jieba's words (by rjieba, or several times slower by jieba itself), or
    one character a word."""
    user_words: bool = False
    """Let the segmenter keep the phrases of the dictionaries whole."""
    script: WantedScript = "keep"
    """To which script the Chinese side is brought; the raw text is kept beside it."""
    variant: Variant = "standard"
    """Whose usage the Traditional side of a conversion follows; "taiwan" exchanges terms, too."""
    protected_names: tuple[str, ...] = ()
    """Names that a conversion must not harm, beside well-known ones and those of dictionaries."""
    lowercase: bool = True
    """Lower-case the English words."""
    source_units: Units = "words"
    """What the model reads: words, the characters of words, or subwords."""
    target_units: Units = "words"
    """What the model writes; its output is put together to words again."""
    num_subwords: int = 8000
    """How many different subwords a side has."""
    max_words: int = 80
    """Longest side, in words."""
    max_characters: int = 2000
    """Longest side, in characters of the normalised text; at most 100000, since longer sides are
    not looked at any further."""
    max_ratio: float = 5.0
    """Longer side over shorter side, in words; sides of at most `ratio_free_words` are exempt."""
    ratio_free_words: int = 6
    """Up to this many words on the longer side the ratio says nothing (a title, a name)."""
    min_script_share: float = 0.5
    """Least share of a side's letters that are of its own script (Han, Latin), between 0 and 1; on
    the Chinese side a whole word of other letters counts as one."""
    max_kana_share: float = 0.1
    """Largest share of kana among the kana and Chinese characters of the Chinese side, 0 to 1."""
    min_english: float = 0.3
    """How likely the English side is English, against the likeliest language: 0 (any language
    goes) to 1 (English must be the likeliest)."""
    max_symbol_share: float = 0.5
    """Largest share of a side's characters that are no letters, digits or blanks."""
    max_tags: int = 0
    """Most tags, entities, wiki brackets and the like on a side; raise it where they are meant."""
    check_numbers: bool = True
    """Drop pairs in which a number or date was certainly replaced by another one."""
    duplicates: Duplicates = "normalised"
    """Which repeated pairs are dropped: none ("keep"), those with the same words ("exact"), or also
    those that differ only in case, punctuation and blanks ("normalised"). The first is kept."""
    decontaminate: Decontamination = "run"
    """Which pairs are dropped as held out: those with a side that stands in a test set as a whole
    ("whole"), also those that share a run of `overlap_words` words with one ("run"), or none
    ("off")."""
    overlap_words: int = 13
    """How long a shared run of words is an overlap; punctuation does not count."""
    min_linked_share: float = 0.25
    """Least share of the words of both sides that the aligner links; 0 keeps all pairs."""

    def __post_init__(self) -> None:
        """Refuse nonsense."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                raise ConfigError(
                    f"text.{name} is {getattr(self, name)!r}; "
                    f"expected one of {', '.join(get_args(choices))}."
                )
        for name, (least, usual) in _LEAST.items():
            if not getattr(self, name) >= least:
                raise ConfigError(
                    f"text.{name} is {getattr(self, name)}; it must be {least:g} or more{usual}."
                )
        if self.max_characters > MOST_CHARACTERS:
            raise ConfigError(
                f"text.max_characters is {self.max_characters}; it must be {MOST_CHARACTERS} or "
                "less (2000 is usual). Cut longer texts into sentences."
            )
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(
                    f"text.{name} is {getattr(self, name)}; it must be between 0 and 1."
                )
