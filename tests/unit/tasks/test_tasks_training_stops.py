"""What ends a training, and what is done when something goes wrong."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model import fit as fit_module
from model.batches import Example
from model.checkpoint import TRAINING, WEIGHTS, load
from model.config import ModelConfig, TrainingConfig
from model.gradients import OutOfMemory, add_up_gradient, padded_share
from model.translator import Translator, build_translator
from model.vocabulary import Vocabulary
from storage.checkpoints import Checkpoints
from storage.errors import ConfigError
from tasks.step import CurrentCall
from tasks.text.units import PairCoder
from tasks.training_dev import Dev, DevText, DevTexts, check_dev
from tasks.training_session import Stopped, Surroundings, TrainingSession
from tasks.training_store import TrainingStore
from tests.reference.training_examples import reversed_pairs

MODEL = ModelConfig(system="phrasenet-gate", embedding=8, hidden=8, coverage_dim=2, phrase_slots=2)
WORDS = Vocabulary(("</s>", "UNK", *"abcdefghij"))
SIZES = len(WORDS), len(WORDS)
DATA, DEV = reversed_pairs(20, 1), reversed_pairs(6, 2)


def config(**changes: Any) -> TrainingConfig:
    settings = {"batch_size": 5, "steps": 16, "dropout": 0.1, "learning_rate": 0.02, **changes}
    return TrainingConfig(**settings)


def session(
    folder: Path,
    training: TrainingConfig,
    around: Surroundings | None = None,
    key: str = "one",
    model: ModelConfig = MODEL,
) -> TrainingSession:
    store = TrainingStore(Checkpoints(folder), CurrentCall(key, "train it"), keep=2)
    return TrainingSession(store, (model, training), SIZES, around)


def finished(
    folder: Path, training: TrainingConfig, key: str = "whole", model: ModelConfig = MODEL
) -> TrainingSession:
    made = session(folder, training, key=key, model=model)
    made.train(DATA, Dev(DEV))
    return made


def events(made: TrainingSession) -> list[str]:
    return [event["what"] for event in made.record.events]


def after(calls: int) -> Callable[[], bool]:
    """Return a function that says False so many times, then True."""
    answers: Iterator[bool] = iter([False] * calls)
    return lambda: next(answers, True)


def test_patience_ends_the_training_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    made = finished(tmp_path, config(steps=400, validation_steps=1, patience=3, learning_rate=0.5))
    measured = [row["dev_loss"] for row in made.record.log if row["dev_loss"] is not None]
    assert made.record.ended == {"step": len(measured), "by": "patience"}
    assert measured.index(min(measured)) == len(measured) - 1 - 3
    kept = load(made.best.files).translator
    assert fit_module.evaluate_loss(kept, DEV, 5) == pytest.approx(min(measured))


def test_a_time_budget_ends_the_training_and_says_at_which_step(tmp_path: Path) -> None:
    seconds = iter(range(1000))
    around = Surroundings(clock=lambda: float(next(seconds)))
    made = session(tmp_path, config(minutes=0.1), around)
    made.train(DATA, Dev())
    ended = made.record.ended
    assert ended["by"] == "minutes"
    assert 0 < ended["step"] < 10
    assert not made.record.can_be_made_again
    again = finished(tmp_path, config(steps=ended["step"]), "again")
    assert again.record.ended == {"step": ended["step"], "by": "steps"}
    assert again.record.can_be_made_again


def test_time_that_was_used_before_a_stop_counts(tmp_path: Path) -> None:
    clock = iter(float(second) for second in range(0, 10_000, 7))
    around = Surroundings(stopped=after(3), clock=lambda: next(clock))
    first = session(tmp_path, config(minutes=1), around)
    with pytest.raises(Stopped):
        first.train(DATA, Dev())
    later = session(tmp_path, config(minutes=1), Surroundings(clock=lambda: 0.0))
    assert later._seconds() > 20


@pytest.mark.parametrize("calls", [0, 4, 9, 15, 16, 24])
def test_a_training_that_is_asked_to_stop_goes_on_to_the_same_end(
    tmp_path: Path, calls: int
) -> None:
    # It is also asked within measurements: after each batch of dev.
    training = config(validation_steps=3, checkpoint_steps=100, ema=0.9)
    whole = finished(tmp_path, training)
    with pytest.raises(Stopped):
        session(tmp_path, training, Surroundings(stopped=after(calls))).train(DATA, Dev(DEV))
    assert Checkpoints(tmp_path).all_about()["one"]["label"] == "train it"
    resumed = finished(tmp_path, training, "one")
    assert resumed.best.files == whole.best.files
    assert resumed.record == whole.record


def test_the_moving_mean_of_the_weights_is_measured_and_kept(tmp_path: Path) -> None:
    made, plain = (finished(tmp_path, config(ema=ema), f"{ema}") for ema in (0.8, 0.0))
    training = config()
    fresh = session(tmp_path, training, key="fresh")
    translator, state = fresh._translator, fresh._state
    expected = {name: value.clone() for name, value in translator.state_dict().items()}
    for report in fit_module.fit(translator, DATA, training, state=state):
        decay = min(0.8, (1 + report.step) / (10 + report.step))
        for name, value in translator.state_dict().items():
            expected[name] = decay * expected[name] + (1 - decay) * value
    kept = load(made.best.files).translator.state_dict()
    for name, value in expected.items():
        assert torch.allclose(kept[name], value, atol=1e-6), name
    assert made.best.files[WEIGHTS] != plain.best.files[WEIGHTS]


class Poison:
    """Makes the loss of some calls infinite."""

    def __init__(self, *calls: int) -> None:
        self.calls, self.number = calls, 0

    def __call__(self, translator: Translator, *arguments: Any) -> tuple[torch.Tensor, int]:
        self.number += 1
        total, limit = add_up_gradient(translator, *arguments)
        return (total + math.inf if self.number in self.calls else total), limit


def poisoned(
    monkeypatch: pytest.MonkeyPatch, folder: Path, training: TrainingConfig, *calls: int
) -> TrainingSession:
    monkeypatch.setattr(fit_module, "add_up_gradient", Poison(*calls))
    return finished(folder, training)


def test_one_loss_that_is_not_finite_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = poisoned(monkeypatch, tmp_path, config(), 7)
    (event,) = events(made)
    assert event.startswith("a batch was skipped: training step 7 (epoch 1, batch 2): the loss is")
    assert made.record.ended["step"] == 16
    assert {row["learning_rate"] for row in made.record.log} == {0.02}


@pytest.mark.parametrize("checkpoint_steps", [4, 100])
def test_the_second_goes_back_to_the_last_checkpoint_with_smaller_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checkpoint_steps: int
) -> None:
    training = config(checkpoint_steps=checkpoint_steps, validation_steps=1)
    made = poisoned(monkeypatch, tmp_path, training, 7, 8)
    back = 4 if checkpoint_steps == 4 else 0
    assert [event["step"] for event in made.record.events] == [6, back]
    assert events(made)[1].startswith("went back to this step, with 0.5 times the step size")
    rates = {row["step"]: row["learning_rate"] for row in made.record.log}
    assert rates == {step: 0.02 if step <= back else 0.01 for step in range(1, 17)}


def test_the_third_stops_the_training_and_says_what_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FloatingPointError, match="step 7 .*a batch was skipped.*back to step 4"):
        poisoned(monkeypatch, tmp_path, config(checkpoint_steps=4), 7, 8, 11)


def refuse_more_than(most: int) -> Callable[..., torch.Tensor]:
    """Return a likelihood that runs out of memory on more sentences than that."""
    likelihood = Translator.log_likelihood

    def limited(self: Translator, source: Any, *rest: Any, **more: Any) -> torch.Tensor:
        if len(source.ids_BJ) > most:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        return likelihood(self, source, *rest, **more)

    return limited


def test_where_memory_runs_out_the_gradient_is_added_up_from_smaller_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = config(dropout=0.0, batch_size=8)
    whole = finished(tmp_path, config(dropout=0.0, batch_size=8, micro_batch=2))
    monkeypatch.setattr(Translator, "log_likelihood", refuse_more_than(3))
    made = session(tmp_path, training)
    made.train(DATA, Dev())
    (event,) = events(made)
    assert "pieces of 2 pairs" in event
    ours = load(made.best.files).translator.state_dict()
    for name, value in load(whole.best.files).translator.state_dict().items():
        assert torch.allclose(ours[name], value, atol=1e-6), name
    monkeypatch.setattr(Translator, "log_likelihood", refuse_more_than(0))
    with pytest.raises(OutOfMemory, match="single sentence pair"):
        session(tmp_path, training, key="none").train(DATA, Dev())


def test_adding_up_over_pieces_is_the_gradient_of_the_whole_batch() -> None:
    translator = build_translator(replace(MODEL, system="phrasenet-softmax"), *SIZES, 1)
    found = []
    for size in (0, 2):
        share = padded_share(translator, DATA[:5], size)
        added, _ = add_up_gradient(translator, share, torch.Generator(), config(dropout=0.0), 5)
        gradients = {n: p.grad for n, p in translator.named_parameters() if p.grad is not None}
        found.append((added.item(), gradients))
    (total, whole), (other_total, pieces) = found
    assert other_total == pytest.approx(total, rel=1e-6)
    assert whole.keys() == pieces.keys()
    for name, gradient in whole.items():
        assert torch.allclose(pieces[name], gradient, rtol=1e-4, atol=1e-7), name


def dev_texts(examples: list[Example]) -> DevTexts:
    sentences = [
        DevText(
            {
                "sentence_id": str(number),
                "source_words": WORDS.decode(example.source_ids),
                "target_words": WORDS.decode(example.target_ids),
                "slots": [],
            },
            tuple(" ".join(WORDS.decode(example.target_ids)) for _ in range(1 + number % 2)),
        )
        for number, example in enumerate(examples)
    ]
    return DevTexts(tuple(sentences), (WORDS, WORDS), PairCoder.of("words", "words", {}))


def test_the_network_with_the_highest_bleu_of_dev_is_kept(tmp_path: Path) -> None:
    training = config(steps=60, best_by="bleu", validation_steps=15, batch_size=10)
    same = np.arange(2, 8, dtype=np.int32)
    pairs = [Example(each.source_ids, same) for each in DATA]
    dev = Dev(pairs, dev_texts(pairs))
    made = session(tmp_path, training, model=replace(MODEL, initial_values="scaled"))
    made.train(pairs, dev)
    scores = {
        row["step"]: row["dev_bleu"] for row in made.record.log if row["dev_bleu"] is not None
    }
    assert sorted(scores) == [15, 30, 45, 60]
    assert max(scores.values()) > 0
    kept = dev.measure(load(made.best.files).translator, training, lambda: False)
    assert kept is not None
    assert kept.bleu == max(scores.values())


@pytest.mark.parametrize(
    ("changes", "message"), [({"best_by": "bleu"}, "best_by"), ({"patience": 2}, "patience is 2")]
)
def test_rules_that_need_a_dev_set_are_refused_without_one(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        check_dev(Dev(), config(**changes))


def test_a_checkpoint_holds_the_optimizer_the_random_state_and_the_mean(tmp_path: Path) -> None:
    finished(tmp_path, config(checkpoint_steps=5, ema=0.5), "one")
    files = Checkpoints(tmp_path).get("one")
    assert files is not None
    assert {WEIGHTS, TRAINING, "session.json"} <= set(files)
