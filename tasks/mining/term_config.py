"""Settings that tell terms from fragments; they refuse nonsense at once."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError

Fragments = Literal["terms-only", "drop", "drop-parts", "keep"]

_PARTS = frozenset(["edge", "inside", "verb", "part"])
"""Why a phrase is a fragment that is less often right than its counts say: where it is offered, it
is mostly the rest of something longer."""


_ANY_SIZE = (
    "min_c_value",
    "min_likelihood_ratio",
    "min_keyness",
    "min_entropy",
    "max_lacking_share",
)
"""Settings that may be 0 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermConfig:
    """Which of the phrases that alignment proposes are terms."""

    fragments: Fragments = "drop"
    """`terms-only`: the memory holds only mined phrases that are terms. `drop`: also those that
    nothing speaks against, though no method proposes them: words as frequent elsewhere.
    `drop-parts`: also targets that lack a word, if they are reliable; not clauses, verbs, what
    begins or ends in a function word, and parts of longer terms. `keep`: whatever is reliable, as a
    plain phrase table would. The methods that proposed a phrase are kept all the same."""
    min_c_value: float = 3.0
    """Least C-value (Frantzi et al. 2000) of a term of several words."""
    min_likelihood_ratio: float = 10.83
    """Least log-likelihood ratio by which hierarchical reducing joins words (10.83: p = 0.001)."""
    min_keyness: float = 10.83
    """Least log-likelihood by which a single word is more frequent than in jieba's word list."""
    min_entropy: float = 0.3
    """Least entropy of the neighbours of a term, on either side, in bits."""
    min_free_share: float = 0.05
    """Least share of a term's occurrences that are not inside of longer terms or names."""

    max_lacking_share: float = 0.15
    """A term's target lacks a word if in this share of its places, or more, a word of content
    outside of it is linked to the source (`terrorist` for 恐怖活动, beside which stands
    `activities`). Above 1, links are not asked."""

    def __post_init__(self) -> None:
        """Refuse nonsense."""
        if self.fragments not in get_args(Fragments):
            raise ConfigError(
                f"terms.fragments is {self.fragments!r}; "
                f"expected one of {', '.join(get_args(Fragments))}."
            )
        for name in _ANY_SIZE:
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise ConfigError(f"terms.{name} is {value}; it must be 0 or more.")
        if not 0 <= self.min_free_share <= 1:
            raise ConfigError(
                f"terms.min_free_share is {self.min_free_share}; it must be between 0 and 1."
            )


def is_left_out(reason: str, fragments: Fragments) -> bool:
    """Say whether the memory leaves a mined phrase out, by the reason why it is no term, if any."""
    match fragments:
        case "terms-only":
            return reason != ""
        case "drop":
            return reason not in ("", "no method")
        case "drop-parts":
            return reason in _PARTS
        case "keep":
            return False
