"""Train, search, record and resume every system on a device that is not the processor.

`python -m tests.reference.on_other_device` prints a JSON object: for each system what failed, or
nothing. It changes torch, so `tests/unit/model/test_model_devices.py` starts it as a process.
"""

import copy
import json
import math
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from model import checkpoint, fit, search
from model.config import SYSTEMS, DecodingConfig, TrainingConfig
from model.loop import Step
from model.network import Network, Rows
from model.records import record_references, record_translations
from model.search import Hypothesis, translate
from model.translator import Translator, build_translator
from tests.reference.model_examples import example, toy_config
from tests.reference.model_variants import VARIANTS
from tests.reference.other_device import FarTensor, install, stream_of, waits

PAIRS = [
    example([2, 3, 4], [5, 6, 7, 8], (0, 1, (5,), 0), (1, 3, (6, 7), 1)),
    example([4, 5], [6, 7, 2]),
    example([3, 2, 6, 4, 5], [2, 3], (1, 2, (4, 1), -1)),
    example([6, 6], [5, 2, 1, 3], (0, 2, (2, 1), 1)),
]
TRAINING = TrainingConfig(
    batch_size=3, steps=3, ema=0.9, dropout=0.2, learning_rate=0.01, device="cpu"
)
BEAM = DecodingConfig(beam=2, max_length_ratio=1.5)
Named = tuple[str, dict[str, object]]


def cases() -> dict[str, Named]:
    """Return all named systems, and the switches beside them."""
    named: dict[str, Named] = {system: (system, {}) for system in SYSTEMS}
    # Tied tables stay tied on a GPU; here a parameter that moves is another object.
    return named | {name: case for name, case in VARIANTS.items() if "tied" not in str(case)}


def failures(device: torch.device, case: Named) -> list[str]:
    """Return what fails with one system."""
    system, changes = case
    # In float64, since Adam makes much of the rounding of a gradient that should be nothing.
    near = build_translator(toy_config(system, **changes), 12, 12, seed=1).double()
    checks: Sequence[Callable[[torch.device, Translator], None]] = (
        trains_alike,
        trains_in_bfloat16,
        resumes_alike,
        translates_alike,
        records_alike,
        trains_without_waiting,
        searches_with_one_wait_a_step,
    )
    found = []
    for check in checks:
        try:
            check(device, near)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)
            own = [frame for frame in where if "/model/" in frame.filename]
            line = f"{own[-1].filename.split('/')[-1]}:{own[-1].lineno}" if own else "the test"
            found.append(f"{check.__name__}: {line}: {type(error).__name__}: {error}")
    return found


def moved(near: Translator, device: torch.device) -> Translator:
    """Return a copy of a network on the device."""
    made = Translator(near.config, near.source_size, near.target_size).double()
    made.load_state_dict(near.state_dict())
    return made.to(device, near.readout.output_bias_V.dtype)


def trains_alike(device: torch.device, near: Translator) -> None:
    """The losses and the weights are those of the processor."""
    here, there = copy.deepcopy(near), moved(near, device)
    assert math.isclose(last_loss(here, TRAINING), last_loss(there, TRAINING), rel_tol=1e-5)
    assert all(isinstance(each, FarTensor) for each in there.state_dict().values())
    same_weights(here, there)


def same_weights(one: Translator, other: Translator) -> None:
    """Two networks are the same but for the order of sums, wherever they are."""
    weights = other.state_dict()
    for name, value in one.state_dict().items():
        close(value, weights[name])


def close(one: torch.Tensor, other: torch.Tensor) -> None:
    """Two tensors are the same but for the order of sums."""
    torch.testing.assert_close(one.cpu(), other.cpu(), rtol=1e-4, atol=1e-5, equal_nan=True)


def last_loss(
    translator: Translator, config: TrainingConfig, state: fit.FitState | None = None
) -> float:
    """Train; the optimizer's history and the mean must be where the weights are."""
    state = state or fit.start(translator, config)
    found = [report.loss for report in fit.fit(translator, PAIRS, config, state=state)]
    kept = [x for own in state.optimizer.state.values() for x in own.values()]
    for x in (*kept, *(state.mean or {}).values()):
        assert x.device == translator.device
    return found[-1]


def trains_in_bfloat16(device: torch.device, near: Translator) -> None:
    """The same with narrow products."""
    config = TrainingConfig(
        batch_size=4, micro_batch=3, steps=1, precision="bfloat16", label_smoothing=0.1
    )
    here, there = copy.deepcopy(near), moved(near, device)
    assert math.isclose(last_loss(here, config), last_loss(there, config), rel_tol=1e-3)


