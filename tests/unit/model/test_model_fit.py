"""Training: deterministic, resumable to the bit, and careful with what is not finite."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model import checkpoint, fit
from model.batches import Example
from model.config import DecodingConfig, ModelConfig, Precision, TrainingConfig
from model.device_names import kind_of
from model.search import translate
from model.translator import Translator, build_translator
from model.vocabulary import UNK
from tests.reference.model_examples import example, toy_config
from tests.reference.model_variants import REPRESENTATIVES

GOLDEN = Path(__file__).parents[2] / "golden"
CURVES = {
    "model_loss_curve.txt": [name for name in REPRESENTATIVES if "transformer" not in name],
    "transformer_loss_curve.txt": [name for name in REPRESENTATIVES if "transformer" in name],
}


def synthetic_pairs(number: int, *, seed: int = 0) -> list[Example]:
    """Make pairs: each word has one translation; a phrase with unknown words stands anywhere."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(number):
        words = [int(word) for word in rng.integers(2, 20, rng.integers(3, 8))]
        at = int(rng.integers(0, len(words) - 1))
        source = [*words[:at], UNK, UNK, *words[at + 2 :]]
        target = [21 - word for word in words[:at]] + [UNK, 5, UNK]
        target += [21 - word for word in words[at + 2 :]]
        pairs.append(example(source, target, (at, at + 2, (UNK, 5, UNK), at)))
    return pairs


PAIRS = synthetic_pairs(50)


def new_translator(system: str, **changes: object) -> Translator:
    return build_translator(toy_config(system, **changes), 22, 22, seed=1)


def losses(translator: Translator, config: TrainingConfig) -> list[float]:
    return [report.loss for report in fit.fit(translator, PAIRS, config)]


def curve(system: str) -> list[float]:
    translator = new_translator(system, embedding=8, hidden=12, initial_values="scaled")
    return losses(
        translator, TrainingConfig(batch_size=8, steps=20, learning_rate=0.01, dropout=0.1)
    )


@pytest.mark.parametrize("file", CURVES)
def test_the_loss_curve_is_the_golden_one(file: str, request: pytest.FixtureRequest) -> None:
    curves = [curve(system) for system in CURVES[file]]
    if request.config.getoption("--update-golden", default=False):
        rows = [f"{step} " + " ".join(f"{x:.6f}" for x in row)
                for step, row in enumerate(zip(*curves, strict=True), 1)]  # fmt: skip
        header = "# step " + " ".join(CURVES[file])
        (GOLDEN / file).write_text(header + "\n" + "\n".join(rows) + "\n")
    golden = np.loadtxt(GOLDEN / file)[:, 1:].T
    assert np.allclose(curves, golden, atol=1e-4, rtol=0)
    assert all(row[-1] < row[0] for row in curves)


@pytest.mark.parametrize("optimizer", ["adam", "adadelta"])
@pytest.mark.parametrize("system", REPRESENTATIVES)
def test_a_resumed_training_is_equal_to_an_uninterrupted_one_bit_for_bit(
    system: str, optimizer: str
) -> None:
    config = TrainingConfig(
        batch_size=16,
        steps=20,
        dropout=0.2,
        optimizer=optimizer,  # type: ignore[arg-type]
        final_learning_rate=1e-4 if optimizer == "adam" else 0.0,
    )
    whole = new_translator(system)
    expected = losses(whole, config)

    first = new_translator(system)
    state = fit.start(first, config)
    reports = fit.fit(first, PAIRS, config, state=state)
    found = [next(reports).loss for _ in range(10)]
    again = checkpoint.load(checkpoint.save(first, config, state))
    assert again.training == replace(config, device=kind_of(config.device))
    assert again.state is not None
    found += [r.loss for r in fit.fit(again.translator, PAIRS, config, state=again.state)]
    assert found == expected
    for name, tensor in whole.state_dict().items():
        assert again.translator.state_dict()[name].equal(tensor), name


def test_a_checkpoint_without_state_holds_the_network_only() -> None:
    translator = new_translator("phrasenet-gate")
    files = checkpoint.save(translator)
    assert sorted(files) == ["config.json", "weights.safetensors"]
    again = checkpoint.load(files)
    assert again.state is None
    assert again.training is None
    assert again.translator.config == translator.config
    assert checkpoint.save(again.translator) == files


def test_a_checkpoint_of_a_gated_network_has_the_same_settings_again() -> None:
    translator = new_translator("groundhog-gru+gate", context_gate_inputs=("t", "y"))
    again = checkpoint.load(checkpoint.save(translator))
    assert again.translator.config == translator.config


