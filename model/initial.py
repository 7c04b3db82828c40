"""First values of parameters, as in dl4mt and GroundHog: Gaussian, orthogonal for square recurrent
blocks, zero.

Each parameter is drawn from a generator seeded by the model's seed and the parameter's own name,
so two systems with the same seed start from the same values wherever they share a parameter.
"""

import hashlib
from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor, nn

Scheme = Literal["paper", "scaled"]
Initial = Callable[[torch.Size, torch.Generator, Scheme], Tensor]

WEIGHT_SCALE = 0.01
"""Standard deviation of weights that are not square (dl4mt)."""
SMALL_SCALE = 0.001
"""Standard deviation of the weights of attention, coverage and context gate (GroundHog)."""


def gaussian(scale: float = WEIGHT_SCALE, *, inputs_last: bool = False) -> Initial:
    """Draw from a normal distribution with mean 0.

    Its standard deviation is `scale`, or in the scheme "scaled" one over the root of the number of
    inputs, which lets small networks learn from the first step.

    Args:
        scale: standard deviation in the scheme "paper".
        inputs_last: whether the inputs are counted by the last axis instead of the one before.
    """

    def draw(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
        inputs = shape[-1] if inputs_last or len(shape) == 1 else shape[-2]
        deviation = scale if scheme == "paper" else inputs**-0.5
        values: Tensor = deviation * torch.randn(shape, generator=generator)
        return values

    return draw


def word_vectors(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Fill a table of word embeddings: small as in dl4mt, or in the scheme "scaled" with numbers
    near 1.
    """
    deviation = WEIGHT_SCALE if scheme == "paper" else 1.0
    values: Tensor = deviation * torch.randn(shape, generator=generator)
    return values


def by_inputs(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Draw with a deviation of one over the root of the number of inputs, whatever the scheme."""
    return gaussian()(shape, generator, "scaled")


def embeddings(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Draw word embeddings for a Transformer, which multiplies them by the root of their size."""
    return gaussian(inputs_last=True)(shape, generator, "scaled")


def constant(value: float = 0.0) -> Initial:
    """Fill with one value."""

    def draw(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
        return torch.full(shape, value)

    return draw


def zero_on_paper(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Fill with zeros as GroundHog does for its attention, or in the scheme "scaled" like any
    weight.
    """
    return torch.zeros(shape) if scheme == "paper" else gaussian()(shape, generator, scheme)


def orthogonal_blocks(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Fill the last two axes with square blocks, each the U factor of a Gaussian's SVD."""
    rows, columns = shape[-2:]
    batch = shape[:-2].numel() * (columns // rows)
    factor = torch.linalg.svd(torch.randn(batch, rows, rows, generator=generator))[0]
    blocks = factor.view(-1, columns // rows, rows, rows)
    values: Tensor = blocks.transpose(1, 2).reshape(shape)
    return values


def orthogonal_if_square(shape: torch.Size, generator: torch.Generator, scheme: Scheme) -> Tensor:
    """Orthogonal where the matrix is square, as dl4mt does for any square weight; Gaussian
    otherwise.
    """
    draw = orthogonal_blocks if shape[-1] == shape[-2] else gaussian()
    return draw(shape, generator, scheme)


class Parameters(nn.Module):
    """A module whose parameters know how they are first filled."""

    def __init__(self) -> None:
        super().__init__()
        self._initials: dict[str, Initial] = {}

    def add(
        self, name: str, shape: tuple[int, ...], initial: Initial | None = None
    ) -> nn.Parameter:
        """Create a parameter; the default filling is dl4mt's Gaussian."""
        parameter = nn.Parameter(torch.zeros(shape))
        self.register_parameter(name, parameter)
        self._initials[name] = initial or gaussian()
        return parameter


@torch.no_grad()
def fill(model: nn.Module, seed: int, scheme: Scheme) -> None:
    """Fill every parameter of a model from its own random stream."""
    for prefix, module in model.named_modules():
        if not isinstance(module, Parameters):
            continue
        for name, initial in module._initials.items():
            parameter = module.get_parameter(name)
            full_name = f"{prefix}.{name}" if prefix else name
            parameter.copy_(initial(parameter.shape, _stream(seed, full_name), scheme))


def _stream(seed: int, name: str) -> torch.Generator:
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "little"))
