"""Settings of alignment, extraction and selection; each refuses nonsense at once."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from storage.records import Category

Edges = Literal["moses", "tight", "tight-without-articles"]
Heuristic = Literal["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
THOT_MAX_WORDS = 200
"""The aligner has no alignment for longer sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentConfig:
    """How words are linked: an HMM in both directions, made one by a heuristic."""

    ibm1_iterations: int = 5
    """EM iterations of IBM Model 1, from whose lexicon the HMM starts."""
    hmm_iterations: int = 2
    """EM iterations of the HMM; more of them fitted rare words too closely, on the sample as on law
    texts."""
    heuristic: Heuristic = "grow-diag-final-and"
    max_words: int = 80
    """Longest sentence, in words on either side, that is trained on and linked; time grows with its
    cube."""

    def __post_init__(self) -> None:
        _check_range("alignment.ibm1_iterations", self.ibm1_iterations, 1, 100)
        _check_range("alignment.hmm_iterations", self.hmm_iterations, 1, 100)
        _check_range("alignment.max_words", self.max_words, 1, THOT_MAX_WORDS)
        if self.heuristic not in get_args(Heuristic):
            raise ConfigError(
                f"alignment.heuristic is {self.heuristic!r}; "
                f"expected one of {', '.join(get_args(Heuristic))}."
            )


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
    min_reliability: float = 0.9
    """Smallest smoothed p(target|source) of what is offered, between 0 and 1."""
    min_reverse: float = 0.5
    """Smallest smoothed p(source|target), between 0 and 1."""
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
        _check_share("memory.min_reliability", self.min_reliability)
        _check_share("memory.min_reverse", self.min_reverse)
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