def test_a_checkpoint_from_before_the_switches_is_read_with_their_defaults() -> None:
    translator = new_translator("phrasenet-gate")
    files = checkpoint.save(translator)
    content = json.loads(files["config.json"])
    known = {"system", "embedding", "hidden", "attention", "coverage_dim", "phrase_slots",
             "gate_hidden", "gate_bias", "gate_noise", "gate_always", "phrase_bias",
             "initial_values", "source_vocabulary", "target_vocabulary"}  # fmt: skip
    content["model"] = {name: content["model"][name] for name in known}
    files["config.json"] = json.dumps(content).encode()
    assert checkpoint.load(files).translator.config == translator.config


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [("model", "wings", 2), ("model", "system", "rnnsearch+wings"), ("training", "wings", 2)],
)
def test_a_checkpoint_of_a_later_version_is_refused_by_what_is_not_known(
    section: str, name: str, value: object
) -> None:
    files = checkpoint.save(new_translator("rnnsearch"), TrainingConfig(steps=1))
    content = json.loads(files["config.json"])
    content[section][name] = value
    files["config.json"] = json.dumps(content).encode()
    with pytest.raises(ValueError, match=r"wings.*which this version does not know"):
        checkpoint.load(files)


def test_a_checkpoint_that_lacks_a_file_or_has_another_format_is_refused() -> None:
    files = checkpoint.save(new_translator("rnnsearch"))
    with pytest.raises(ValueError, match=r"config\.json is missing"):
        checkpoint.load({name: data for name, data in files.items() if name != "config.json"})
    files["config.json"] = files["config.json"].replace(b'"format": 1', b'"format": 99')
    with pytest.raises(ValueError, match="99"):
        checkpoint.load(files)


def test_a_loss_that_is_not_finite_is_skipped_once_and_then_stops_the_training() -> None:
    translator = new_translator("rnnsearch")
    config = TrainingConfig(batch_size=16, steps=5)
    state = fit.start(translator, config)
    reports = fit.fit(translator, PAIRS, config, state=state)
    next(reports)
    weights = {name: value.clone() for name, value in translator.state_dict().items()}
    with torch.no_grad():
        translator.readout.output_bias_V[3] = torch.inf
    skipped = next(reports)
    assert (skipped.step, state.step, state.position) == (1, 1, 2)
    assert "training step 2 (epoch 0, batch 1): the loss is" in skipped.skipped
    with pytest.raises(FloatingPointError, match="training step 2"):
        next(reports)
    weights["readout.output_bias_V"][3] = torch.inf
    assert all(value.equal(weights[name]) for name, value in translator.state_dict().items())


def test_a_loss_that_was_not_finite_long_ago_is_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "FORGIVEN_AFTER_STEPS", 2)
    translator = new_translator("rnnsearch")
    config = TrainingConfig(batch_size=16, steps=8)
    state = fit.start(translator, config)
    bias = translator.readout.output_bias_V
    found = []
    for report in fit.fit(translator, PAIRS, config, state=state):
        found.append(bool(report.skipped))
        with torch.no_grad():
            bias[3] = torch.inf if len(found) in (2, 6) else 0.0
    assert found == [False, False, True, False, False, False, True, False, False, False]


@pytest.mark.parametrize(
    ("budget", "steps", "epochs"),
    [({"steps": 3}, 3, 0), ({"epochs": 2}, 8, 2), ({"target_words": 300}, 4, 1)],
)
def test_training_ends_with_its_budget(budget: dict[str, int], steps: int, epochs: int) -> None:
    translator = new_translator("rnnsearch")
    config = TrainingConfig(batch_size=16, **budget)  # type: ignore[arg-type]
    state = fit.start(translator, config)
    reports = list(fit.fit(translator, PAIRS, config, state=state))
    assert (len(reports), state.epoch) == (steps, epochs)
    assert reports[-1].target_words == state.target_words
    if "target_words" in budget:
        assert reports[-2].target_words < budget["target_words"] <= state.target_words


def test_the_sum_over_a_batch_has_the_gradient_of_the_mean_times_its_size() -> None:
    reports = []
    for batch_loss in ("mean", "sum"):
        config = TrainingConfig(batch_size=8, steps=1, batch_loss=batch_loss)
        reports.append(next(iter(fit.fit(new_translator("groundhog-gru"), PAIRS, config))))
    assert reports[1].loss == pytest.approx(reports[0].loss, rel=1e-6)
    assert reports[1].gradient_norm == pytest.approx(8 * reports[0].gradient_norm, rel=1e-5)


