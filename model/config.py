"""Settings of the training and of decoding; those of the network are in `network_config.py`.

Nothing here imports torch, so that settings can be read and refused before any model code is
loaded.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from model.checks import one_of, require
from model.network_config import ModelConfig
from model.switches import SYSTEMS

__all__ = [
    "SYSTEMS",
    "DecodingConfig",
    "ModelConfig",
    "Precision",
    "TrainingConfig",
]

Precision = Literal["float32", "bfloat16"]
Optimizer = Literal["adam", "adadelta"]
Decay = Literal["linear", "inverse-root"]
BatchOrder = Literal["shuffled", "paper"]
BatchLoss = Literal["mean", "sum"]
LengthRule = Literal["normalised", "raw"]
Method = Literal["beam", "greedy", "sample"]
EnsembleMean = Literal["probability", "log-probability"]
UnknownWords = Literal["keep", "copy", "dictionary"]
DEFAULT_LEARNING_RATE = 1e-3
"""Step size of Adam where none is set."""

MOST_THREADS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a network is trained; the first budget that is used up ends the training."""

    batch_size: int = 80
    """Sentence pairs in a batch."""
    buffer_batches: int = 20
    """Batches whose pairs are sorted by length together."""
    batch_order: BatchOrder = "shuffled"
    """Shuffle pairs and batches anew in each epoch, or as in the papers shuffle the pairs once:
    then dl4mt's systems take the pairs of a buffer by target length, longest first, and GroundHog's
    by their longer side, shortest first.
    """
    batch_loss: BatchLoss = "mean"
    """What the gradient is of: the mean loss per sentence as in dl4mt, or the sum as in GroundHog,
    whose gradient is clipped in nearly every step.
    """
    optimizer: Optimizer = "adam"
    learning_rate: float = DEFAULT_LEARNING_RATE
    """Step size of Adam; Adadelta (rho 0.95, epsilon 1e-6) has none, as in the papers."""
    final_learning_rate: float = 0.0
    """Step size of Adam at the end of the budget, reached along a straight line; 0 keeps it
    constant.
    """
    warmup_steps: int = 0
    """Steps over which the step size of Adam rises from 0 along a straight line."""
    decay: Decay = "linear"
    """How the step size of Adam falls: along a straight line to `final_learning_rate`, or after
    the warm-up with the inverse root of the number of steps, as usual for Transformers.
    """
    clip_norm: float = 1.0
    """Largest norm of the gradient of the batch's loss; 0 switches clipping off."""
    label_smoothing: float = 0.0
    """Share of each word's target spread evenly over the vocabulary, between 0 and 1."""
    dropout: float = 0.0
    """Share of units dropped on embeddings and readout, between 0 and 1."""
    precision: Precision = "float32"
    """Number format of matrix products; states, losses and the optimizer stay in float32."""
    threads: int = 0
    """Processor threads; 0 takes all. One a system is fastest where several train side by side."""
    epochs: int = 0
    """Most passes over the data; 0 is no limit."""
    steps: int = 0
    """Most optimizer steps; 0 is no limit."""
    target_words: int = 0
    """Most target words seen (end marks included); 0 is no limit."""
    average_checkpoints: int = 1
    """Average the weights of the last so many passes over the data and take the mean if its loss on
    dev is smaller than that of every pass, or if there is no dev set; 1 takes single passes only.
    """
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("batch_size", "buffer_batches", "average_checkpoints"):
            require(getattr(self, name) >= 1, f"training.{name}", getattr(self, name), "1 or more")
        for name in (
            "epochs",
            "steps",
            "target_words",
            "clip_norm",
            "seed",
            "final_learning_rate",
            "warmup_steps",
            "threads",
        ):
            require(getattr(self, name) >= 0, f"training.{name}", getattr(self, name), "0 or more")
        require(self.seed < 2**63, "training.seed", self.seed, "below 2 to the power of 63")
        require(self.threads <= MOST_THREADS, "training.threads", self.threads, "at most 1024")
        for name in ("label_smoothing", "dropout"):
            value = getattr(self, name)
            require(0 <= value < 1, f"training.{name}", value, "at least 0 and below 1")
        require(self.learning_rate > 0, "training.learning_rate", self.learning_rate, "above 0")
        one_of("training.optimizer", self.optimizer, get_args(Optimizer))
        one_of("training.decay", self.decay, get_args(Decay))
        one_of("training.precision", self.precision, get_args(Precision))
        one_of("training.batch_order", self.batch_order, get_args(BatchOrder))
        one_of("training.batch_loss", self.batch_loss, get_args(BatchLoss))
        if self.optimizer == "adadelta":
            self._refuse_step_sizes()
        if self.decay == "inverse-root":
            self._check_inverse_root()
        if not (self.epochs or self.steps or self.target_words):
            raise ValueError(
                "training has no budget: set at least one of training.epochs, training.steps "
                "and training.target_words."
            )

    def _refuse_step_sizes(self) -> None:
        """Refuse step sizes that Adadelta would not read."""
        for name, without_effect in (
            ("learning_rate", DEFAULT_LEARNING_RATE),
            ("final_learning_rate", 0.0),
            ("warmup_steps", 0),
            ("decay", "linear"),
        ):
            if getattr(self, name) != without_effect:
                raise ValueError(
                    f"training.{name} is {getattr(self, name)!r}, which adadelta does not read: it "
                    f"finds its step sizes itself. Remove {name}, or set "
                    'training.optimizer to "adam".'
                )

    def _check_inverse_root(self) -> None:
        """Refuse what the inverse root of the number of steps does not go with."""
        if not self.warmup_steps:
            raise ValueError(
                'training.decay is "inverse-root", which falls from the end of the warm-up on: set '
                "training.warmup_steps to 1 or more."
            )
        if self.final_learning_rate:
            raise ValueError(
                f"training.final_learning_rate is {self.final_learning_rate}, but training.decay "
                'is "inverse-root", which knows no end. Remove final_learning_rate, or set '
                'training.decay to "linear".'
            )


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
        ratio = self.max_length_ratio
        require(ratio > 0, "decoding.max_length_ratio", ratio, "above 0")
        low = self.min_length_ratio
        require(0 <= low <= ratio, "decoding.min_length_ratio", low, "0 to max_length_ratio")
        require(
            0 <= self.seed < 2**63, "decoding.seed", self.seed, "from 0 to 2 to the power of 63"
        )
        warm = 0 < self.temperature < math.inf
        require(warm, "decoding.temperature", self.temperature, "above 0 and finite")
        one_of("decoding.method", self.method, get_args(Method))
        one_of("decoding.ensemble_mean", self.ensemble_mean, get_args(EnsembleMean))
        one_of("decoding.unknown_words", self.unknown_words, get_args(UnknownWords))
        one_of("decoding.length_rule", self.length_rule, get_args(LengthRule))
        one_of("decoding.precision", self.precision, get_args(Precision))
