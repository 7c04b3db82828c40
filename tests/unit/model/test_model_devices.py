"""Devices: names, messages, keys, and that nothing is made on another device than the network's.

The tests marked `gpu` are the same promises on a real GPU.
"""

import dataclasses
import importlib.metadata
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from flows.devices import missing_devices
from flows.settings import load_settings
from model import checkpoint, device_names, fit, machine
from model.config import SYSTEMS, DecodingConfig, TrainingConfig
from model.gradients import add_up_gradient, is_out_of_memory, padded_share
from model.machine import NoDevice, device_of, prepare
from model.search import translate
from model.translator import Translator, build_translator
from model.vocabulary import SPECIAL, Vocabulary
from storage.errors import ConfigError
from tasks.arguments import as_json
from tasks.decoding import open_models
from tasks.devices import prepared
from tasks.model_files import vocabulary_files
from tasks.recipe import RECIPE_FILE, WordRecipe
from tests.reference.model_examples import toy_config
from tests.reference.model_variants import REPRESENTATIVES, VARIANTS
from tests.reference.training_examples import reversed_pairs
from tests.support import ROOT

STEPS = TrainingConfig(batch_size=4, steps=6, learning_rate=0.01)
PAIRS = reversed_pairs(24, seed=1)
OTHERS = sorted({*SYSTEMS, *VARIANTS} - {*REPRESENTATIVES})
NAN_STEP = 3


def elsewhere(names: Sequence[str]) -> dict[str, list[str]]:
    """Train and search on a device that is not the processor, in a process of its own."""
    command = [sys.executable, "-m", "tests.reference.on_other_device", *names]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: dict[str, list[str]] = json.loads(run.stdout)
    return found


def test_nothing_is_made_on_another_device_than_the_networks() -> None:
    found = elsewhere(REPRESENTATIVES)
    assert found == {name: [] for name in REPRESENTATIVES}


@pytest.mark.slow
def test_so_it_is_with_every_system_and_switch() -> None:
    found = elsewhere(OTHERS)
    assert found == {name: [] for name in found}
    assert len(found) > 40


@pytest.mark.parametrize("name", ["gpu", "cuda:", "cuda:-1", "cuda:01", "CPU", "cpu:0", ""])
def test_what_names_no_device_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"training\.device is .*must be \"auto\""):
        TrainingConfig(steps=1, device=name)
    with pytest.raises(ValueError, match=r"decoding\.device is"):
        DecodingConfig(device=name)


def with_gpus(monkeypatch: pytest.MonkeyPatch, *gpus: str, built: bool = True) -> None:
    monkeypatch.setattr(machine, "devices", lambda: machine.Devices(2, gpus, built))
    monkeypatch.setattr(device_names, "_has_gpu", lambda: bool(gpus))


def test_the_key_holds_the_kind_and_not_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(name: str) -> object:
        return as_json("config", DecodingConfig(device=name))["device"]

    with_gpus(monkeypatch)
    assert [key(name) for name in ("auto", "cpu", "cuda", "cuda:1")] == ["cpu", "cpu"] + 2 * [
        "cuda"
    ]
    with_gpus(monkeypatch, "one")
    assert [key(name) for name in ("auto", "cpu", "cuda:1")] == ["cuda", "cpu", "cuda"]
    assert TrainingConfig(steps=1).as_recorded()["device"] == "cuda"


def test_a_torch_without_cuda_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "2.13.0+cpu")
    monkeypatch.setattr(machine, "has_gpu", lambda: pytest.fail("torch was asked"))
    assert device_names.kind_of("auto") == "cpu"
    assert device_of("auto", "training.device") == torch.device("cpu")


