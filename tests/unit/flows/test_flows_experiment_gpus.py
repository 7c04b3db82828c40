"""Cells side by side: as many as there are GPUs, each with its own; else as there are processors.

No GPU is needed: how many there are is a number that these tests say.
"""

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from flows import experiment_gpus
from flows.experiment_gpus import VISIBLE, Gpus, cells_at_once, gpu_names
from flows.settings import Settings, load_settings
from model.machine import number_of_gpus
from tasks.own_process import in_own_process
from tests.support import copy_tiny


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(copy_tiny(tmp_path / "tiny") / "phrasenet.toml")


def see(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(experiment_gpus, "number_of_gpus", lambda: number)


@pytest.mark.parametrize(
    ("gpus", "processes", "threads", "expected"),
    [
        (0, 1, 1, 6), (0, 1, 4, 1), (0, 1, 0, 1), (1, 1, 1, 1), (4, 1, 1, 4), (4, 2, 1, 2),
        (1, 2, 1, 1),
    ],
)  # fmt: skip
def test_cells_at_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch,
    gpus: int, processes: int, threads: int, expected: int,
) -> None:  # fmt: skip
    see(monkeypatch, gpus)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)))
    training = replace(settings.training, processes=processes, threads=threads)
    assert cells_at_once(replace(settings, training=training)) == expected


def test_cells_that_learn_on_processors_do_not_count_gpus(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(monkeypatch, 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)))
    training = replace(settings.training, device="cpu", threads=2)
    assert cells_at_once(replace(settings, training=training)) == 3


def test_cells_that_name_a_gpu_take_turns_on_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(monkeypatch, 8)
    for section in ("training", "decoding"):
        own = replace(getattr(settings, section), device="cuda:1")
        assert cells_at_once(replace(settings, **{section: own})) == 1


@pytest.mark.parametrize(
    ("number", "visible", "expected"),
    [
        (0, None, []), (0, "", []), (2, None, ["0", "1"]), (2, "5, 7", ["5", "7"]),
        (1, "MIG-a", ["MIG-a"]), (1, "3,x", ["3"]),
    ],
)  # fmt: skip
def test_gpus_are_named_as_this_process_sees_them(
    monkeypatch: pytest.MonkeyPatch, number: int, visible: str | None, expected: list[str]
) -> None:
    see(monkeypatch, number)
    assert gpu_names({} if visible is None else {VISIBLE: visible}) == expected


def lent_to(names: list[str], each: int, at_once: int) -> list[str | None]:
    """Return what so many cells see that run at the same time."""
    gpus = Gpus(names, each, at_once)
    with ExitStack() as stack:
        return [stack.enter_context(gpus.lent()).get(VISIBLE) for _ in range(at_once)]


@pytest.mark.parametrize(
    ("names", "each", "at_once", "expected"),
    [
        ([], 1, 2, [None, None]),
        (["0", "1"], 1, 2, ["0", "1"]),
        (["0", "1"], 1, 4, ["0", "1", "0", "1"]),
        (["a", "b", "c"], 1, 2, ["a", "b"]),
        (["0", "1", "2", "3"], 2, 2, ["0,1", "2,3"]),
        (["0", "1", "2"], 2, 1, ["0,1"]),
        (["0"], 2, 1, ["0"]),
    ],
)
def test_every_cell_has_gpus_of_its_own_as_long_as_there_are_enough(
    names: list[str], each: int, at_once: int, expected: list[str | None]
) -> None:
    assert lent_to(names, each, at_once) == expected


def test_a_gpu_is_free_again_when_its_cell_has_failed() -> None:
    gpus = Gpus(["0", "1"], 1, 2)
    with gpus.lent() as kept:
        assert kept == {VISIBLE: "0"}
        with pytest.raises(ValueError, match="failed"), gpus.lent():  # noqa: PT012
            raise ValueError("failed")
        with gpus.lent() as found:
            assert found == {VISIBLE: "1"}


def test_the_process_of_a_cell_sees_its_gpu_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "0,1,2")
    seen = in_own_process("cell", os.getenv, VISIBLE, environment={VISIBLE: "2"})
    assert (seen, os.environ[VISIBLE]) == ("2", "0,1,2")


def test_counting_gpus_is_possible_without_any() -> None:
    assert number_of_gpus() >= 0
