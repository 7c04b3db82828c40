"""Settings of the statistical systems."""

from dataclasses import dataclass

from storage.errors import ConfigError

SMT, MOSES = "smt", "smt-moses"
SMT_SYSTEMS = (SMT, MOSES)
"""Systems that are no networks: our own decoder, and a user's own Moses."""

_RANGES = {
    "max_words": (1, 20),
    "ngram_order": (1, 6),
    "distortion_limit": (0, 60),
    "table_candidates": (1, 1000),
    "span_candidates": (1, 1000),
    "stack": (1, 100_000),
    "pops": (1, 1_000_000),
    "n_best": (1, 10_000),
    "tuning_rounds": (0, 100),
    "tuning_sentences": (1, 1_000_000),
    "seed": (0, 2**63 - 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtConfig:
    """How the system `smt` learns and translates; the usual values are those of Moses."""

    max_words: int = 7
    """Longest phrase, in words, on either side."""
    ngram_order: int = 4
    """Longest n-gram of the language model."""
    distortion_limit: int = 6
    """Most source words that are jumped over; 0 translates in the order of the source, which is
    monotone SMT."""
    lexicalised_reordering: bool = True
    """Learn of each phrase whether it follows its neighbours, swaps with them or jumps."""
    discounts: bool = True
    """Discount the counts of phrase pairs that were seldom seen, after Good and Turing; Moses does
    so if asked to."""
    table_candidates: int = 30
    """Most translations of a source phrase in the phrase table."""
    span_candidates: int = 20
    """Most translations of a source phrase that are tried in a sentence."""
    stack: int = 100
    """Hypotheses that are kept for each number of translated words."""
    pops: int = 1000
    """Hypotheses that are made for each number of translated words."""
    n_best: int = 100
    """Translations of a sentence of dev that weights are tuned on."""
    tuning_rounds: int = 8
    """How often dev is translated anew with better weights; 0 keeps the first weights."""
    tuning_sentences: int = 1000
    """Most sentences of dev that weights are tuned on, the first ones."""
    seed: int = 1
    """Of the order in which tuning looks at sentences."""

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise ConfigError(f"smt.{name} is {value}; it must be between {least} and {most}.")
