"""The kernels of attention find what its operations find.

Triton is not among what this project needs: it comes with a torch for CUDA, and by itself with
`pip install "phrasenet[triton]"`. Its interpreter runs kernels on a processor.
"""

import importlib.util
import warnings

import pytest
import torch

from benchmarks.work_counts import attention_passes
from model import fused_attention, places_reader, recurrence
from model.fused_attention import FusedGradients, energies, fusing, serves
from model.packing import all_places
from tests.reference.model_examples import example, toy_config, toy_translator

HAS_TRITON = importlib.util.find_spec("triton") is not None
needs_triton = pytest.mark.skipif(
    not HAS_TRITON or torch.cuda.is_available(), reason="there is no Triton, or a GPU runs it"
)
PAIRS = [
    example([2, 3, 4, 5, 6], [5, 6, 7, 8], (0, 1, (5,), 0), (1, 3, (6, 7), 1)),
    example([4, 5], [6, 7, 2]),
    example([3, 2, 6, 4, 5, 2, 2], [2, 3], (1, 2, (4, 1), -1)),
]


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_INTERPRET", "1")


def draw(random: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=random)


@needs_triton
@pytest.mark.usefixtures("interpreted")
def test_the_kernels_are_right_on_their_own_example() -> None:
    assert fused_attention.difference(torch.device("cpu")) < 1e-5


@needs_triton
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("rows", "words", "width", "size"),
    [(1, 1, 1, 0), (3, 5, 9, 1), (9, 33, 65, 20), (8, 32, 64, 0), (2, 40, 130, 16)],
)
def test_energies_and_gradients_are_those_of_automatic_differentiation(
    rows: int, words: int, width: int, size: int
) -> None:
    random = torch.Generator().manual_seed(rows)
    keys, score = draw(random, rows, words, width), draw(random, width)
    wide = draw(random, rows, width + 3)  # queries lie within the rows of a larger product
    query = wide[:, :width]
    features = (draw(random, rows, words, size), draw(random, size, width)) if size else None
    inputs = [x.clone().requires_grad_() for x in (keys, query, score, *(features or ()))]
    inner = inputs[0] + inputs[1][:, None]
    if size:
        inner = inner + inputs[3] @ inputs[4]
    energy = inner.sigmoid() @ inputs[2]
    torch.testing.assert_close(energies(keys, query, score, features), energy.detach())
    own = FusedGradients(keys, score, features and features[1])
    expected = [torch.zeros_like(x) for x in inputs]
    for _ in range(2):  # of two steps, whose sums are kept
        grad, weights = draw(random, rows, words), energy.detach().softmax(-1)
        found = own.step(grad, weights, query, features and features[0])
        wanted = torch.autograd.grad(energy.softmax(-1), inputs, grad, retain_graph=True)
        torch.testing.assert_close(found[0], wanted[1], rtol=1e-4, atol=1e-5)
        if size:
            torch.testing.assert_close(found[1], wanted[3], rtol=1e-4, atol=1e-5)
        expected = [one + other for one, other in zip(expected, wanted, strict=True)]
    for total, place in zip(own.totals(), (0, 2, 4), strict=True):
        if total is not None:
            torch.testing.assert_close(total, expected[place], rtol=1e-4, atol=1e-5)


def gradient(system: str) -> list[torch.Tensor | None]:
    translator = toy_translator(toy_config(system)).float()
    loss = -translator.log_likelihood(*translator.collate(PAIRS)).sum()
    return list(torch.autograd.grad(loss, list(translator.parameters()), allow_unused=True))


@needs_triton
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    "system", ["rnnsearch", "phrasenet-gate", "groundhog-coverage+gate", "groundhog-gru"]
)
def test_a_network_learns_the_same_with_the_kernels(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, calls = gradient(system), []

    def yes(_: torch.Tensor) -> bool:
        calls.append(1)
        return True

    monkeypatch.setattr(fused_attention, "serves", yes)
    monkeypatch.setattr(recurrence, "serves", yes)
    monkeypatch.setattr(places_reader, "serves", yes)
    with all_places():  # as on a GPU
        learned = gradient(system)
    for one, other in zip(usual, learned, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            torch.testing.assert_close(other, one, rtol=1e-3, atol=1e-4)
    assert calls


@needs_triton
@pytest.mark.usefixtures("interpreted")
def test_the_kernels_are_tried_once_before_they_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_attention, "_works", {})
    monkeypatch.setattr(fused_attention, "KIND", "cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found(torch.zeros(2, 3, 4))
    assert fused_attention._works == {torch.device("cpu"): True}


class FakeKeys:
    """Keys on a GPU, as far as `serves` asks."""

    device, dtype = torch.device("cuda", 0), torch.float32

    def is_contiguous(self) -> bool:
        return True


def found(keys: object) -> bool:
    with fusing(True):
        return serves(keys)  # type: ignore[arg-type]


def test_the_kernels_serve_on_gpus_where_settings_let_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_attention, "_works", {})
    spec = importlib.util.spec_from_loader("triton", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setattr(fused_attention, "difference", lambda _: 0.0)
    assert not serves(FakeKeys())  # type: ignore[arg-type]
    assert found(FakeKeys())
    assert not found(torch.zeros(2, 3, 4))
    with fusing(False):
        assert not serves(FakeKeys())  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["off", "broken", "absent"])
def test_kernels_that_are_wrong_do_not_serve_and_it_is_said_once(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def difference(_: torch.device) -> float:
        if what == "broken":
            raise RuntimeError("no compiler")
        return 0.5

    monkeypatch.setattr(fused_attention, "_works", {})
    spec = None if what == "absent" else importlib.util.spec_from_loader("triton", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setattr(fused_attention, "difference", difference)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert not found(FakeKeys())
        assert not found(FakeKeys())
    assert len(told) == (what != "absent")


class BrokenGradients:
    """Gradients that are not numbers; not those by the features, which have the last word."""

    def __init__(self, keys: torch.Tensor, score: torch.Tensor, weight: torch.Tensor) -> None:
        self._given = keys, score, weight

    def step(self, *given: torch.Tensor) -> tuple[torch.Tensor, None]:
        return torch.full_like(given[2], torch.nan), None

    def totals(self) -> tuple[torch.Tensor, torch.Tensor, None]:
        keys, score, _ = self._given
        return torch.full_like(keys, torch.nan), torch.full_like(score, torch.nan), None


def test_kernels_whose_gradients_are_no_numbers_are_not_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def usual(
        keys: torch.Tensor,
        query: torch.Tensor,
        score: torch.Tensor,
        features: tuple[torch.Tensor, torch.Tensor],
    ) -> torch.Tensor:
        inner = keys + query[:, None] + features[0] @ features[1]
        return torch.sigmoid(inner) @ score  # energies are right

    monkeypatch.setattr(fused_attention, "energies", usual)
    monkeypatch.setattr(fused_attention, "FusedGradients", BrokenGradients)
    monkeypatch.setattr(fused_attention, "_works", {})
    spec = importlib.util.spec_from_loader("triton", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setattr(fused_attention, "KIND", "cpu")
    with pytest.warns(RuntimeWarning, match="off by nan"):
        assert not found(torch.zeros(2, 3, 4))


def test_the_kernels_pass_over_a_third() -> None:
    assert attention_passes(features=True, fused=True) * 3 < attention_passes(
        features=True, fused=False
    )
