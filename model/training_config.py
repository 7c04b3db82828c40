"""Settings of the training, the section `[training]`.

Nothing here imports torch, so that settings can be read and refused before any model code is
loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, get_args

from model.checks import one_of, require
from model.device_names import AUTO, BY_KIND, check_device

Precision = Literal["float32", "tf32", "bfloat16"]
Optimizer = Literal["adam", "adadelta"]
Decay = Literal["linear", "inverse-root"]
BatchOrder = Literal["shuffled", "paper"]
BatchUnit = Literal["sentences", "words"]
BatchLoss = Literal["mean", "sum"]
Criterion = Literal["loss", "bleu"]
Graphing = Literal["auto", "off"]
TRACKERS = ("tensorboard", "mlflow")
DEFAULT_LEARNING_RATE = 1e-3
"""Step size of Adam where none is set."""

MOST_THREADS = 1024

CONDUCT: Mapping[str, Any] = MappingProxyType({"shapes_result": False})
"""Metadata of a setting that says how a training is carried out and never what it computes: it
takes no part in the cache key, and no model records it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a network is trained; the first budget that is used up ends the training."""

    batch_size: int = 80
    """Sentence pairs in a batch, or words where batches are counted in words."""
    batch_unit: BatchUnit = "sentences"
    """Count sentence pairs, or words: the pairs times the words of the longest sentence among them,
    padding and end mark included, stay within `batch_size`.
    """
    micro_batch: int = 0
    """Sentence pairs whose gradient is computed at once, to be added up over the batch; 0 takes the
    batch whole. It needs less memory and changes the order of sums, no more.
    """
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
    """Adam, or Adadelta as in the papers."""
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
    phrase_dropout: float = 0.0
    """Share of offered phrases that are kept back, drawn anew in each pass, so that their words are
    learned as words too; 1 trains without any phrase.
    """
    precision: Precision = "float32"
    """Number format of matrix products; states, losses and the optimizer stay in float32. "tf32",
    which GPUs alone have, keeps 11 significant bits of float32's 24.
    """
    device: str = field(default=AUTO, metadata=BY_KIND)
    """Where the network learns: "cpu", "cuda" (the first GPU, or one for each process), or one GPU
    such as "cuda:1"; "auto" takes a GPU if there is one.
    """
    graphs: Graphing = "auto"
    """On a GPU, pad batches to few sizes and repeat forward and backward pass of each size as one
    CUDA graph, launched at once, with kernels for attention; the order of sums and the draws of
    dropout are other ones then. "off" does without, and so does a processor.
    """
    threads: int = 0
    """Processor threads of a process; 0 takes all. One a system is fastest where several train side
    by side.
    """
    processes: int = 1
    """Processes that share each batch and add up their gradients, on all machines together."""
    epochs: int = 0
    """Most passes over the data; 0 is no limit."""
    steps: int = 0
    """Most optimizer steps; 0 is no limit."""
    target_words: int = 0
    """Most target words seen (end marks included); 0 is no limit."""
    minutes: float = 0.0
    """Most minutes of training, validation included; 0 is no limit. The model says at which step it
    ended; `steps` with that number trains it again.
    """
    validation_steps: int = 0
    """Measure on dev after every so many steps; 0 measures after every pass over the data."""
    best_by: Criterion = "loss"
    """Keep the weights with the smallest loss on dev, or as in the papers with the highest BLEU of
    dev: mteval-v11b on lower-cased words, the shortest reference.
    """
    validation_beam: int = 1
    """Beam with which dev is translated for its BLEU; 1 is greedy search."""
    patience: int = 0
    """Stop once so many measurements in a row brought nothing better; 0 never stops early."""
    average_checkpoints: int = 1
    """Average the weights of the last so many passes over the data and take the mean if its loss on
    dev is smaller than that of every pass, or if there is no dev set; 1 takes single passes only.
    """
    ema: float = 0.0
    """Decay of a moving mean of the weights (such as 0.999), which is measured and kept in their
    place; 0 takes the weights themselves.
    """
    seed: int = 1
    """Of the first weights, of dropout and of the order of pairs."""
    checkpoint_steps: int = field(default=200, metadata=CONDUCT)
    """Keep the work so far after every so many steps, and whenever the training is asked to stop.
    """
    keep_checkpoints: int = field(default=2, metadata=CONDUCT)
    """Checkpoints of a training that are kept; if the newest is damaged, the one before serves."""
    loader_threads: int = field(default=1, metadata=CONDUCT)
    """Threads that pad batches ahead, while another is computed; 0 pads each when it is needed."""
    stall_minutes: float = field(default=10.0, metadata=CONDUCT)
    """Give up, and try again from the last checkpoint, if the next batch takes longer than this."""
    restarts: int = field(default=3, metadata=CONDUCT)
    """How often a training with several processes begins again from its last checkpoint after one
    of them was lost.
    """
    nodes: int = field(default=1, metadata=CONDUCT)
    """Machines over which the processes are spread evenly; on each but this one `phrasenet join`
    has to run (docs/scale.md)."""
    rendezvous: str = field(default="", metadata=CONDUCT)
    """Where several machines find each other: "HOST:PORT" of this one, which leads."""
    track: tuple[str, ...] = field(default=(), metadata=CONDUCT)
    """Where the figures of the training go beside its log: "tensorboard", "mlflow" (extras
    `phrasenet[tensorboard]` and `phrasenet[mlflow]`), in the folder `tracking` of the workspace.
    """
    mlflow_uri: str = field(default="", metadata=CONDUCT)
    """Server that MLflow writes to; without one, everything stays in the workspace."""

    def __post_init__(self) -> None:
        for name in (
            "batch_size",
            "buffer_batches",
            "average_checkpoints",
            "processes",
            "nodes",
            "validation_beam",
            "checkpoint_steps",
            "keep_checkpoints",
        ):
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
            "micro_batch",
            "minutes",
            "validation_steps",
            "patience",
            "loader_threads",
            "restarts",
        ):
            require(getattr(self, name) >= 0, f"training.{name}", getattr(self, name), "0 or more")
        self._check_machines()
        require(self.seed < 2**63, "training.seed", self.seed, "below 2 to the power of 63")
        require(self.threads <= MOST_THREADS, "training.threads", self.threads, "at most 1024")
        for name in ("label_smoothing", "dropout", "ema"):
            value = getattr(self, name)
            require(0 <= value < 1, f"training.{name}", value, "at least 0 and below 1")
        share = self.phrase_dropout
        require(0 <= share <= 1, "training.phrase_dropout", share, "between 0 and 1")
        require(self.learning_rate > 0, "training.learning_rate", self.learning_rate, "above 0")
        check_device("training.device", self.device)
        one_of("training.optimizer", self.optimizer, get_args(Optimizer))
        one_of("training.decay", self.decay, get_args(Decay))
        one_of("training.precision", self.precision, get_args(Precision))
        one_of("training.batch_order", self.batch_order, get_args(BatchOrder))
        one_of("training.batch_unit", self.batch_unit, get_args(BatchUnit))
        one_of("training.best_by", self.best_by, get_args(Criterion))
        one_of("training.graphs", self.graphs, get_args(Graphing))
        one_of("training.batch_loss", self.batch_loss, get_args(BatchLoss))
        if self.optimizer == "adadelta":
            self._refuse_step_sizes()
        if self.decay == "inverse-root":
            self._check_inverse_root()
        self._check_tracking()
        if not (self.epochs or self.steps or self.target_words or self.minutes):
            raise ValueError(
                "training has no budget: set at least one of training.epochs, training.steps, "
                "training.target_words and training.minutes."
            )

    def _check_machines(self) -> None:
        """Refuse a training on several machines that cannot find each other."""
        require(
            self.processes % self.nodes == 0,
            "training.processes",
            self.processes,
            f"a multiple of training.nodes, {self.nodes}",
        )
        host, _, port = self.rendezvous.rpartition(":")
        if self.nodes > 1:
            is_host = bool(host) and "/" not in host and not any(map(str.isspace, host))
            holds = is_host and port.isdecimal() and 0 < int(port) < 1 << 16
            expected = '"HOST:PORT" of the machine that leads, where training.nodes is above 1'
        else:
            holds, expected = not self.rendezvous, "left out while training.nodes is 1"
        require(holds, "training.rendezvous", self.rendezvous, expected)

    def as_recorded(self) -> dict[str, Any]:
        """Return the settings that shape the result, as a model records them."""
        return {
            each.name: each.metadata.get("key_as", _as_it_is)(getattr(self, each.name))
            for each in fields(self)
            if each.metadata != CONDUCT
        }

    def _check_tracking(self) -> None:
        """Refuse unknown trackers, and a server that nothing is sent to."""
        require(self.stall_minutes > 0, "training.stall_minutes", self.stall_minutes, "above 0")
        for name in self.track:
            one_of("training.track", name, TRACKERS)
        if self.mlflow_uri and "mlflow" not in self.track:
            raise ValueError(
                f"training.mlflow_uri is {self.mlflow_uri!r}, but nothing is sent there: set "
                'training.track to ["mlflow"], or remove mlflow_uri.'
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


def _as_it_is(value: Any) -> Any:
    return value