@pytest.mark.parametrize(
    ("name", "gpus", "built", "says"),
    [
        ("cuda", (), False, r"built without CUDA.*pip install torch --index-url"),
        ("cuda", (), True, r"finds no NVIDIA GPU.*nvidia-smi.*CUDA_VISIBLE_DEVICES"),
        ("cuda:2", ("one", "two"), True, r"there are 2 GPUs, numbered from 0: one, two"),
    ],
)
def test_a_missing_device_says_what_to_do(
    name: str, gpus: tuple[str, ...], built: bool, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_gpus(monkeypatch, *gpus, built=built)
    with pytest.raises(NoDevice, match=says):
        device_of(name, "decoding.device")


def test_each_process_has_a_gpu_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with_gpus(monkeypatch, "one", "two")
    found = [device_of("auto", "training.device", rank=rank, processes=2) for rank in (0, 1)]
    assert found == [torch.device("cuda", 0), torch.device("cuda", 1)]
    assert device_of("cuda:1", "training.device") == torch.device("cuda", 1)
    for name, processes in (("cuda", 3), ("cuda:1", 2)):
        with pytest.raises(NoDevice, match="as many GPUs"):
            device_of(name, "training.device", processes=processes)


def test_each_machine_counts_its_own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.train import own_device

    with_gpus(monkeypatch, "one", "two")
    monkeypatch.setattr(machine, "prepare", lambda *_: None)
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    spread = TrainingConfig(steps=1, processes=4, nodes=2, rendezvous="host:29400")
    assert [own_device(spread, rank).index for rank in range(4)] == [0, 1, 0, 1]


def test_tf32_is_for_gpus() -> None:
    with pytest.raises(NoDevice, match="only GPUs"):
        prepare(torch.device("cpu"), ["tf32"])


def test_random_states_of_another_kind_of_device_begin_anew() -> None:
    from model.noise import new_stream, set_stream

    stream = new_stream(1, torch.device("cpu"))
    set_stream(stream, torch.zeros(16, dtype=torch.uint8), seed=9)
    assert torch.equal(stream.get_state(), torch.Generator().manual_seed(9).get_state())
    state = new_stream(5, torch.device("cpu")).get_state()
    set_stream(stream, state, seed=9)
    assert torch.equal(stream.get_state(), state)


def new(system: str = "phrasenet-gate", **changes: object) -> Translator:
    config = toy_config(system, embedding=8, hidden=12, initial_values="scaled", **changes)
    return build_translator(config, 12, 12, seed=1)


def unwaited(
    translator: Translator, config: TrainingConfig, monkeypatch: pytest.MonkeyPatch
) -> fit.FitState:
    """Train as on a GPU, where figures are read now and then."""
    state = fit.start(translator, config)
    plain = fit._Loop.__init__

    def init(loop: fit._Loop, *arguments: object) -> None:
        plain(loop, *arguments)  # type: ignore[arg-type]
        loop._waits = False

    monkeypatch.setattr(fit._Loop, "__init__", init)
    return state


def test_figures_that_nobody_waits_for_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    config = dataclasses.replace(STEPS, steps=8, ema=0.9)
    here, there = new(), new()
    waited = list(fit.fit(here, PAIRS, config))
    state = unwaited(there, config, monkeypatch)
    read = list(fit.fit(there, PAIRS, config, state=state))
    assert [report.step for report in read] == [report.step for report in waited]
    known = [(a, b) for a, b in zip(waited, read, strict=True) if b.loss == b.loss]
    assert [b.step for _, b in known] == [6, 8]  # the end of an epoch and of the training
    for one, other in known:
        assert (one.loss, one.gradient_norm) == (other.loss, other.gradient_norm)
    for name, value in here.state_dict().items():
        assert torch.equal(value, there.state_dict()[name])


def nan_at(step: int, monkeypatch: pytest.MonkeyPatch, *more: int) -> None:
    """Make the loss of some steps not finite."""
    plain, count = add_up_gradient, iter(range(1, 1000))

    def broken(translator: Translator, *arguments: object) -> tuple[torch.Tensor, int]:
        total, limit = plain(translator, *arguments)  # type: ignore[arg-type]
        if next(count) in (step, *more):
            for parameter in translator.parameters():
                if parameter.grad is not None:
                    parameter.grad.fill_(torch.nan)
            total = total * torch.nan
        return total, limit

    monkeypatch.setattr(fit, "add_up_gradient", broken)


def test_a_step_that_is_not_finite_leaves_the_weights_though_nobody_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    translator, config = new(), dataclasses.replace(STEPS, checkpoint_steps=2)
    state = unwaited(translator, config, monkeypatch)
    nan_at(NAN_STEP, monkeypatch)
    before: dict[str, torch.Tensor] = {}
    for report in fit.fit(translator, PAIRS, config, state=state):
        if report.step == NAN_STEP:
            assert all(torch.equal(v, before[n]) for n, v in translator.state_dict().items())
        assert bool(report.skipped) == (report.step == NAN_STEP + 1)  # read with the next one
        if report.skipped:
            assert f"training step {NAN_STEP} (epoch 0, batch {NAN_STEP - 1})" in report.skipped
            assert report.taken
        before = {name: value.clone() for name, value in translator.state_dict().items()}
    assert (report.step, state.trouble) == (6, fit.SKIPPED)
    assert all(value.isfinite().all() for value in translator.state_dict().values())


def test_two_steps_that_are_not_finite_end_it_though_nobody_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    translator = new()
    state = unwaited(translator, STEPS, monkeypatch)
    nan_at(NAN_STEP, monkeypatch, NAN_STEP + 1)
    with pytest.raises(FloatingPointError, match=f"training step {NAN_STEP + 1} "):
        list(fit.fit(translator, PAIRS, STEPS, state=state))
    assert all(value.isfinite().all() for value in translator.state_dict().values())


def test_running_out_of_memory_is_known_by_all_its_names() -> None:
    assert is_out_of_memory(torch.cuda.OutOfMemoryError("CUDA out of memory"))
    assert is_out_of_memory(RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling"))
    assert not is_out_of_memory(RuntimeError("CUDA error: an illegal memory access"))


def test_settings_that_ask_for_what_is_not_there_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "phrasenet.toml"
    file.write_text('[training]\nsteps = 1\ndevice = "cuda:1"\n\n[decoding]\ndevice = "cpu"\n')
    with_gpus(monkeypatch, "one")
    missing = missing_devices(load_settings(file))
    told = missing.pop("training.device")
    assert told.startswith(f"{file}: training.device is 'cuda:1', but there are 1 GPUs")
    with_gpus(monkeypatch, "one", "two")
    assert missing == missing_devices(load_settings(file)) == {}


def test_a_model_is_not_opened_where_its_device_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = vocabulary_files(*[Vocabulary((*SPECIAL, *map(str, range(10))))] * 2)
    files = {**checkpoint.save(new()), **words, RECIPE_FILE: WordRecipe().to_bytes()}
    assert (
        open_models([files], DecodingConfig(device="cpu"), {}).translators[0].device.type == "cpu"
    )
    with_gpus(monkeypatch, built=False)
    with pytest.raises(ConfigError, match=r"decoding\.device is 'cuda', .* built without CUDA"):
        open_models([files], DecodingConfig(device="cuda"), {})
    with pytest.raises(ConfigError, match="only GPUs"):
        open_models([files], DecodingConfig(device="cpu", precision="tf32"), {})


needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


@pytest.fixture
def gpu() -> torch.device:
    return prepared("cuda", "training.device", ["float32"])


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_gpu_learns_and_translates_as_the_processor(system: str, gpu: torch.device) -> None:
    here, there = new(system).double(), new(system).double().to(gpu)
    losses = [[r.loss for r in fit.fit(each, PAIRS, STEPS)][-1] for each in (here, there)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    for name, value in here.state_dict().items():
        torch.testing.assert_close(value, there.state_dict()[name].cpu(), rtol=1e-4, atol=1e-4)
    config = DecodingConfig(beam=3)
    found = [
        [w.word_id for h in translate(t, PAIRS, config) for w in h.words] for t in (here, there)
    ]
    assert found[0] == found[1]


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("optimizer", ["adam", "adadelta"])
def test_a_resumed_training_on_a_gpu_has_the_same_bits(optimizer: str, gpu: torch.device) -> None:
    plain = TrainingConfig(batch_size=4, steps=6, dropout=0.2, ema=0.9)
    config = dataclasses.replace(plain, optimizer=optimizer)  # type: ignore[arg-type]
    whole, part = new().to(gpu), new().to(gpu)
    list(fit.fit(whole, PAIRS, config))
    state = fit.start(part, config)
    for report in fit.fit(part, PAIRS, config, state=state):
        if report.step == NAN_STEP:
            break
    loaded = checkpoint.load(checkpoint.save(part, config, state), device=gpu)
    list(fit.fit(loaded.translator, PAIRS, config, state=loaded.state))
    for name, value in whole.state_dict().items():
        assert torch.equal(value, loaded.translator.state_dict()[name])


@pytest.mark.gpu
@needs_gpu
def test_a_gpu_without_memory_takes_smaller_pieces(gpu: torch.device) -> None:
    translator = build_translator(toy_config("rnnsearch", hidden=64), 12, 50_000, seed=1).to(gpu)
    pairs = reversed_pairs(2048, seed=1)
    share, stream = padded_share(translator, pairs, 0), torch.Generator(gpu).manual_seed(1)
    free = torch.cuda.mem_get_info(gpu)[1]
    torch.cuda.set_per_process_memory_fraction(600e6 / free, gpu)
    try:
        _, limit = add_up_gradient(translator, share, stream, STEPS, 1.0)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, gpu)
    assert limit < len(pairs)
