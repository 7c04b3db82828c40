"""Additive attention on a GPU without its hidden layer: Triton kernels for one step.

The energies `e_j = v . sigmoid(k_j + q + f_j W)` are computed where keys are read, and the hidden
layer is made again in the backward pass instead of being kept. So a step passes over B x J x A
numbers 5 times, where the operations of `attention.py` do it 16 times (without features 4 and 12:
`benchmarks/work_counts.py: attention_passes`), and no I x B x J x A numbers are kept. All is as
doubled as there. Nothing is added up by atomic operations, so the same sums come out every time.

Triton comes with a torch for CUDA. Before their first use the kernels must find on a small example
what `attention.py` finds; if they do not, or Triton is not there, attention stays as it is.

Shapes: as in `attention.py`; G groups of rows, W features filled up to a power of two.
"""

import importlib.util
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

KIND = "cuda"
"""Of device that the kernels are for."""
GROUPS = 8
"""Groups of rows whose sums are kept apart, so that there is work for all of a GPU."""
BLOCK_A, BLOCK_J = 64, 32
LEAST_FEATURES = 16
"""Of products within a kernel."""
_local = threading.local()
_works: dict[torch.device, bool] = {}
"""By device: whether the kernels find what they should."""


@contextmanager
def fusing(allowed: bool) -> Iterator[None]:  # noqa: FBT001 - what a setting says
    """Say for a while whether this thread may use the kernels; else it does not."""
    before = getattr(_local, "allowed", False)
    _local.allowed = allowed
    try:
        yield
    finally:
        _local.allowed = before


def serves(keys_BJA: Tensor) -> bool:
    """Say whether attention with such keys is computed here."""
    if not getattr(_local, "allowed", False):
        return False
    device = keys_BJA.device
    if device.type != KIND or keys_BJA.dtype != torch.float32 or not keys_BJA.is_contiguous():
        return False
    if device not in _works:
        _works[device] = importlib.util.find_spec("triton") is not None and _is_right(device)
    return _works[device]


