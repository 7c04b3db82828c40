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
    assert (training.batch_size, training.buffer_batches) == (80, 20)
    assert (training.batch_order, training.batch_loss) == ("paper", "mean")
    assert found.text.max_words == 50
    assert (found.decoding.beam, found.decoding.length_rule) == (10, "normalised")


@pytest.mark.parametrize(
    "model",
    ['system = "groundhog-coverage+gate"', 'system = "rnnsearch"\ndecoder = "groundhog-gru"'],
)
def test_the_systems_of_the_context_gates_have_the_settings_of_their_paper(
    tmp_path: Path, model: str
) -> None:
    found = load(tmp_path, f'preset = "paper"\n[model]\n{model}\n')
    assert (found.model.source_vocabulary, found.model.target_vocabulary) == (30_001, 30_001)
    assert found.text.max_words == 80
    assert (found.training.batch_order, found.training.batch_loss) == ("paper", "sum")
    assert (found.decoding.length_rule, found.decoding.min_length_ratio) == ("raw", 0.5)


def test_a_transformer_is_in_no_paper_and_warms_up_today(tmp_path: Path) -> None:
    transformer = '[model]\nsystem = "transformer"\n'
    with pytest.raises(ConfigError, match="neither paper has a Transformer"):
        load(tmp_path, f'preset = "paper"\n{transformer}')
    training = load(tmp_path, f'preset = "modern"\n{transformer}').training
    assert (training.warmup_steps, training.decay) == (4000, "inverse-root")


def test_modern_has_what_the_papers_had_not(tmp_path: Path) -> None:
    training = load(tmp_path, 'preset = "modern"\n[training]\nsteps = 5\n').training
    assert (training.optimizer, training.precision) == ("adam", "bfloat16")
    assert training.dropout > 0
    assert training.label_smoothing > 0
    assert (training.steps, training.epochs) == (5, 0)
    text = load(tmp_path, 'preset = "modern"\n').text
    assert (text.source_units, text.target_units) == ("subwords", "subwords")


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
        ("[model]\ngate_always = true\n", ("gate_always is True", "has a mode gate")),
        ('[model]\nsystem = "phrasenet-softmax"\ngate_bias = -1.0\n', ("has a mode gate",)),
        ('[model]\nsystem = "phrasenet-softmax"\ngate_noise = "half-normal"\n', ("mode gate",)),
        ('[model]\nsystem = "phrasenet-gate"\nphrase_bias = true\n', ("beside words",)),
        ('[model]\nsystem = "phrasenet-gate"\nphrase_candidates = 2\n', ("by their slot",)),
        ("[memory]\nphrase_candidates = 2\n", ("takes 1 translation(s) a phrase",)),
        ("[model]\nphrase_slots = 63\n", ("at most 62",)),
        ('preset = "paper"\n[training]\nsteps = 1\nwarmup_steps = 5\n', ("adadelta",)),
        ('[training]\nsteps = 1\nbatch_loss = "most"\n', ("'mean', 'sum'",)),
        ("[training]\nsteps = 1\naverage_checkpoints = 0\n", ("1 or more",)),
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
