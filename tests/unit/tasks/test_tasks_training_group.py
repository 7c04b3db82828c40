"""Several processes train one network: as one process would, and through the loss of one."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.checkpoint import TRAINING
from model.config import ModelConfig, TrainingConfig
from model.fit import StepReport
from model.gradients import add_up_gradient, padded_share
from model.group import Group
from model.translator import build_translator
from storage.checkpoints import Checkpoints
from storage.errors import ConfigError
from tasks.own_process import LostProcess, in_own_process
from tasks.step import CurrentCall
from tasks.training_dev import Dev, Measured
from tasks.training_group import GroupDefect, Node, in_group
from tasks.training_session import Surroundings, TrainingSession
from tasks.training_store import TrainingStore
from tests.integration.commands import free_port
from tests.reference.training_examples import reversed_pairs

SIZES = (12, 12)
# The last batch of a pass has one pair: the second process has nothing to do then.
DATA, DEV = reversed_pairs(21, 1), reversed_pairs(6, 2)


def model(system: str) -> ModelConfig:
    return ModelConfig(system=system, embedding=8, hidden=8, coverage_dim=2, phrase_slots=2)


def config(**changes: Any) -> TrainingConfig:
    settings = {"batch_size": 5, "steps": 14, "learning_rate": 0.02, "threads": 1, **changes}
    return TrainingConfig(**settings)


def trained(folder: Path, system: str, training: TrainingConfig, kill_at: int) -> dict[str, bytes]:
    """Train; process 1 is lost once, at a step. Returns the best network and the last state."""
    store = TrainingStore(Checkpoints(folder), CurrentCall("key"))
    session = TrainingSession(store, (model(system), training), SIZES, Surroundings())
    note, lost = session._note, folder / "lost"

    def maybe_die(report: StepReport, measured: Measured) -> None:
        if report.step == kill_at and Group().rank == 1 and not lost.exists():
            lost.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        note(report, measured)

    session._note = maybe_die  # type: ignore[method-assign]
    session.train(DATA, Dev(DEV))
    session._keep()
    if not Group().leads:
        return {}
    files = Checkpoints(folder).get("key")
    assert files is not None
    return {**session.best.files, TRAINING: files[TRAINING]}


def in_two(folder: Path, system: str, training: TrainingConfig, kill_at: int = 0) -> Any:
    folder.mkdir()
    arguments = (folder, system, training, kill_at)
    return in_own_process(
        "training", in_group, folder, training, trained, arguments, has_children=True
    )


def on_two_machines(folder: Path, system: str, training: TrainingConfig, kill_at: int = 0) -> Any:
    """Train in two launches of one process each, with folders of their own; the second leads."""
    spread = replace(training, nodes=2, rendezvous=f"127.0.0.1:{free_port()}")

    def launch(leads: bool) -> Any:
        own = folder / str(leads)
        own.mkdir(parents=True)
        arguments = (own, system, spread, kill_at)
        node = Node("training", leads)
        return in_own_process(
            "training", in_group, own, spread, trained, arguments, node, has_children=True
        )

    with ThreadPoolExecutor() as threads:
        helping = threads.submit(launch, False)
        leading = threads.submit(launch, True)
        assert helping.result() == {}
        return leading.result()


def gradients(sizes: tuple[int, ...]) -> list[dict[str, torch.Tensor]]:
    """Return the gradient of the mean loss of batches, added up over the group."""
    translator, group = build_translator(model("phrasenet-softmax"), *SIZES, 1), Group()
    found = []
    for size in sizes:
        own = [DATA[index] for index in group.share(np.arange(size))]
        share = padded_share(translator, own, 0)
        add_up_gradient(translator, share, torch.Generator(), config(), size)
        group.add_gradients(list(translator.parameters()))
        named = translator.named_parameters()
        found.append({name: each.grad.clone() for name, each in named if each.grad is not None})
    return found


@pytest.fixture
def signals() -> Iterator[None]:
    """Put back the signal handlers that the launcher of torch sets."""
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_gradient_of_two_processes_is_that_of_one(tmp_path: Path, signals: None) -> None:
    # Of five pairs one process has three; of one pair the second process has none.
    sizes = (5, 1)
    together = in_group(tmp_path, config(processes=2), gradients, (sizes,))
    assert together is not None
    for ours, alone in zip(together, gradients(sizes), strict=True):
        assert ours.keys() == alone.keys()
        for name, value in alone.items():
            assert torch.allclose(ours[name], value, rtol=1e-5, atol=1e-8), name


@pytest.mark.slow
def test_a_training_that_lost_a_process_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    training = config(
        processes=2, checkpoint_steps=5, validation_steps=1, dropout=0.2, ema=0.9, restarts=1
    )
    whole = in_two(tmp_path / "whole", "phrasenet-gate", training)
    lost = in_two(tmp_path / "lost", "phrasenet-gate", training, kill_at=8)
    assert (tmp_path / "lost" / "lost").exists()
    assert lost == whole


@pytest.mark.slow
def test_two_machines_train_as_two_processes_of_one(tmp_path: Path) -> None:
    training = config(
        processes=2, checkpoint_steps=5, validation_steps=1, dropout=0.2, ema=0.9, restarts=1
    )
    whole = in_two(tmp_path / "whole", "phrasenet-gate", training)
    assert on_two_machines(tmp_path / "spread", "phrasenet-gate", training) == whole
    # Process 1 is on the machine that helps, which has no checkpoint of its own.
    lost = on_two_machines(tmp_path / "lost", "phrasenet-gate", training, kill_at=8)
    assert lost == whole


def test_machines_that_cannot_find_each_other_are_refused() -> None:
    for settings, message in (
        ({"nodes": 2, "processes": 2}, "training.rendezvous is ''"),
        ({"nodes": 2, "processes": 3, "rendezvous": "a:1"}, "a multiple of training.nodes, 2"),
        ({"nodes": 2, "processes": 2, "rendezvous": "host"}, "training.rendezvous is 'host'"),
        ({"nodes": 2, "processes": 2, "rendezvous": "http://host:1"}, "is 'http://host:1'"),
        ({"rendezvous": "a:1"}, "left out while training.nodes is 1"),
    ):
        with pytest.raises(ValueError, match=message):
            config(**settings)


def complain(folder: Path) -> None:
    if Group().rank == 1:
        raise ConfigError("[training] is odd")


def stumble(folder: Path) -> None:
    raise KeyError("a defect")


def die(folder: Path) -> None:
    os._exit(3)


@pytest.mark.slow
def test_a_mistake_in_a_process_is_told_and_a_loss_is_a_passing_fault(
    tmp_path: Path, signals: None
) -> None:
    training = config(processes=2, restarts=0)
    with pytest.raises(ConfigError, match=r"\[training\] is odd"):
        in_group(tmp_path, training, complain, (tmp_path,))
    (tmp_path / "mistake.json").unlink()
    with pytest.raises(GroupDefect, match="stumble"):
        in_group(tmp_path, training, stumble, (tmp_path,))
    (tmp_path / "mistake.json").unlink()
    with pytest.raises(LostProcess, match="lost 1 times"):
        in_group(tmp_path, training, die, (tmp_path,))
