"""The arithmetic of the GPU benchmark, and the benchmark itself on a processor."""

from contextlib import nullcontext

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import gpu, gpu_training
from benchmarks.gpu_common import Plan, network, size_of
from benchmarks.speed_data import Size, sentences
from benchmarks.work_counts import (
    BatchSize,
    multiplications,
    training_bytes,
    training_operations,
)
from model.config import ModelConfig
from model.packing import all_places

TINY = Size("tiny", 24, 32, 200)


def test_a_case_worked_by_hand() -> None:
    config = ModelConfig(system="rnnsearch", embedding=2, hidden=3, attention=4, coverage_dim=1)
    batch = BatchSize(pairs=5, source=7, target=6, words=20)
    found = multiplications(config, 11, batch)
    assert found["encoder"] == 35 * (2 * 18 + 54)
    assert found["source"] == 35 * 6 * (4 + 3 + 9) + 5 * 18 + 35 * 6
    assert found["decoder loop"] == 30 * (18 + 3 * 12 + 3 * 13 + 7 * (6 + 9 + 4 + 3))
    assert found["readout"] == 20 * 2 * (3 + 6 + 2) + 20 * 2 * 11
    assert training_operations(config, 11, batch) == 6 * sum(found.values())
    cells = 6 * 5 * 7
    expected = 4 * (7 * 100 + cells * 4 * 6 + cells * 9 * 2) + 20 * 11 * 3 * 2
    assert training_bytes(config, 100, 11, batch, narrow=True) == expected
    assert training_bytes(config, 100, 11, batch, narrow=False) == expected + 20 * 11 * 3 * 2


def test_the_products_are_those_that_torch_counts() -> None:
    translator, batch = network(TINY), sentences(12, TINY.vocabulary)
    source, target = translator.collate(batch)
    with FlopCounterMode(display=False) as counter, all_places():  # as on a GPU
        translator.log_likelihood(source, target).sum()
    config, size = translator.config, size_of(batch)
    found = sum(multiplications(config, TINY.vocabulary, size).values())
    # torch's counter does not see products that are added in place: coverage into the attention.
    unseen = size.target * size.pairs * size.source * config.coverage_dim * config.attention_size
    assert 2 * (found - unseen) == pytest.approx(counter.get_total_flops(), rel=1e-6)


def test_the_benchmark_runs_on_a_processor(capsys: pytest.CaptureFixture[str]) -> None:
    assert gpu.main(["--device", "cpu"]) == 0
    said = capsys.readouterr().out
    ways = (*gpu_training.WAYS, "losses differ by", gpu.AS_GRAPH)
    named = ("target words/s", "bfloat16", "of bandwidth floor", *gpu.PARTS, "beam 5", "aten::mm")
    for word in (*named, *ways):
        assert word in said
    assert "nan" not in said
    assert "failed" not in said


@pytest.mark.parametrize(("off", "told"), [(0.5e-4, False), (2e-4, True), (-2e-4, True)])
def test_graphs_with_other_losses_are_told(
    off: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([[4.0, 2.0], [4.0, 2.0 * (1 + off)]])
    monkeypatch.setattr(
        gpu_training, "compared", lambda *_: gpu_training.Comparison(next(found), 8, 0.25)
    )
    with pytest.raises(AssertionError, match="differ by 2") if told else nullcontext():
        ((_, differ, *_),) = gpu_training.same(torch.device("cpu"), TINY, 4, "float32")
        assert differ == "5.0e-05"


def test_what_fails_leaves_the_other_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("no memory\nfor it")

    monkeypatch.setattr(gpu_training, "fit", broken)
    plan = Plan((TINY,), (4,), steps=1, sentences=2, product=8, copied=8)
    assert gpu.report(torch.device("cpu"), plan) == 8
    said = capsys.readouterr().out
    assert said.count("failed: OutOfMemoryError: no memory |") == 8
    for word in (*gpu.PARTS, "beam 5", "all together"):
        assert word in said


def test_after_its_time_no_row_begins(capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan((TINY,), (4,), steps=1, seconds=0)
    assert gpu.report(torch.device("cpu"), plan) == 13
    assert capsys.readouterr().out.count("left out: no time") == 13


def test_without_a_gpu_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: False)
    assert gpu.main() == 2
    assert "There is no GPU to measure" in capsys.readouterr().out
