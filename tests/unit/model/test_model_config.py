"""Settings refuse nonsense and name the setting."""

import subprocess
import sys

import pytest

from model.config import SYSTEMS, DecodingConfig, ModelConfig, TrainingConfig


def test_an_unknown_system_is_refused_with_the_list_of_known_ones() -> None:
    with pytest.raises(ValueError, match="rnnsarch") as caught:
        ModelConfig(system="rnnsarch")
    assert all(name in str(caught.value) for name in SYSTEMS)


@pytest.mark.parametrize(
    ("make", "setting"),
    [
        (lambda: ModelConfig(hidden=0), "model.hidden"),
        (lambda: ModelConfig(gate_noise="loud"), "model.gate_noise"),  # type: ignore[arg-type]
        (lambda: ModelConfig(target_vocabulary=2), "model.target_vocabulary"),
        (lambda: TrainingConfig(steps=1, dropout=1.0), "training.dropout"),
        (lambda: TrainingConfig(steps=1, batch_size=0), "training.batch_size"),
        (lambda: TrainingConfig(steps=1, learning_rate=0), "training.learning_rate"),
        (lambda: TrainingConfig(steps=1, optimizer="sgd"), "training.optimizer"),  # type: ignore[arg-type]
        (
            lambda: TrainingConfig(steps=1, optimizer="adadelta", learning_rate=0.01),
            "training.learning_rate is 0.01, which adadelta does not read",
        ),
        (
            lambda: TrainingConfig(steps=1, optimizer="adadelta", final_learning_rate=1e-4),
            "training.final_learning_rate is 0.0001, which adadelta",
        ),
        (lambda: TrainingConfig(), "training.epochs"),
        (lambda: DecodingConfig(beam=0), "decoding.beam"),
        (lambda: DecodingConfig(min_length_ratio=4), "decoding.min_length_ratio"),
        (lambda: DecodingConfig(length_rule="long"), "decoding.length_rule"),  # type: ignore[arg-type]
    ],
)
def test_a_setting_without_sense_is_refused_by_name(make: object, setting: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=setting):
        make()


def test_sizes_that_are_not_given_follow_from_the_hidden_size() -> None:
    config = ModelConfig(system="phrasenet-gate", hidden=30)
    assert (config.attention_size, config.gate_size, config.slots) == (60, 30, 10)
    assert ModelConfig(system="rnnsearch").slots == 0


def test_settings_and_vocabularies_are_read_without_torch() -> None:
    code = "import sys, model.config, model.vocabulary; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