def test_the_order_of_the_papers_is_that_of_the_systems_program() -> None:
    config = TrainingConfig(batch_size=5, epochs=1, batch_order="paper")
    lengths: dict[str, list[int]] = {}
    for system in ("rnnsearch", "groundhog-gru"):
        reports = list(fit.fit(new_translator(system), PAIRS[:23], config))
        seen = [0, *(report.target_words for report in reports)]
        lengths[system] = [after - before for before, after in itertools.pairwise(seen)]
    assert lengths["rnnsearch"][0] == max(lengths["rnnsearch"])
    assert lengths["groundhog-gru"][0] < lengths["groundhog-gru"][3]


def test_a_resume_on_other_data_and_an_empty_corpus_are_refused() -> None:
    translator, config = new_translator("rnnsearch"), TrainingConfig(steps=1)
    state = fit.start(translator, config)
    list(fit.fit(translator, PAIRS, config, state=state))
    with pytest.raises(ValueError, match="50 examples, but 3"):
        next(fit.fit(translator, PAIRS[:3], TrainingConfig(steps=9), state=state))
    with pytest.raises(ValueError, match="no training examples"):
        next(fit.fit(translator, [], config))


def test_the_development_loss_is_the_mean_per_target_word_whatever_the_batches() -> None:
    translator = new_translator("phrasenet-gate")
    one = fit.evaluate_loss(translator, PAIRS, 1)
    assert one == pytest.approx(fit.evaluate_loss(translator, PAIRS, 50), abs=1e-5)
    plain = new_translator("rnnsearch")
    assert fit.evaluate_loss(plain, PAIRS, 7) == pytest.approx(np.log(22), rel=0.01)


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        ("phrasenet-gate", {}),
        ("phrasenet-softmax+context-gate", {"decoder_layers": 2}),
        ("groundhog-vanilla+gate", {}),
        ("transformer+phrase-gate", {}),
        ("groundhog-coverage+gate", {"order": "groundhog"}),
        ("groundhog-coverage", {"decoder": "groundhog-lstm", "coverage": "linguistic"}),
    ],
)
def test_bfloat16_follows_float32_closely(system: str, changes: dict[str, object]) -> None:
    curves, ends = [], []
    precisions: tuple[Precision, ...] = ("float32", "bfloat16")
    for precision in precisions:
        translator = new_translator(
            system, embedding=16, hidden=16, initial_values="scaled", **changes
        )
        config = TrainingConfig(batch_size=16, steps=25, learning_rate=0.01, precision=precision)
        curves.append(losses(translator, config))
        ends.append(fit.evaluate_loss(translator, PAIRS, 16, precision))
    assert curves[1] != curves[0]
    assert np.allclose(curves[0], curves[1], atol=0.1)
    assert ends[1] == pytest.approx(ends[0], abs=0.1)
    assert ends[1] < curves[1][0] - 0.3  # it learns


@pytest.mark.parametrize("system", REPRESENTATIVES)
def test_a_search_in_bfloat16_finds_what_one_in_float32_finds_nearly_as_probable(
    system: str,
) -> None:
    translator = new_translator(system, embedding=16, hidden=16, initial_values="scaled")
    unseen = [Example(pair.source_ids, slots=pair.slots) for pair in PAIRS[:10]]
    precisions: tuple[Precision, ...] = ("float32", "bfloat16")
    whole, half = (
        translate(translator, unseen, DecodingConfig(beam=3, max_length_ratio=1.0, precision=each))
        for each in precisions
    )
    assert [one.score for one in whole] != [one.score for one in half]
    assert [one.score for one in half] == pytest.approx([one.score for one in whole], abs=0.1)


@pytest.mark.parametrize("system", REPRESENTATIVES[:3])
def test_fifty_pairs_with_unknown_words_in_phrases_are_learnt_by_heart(system: str) -> None:
    config = ModelConfig(
        system=system,
        embedding=24,
        hidden=32,
        phrase_slots=2,
        coverage_dim=4,
        initial_values="scaled",
    )
    translator = build_translator(config, 22, 22, seed=1)
    for _ in fit.fit(
        translator, PAIRS, TrainingConfig(batch_size=10, steps=200, learning_rate=0.01)
    ):
        pass
    unseen = [Example(pair.source_ids, slots=pair.slots) for pair in PAIRS]
    found = translate(translator, unseen, DecodingConfig(beam=3))
    right = sum(
        [word.word_id for word in hypothesis.words] == pair.target_ids.tolist()
        for hypothesis, pair in zip(found, PAIRS, strict=True)
    )
    assert right == 50
    produced = [any(word.slot == 0 for word in hypothesis.words) for hypothesis in found]
    assert all(produced) == ("phrasenet" in system)
