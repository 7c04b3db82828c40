"""`kill -9` in the middle of a training: the next try ends with the same numbers, bit for bit."""

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch

from model.checkpoint import TRAINING, WEIGHTS
from model.config import ModelConfig, TrainingConfig
from model.fit import StepReport
from storage.checkpoints import Checkpoints
from tasks.own_process import LostProcess, in_own_process
from tasks.step import CurrentCall
from tasks.training_dev import Dev
from tasks.training_session import Surroundings, TrainingSession
from tasks.training_store import TrainingStore
from tests.reference.training_examples import reversed_pairs

SIZES = (12, 12)
DATA, DEV = reversed_pairs(40, 1), reversed_pairs(6, 2)
STEPS, KILLS, SEED = 60, 20, 3


def model(system: str) -> ModelConfig:
    own: dict[str, Any] = {"heads": 2} if "transformer" in system else {"coverage_dim": 2}
    return ModelConfig(system=system, embedding=8, hidden=8, phrase_slots=2, **own)


def config(**changes: Any) -> TrainingConfig:
    settings = {"batch_size": 7, "steps": STEPS, "dropout": 0.2, "ema": 0.9, "threads": 1}
    often = {"validation_steps": 6, "checkpoint_steps": 20}
    return TrainingConfig(learning_rate=0.01, **{**settings, **often, **changes})


def trained(folder: Path, system: str, training: TrainingConfig, kill_at: int = 0) -> Any:
    """Train to the end, or up to a step at which the process kills itself."""
    store = TrainingStore(Checkpoints(folder), CurrentCall("key"), keep=2)
    session = TrainingSession(store, (model(system), training), SIZES, Surroundings())
    note = session._is_measured

    def maybe_die(report: StepReport) -> bool:
        if report.step == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return note(report)

    session._is_measured = maybe_die  # type: ignore[method-assign]
    session.train(DATA, Dev(DEV))
    session._keep()
    files = Checkpoints(folder).get("key")
    assert files is not None
    return session.best.files, session.record, files[WEIGHTS], files[TRAINING]


@pytest.mark.parametrize("system", ["phrasenet-gate", "transformer+phrase-gate"])
def test_twenty_steps_kill_and_forty_more_are_sixty_in_one_go(tmp_path: Path, system: str) -> None:
    whole = trained(tmp_path / "whole", system, config())
    with pytest.raises(LostProcess):
        in_own_process("dying", trained, tmp_path / "killed", system, config(), 29)
    checkpoints = Checkpoints(tmp_path / "killed")
    assert checkpoints.all_about()["key"]["step"] == 20
    killed = trained(tmp_path / "killed", system, config())
    assert killed == whole
    names = safetensors.torch.load(whole[3])
    assert {"random.stream", "ema/readout.output_bias_V"} <= names.keys()
    assert any(name.endswith("/exp_avg") for name in names)


@pytest.mark.slow
def test_a_training_that_is_killed_again_and_again_ends_as_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    training = config(steps=1500, checkpoint_steps=3)
    whole = trained(tmp_path / "whole", "phrasenet-gate", training)
    moment, steps = random.Random(SEED), []
    for _ in range(KILLS):
        killer = threading.Thread(
            target=kill_child, args=(tmp_path / "killed", moment.uniform(0, 0.5))
        )
        killer.start()
        with pytest.raises(LostProcess):
            in_own_process("dying", trained, tmp_path / "killed", "phrasenet-gate", training)
        killer.join()
        steps.append(Checkpoints(tmp_path / "killed").all_about().get("key", {}).get("step", 0))
    print(f"killed after steps {steps}")  # noqa: T201
    assert steps == sorted(steps)
    assert trained(tmp_path / "killed", "phrasenet-gate", training) == whole


def kill_child(folder: Path, seconds: float) -> None:
    """Kill the training process some time after it has begun to write."""
    from tasks.own_process import _children

    before = latest(folder)
    while latest(folder) == before:
        time.sleep(0.01)
    time.sleep(seconds)
    for process in tuple(_children):
        process.kill()


def latest(folder: Path) -> float:
    pointer = folder / "checkpoints" / "key.json"
    return pointer.stat().st_mtime if pointer.exists() else 0.0
