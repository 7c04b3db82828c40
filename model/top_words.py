"""The most probable words of each row, and log-sum-exps, without sorting a vocabulary.

The rows are worked on a few at a time, so that they stay in the cache of one core.

Shapes: D rows, Y rows at a time, V vocabulary, E readout, X words wanted, N blocks of the
vocabulary, W words of a block.
"""

from typing import NamedTuple

import torch
from torch import Tensor

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
    num_blocks, rest = divmod(part_YV.shape[1], BLOCK)
    blocks_YNW = part_YV[:, : num_blocks * BLOCK].unflatten(1, (num_blocks, BLOCK))
    highest_YN = blocks_YNW.amax(-1)
    tops_YN = torch.cat([highest_YN, part_YV[:, -rest:]], 1) if rest else highest_YN
    top_Y1 = tops_YN.amax(-1, keepdim=True)
    log_sum_Y = (part_YV - top_Y1).exp_().sum(-1).log_() + top_Y1.squeeze(-1)
    return Scan(log_sum_Y, highest_YN)


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
    blocks_DNW = logits_DV[:, :split].unflatten(1, (num_blocks, BLOCK))
    best_DX1 = torch.topk(highest_DN, count).indices.unsqueeze(-1)
    likely_DZ = blocks_DNW.gather(1, best_DX1.expand(-1, -1, BLOCK)).flatten(1)
    word_DZ = (best_DX1 * BLOCK + torch.arange(BLOCK, device=logits_DV.device)).flatten(1)
    if rest:
        last_R = torch.arange(split, split + rest, device=logits_DV.device)
        likely_DZ = torch.cat([likely_DZ, logits_DV[:, split:]], 1)
        word_DZ = torch.cat([word_DZ, last_R.expand(len(word_DZ), -1)], 1)
    logit_DX, place_DX = torch.topk(likely_DZ.to(kind), count)
    return Best(word_DZ.gather(1, place_DX), logit_DX, end_D)


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
    logit_DX = torch.bmm(weight_VE[words_DX], hidden_DE.unsqueeze(-1)).squeeze(-1)
    logit_DX = logit_DX + bias_V[words_DX]
    logit_DX = logit_DX.masked_fill(rough.logit_DX == -torch.inf, -torch.inf)
    old_D1 = log_sum_D.unsqueeze(-1)
    change_D = ((logit_DX - old_D1).exp() - (rough.logit_DX - old_D1).exp()).sum(-1)
    chosen_DX, place_DX = torch.topk(logit_DX, min(count, words_DX.shape[1]))
    end_D = hidden_DE @ weight_VE[EOS] + bias_V[EOS]
    return Best(words_DX.gather(1, place_DX), chosen_DX, end_D), log_sum_D + change_D.log1p()
