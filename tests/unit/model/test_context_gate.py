"""Laws of the context gate that the equations promise."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from model.batches import collate_source, collate_target
from model.config import ModelConfig
from model.context_gate import ContextGate, Shares, weighted
from model.groundhog_cells import CellStep, GroundHogCell
from model.loop import Carried
from model.switches import GatePlace
from model.translator import Translator, build_translator
from tests.reference.model_examples import example, toy_config, toy_translator

BATCH = [example([3, 4, 5], [2, 7, 8], (0, 1, (7, 8), 1)), example([2], [1, 5])]
BASELINES = [
    ("rnnsearch", {}),
    ("groundhog-vanilla", {}),
    ("groundhog-gru", {}),
    ("groundhog-coverage", {"order": "groundhog"}),
    ("groundhog-gru", {"decoder": "groundhog-lstm"}),
    ("phrasenet-gate", {}),
]


def likelihood(translator: Translator) -> list[float]:
    slots = translator.config.slots
    with torch.no_grad():
        target = collate_target(BATCH, slots)
        found: list[float] = translator.log_likelihood(
            collate_source(BATCH, slots), target
        ).tolist()
    return found


def scaled(plain: Translator, **changes: object) -> Translator:
    config = replace(plain.config, context_gate="fixed", **changes)  # type: ignore[arg-type]
    other = Translator(config, plain.source_size, plain.target_size).double()
    other.load_state_dict(plain.state_dict())
    return other


@pytest.mark.parametrize(("system", "changes"), BASELINES)
@pytest.mark.parametrize("place", ["code", "projected"])
def test_scales_of_one_are_the_network_without_a_gate(
    system: str, changes: dict[str, object], place: str
) -> None:
    plain = toy_translator(toy_config(system, **changes))
    whole = scaled(plain, context_gate_place=place)
    assert likelihood(whole) == pytest.approx(likelihood(plain), abs=1e-13)
    half = scaled(plain, context_gate_place=place, target_scale=0.5)
    assert likelihood(half) != pytest.approx(likelihood(plain), abs=1e-3)


@pytest.mark.parametrize("decoder", ["groundhog-tanh", "groundhog-gru", "groundhog-lstm"])
def test_a_gate_of_one_half_on_projections_is_half_of_every_pre_activation(decoder: str) -> None:
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    cell, halved = (GroundHogCell(decoder, 5, 4, 8, 0).double() for _ in range(2))
    for ours, theirs in zip(cell.parameters(), halved.parameters(), strict=True):
        ours.data = draw(*ours.shape)
        theirs.data = ours.data / 2
    word, context, carried = draw(2, 5), draw(2, 8), Carried(draw(2, 4), draw(2, 4))
    results = []
    half = torch.full((2, 4), 0.5, dtype=torch.float64)
    for which, shares in ((cell, Shares(half, half)), (halved, Shares(None, None))):
        step = CellStep(which, "projected", torch.float64)
        target = which.biased(word @ which.input_weight_XG)
        results.append(step(target, context @ which.context_weight_CG, shares, carried).hidden_BH)
    assert torch.allclose(results[0], results[1], atol=1e-14)


@pytest.mark.parametrize("place", ["code", "projected"])
def test_the_carry_of_the_released_code_is_the_scaled_state(place: GatePlace) -> None:
    cell = GroundHogCell("groundhog-gru", 5, 4, 8, 0).double()
    for parameter in cell.parameters():
        torch.nn.init.zeros_(parameter)
    cell.input_weight_XG.data[:, 4:8] = -100.0  # the update gate stays shut: the state is carried
    step = CellStep(cell, place, torch.float64)
    state = torch.ones(1, 4, dtype=torch.float64)
    share = torch.full((1, 4), 0.25, dtype=torch.float64)
    target = torch.ones(1, 5, dtype=torch.float64) @ cell.input_weight_XG
    new = step(target, torch.zeros(1, 12), Shares(None, share), Carried(state))
    assert new.hidden_BH[0, 0].item() == pytest.approx(0.25 if place == "code" else 1.0, abs=1e-9)


def test_each_mode_shares_out_as_its_equation_says() -> None:
    inputs = torch.tensor([[0.0, 2.0, -1.0, 0.5]])
    z = torch.sigmoid(inputs)
    for mode, source, target in (
        ("source", z, None), ("target", None, z), ("both", z, 1 - z)
    ):  # fmt: skip
        gate = ContextGate(toy_config("groundhog-gru", context_gate=mode))
        shares = gate.shares(inputs)
        assert shares.gate_BZ is not None
        for found, expected in ((shares.source_BZ, source), (shares.target_BZ, target)):
            assert (found is None) == (expected is None)
            assert found is None or expected is None or torch.allclose(found, expected)
    fixed = ContextGate(toy_config("groundhog-gru", context_gate="fixed", source_scale=0.8))
    assert fixed.shares(None).source_BZ == torch.tensor(0.8, dtype=torch.float64)
    assert fixed.shares(None).target_BZ is None
    assert not list(fixed.parameters())


def test_a_share_weighs_each_block_of_several_pre_activations_alike() -> None:
    share, x = torch.tensor([[0.5, 2.0]]), torch.tensor([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    assert weighted(share, x).tolist() == [[0.5, 4.0, 1.5, 8.0, 2.5, 12.0]]
    assert weighted(torch.tensor([[2.0]]), x).tolist() == (2 * x).tolist()
    assert weighted(None, x) is x


def test_gates_start_at_one_half_and_static_weights_too() -> None:
    for system in ("groundhog-gru+gate", "groundhog-gru+interpolation"):
        translator = build_translator(toy_config(system, hidden=64, embedding=64), 9, 9, seed=1)
        gate = translator.decoder.context_gate
        assert isinstance(gate, ContextGate)
        inputs = None
        if gate.is_learned:
            inputs = torch.ones(1, 64) @ gate.state_weight_HZ
        shares = gate.shares(inputs)
        assert shares.source_BZ is not None
        assert shares.target_BZ is not None
        assert torch.allclose(shares.source_BZ, torch.full((64,), 0.5), atol=0.02)
        assert torch.allclose(shares.source_BZ + shares.target_BZ, torch.ones(64))


@pytest.mark.parametrize(
    ("system", "inputs"),
    [
        ("groundhog-gru+gate", ("t", "s", "y")),
        ("rnnsearch+context-gate", ("t", "s")),
        ("groundhog-gru+gate[t]", ("t",)),
        ("groundhog-gru+scalar", ("t",)),
        ("groundhog-gru+interpolation", ()),
    ],
)
def test_a_gate_reads_what_its_published_form_reads(system: str, inputs: tuple[str, ...]) -> None:
    assert ModelConfig(system=system).switches.gate_inputs == inputs
