"""What a training keeps: the best weights, or the mean of the newest."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.averaging import average
from model.batches import Example
from model.checkpoint import WEIGHTS, load
from model.config import ModelConfig, TrainingConfig
from model.fit import evaluate_loss, fit, start
from model.translator import build_translator
from storage.checkpoints import Checkpoints
from tasks.step import CurrentCall
from tasks.training_dev import Dev
from tasks.training_session import TrainingSession
from tasks.training_store import TrainingStore

MODEL = ModelConfig(system="rnnsearch", embedding=8, hidden=8, coverage_dim=2)
SIZES = (12, 12)


def pairs(number: int, seed: int) -> list[Example]:
    random = np.random.default_rng(seed)
    sizes = [int(random.integers(2, 6)) for _ in range(number)]
    sources = [random.integers(2, 12, size=size).astype(np.int32) for size in sizes]
    return [Example(source, source[::-1].copy()) for source in sources]


DATA, DEV = pairs(20, 1), pairs(6, 2)


def config(**changes: Any) -> TrainingConfig:
    settings = {"batch_size": 5, "epochs": 4, "average_checkpoints": 3, **changes}
    return TrainingConfig(learning_rate=0.02, **settings)


def session(folder: Path, training: TrainingConfig, key: str = "one") -> TrainingSession:
    store = TrainingStore(Checkpoints(folder), CurrentCall(key))
    return TrainingSession(store, (MODEL, training), SIZES)


def weights_after_each_pass(training: TrainingConfig) -> list[dict[str, torch.Tensor]]:
    translator = build_translator(MODEL, *SIZES, training.seed)
    state, found = start(translator, training), []
    for report in fit(translator, DATA, training, state=state):
        if report.step % 4 == 0:
            found.append({k: v.clone() for k, v in translator.state_dict().items()})
    return found


def test_without_dev_the_mean_of_the_last_passes_is_kept(tmp_path: Path) -> None:
    one = session(tmp_path, config())
    one.train(DATA, Dev())
    made = load(one.best.files).translator.state_dict()
    last = weights_after_each_pass(config())[-3:]
    for name, value in made.items():
        expected = torch.stack([each[name].double() for each in last]).mean(0)
        assert torch.allclose(value.double(), expected, atol=1e-7)


def test_without_the_switch_the_last_pass_is_kept(tmp_path: Path) -> None:
    one = session(tmp_path, config(average_checkpoints=1))
    one.train(DATA, Dev())
    made, last = load(one.best.files).translator.state_dict(), weights_after_each_pass(config())
    assert all(torch.equal(value, last[-1][name]) for name, value in made.items())


@pytest.mark.parametrize("epochs", [2, 8])
def test_with_dev_the_mean_is_kept_only_if_it_is_the_best(tmp_path: Path, epochs: int) -> None:
    training = config(epochs=epochs)
    one = session(tmp_path, training)
    one.train(DATA, Dev(DEV))
    single = session(tmp_path, config(epochs=epochs, average_checkpoints=1), "two")
    single.train(DATA, Dev(DEV))
    members = []
    for weights in weights_after_each_pass(training)[-3:]:
        member = build_translator(MODEL, *SIZES, 1)
        member.load_state_dict(weights)
        members.append(member)
    mean = evaluate_loss(average(members), DEV, 5)
    best = evaluate_loss(load(single.best.files).translator, DEV, 5)
    kept = evaluate_loss(load(one.best.files).translator, DEV, 5)
    assert kept == pytest.approx(min(mean, best), abs=1e-6)
    assert not math.isclose(mean, best, abs_tol=1e-4)


def test_an_interrupted_training_comes_to_the_same_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = config(average_checkpoints=4, checkpoint_steps=5)
    whole = session(tmp_path, training, "whole")
    whole.train(DATA, Dev())

    def stop(self: TrainingSession, report: object, measured: object) -> None:
        if self._state.step == 12:
            raise RuntimeError("interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(TrainingSession, "_note", stop)
        with pytest.raises(RuntimeError, match="interrupted"):
            session(tmp_path, training).train(DATA, Dev())
    resumed = session(tmp_path, training)
    resumed.train(DATA, Dev())
    assert resumed.best.files[WEIGHTS] == whole.best.files[WEIGHTS]
