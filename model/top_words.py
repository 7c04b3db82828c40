"""The most probable words of each row, and log-sum-exps, without sorting a vocabulary.

The rows are worked on a few at a time, so that they stay in the cache of one core.

Shapes: D rows, Y rows at a time, V vocabulary, E readout, X words wanted, N blocks of the
vocabulary, W words of a block.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import embedding

from model.machine import rows_at_once
from model.vocabulary import EOS

BLOCK = 128
"""Words of a block."""
ROWS = 16
"""Rows worked on at a time."""


class Best(NamedTuple):
    """The best words of each row."""

    word_DX: Tensor
    logit_DX: Tensor
    """Highest first."""
    end_D: Tensor
    """Logit of the end mark."""


class Scan(NamedTuple):
    """What one pass over the logits finds."""

    log_sum_D: Tensor
    highest_DN: Tensor
    """Of each block, highest logit; words that fill no block are left out."""


def scan(logits_DV: Tensor, kind: torch.dtype) -> Scan:
    """Pass over logits, computing in the number format `kind`."""
    parts = [_scan(part_YV.to(kind)) for part_YV in logits_DV.split(rows_at_once(logits_DV, ROWS))]
    return Scan(*(torch.cat(tensors) for tensors in zip(*parts, strict=True)))


def _scan(part_YV: Tensor) -> Scan:
    num_blocks = part_YV.shape[1] // BLOCK
    blocks_YNW = part_YV[:, : num_blocks * BLOCK].unflatten(1, (num_blocks, BLOCK))
    # By way of the logarithm of the softmax, as one word has it: on CPUs torch computes that twice
    # as fast as exponentials and their sums one after the other.
    log_sum_Y = part_YV[:, EOS] - torch.log_softmax(part_YV, -1)[:, EOS]
    return Scan(log_sum_Y, blocks_YNW.amax(-1))


def best_words(logits_DV: Tensor, highest_DN: Tensor, count: int, kind: torch.dtype) -> Best:
    """Return the `count` best words of each row, or all if there are fewer.

    Words with a high logit are in blocks with a high maximum: the `count` best words lie in the
    `count` best blocks, or among those that fill no block.

    Args:
        logits_DV: logits.
        highest_DN: see `scan`.
        count: words wanted.
        kind: number format of what is returned.
    """
    count, end_D = min(count, logits_DV.shape[1]), logits_DV[:, EOS].to(kind)
    num_blocks, rest = divmod(logits_DV.shape[1], BLOCK)
    if num_blocks <= 2 * count:
        logit_DX, word_DX = torch.topk(logits_DV.to(kind), count)
        return Best(word_DX, logit_DX, end_D)
    split = num_blocks * BLOCK
    best_DX = torch.topk(highest_DN, count).indices
    likely_DZ = _blocks(logits_DV.contiguous(), best_DX)
    in_block_W = torch.arange(BLOCK, device=logits_DV.device)
    word_DZ = (best_DX.unsqueeze(-1) * BLOCK + in_block_W).flatten(1)
    if rest:
        last_R = torch.arange(split, split + rest, device=logits_DV.device)
        likely_DZ = torch.cat([likely_DZ, logits_DV[:, split:]], 1)
        word_DZ = torch.cat([word_DZ, last_R.expand(len(word_DZ), -1)], 1)
    logit_DX, place_DX = torch.topk(likely_DZ.to(kind), count)
    return Best(word_DZ.gather(1, place_DX), logit_DX, end_D)


def _blocks(logits_DV: Tensor, block_DX: Tensor) -> Tensor:
    """Return some blocks of each row side by side, as whole pieces of memory."""
    num, width = logits_DV.shape
    first_D = torch.arange(0, num * width, width, device=logits_DV.device)
    places = (first_D.unsqueeze(1) + block_DX * BLOCK).flatten()
    # Every piece of that length, wherever it begins.
    pieces_XW = logits_DV.as_strided((num * width - BLOCK + 1, BLOCK), (1, 1))
    return pieces_XW.index_select(0, places).view(num, -1)


def top_words(logits_DV: Tensor, count: int) -> Best:
    """Return the `count` best words of each row; see `best_words`."""
    return best_words(logits_DV, _scan(logits_DV).highest_DN, count, logits_DV.dtype)


def refined(
    rough: Best,
    log_sum_D: Tensor,
    hidden_DE: Tensor,
    softmax: tuple[Tensor, Tensor],
    count: int,
) -> tuple[Best, Tensor]:
    """Return the `count` best words with exact logits, and corrected log-sum-exps.

    A logit in bfloat16 has 8 significant bits, too few to rank rivals.

    Args:
        rough: words and their logits in a narrow number format; some more than are wanted.
        log_sum_D: log-sum-exps of such logits.
        hidden_DE: what the logits are made of.
        softmax: weight_VE and bias_V, weights and biases of the words.
        count: words wanted.
    """
    words_DX, (weight_VE, bias_V) = rough.word_DX, softmax
    # As whole rows of memory, and in this order, both steps are several times faster on CPUs.
    weight_DXE = embedding(words_DX, weight_VE)
    logit_DX = torch.bmm(hidden_DE.unsqueeze(1), weight_DXE.mT).squeeze(1) + bias_V[words_DX]
    logit_DX = logit_DX.masked_fill(rough.logit_DX == -torch.inf, -torch.inf)
    old_D1 = log_sum_D.unsqueeze(-1)
    change_D = ((logit_DX - old_D1).exp() - (rough.logit_DX - old_D1).exp()).sum(-1)
    chosen_DX, place_DX = torch.topk(logit_DX, min(count, words_DX.shape[1]))
    end_D = hidden_DE @ weight_VE[EOS] + bias_V[EOS]
    return Best(words_DX.gather(1, place_DX), chosen_DX, end_D), log_sum_D + change_D.log1p()
