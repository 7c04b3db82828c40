"""Parameter counts of the specification."""

import pytest
import torch
from torch import nn

from model.config import ModelConfig
from model.translator import Translator


def count(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def size(system: str, vocabulary: int = 30_001, **changes: object) -> int:
    """Count without making any numbers."""
    with torch.device("meta"):
        config = ModelConfig(system=system, **changes)  # type: ignore[arg-type]
        return count(Translator(config, vocabulary, vocabulary))


@pytest.mark.parametrize(
    ("system", "parameters", "printed"),
    [
        ("groundhog-vanilla", 77_109_101, "77.10"),
        ("groundhog-vanilla+gate", 80_729_101, "80.72"),
        ("groundhog-gru", 84_349_101, "84.34"),
        ("groundhog-gru+gate-source", 87_969_101, "87.96"),
        ("groundhog-gru+gate-target", 87_969_101, "87.96"),
        ("groundhog-gru+gate", 87_969_101, "87.96"),
        ("groundhog-coverage", 84_449_431, "84.44"),
        ("groundhog-coverage+gate", 88_069_431, "88.06"),
    ],
)
def test_the_systems_of_the_context_gates_have_their_published_sizes(
    system: str, parameters: int, printed: str
) -> None:
    assert size(system) == parameters
    assert f"{parameters // 10_000 / 100:.2f}" == printed  # the paper cuts its figures off


@pytest.mark.parametrize(
    ("system", "without", "difference"),
    [
        ("groundhog-gru+gate", "groundhog-gru", 3_620_000),
        ("groundhog-vanilla+gate", "groundhog-vanilla", 3_620_000),
        ("groundhog-gru", "groundhog-vanilla", 2 * 3_620_000),
        ("groundhog-gru+gate[t]", "groundhog-gru", 1_000_000),
        ("groundhog-gru+gate[t,s]", "groundhog-gru", 3_000_000),
        ("groundhog-gru+scalar", "groundhog-gru", 1_001),
        ("groundhog-gru+interpolation", "groundhog-gru", 1_000),
        ("groundhog-coverage", "groundhog-gru", 100_330),
        ("rnnsearch+context-gate", "rnnsearch", 3_000_000),
        ("phrasenet-gate+context-gate", "phrasenet-gate", 3_000_000 + 10 * 1000),
    ],
)
def test_a_part_adds_its_published_number_of_parameters(
    system: str, without: str, difference: int
) -> None:
    assert size(system) - size(without) == difference


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"coverage": "neural", "coverage_dim": 1}, 10_006),
        ({"coverage": "neural", "coverage_dim": 100}, 1_030_300),
        ({"coverage": "neural-ungated", "coverage_dim": 1}, 4_002),
        ({"coverage": "linguistic"}, 1_000),
        ({"coverage": "linguistic", "coverage_fertility": True}, 3_000),
        ({"context_gate": "fixed", "target_scale": 0.5}, 0),
    ],
)
def test_a_switch_adds_its_published_number_of_parameters(
    changes: dict[str, object], difference: int
) -> None:
    assert size("groundhog-gru", 100, **changes) - size("groundhog-gru", 100) == difference


@pytest.mark.parametrize(("vocabulary", "millions"), [(16_000, 63.62), (30_000, 89.67)])
def test_rnnsearch_without_coverage_has_the_size_of_dl4mt(vocabulary: int, millions: float) -> None:
    assert round(size("rnnsearch", vocabulary, coverage="none") / 1e6, 2) == millions


def test_phrase_memory_adds_tags_gate_and_classifier_and_nothing_else() -> None:
    hidden, context, embedding, slots, width = 1000, 2000, 620, 10, 1000
    tags = slots * (hidden + 3 * hidden + 2 * hidden + embedding)
    inputs = hidden + context + slots + embedding
    mode = inputs * width + width + width * width + width + width + 1 + 2 * width
    classifier = inputs * embedding + slots * embedding
    assert size("phrasenet-gate", 100) - size("rnnsearch", 100) == tags + mode + classifier
