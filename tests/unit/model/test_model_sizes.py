"""Parameter counts of the specification."""

import pytest
from torch import nn

from model.config import ModelConfig
from model.coverage import NeuralCoverage
from model.translator import Translator


def count(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize(("vocabulary", "millions"), [(16_000, 63.62), (30_000, 89.67)])
def test_rnnsearch_without_coverage_has_the_size_of_dl4mt(vocabulary: int, millions: float) -> None:
    translator = Translator(ModelConfig(system="rnnsearch"), vocabulary, vocabulary)
    assert translator.decoder.coverage is not None
    without = count(translator) - count(translator.decoder.coverage)
    assert round(without / 1e6, 2) == millions


@pytest.mark.parametrize(("size", "parameters"), [(1, 10_006), (10, 100_330), (100, 1_030_300)])
def test_coverage_has_the_sizes_of_its_paper(size: int, parameters: int) -> None:
    assert count(NeuralCoverage(size, 1000, 2000, 1000)) == parameters


def test_phrase_memory_adds_tags_gate_and_classifier_and_nothing_else() -> None:
    plain = Translator(ModelConfig(system="rnnsearch"), 100, 100)
    gate = Translator(ModelConfig(system="phrasenet-gate"), 100, 100)
    hidden, context, embedding, slots, width = 1000, 2000, 620, 10, 1000
    tags = slots * (hidden + 3 * hidden + 2 * hidden + embedding)
    inputs = hidden + context + slots + embedding
    mode = inputs * width + width + width * width + width + width + 1 + 2 * width
    classifier = inputs * embedding + slots * embedding
    assert count(gate) - count(plain) == tags + mode + classifier
