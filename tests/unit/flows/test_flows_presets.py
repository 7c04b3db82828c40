"""Presets: what a settings file takes at once, and what it changes of that."""

from pathlib import Path

import pytest

from flows.settings import Settings, load_settings
from storage.errors import ConfigError


def load(folder: Path, text: str) -> Settings:
    file = folder / "phrasenet.toml"
    file.write_text(text)
    return load_settings(file)


def test_the_papers_train_as_they_say(tmp_path: Path) -> None:
    found = load(tmp_path, 'preset = "paper"\n')
    assert (found.model.embedding, found.model.hidden, found.model.phrase_slots) == (620, 1000, 10)
    assert found.model.source_vocabulary == 16_000
    training = found.training
    assert (training.optimizer, training.clip_norm, training.dropout) == ("adadelta", 1.0, 0.0)
    assert (training.batch_size, training.batch_order) == (80, "paper")


def test_modern_has_what_the_papers_had_not(tmp_path: Path) -> None:
    training = load(tmp_path, 'preset = "modern"\n[training]\nsteps = 5\n').training
    assert (training.optimizer, training.precision) == ("adam", "bfloat16")
    assert training.dropout > 0
    assert training.label_smoothing > 0
    assert (training.steps, training.epochs) == (5, 0)


def test_single_settings_win_over_the_preset(tmp_path: Path) -> None:
    text = 'preset = "paper"\n[model]\nhidden = 64\nsystem = "groundhog-gru+gate"\n'
    found = load(tmp_path, text)
    assert (found.model.hidden, found.model.embedding) == (64, 620)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('preset = "papers"\n', ("papers", "'paper', 'modern'")),
        ("preset = 3\n", ("preset is 3",)),
        ('preset = "paper"\n[training]\nsteps = 1\nlearning_rate = 0.1\n', ("adadelta",)),
        ('[model]\ncontext_gate_inputs = ["t"]\n', ("there is no context gate",)),
        ('[model]\nattention_kind = "none"\n', ("coverage records",)),
        ('[model]\nsystem = "groundhog-gru"\nhidden = 33\n', ("even",)),
        ('[model]\nhidden = 33\n[evaluation]\nbaselines = ["groundhog-gru"]\n', ("baseline",)),
        ("[model]\ncoverage_fertility = true\n", ("linguistic",)),
        ("[model]\ntarget_scale = 0.5\n", ("fixed",)),
        ('[model]\norder = "groundhog"\n', ("between its two halves",)),
        ('[model]\ncontext_gate = "static"\ncontext_gate_inputs = ["t"]\n', ("reads nothing",)),
        ('[model]\ncontext_gate = "both"\ncontext_gate_inputs = ["q"]\n', ("t, s, y",)),
        ('[model]\ncontext_gate = "scalar"\ncontext_gate_inputs = ["s"]\n', ("alone",)),
        ('[model]\ncontext_gate = "source"\ncontext_gate_place = "code"\n', ("as it is",)),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    for word in words:
        assert word in str(caught.value)


def test_a_compared_system_has_its_own_switches_in_the_sizes_of_the_file(tmp_path: Path) -> None:
    text = '[model]\nsystem = "groundhog-gru"\nhidden = 64\ncontext_gate = "both"\n'
    found = load(tmp_path, text)
    assert found.model_of("groundhog-gru").switches.gate == "both"
    other = found.model_of("rnnsearch")
    assert (other.hidden, other.switches.gate) == (64, "none")
