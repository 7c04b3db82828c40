"""The gradient of a batch, computed in one piece or in several that fit into memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model.batches import Example, SourceBatch, TargetBatch
from model.noise import Noise
from model.training_config import TrainingConfig
from model.translator import Translator

_NO_MEMORY = "can't allocate memory"
"""What PyTorch's allocator says on the CPU."""
NO_LIMIT = 1 << 60
"""So many pairs fit into memory as far as anybody knows."""


class OutOfMemory(MemoryError):
    """Not even a single sentence pair fits into memory."""


@dataclass(frozen=True, slots=True)
class Share:
    """A process's part of a batch, padded ahead in pieces of the usual size."""

    examples: Sequence[Example]
    pieces: "tuple[tuple[SourceBatch, TargetBatch], ...]"
    micro_batch: int
    """Pairs in a piece."""


def padded_share(translator: Translator, examples: Sequence[Example], micro_batch: int) -> Share:
    """Pad a part of a batch in pieces of so many pairs; 0 is one piece."""
    size = max(1, min(micro_batch or NO_LIMIT, len(examples)))
    pieces = tuple(
        translator.collate(examples[at : at + size]) for at in range(0, len(examples), size)
    )
    return Share(examples, pieces, size)


def add_up_gradient(
    translator: Translator,
    share: Share,
    stream: torch.Generator,
    config: TrainingConfig,
    divisor: float,
) -> tuple[float, int]:
    """Put the gradient of a share's loss into the parameters' `grad`.

    Where memory runs out, the share is computed again in pieces of half the size, with the same
    random numbers at its beginning.

    Args:
        translator: the network.
        share: what to learn from; the gradient of an empty one is none.
        stream: random numbers of dropout and noise.
        config: how to train.
        divisor: what the sum of the losses is divided by.

    Returns:
        The sum of the negative log-likelihoods in nats, and the pairs in a piece if memory ran out,
        `NO_LIMIT` else.

    Raises:
        OutOfMemory: a single pair does not fit.
    """
    begin, limit = stream.get_state(), NO_LIMIT
    noise = Noise(stream, config.dropout)
    while True:
        try:
            return _added_up(translator, share, noise, config, divisor), limit
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
        # Only here, after the handler, is nothing of the failed pass held any more.
        if share.micro_batch <= 1:
            raise OutOfMemory("a single sentence pair does not fit into memory")
        limit = (share.micro_batch + 1) // 2
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        stream.set_state(begin)
        share = padded_share(translator, share.examples, limit)


def is_out_of_memory(error: RuntimeError) -> bool:
    """Say whether PyTorch could not get the memory that it asked for."""
    return isinstance(error, torch.OutOfMemoryError) or _NO_MEMORY in str(error)


def _added_up(
    translator: Translator, share: Share, noise: Noise, config: TrainingConfig, divisor: float
) -> float:
    for parameter in translator.parameters():
        parameter.grad = None
    total = 0.0
    for loss in _losses(translator, share, noise, config):
        (loss / divisor).backward()
        total += loss.item()
    return total


def _losses(
    translator: Translator, share: Share, noise: Noise, config: TrainingConfig
) -> Iterator[torch.Tensor]:
    for source, target in share.pieces:
        log_B = translator.log_likelihood(
            source,
            target,
            noise=noise,
            label_smoothing=config.label_smoothing,
            precision=config.precision,
        )
        yield -log_B.sum()
