"""Settings of extraction and selection; each refuses nonsense at once."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from storage.records import Category

Edges = Literal["moses", "tight", "tight-without-articles"]
CountBy = Literal["documents", "sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionConfig:
    """Which phrase pairs are cut out of a linked sentence pair."""

    max_words: int = 7
    """Longest phrase, in words, on either side."""
    edges: Edges = "tight-without-articles"
    """`moses`: spans may begin and end with words without links, as Moses counts. `tight`: they may
    not. `tight-without-articles`: nor does a target begin with an article, which belongs to the
    sentence."""

    def __post_init__(self) -> None:
        if self.edges not in get_args(Edges):
            raise ConfigError(
                f"extraction.edges is {self.edges!r}; expected one of {', '.join(get_args(Edges))}."
            )
        _check_range("extraction.max_words", self.max_words, 1, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """Which phrases enter the memory, and how they are offered."""

    min_count: int = 3
    """Fewest times that a mined pair was seen."""
    min_reliability: float = 0.8
    """Smallest reliability of a mined phrase, between 0 and 1: the smoothed share of the places
    where its source stands that have its target opposite."""
    count_by: CountBy = "documents"
    """`documents`: a phrase is as reliable as the smaller of two shares, that of the places where
    it is right and that of the documents in which it mostly is; a pair without a document is one of
    its own. `sentences`: only places count, for corpora that are few large documents."""
    min_extracted: float = 0.15
    """Smallest smoothed p(target|source) over extracted phrase pairs of what is looked up in the
    whole text, between 0 and 1; it only saves work, the reliability decides."""
    min_reverse: float = 0.1
    """Smallest smoothed p(source|target) over extracted phrase pairs, between 0 and 1."""
    min_listed_share: float = 0.6
    """Smallest share of places, and of documents, in which a dictionary's entry is right, if its
    source stands `min_count` times or more; below it the text speaks against the entry, which is
    kept and not offered. 0 offers every entry."""
    min_rule_share: float = 0.7
    """The same for what the rules see, counted by shape: whatever number of the same unit."""
    max_words: int = 6
    """Longest mined phrase, in words, on either side."""
    phrase_slots: int = 10
    """Most source phrases of one sentence to which a translation is offered (n_p)."""
    phrase_candidates: int = 1
    """Most translations offered side by side for one source phrase. Above 1, phrases in conflict
    are offered, too; only the softmax variants of phrase memory take them."""
    leave_one_out: bool = True
    """Offer a mined phrase to a training sentence only if it would be reliable without that
    sentence."""
    categories: tuple[Category, ...] = get_args(Category)
    """Categories that are offered."""

    def __post_init__(self) -> None:
        _check_range("memory.min_count", self.min_count, 1, 1_000_000)
        _check_range("memory.max_words", self.max_words, 1, 20)
        _check_range("memory.phrase_slots", self.phrase_slots, 0, 100)
        _check_range("memory.phrase_candidates", self.phrase_candidates, 1, 100)
        for name in ("min_reliability", "min_extracted", "min_reverse"):
            _check_share(f"memory.{name}", getattr(self, name))
        for name in ("min_listed_share", "min_rule_share"):
            _check_share(f"memory.{name}", getattr(self, name))
        if self.count_by not in get_args(CountBy):
            raise ConfigError(
                f"memory.count_by is {self.count_by!r}; "
                f"expected one of {', '.join(get_args(CountBy))}."
            )
        for category in self.categories:
            if category not in get_args(Category):
                raise ConfigError(
                    f"memory.categories names {category!r}; "
                    f"expected some of {', '.join(get_args(Category))}."
                )
        if not self.categories:
            raise ConfigError(
                "memory.categories is empty, so no phrase would be offered; name at least one."
            )


def _check_range(key: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ConfigError(f"{key} is {value}; it must be between {least} and {most}.")


def _check_share(key: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise ConfigError(f"{key} is {value}; it is a probability, so it must be between 0 and 1.")