def energies(
    keys_BJA: Tensor, query_BA: Tensor, score_A: Tensor, features: tuple[Tensor, Tensor] | None
) -> Tensor:
    """Return energy_BJ; see `attention.attend`."""
    num, words, width = keys_BJA.shape
    energy_BJ = keys_BJA.new_empty((num, words))
    query_BA = _rows(query_BA)
    features_BJF, weight_FA, size, filled = _features(keys_BJA, features)
    _kernels().energies[num, -(-words // BLOCK_J)](
        keys_BJA,
        query_BA,
        score_A.contiguous(),
        features_BJF,
        weight_FA,
        energy_BJ,
        words,
        width,
        query_BA.stride(0),
        size,
        WIDE=filled,
        BLOCK_A=BLOCK_A,
        BLOCK_J=BLOCK_J,
    )
    return energy_BJ


class FusedGradients:
    """As `attention.AttentionGradients`, given queries in place of hidden layers."""

    def __init__(self, keys_BJA: Tensor, score_A: Tensor, weight_FA: Tensor | None) -> None:
        self._keys_BJA, self._score_A, self._weight_FA = keys_BJA, score_A.contiguous(), weight_FA
        self._grad_keys_BJA = torch.zeros_like(keys_BJA)
        width = keys_BJA.shape[-1]
        self._sum_score_GA = keys_BJA.new_zeros((GROUPS, width))
        size = 0 if weight_FA is None else len(weight_FA)
        self._sum_weight_GFA = keys_BJA.new_zeros((GROUPS, size, width))
        self._back_FA = None if weight_FA is None else weight_FA * score_A

    def step(
        self,
        grad_weights_BJ: Tensor,
        weights_BJ: Tensor,
        query_BA: Tensor,
        features_BJF: Tensor | None,
    ) -> tuple[Tensor, Tensor | None]:
        """Add one step's gradients; return those by query_BA and features_BJF."""
        keys_BJA = self._keys_BJA
        num, words, width = keys_BJA.shape
        expected_B1 = (grad_weights_BJ * weights_BJ).sum(-1, keepdim=True)
        energy_BJ = (weights_BJ * (grad_weights_BJ - expected_B1)).contiguous()
        query_BA = _rows(query_BA)
        grad_query_BA = keys_BJA.new_empty((num, width))
        features = None
        if features_BJF is not None and self._weight_FA is not None:
            features = features_BJF, self._weight_FA
        given_BJF, weight_FA, size, filled = _features(keys_BJA, features)
        _kernels().sums[GROUPS, -(-width // BLOCK_A)](
            keys_BJA,
            query_BA,
            given_BJF,
            weight_FA,
            energy_BJ,
            self._grad_keys_BJA,
            grad_query_BA,
            self._sum_score_GA,
            self._sum_weight_GFA,
            num,
            words,
            width,
            query_BA.stride(0),
            size,
            WIDE=filled,
            BLOCK_A=BLOCK_A,
            BLOCK_J=BLOCK_J,
            GROUPS=GROUPS,
        )
        grad_BJF = None
        if features is not None:
            grad_BJF = torch.empty_like(given_BJF)
            _kernels().by_features[num, -(-words // BLOCK_J)](
                keys_BJA,
                query_BA,
                given_BJF,
                weight_FA,
                self._back_FA,
                energy_BJ,
                grad_BJF,
                words,
                width,
                query_BA.stride(0),
                size,
                WIDE=filled,
                BLOCK_A=BLOCK_A,
                BLOCK_J=BLOCK_J,
            )
        return grad_query_BA * self._score_A, grad_BJF

    def totals(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the gradients by keys_BJA, score_A and weight_FA."""
        weight_FA = None
        if self._weight_FA is not None:
            weight_FA = self._sum_weight_GFA.sum(0) * self._score_A
        return self._grad_keys_BJA * self._score_A, self._sum_score_GA.sum(0), weight_FA


def _rows(query_BA: Tensor) -> Tensor:
    """Return queries each of which is one piece of memory."""
    return query_BA if query_BA.stride(-1) == 1 else query_BA.contiguous()


def _kernels() -> Any:
    """Return the kernels, which need Triton."""
    from model import attention_kernels

    return attention_kernels


def _features(
    keys_BJA: Tensor, features: tuple[Tensor, Tensor] | None
) -> tuple[Tensor, Tensor, int, int]:
    """Return contiguous features and weights, how many there are, and filled up; 0 is none."""
    if features is None:
        return keys_BJA, keys_BJA, 0, 0  # not read
    features_BJF, weight_FA = (each.contiguous() for each in features)
    size = len(weight_FA)
    return features_BJF, weight_FA, size, max(LEAST_FEATURES, 1 << (size - 1).bit_length())


def _is_right(device: torch.device) -> bool:
    """Say whether the kernels find on a small example what `attention.py` finds; else say why not,
    once.
    """
    try:
        off = difference(device)
    except Exception as error:  # whatever a compiler may say
        warnings.warn(
            f"the kernels of attention do not run here ({type(error).__name__}: {error}): "
            "attention is computed operation by operation.",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    right = off <= _TOLERANCE  # not so if it is not a number
    if not right:
        warnings.warn(
            f"the kernels of attention are off by {off:.1e} on an example: attention is computed "
            "operation by operation.",
            RuntimeWarning,
            stacklevel=2,
        )
    return right


_TOLERANCE = 1e-4


def difference(device: torch.device) -> float:
    """Return the largest difference of the kernels' energies and gradients from those of
    `attention.py`, on a small example with features; not a number if one of theirs is none.
    """
    from model.attention import AttentionGradients, attend
    from model.places import even_blocks

    random = torch.Generator().manual_seed(1)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=random).to(device)

    rows, words, width, size = 11, 37, 70, 5
    keys_BJA, query_BA, score_A = draw(rows, words, width), draw(rows, width), draw(width)
    features = draw(rows, words, size), draw(size, width)
    zeros_BJ = torch.zeros(rows, words, device=device)
    blocks = even_blocks(keys_BJA)
    with fusing(False):  # the usual way, and no question whether the kernels are right
        hidden_BJA, weights_BJ = attend(keys_BJA, query_BA, score_A, zeros_BJ, features)
    own_BJ = energies(keys_BJA, query_BA, score_A, features).softmax(-1)
    grad_BJ = draw(rows, words)
    usual = AttentionGradients(keys_BJA.flatten(0, 1), score_A, features[1])
    fused = FusedGradients(keys_BJA, score_A, features[1])
    hidden_XA, features_XF = hidden_BJA.flatten(0, 1), features[0].flatten(0, 1)
    pairs = [
        (weights_BJ, own_BJ),
        *zip(
            usual.step(grad_BJ.flatten(), weights_BJ.flatten(), hidden_XA, features_XF, blocks),
            fused.step(grad_BJ, weights_BJ, query_BA, features[0]),
            strict=True,
        ),
        *zip(usual.totals(), fused.totals(), strict=True),
    ]
    each = [
        (one.flatten() - other.flatten()).abs().max()
        for one, other in pairs
        if one is not None and other is not None
    ]
    return float(torch.stack(each).max())  # Python's max would pass over what is not a number