def resumes_alike(device: torch.device, near: Translator) -> None:
    """A checkpoint of the device is one of the host, and goes on anywhere."""
    whole = moved(near, device)
    last_loss(whole, TRAINING)
    part = moved(near, device)
    state = fit.start(part, TRAINING)
    training = fit.fit(part, PAIRS, TRAINING, state=state)
    next(training)
    files = checkpoint.save(part, TRAINING, state)
    for place in (device, torch.device("cpu")):
        loaded = checkpoint.load(files, device=place)
        assert loaded.translator.device == place
        last_loss(loaded.translator, TRAINING, loaded.state)
        same_weights(whole, loaded.translator)


def translates_alike(device: torch.device, near: Translator) -> None:
    """All ways to search find what they find on the processor."""
    there = moved(near, device)
    for config in (
        replace(BEAM, precision="bfloat16"),
        replace(BEAM, method="sample", samples=2),
    ):
        same_words(translate(near, PAIRS, config), translate(there, PAIRS, config))
    required = [frozenset(range(len(pair.slots))) for pair in PAIRS]
    same_words(
        translate([near, near], PAIRS, BEAM, required),
        translate([there, there], PAIRS, BEAM, required),
    )


def same_words(found: Sequence[Hypothesis], others: Sequence[Hypothesis]) -> None:
    """Translations are the same but for the last digits of their scores."""
    for one, other in zip(found, others, strict=True):
        assert [(w.word_id, w.slot) for w in one.words] == [
            (w.word_id, w.slot) for w in other.words
        ]
        assert math.isclose(one.score, other.score, rel_tol=1e-3)


def records_alike(device: torch.device, near: Translator) -> None:
    """Records are tensors of the host."""
    there = moved(near, device)
    found = translate(near, PAIRS, BEAM)
    pairs = [
        *zip(record_references(near, PAIRS), record_references(there, PAIRS), strict=True),
        *zip(
            record_translations(near, PAIRS, found),
            record_translations(there, PAIRS, found),
            strict=True,
        ),
    ]
    for here, other in pairs:
        assert not isinstance(other.attention_IJ, FarTensor)
        close(here.attention_IJ, other.attention_IJ)
        assert (here.gate_IZ is None) == (other.gate_IZ is None)
        if here.gate_IZ is not None and other.gate_IZ is not None:
            assert not isinstance(other.gate_IZ, FarTensor)
            close(here.gate_IZ, other.gate_IZ)
    loss, other_loss = (fit.evaluate_loss(each, PAIRS, 2) for each in (near, there))
    assert math.isclose(loss, other_loss, rel_tol=1e-5)


def trains_without_waiting(device: torch.device, near: Translator) -> None:
    """Nobody waits for the device but where the figures of many steps are read at once."""
    there = moved(near, device)
    config = replace(TRAINING, steps=5, micro_batch=2)
    state = fit.start(there, config)
    waits.clear()
    reports = list(fit.fit(there, PAIRS, config, state=state))
    assert waits == ["tolist" for report in reports if not math.isnan(report.loss)]
    assert 0 < len(waits) < len(reports)


class CountedNetwork(Network):
    """Counts the steps of searches."""

    steps = 0

    def advance(self, rows: Rows) -> list[Step]:
        """Feed each row's last word to each network."""
        CountedNetwork.steps += 1
        if CountedNetwork.steps == 1:
            waits.clear()  # of what comes once for a batch
        return super().advance(rows)


def searches_with_one_wait_a_step(device: torch.device, near: Translator) -> None:
    """Each step of a search tells the host all that it has to know in one piece."""
    there = moved(near, device)
    required = [frozenset(range(len(pair.slots))) for pair in PAIRS]
    vars(search)["Network"] = CountedNetwork
    for config in (BEAM, replace(BEAM, precision="bfloat16"), replace(BEAM, method="sample")):
        CountedNetwork.steps = 0
        translate(there, PAIRS, config, required if config is BEAM else None)
        assert 0 < len(waits) <= CountedNetwork.steps, waits


def main(names: Sequence[str]) -> None:
    """Print what fails."""
    device = install()
    vars(fit)["new_stream"] = stream_of
    chosen = {name: case for name, case in cases().items() if not names or name in names}
    sys.stdout.write(json.dumps({name: failures(device, case) for name, case in chosen.items()}))


if __name__ == "__main__":
    main(sys.argv[1:])
