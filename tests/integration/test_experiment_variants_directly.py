"""Variants in an experiment without Prefect: more words than the text has, phrases kept back, a dev
set with gold links, weighted contexts, and sentences of another domain that no vocabulary knows.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from flows.experiment_cells import all_cells, settings_digest
from flows.settings import load_settings
from tests.integration.test_experiment_directly import run_directly
from tests.support import edit

TESTSETS = """
[[testset]]
name = "tiny-dev"
source = "dev.zh"
references = ["dev.en"]
role = "dev"
gold = "dev.gold"

[[testset]]
name = "odd"
source = "odd.zh"
references = ["odd.en"]

[memory]"""
EXPERIMENT = """
[decoding]
beam = 2
precision = "bfloat16"

[evaluation]
scaling = true

[experiment]
systems = ["rnnsearch-large", "phrasenet-gate-withheld"]
target_words = 300
out_of_domain = ["odd"]

[[variant]]
name = "rnnsearch-large"
system = "rnnsearch"
model = {source_vocabulary = 16000, target_vocabulary = 16000}

[[variant]]
name = "phrasenet-gate-withheld"
system = "phrasenet-gate"
training = {phrase_dropout = 0.5}
"""


@pytest.fixture(scope="module")
def project(evaluated_tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the settings of an experiment with two variants, not run yet."""
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path_factory.mktemp("variants") / "tiny"))
    for side in ("zh", "en"):
        shutil.copy(folder / f"test.{side}", folder / f"dev.{side}")
    (folder / "dev.gold").write_text("0-0 1-1\n\n0-0\n", "utf-8")
    (folder / "odd.zh").write_text("龘靐齉龘 xyz\n<unk> </s> ▁\n中\n", "utf-8")
    (folder / "odd.en").write_text("odd odd odd\nunk ▁ a\nmiddle\n", "utf-8")
    file = folder / "phrasenet.toml"
    edit(file, "\n[memory]", TESTSETS)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(EXPERIMENT)
    return file


@pytest.fixture(scope="module")
def results(project: Path) -> dict[str, Any]:
    """Run the experiment; returns its results by the name of the cell."""
    experiment = run_directly(project)
    assert experiment.failed == {}
    files = (project.parent / "results" / "cells").glob("*.json")
    found = [json.loads(file.read_bytes()) for file in files]
    return {result["cell"]["name"]: result for result in found}


def test_all_sets_of_all_variants_are_translated_and_looked_into(results: dict[str, Any]) -> None:
    assert sorted(results) == ["phrasenet-gate-withheld", "rnnsearch-large"]
    for result in results.values():
        assert {name: test["sentences"] for name, test in result["tests"].items()} == {
            "tiny-test": 3, "odd": 3, "tiny-dev": 3
        }  # fmt: skip
        assert any(row["metric"] == "AER" for row in result["tests"]["tiny-dev"]["measures"])
        scaled = [name for name, test in result["tests"].items() if "scaling" in test]
        assert scaled == ["tiny-test"]


def test_a_variant_may_change_the_training_alone(project: Path) -> None:
    cell = next(c for c in all_cells(load_settings(project)) if "withheld" in c.name)
    assert cell.settings.training.phrase_dropout == 0.5
    before = settings_digest(cell)
    edit(project, "phrase_dropout = 0.5", "phrase_dropout = 0.0")
    other = next(c for c in all_cells(load_settings(project)) if "withheld" in c.name)
    edit(project, "phrase_dropout = 0.0", "phrase_dropout = 0.5")
    assert settings_digest(other) != before
