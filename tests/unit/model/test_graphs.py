"""Training steps as graphs: recorded, repeated, given up; and that nobody waits within a step.

The recorder is a tape that repeats operations on the memory they were recorded on, as a CUDA graph
does (`tests/reference/tape.py`). The tests marked `gpu` use real graphs.
"""

import copy
import dataclasses
import warnings
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from model import checkpoint, fit, graphs
from model.batch_order import lengths_of
from model.config import SYSTEMS, TrainingConfig
from model.gradients import add_up_gradient, padded_share
from model.graphs import Graphs, Recorder, Work, graphs_of
from model.group import Group
from model.packing import all_places
from model.translator import Translator, build_translator
from tests.reference.model_examples import example, toy_config
from tests.reference.model_variants import REPRESENTATIVES, VARIANTS
from tests.reference.tape import TapeRecorder
from tests.reference.training_examples import reversed_pairs

PAIRS = reversed_pairs(24, seed=1)
PLAIN = TrainingConfig(
    batch_size=4, steps=18, learning_rate=0.01, dropout=0.2, label_smoothing=0.1, ema=0.9
)
CASES: dict[str, tuple[str, dict[str, object]]] = {name: (name, {}) for name in SYSTEMS}
CASES |= VARIANTS
RECORDED = (
    ("rnnsearch", 0),
    ("phrasenet-softmax+context-gate", 0),
    ("groundhog-coverage+gate", 3),
    ("transformer+phrase-gate", 0),
)
"""Systems, and pairs in a piece."""


COPYING_FAKES = pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")


class Usual(TapeRecorder):
    """Records nothing: each step is computed as usual, on widened batches."""

    def record(self, work: Work, stream: torch.Generator) -> Work:
        return lambda: self.run(work)


SIZES: dict[str, object] = {"embedding": 8, "hidden": 12, "initial_values": "scaled"}


def new(system: str = "rnnsearch", **changes: object) -> Translator:
    config = toy_config(system, **{**SIZES, **changes})
    return build_translator(config, 12, 12, seed=1)


def recording(
    monkeypatch: pytest.MonkeyPatch, recorder: TapeRecorder, most: int = 64
) -> list[Graphs]:
    """Let trainings use a recorder; returns what they make."""
    made: list[Graphs] = []

    def of(
        translator: Translator,
        stream: torch.Generator,
        config: TrainingConfig,
        _: Recorder | None = None,
    ) -> Graphs:
        made.append(Graphs(translator, stream, config, recorder, most))
        return made[-1]

    monkeypatch.setattr(fit, "graphs_of", of)
    return made


def trained(translator: Translator, config: TrainingConfig = PLAIN) -> list[float]:
    reports = list(fit.fit(translator, PAIRS, config))
    return [x for report in reports for x in (report.loss, report.gradient_norm)]


def same_bits(one: Translator, other: Translator) -> bool:
    return all(torch.equal(x, other.state_dict()[name]) for name, x in one.state_dict().items())


