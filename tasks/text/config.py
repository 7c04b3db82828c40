"""Settings of the text steps: how words are made and which pairs are unfit."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError

Segmenter = Literal["jieba", "characters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextConfig:
    """How both sides become words, and the limits within which a pair is kept."""

    segmenter: Segmenter = "jieba"
    """How Chinese is cut: jieba's words, or one character a word."""
    lowercase: bool = True
    """Lower-case the English words."""
    max_words: int = 80
    """Longest side, in words."""
    max_characters: int = 2000
    """Longest side, in characters of the raw text."""
    max_ratio: float = 5.0
    """Longer side over shorter side, in words; sides of at most `ratio_free_words` are exempt."""
    ratio_free_words: int = 6
    """Up to this many words on the longer side the ratio says nothing (a title, a name)."""
    min_script_share: float = 0.5
    """Least share of a side's letters that are of its own script (Han, Latin), between 0 and 1."""

    def __post_init__(self) -> None:
        """Refuse nonsense."""
        if self.segmenter not in get_args(Segmenter):
            raise ConfigError(
                f"text.segmenter is {self.segmenter!r}; "
                f"expected one of {', '.join(get_args(Segmenter))}."
            )
        for name in ("max_words", "max_characters"):
            if getattr(self, name) < 1:
                raise ConfigError(f"text.{name} is {getattr(self, name)}; it must be 1 or more.")
        if self.ratio_free_words < 0:
            raise ConfigError(
                f"text.ratio_free_words is {self.ratio_free_words}; "
                "it must be 0 or more (6 is usual)."
            )
        if not self.max_ratio >= 1:
            raise ConfigError(
                f"text.max_ratio is {self.max_ratio}; it must be 1 or more (5 is usual)."
            )
        if not 0 <= self.min_script_share <= 1:
            raise ConfigError(
                f"text.min_script_share is {self.min_script_share}; it must be between 0 and 1."
            )
