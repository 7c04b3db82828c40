"""Settings of decoding; those of the network are in `network_config.py`, those of the training in
`training_config.py`.

Nothing here imports torch, so that settings can be read and refused before any model code is
loaded.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

from model.checks import one_of, require
from model.device_names import AUTO, BY_KIND, check_device
from model.network_config import ModelConfig
from model.switches import SYSTEMS
from model.training_config import Precision, TrainingConfig

__all__ = [
    "SYSTEMS",
    "DecodingConfig",
    "ModelConfig",
    "Precision",
    "TrainingConfig",
]

LengthRule = Literal["normalised", "raw"]
Method = Literal["beam", "greedy", "sample"]
EnsembleMean = Literal["probability", "log-probability"]
ReadoutFormat = Literal["float", "int8"]
UnknownWords = Literal["keep", "copy", "dictionary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingConfig:
    """How translations are searched for."""

    beam: int = 10
    """Hypotheses kept per number of words; 1 is greedy search."""
    batch_size: int = 32
    """Sentences decoded together."""
    length_rule: LengthRule = "normalised"
    """Rank by log-probability per word (the end mark counts as one), or by log-probability."""
    max_length_ratio: float = 3.0
    """Most words of a translation as a multiple of the source words."""
    min_length_ratio: float = 0.0
    """Fewest words of a translation as a multiple of the source words."""
    recombine: bool = True
    """Add up the probabilities of hypotheses with the same words and the same live slots."""
    clear_on_word_match: bool = True
    """A phrase that was spelled out word by word also uses up its slot, as it does in training."""
    precision: Precision = "float32"
    """Number format of matrix products, as in `[training]`."""
    device: str = field(default=AUTO, metadata=BY_KIND)
    """Where translations are searched for, as in `[training]`."""
    readout: ReadoutFormat = "float"
    """"int8": choose words by products of whole numbers from -127 to 127, on a processor alone; in
    beam search with one model the best words get exact scores all the same.
    """
    short_list: int = 0
    """Search only among so many of the most frequent target words, the translations of the
    sentence's words that the phrase memory knows, and the words of its phrases; 0 is all words.
    """
    source_scale: float = 1.0
    """What a model without context gate multiplies source contexts by (a)."""
    target_scale: float = 1.0
    """What a model without context gate multiplies target contexts by (b)."""
    method: Method = "beam"
    """Keep a beam; always take the most probable decision; or draw each decision at random."""
    samples: int = 1
    """Translations drawn for each sentence where decisions are drawn at random."""
    temperature: float = 1.0
    """Log-probabilities are divided by it before drawing: below 1 nearer to the best, above 1 more
    even.
    """
    seed: int = 1
    """Of what is drawn; the same for any batch size."""
    ensemble_mean: EnsembleMean = "probability"
    """What is averaged where several models decide together."""
    unknown_words: UnknownWords = "keep"
    """Print UNK as in the papers, copy the source word with most attention in its place, or print
    that word's entry in the phrase memory, or copy it if there is none.
    """

    def __post_init__(self) -> None:
        for name in ("source_scale", "target_scale"):
            scale = getattr(self, name)
            require(scale >= 0, f"decoding.{name}", scale, "0 or more")
        for name in ("beam", "batch_size", "samples"):
            require(getattr(self, name) >= 1, f"decoding.{name}", getattr(self, name), "1 or more")
        require(self.short_list >= 0, "decoding.short_list", self.short_list, "0 (all) or more")
        ratio = self.max_length_ratio
        require(ratio > 0, "decoding.max_length_ratio", ratio, "above 0")
        low = self.min_length_ratio
        require(0 <= low <= ratio, "decoding.min_length_ratio", low, "0 to max_length_ratio")
        require(
            0 <= self.seed < 2**63, "decoding.seed", self.seed, "from 0 to 2 to the power of 63"
        )
        warm = 0 < self.temperature < math.inf
        require(warm, "decoding.temperature", self.temperature, "above 0 and finite")
        check_device("decoding.device", self.device)
        one_of("decoding.readout", self.readout, get_args(ReadoutFormat))
        one_of("decoding.method", self.method, get_args(Method))
        one_of("decoding.ensemble_mean", self.ensemble_mean, get_args(EnsembleMean))
        one_of("decoding.unknown_words", self.unknown_words, get_args(UnknownWords))
        one_of("decoding.length_rule", self.length_rule, get_args(LengthRule))
        one_of("decoding.precision", self.precision, get_args(Precision))