@pytest.mark.parametrize(("system", "micro_batch"), RECORDED)
def test_a_training_has_the_same_bits_with_graphs(
    system: str, micro_batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = dataclasses.replace(PLAIN, micro_batch=micro_batch)
    one, other, tape = new(system), new(system), TapeRecorder()
    recording(monkeypatch, Usual())
    usual = trained(one, config)
    recording(monkeypatch, tape)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert trained(other, config) == usual
    assert same_bits(one, other)
    assert tape.recordings >= 1
    assert tape.repetitions > 2 * tape.recordings


def test_a_training_learns_with_graphs_what_it_learns_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = dataclasses.replace(PLAIN, dropout=0.0)
    one, other = new("phrasenet-gate").double(), new("phrasenet-gate").double()
    monkeypatch.setattr("model.phrase_mode.NOISE_SCALE", 0.0)  # the rows that draw it differ
    plain = trained(one, config)
    recording(monkeypatch, TapeRecorder())
    assert trained(other, config) == pytest.approx(plain, rel=1e-6)


def test_a_resumed_training_has_the_same_bits_though_its_graphs_are_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tape = TapeRecorder()
    recording(monkeypatch, tape)
    whole, part = new("phrasenet-gate"), new("phrasenet-gate")
    trained(whole)
    state = fit.start(part, PLAIN)
    for report in fit.fit(part, PAIRS, PLAIN, state=state):
        if report.step == 11:
            break
    assert tape.repetitions > 5
    loaded = checkpoint.load(checkpoint.save(part, PLAIN, state))
    list(fit.fit(loaded.translator, PAIRS, PLAIN, state=loaded.state))
    assert same_bits(whole, loaded.translator)


def gives_up(
    monkeypatch: pytest.MonkeyPatch, recorder: TapeRecorder, said: str, system: str = "rnnsearch"
) -> None:
    """Train with a recorder that does not work: one message, and the bits of the usual way."""
    one, other = new(system), new(system)
    recording(monkeypatch, Usual())
    trained(one)
    recording(monkeypatch, recorder)
    with pytest.warns(RuntimeWarning, match=said) as told:
        trained(other)
    assert len(told) == 1
    assert same_bits(one, other)


def test_a_step_that_cannot_be_recorded_is_computed_as_usual_and_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Refusing(TapeRecorder):
        def record(self, work: Work, stream: torch.Generator) -> Work:
            raise RuntimeError("operation not permitted when stream is capturing")

    gives_up(monkeypatch, Refusing(), r"cannot be recorded .*not permitted.* goes on without")


@pytest.mark.parametrize("what", ["gradient", "random numbers"])
def test_a_graph_that_does_something_else_is_never_used(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(TapeRecorder):
        def record(self, work: Work, stream: torch.Generator) -> Work:
            repeat = super().record(work, stream)

            def wrong() -> None:
                repeat()
                if what == "gradient":
                    made[0]._sums[3].view(-1)[0] += 1e-6
                else:
                    torch.rand(1, generator=stream)

            return wrong

    made: list[Graphs] = []
    recorder = Wrong()
    plain = Graphs.__init__

    def init(own: Graphs, *arguments: object) -> None:
        plain(own, *arguments)  # type: ignore[arg-type]
        made[:] = [own]

    monkeypatch.setattr(Graphs, "__init__", init)
    gives_up(monkeypatch, recorder, "does not repeat the step's bits")
    assert recorder.repetitions == 1


def test_what_waits_for_the_device_cannot_be_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Translator.log_likelihood

    def waiting(own: Translator, *arguments: object, **options: object) -> torch.Tensor:
        log_B = plain(own, *arguments, **options)  # type: ignore[arg-type]
        return log_B if log_B.sum() < 0 else -log_B

    monkeypatch.setattr(Translator, "log_likelihood", waiting)
    gives_up(monkeypatch, TapeRecorder(), "_local_scalar_dense")


def rotated(by: int) -> list[list[int]]:
    """Return batches of two sizes in turn."""
    short, long = [2, 3, 4], [5, 6, 7, 8, 9, 10, 11, 2, 3, 4]
    return [[*side[by % 3 :], *side[: by % 3]] for side in (short, long)]


def test_the_graph_that_was_used_longest_ago_leaves() -> None:
    translator, tape = new().train(), TapeRecorder()
    stream = torch.Generator().manual_seed(1)
    kept = Graphs(translator, stream, PLAIN, tape, most=1)
    for step in range(6):
        for words in rotated(step)[: 1 if step < 4 else 2]:
            share = padded_share(translator, [example(words, words)], 0, wide=True)
            add_up_gradient(translator, share, stream, PLAIN, 1, kept)
    assert (tape.recordings, len(kept._recorded)) == (2, 1)
    room = next(iter(kept._recorded))
    assert room.source == 16  # the longer ones came last, so the shorter ones are counted anew
    assert [count for size, count in kept._runs.items() if size != room] == [0]


def test_a_graph_borrows_no_memory_that_others_use() -> None:
    class Looking(TapeRecorder):
        def record(self, work: Work, stream: torch.Generator) -> Work:
            pools.append(translator.pool)
            return super().record(work, stream)

    translator, stream = new().train(), torch.Generator().manual_seed(1)
    pools = [translator.pool]
    own = Graphs(translator, stream, PLAIN, Looking())
    share = padded_share(translator, PAIRS[:4], 0, wide=True)
    for _ in range(4):
        add_up_gradient(translator, share, stream, PLAIN, 4, own)
    assert len(pools) == 2
    assert translator.pool is pools[0] is not pools[1]


def test_where_memory_runs_out_pieces_are_smaller_and_the_gradient_is_the_same() -> None:
    class Full(TapeRecorder):
        def run(self, work: Work) -> None:
            super().run(work)
            if self.runs == 1:
                raise torch.OutOfMemoryError("CUDA out of memory")

    translator = new().double()
    config = dataclasses.replace(PLAIN, dropout=0.0)
    found = []
    for recorder in (TapeRecorder(), Full()):
        stream = torch.Generator().manual_seed(1)
        share = padded_share(translator, PAIRS[:6], 0, wide=True)
        own = Graphs(translator, stream, config, recorder)
        total, limit = add_up_gradient(translator, share, stream, config, 6, own)
        gradients = [x.grad.clone() for x in translator.parameters() if x.grad is not None]
        found.append((total, limit, gradients))
    assert found[1][1] == 3
    torch.testing.assert_close(*(total for total, _, _ in found))
    torch.testing.assert_close(*(gradients for _, _, gradients in found))


def test_a_parameter_without_use_keeps_no_gradient() -> None:
    translator, stream = new("phrasenet-gate").train(), torch.Generator().manual_seed(1)
    own = Graphs(translator, stream, PLAIN, TapeRecorder())
    without = [pair for pair in PAIRS if not pair.slots]
    for pairs in (PAIRS[:4], without[:4]):
        plain = padded_share(translator, pairs, 0)
        add_up_gradient(translator, plain, stream, PLAIN, 4)
        known = [each.grad is None for each in translator.parameters()]
        wide = padded_share(translator, pairs, 0, wide=True)
        add_up_gradient(translator, wide, stream, PLAIN, 4, own)
        assert [each.grad is None for each in translator.parameters()] == known
    assert any(known)


def test_on_a_processor_the_setting_says_nothing() -> None:
    found = []
    for setting in ("auto", "off"):
        config = dataclasses.replace(PLAIN, graphs=setting, steps=4)
        translator = new("phrasenet-gate")
        assert graphs_of(translator, torch.Generator(), config) is None
        trained(translator, config)
        found.append(translator)
    assert same_bits(*found)


def test_other_settings_are_refused() -> None:
    with pytest.raises(ValueError, match=r'training\.graphs is "?\'?on'):
        TrainingConfig(steps=1, graphs="on")  # type: ignore[arg-type]


def fake_step(case: str, meddle: Callable[[Translator], None] = lambda _: None) -> None:
    """Make a training step, as a GPU does, of tensors that have no numbers: reading one fails."""
    system, changes = CASES[case]
    share = padded_share(new(system, **changes), PAIRS[:4], 0)
    with FakeTensorMode(allow_non_fake_inputs=True), all_places():
        translator = copy.deepcopy(new(system, **changes)).train()
        meddle(translator)
        loop = fit._Loop(
            translator, PLAIN, fit.start(translator, PLAIN), Group(), lengths_of(PAIRS)[0]
        )
        loop._waits, loop.num_batches = False, 9
        assert loop.step(share, np.arange(4)).step == 1


@COPYING_FAKES
@pytest.mark.parametrize("case", REPRESENTATIVES)
def test_no_training_step_reads_a_number(case: str) -> None:
    fake_step(case)


@COPYING_FAKES
@pytest.mark.slow
@pytest.mark.parametrize("case", sorted({*CASES} - {*REPRESENTATIVES}))
def test_no_step_of_the_other_networks_reads_one(case: str) -> None:
    fake_step(case)


@COPYING_FAKES
def test_a_step_that_reads_a_number_is_found_out() -> None:
    def meddle(translator: Translator) -> None:
        plain = translator.encoder.forward

        def forward(*arguments: object) -> torch.Tensor:
            found = plain(*arguments)  # type: ignore[arg-type]
            return found if found.isfinite().all() else -found

        translator.encoder.forward = forward  # type: ignore[assignment]

    with pytest.raises(DataDependentOutputException):
        fake_step("rnnsearch", meddle)


needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_gpu_finds_the_same_bits_with_graphs(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.devices import prepared

    gpu = prepared("cuda", "training.device", ["float32"])
    one, other = new(system).to(gpu), new(system).to(gpu)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        trained(other)
    monkeypatch.setattr(graphs, "CudaRecorder", lambda _: Usual())
    trained(one)
    assert same_bits(one, other)
