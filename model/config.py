"""Settings of the models, of their training and of decoding, and the table of named systems.

A *system* is a named set of switches of one network. Nothing here imports torch, so
that settings can be read and refused before any model code is loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

PhraseVariant = Literal["none", "gate", "softmax"]
Coverage = Literal["none", "neural"]
Decoder = Literal["conditional-gru"]
Precision = Literal["float32", "bfloat16"]
InitialValues = Literal["paper", "scaled"]
NoiseKind = Literal["normal", "half-normal"]
Optimizer = Literal["adam", "adadelta"]
LengthRule = Literal["normalised", "raw"]
DEFAULT_LEARNING_RATE = 1e-3
"""Step size of Adam where none is set."""

MOST_THREADS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """What distinguishes one system from another."""

    decoder: Decoder = "conditional-gru"
    coverage: Coverage = "neural"
    phrase_memory: PhraseVariant = "none"


SYSTEMS: Mapping[str, Switches] = MappingProxyType(
    {
        "rnnsearch": Switches(),
        "phrasenet-gate": Switches(phrase_memory="gate"),
        "phrasenet-softmax": Switches(phrase_memory="softmax"),
    }
)


def _require(holds: bool, setting: str, value: object, expected: str) -> None:
    """Refuse a setting with a message that names it, its value and what was expected."""
    if not holds:
        raise ValueError(f"{setting} is {value!r}; it must be {expected}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Shape and switches of one network; the defaults are the sizes of the PhraseNet paper."""

    system: str = "rnnsearch"
    embedding: int = 620
    """Size E of word embeddings and of the readout."""
    hidden: int = 1000
    """Size H of each recurrent state; an annotation has 2H numbers."""
    attention: int = 0
    """Size A of the attention's hidden layer; 0 means 2H, as in dl4mt."""
    coverage_dim: int = 10
    """Numbers of the coverage vector per source word (d)."""
    phrase_slots: int = 10
    """Most phrases offered to one sentence (n_p)."""
    gate_hidden: int = 0
    """Width of the mode gate's two hidden layers; 0 means H."""
    gate_bias: float = -2.0
    """First value of the mode gate's output bias: phrase starts are rare."""
    gate_noise: NoiseKind = "normal"
    """Noise of the noisy tanh; "half-normal" has a mean that is kept at test time."""
    gate_always: bool = False
    """Keep the factor log(1 - f) on steps without a live slot (the literal reading of the paper).
    """
    phrase_bias: bool = False
    """Softmax variant: learn one number that is added to all phrase scores."""
    initial_values: InitialValues = "paper"
    """First weights: as in dl4mt, or scaled by the number of inputs, without which small networks
    learn very slowly.
    """
    source_vocabulary: int = 16_000
    """Most source words that the caller keeps, the end mark and the unknown word included."""
    target_vocabulary: int = 16_000
    """Most target words that the caller keeps, the end mark and the unknown word included."""

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            known = ", ".join(SYSTEMS)
            raise ValueError(f"model.system is {self.system!r}; the known systems are: {known}.")
        for name in ("embedding", "hidden", "coverage_dim", "phrase_slots"):
            _require(getattr(self, name) >= 1, f"model.{name}", getattr(self, name), "1 or more")
        for name in ("attention", "gate_hidden"):
            _require(
                getattr(self, name) >= 0,
                f"model.{name}",
                getattr(self, name),
                "0 (derived) or more",
            )
        for name in ("source_vocabulary", "target_vocabulary"):
            _require(getattr(self, name) >= 3, f"model.{name}", getattr(self, name), "3 or more")
        _one_of("model.gate_noise", self.gate_noise, get_args(NoiseKind))
        _one_of("model.initial_values", self.initial_values, get_args(InitialValues))

    @property
    def switches(self) -> Switches:
        """The switches of the named system."""
        return SYSTEMS[self.system]

    @property
    def attention_size(self) -> int:
        """Size of the attention's hidden layer."""
        return self.attention or 2 * self.hidden

    @property
    def gate_size(self) -> int:
        """Width of the mode gate's hidden layers."""
        return self.gate_hidden or self.hidden

    @property
    def slots(self) -> int:
        """Slots that the network knows: 0 for a system without phrase memory."""
        return 0 if self.switches.phrase_memory == "none" else self.phrase_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a network is trained; the first budget that is used up ends the training."""

    batch_size: int = 80
    """Sentence pairs in a batch."""
    buffer_batches: int = 20
    """Batches whose pairs are sorted by length together."""
    optimizer: Optimizer = "adam"
    learning_rate: float = DEFAULT_LEARNING_RATE
    """Step size of Adam; Adadelta (rho 0.95, epsilon 1e-6) has none, as in the papers."""
    final_learning_rate: float = 0.0
    """Step size of Adam at the end of the budget, reached along a straight line; 0 keeps it
    constant.
    """
    clip_norm: float = 1.0
    """Largest norm of the gradient of the mean loss per sentence; 0 switches clipping off."""
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
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("batch_size", "buffer_batches"):
            _require(getattr(self, name) >= 1, f"training.{name}", getattr(self, name), "1 or more")
        for name in (
            "epochs",
            "steps",
            "target_words",
            "clip_norm",
            "seed",
            "final_learning_rate",
            "threads",
        ):
            _require(getattr(self, name) >= 0, f"training.{name}", getattr(self, name), "0 or more")
        _require(self.seed < 2**63, "training.seed", self.seed, "below 2 to the power of 63")
        _require(self.threads <= MOST_THREADS, "training.threads", self.threads, "at most 1024")
        for name in ("label_smoothing", "dropout"):
            value = getattr(self, name)
            _require(0 <= value < 1, f"training.{name}", value, "at least 0 and below 1")
        _require(self.learning_rate > 0, "training.learning_rate", self.learning_rate, "above 0")
        _one_of("training.optimizer", self.optimizer, get_args(Optimizer))
        _one_of("training.precision", self.precision, get_args(Precision))
        if self.optimizer == "adadelta":
            self._refuse_step_sizes()
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
        ):
            if getattr(self, name) != without_effect:
                raise ValueError(
                    f"training.{name} is {getattr(self, name)}, which adadelta does not read: it "
                    f"finds its step sizes itself. Remove {name}, or set "
                    'training.optimizer to "adam".'
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

    def __post_init__(self) -> None:
        for name in ("beam", "batch_size"):
            _require(getattr(self, name) >= 1, f"decoding.{name}", getattr(self, name), "1 or more")
        ratio = self.max_length_ratio
        _require(ratio > 0, "decoding.max_length_ratio", ratio, "above 0")
        low = self.min_length_ratio
        _require(0 <= low <= ratio, "decoding.min_length_ratio", low, "0 to max_length_ratio")
        _one_of("decoding.length_rule", self.length_rule, get_args(LengthRule))
        _one_of("decoding.precision", self.precision, get_args(Precision))


def _one_of(setting: str, value: str, choices: tuple[str, ...]) -> None:
    _require(value in choices, setting, value, "one of " + ", ".join(choices))
