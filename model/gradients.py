"""The gradient of a batch, computed in one piece or in several that fit into memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.batches import Example
from model.fused_attention import fusing
from model.graphs import Graphs
from model.noise import Noise
from model.placing import pinned, pinned_tensor
from model.rooms import Piece, widened
from model.training_config import TrainingConfig
from model.translator import Translator

_NO_MEMORY = ("can't allocate memory", "CUBLAS_STATUS_ALLOC_FAILED")
"""What PyTorch's allocator says on the CPU, and cuBLAS where nothing is left for it."""
NO_LIMIT = 1 << 60
"""So many pairs fit into memory as far as anybody knows."""


class OutOfMemory(MemoryError):
    """Not even a single sentence pair fits into memory."""


@dataclass(frozen=True, slots=True)
class Share:
    """A process's part of a batch, padded ahead in pieces of the usual size."""

    examples: Sequence[Example]
    pieces: tuple[Piece, ...]
    micro_batch: int
    """Pairs in a piece."""


def padded_share(
    translator: Translator, examples: Sequence[Example], micro_batch: int, *, wide: bool = False
) -> Share:
    """Pad a part of a batch in pieces of so many pairs.

    Args:
        translator: the network.
        examples: the part.
        micro_batch: pairs of a piece; 0 is one piece.
        wide: whether pieces are widened to few sizes, as `Graphs` takes them.
    """
    size = max(1, min(micro_batch or NO_LIMIT, len(examples)))
    pieces = tuple(
        _padded(translator, examples[at : at + size], wide=wide)
        for at in range(0, len(examples), size)
    )
    return Share(examples, pieces, size)


def _padded(translator: Translator, examples: Sequence[Example], *, wide: bool) -> Piece:
    source, target, real_B, room = Piece(*translator.collate(examples))
    if wide:
        source, target, real_B, room = widened(source, target)
    device = translator.device
    if real_B is not None:
        real_B = pinned_tensor(real_B, device)
    return Piece(pinned(source, device), pinned(target, device), real_B, room)


def add_up_gradient(
    translator: Translator,
    share: Share,
    stream: torch.Generator,
    config: TrainingConfig,
    divisor: float,
    graphs: Graphs | None = None,
) -> tuple[Tensor, int]:
    """Put the gradient of a share's loss into the parameters' `grad`.

    Where memory runs out, the share is computed again in pieces of half the size, with the same
    random numbers at its beginning.

    Args:
        translator: the network.
        share: what to learn from; the gradient of an empty one is none.
        stream: random numbers of dropout and noise.
        config: how to train.
        divisor: what the sum of the losses is divided by.
        graphs: computes the pieces of a share that is wide; None computes others.

    Returns:
        The sum of the negative log-likelihoods in nats, on the network's device so that nobody
        waits for it, and the pairs in a piece if memory ran out, `NO_LIMIT` else.

    Raises:
        OutOfMemory: a single pair does not fit.
    """
    begin, limit = stream.get_state(), NO_LIMIT
    noise = Noise(stream, config.dropout)
    while True:
        try:
            with fusing(config.graphs == "auto"):
                if graphs is not None:
                    return graphs.add_up(share.pieces, divisor), limit
                return _added_up(translator, share, noise, config, divisor), limit
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
        # Only here, after the handler, is nothing of the failed pass held any more.
        if share.micro_batch <= 1:
            raise OutOfMemory("a single sentence pair does not fit into memory")
        limit = (share.micro_batch + 1) // 2
        if translator.device.type == "cuda":
            torch.cuda.empty_cache()
        stream.set_state(begin)
        share = padded_share(translator, share.examples, limit, wide=graphs is not None)


def is_out_of_memory(error: RuntimeError) -> bool:
    """Say whether PyTorch could not get the memory that it asked for."""
    return isinstance(error, torch.OutOfMemoryError) or any(
        said in str(error) for said in _NO_MEMORY
    )


def _added_up(
    translator: Translator, share: Share, noise: Noise, config: TrainingConfig, divisor: float
) -> Tensor:
    for parameter in translator.parameters():
        parameter.grad = None
    total = torch.zeros((), dtype=torch.float64, device=translator.device)
    for loss in _losses(translator, share, noise, config):
        (loss / divisor).backward()
        total += loss.detach()
    return total


def _losses(
    translator: Translator, share: Share, noise: Noise, config: TrainingConfig
) -> Iterator[torch.Tensor]:
    for piece in share.pieces:
        log_B = translator.log_likelihood(
            piece.source,
            piece.target,
            noise=noise,
            label_smoothing=config.label_smoothing,
            precision=config.precision,
        )
        yield -log_B.sum()
