"""What a record of a model's attention is kept under."""

from dataclasses import replace
from typing import Any

import pytest

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from tasks.record import Feeding, record
from tasks.step import StepCall, key_of

USUAL = DecodingConfig(device="cpu")


def key(decoding: DecodingConfig) -> str:
    refs = {name: ArtifactRef(name, "0" * 24, 1) for name in ("model", "tagged", "translations")}
    call = StepCall(record, "", {**refs, "feeding": Feeding.of(decoding)})
    return key_of(record.name, call.facts())


@pytest.mark.parametrize(
    "change",
    [
        {"beam": 3},
        {"batch_size": 7},
        {"length_rule": "raw"},
        {"max_length_ratio": 2.0},
        {"min_length_ratio": 0.5},
        {"recombine": False},
        {"precision": "bfloat16"},
        {"readout": "int8"},
        {"short_list": 200},
        {"method": "sample", "samples": 3, "temperature": 0.5, "seed": 9},
        {"ensemble_mean": "log-probability"},
        {"unknown_words": "copy"},
    ],
)
def test_how_was_searched_does_not_matter_once_it_was_found(change: dict[str, Any]) -> None:
    assert key(replace(USUAL, **change)) == key(USUAL)


def test_two_gpus_of_a_machine_record_the_same() -> None:
    assert key(replace(USUAL, device="cuda:0")) == key(replace(USUAL, device="cuda:1"))


@pytest.mark.parametrize(
    "change", [{"clear_on_word_match": False}, {"source_scale": 0.5}, {"target_scale": 2.0}]
)
def test_what_the_network_goes_through_matters(change: dict[str, Any]) -> None:
    assert key(replace(USUAL, **change)) != key(USUAL)
