"""Every experiment that comes with the project parses, and each of its cells makes sense."""

from pathlib import Path

import pytest

from flows.experiment_cells import all_cells
from flows.settings import load_settings
from model.config import SYSTEMS
from tests.support import ROOT

PRESETS = sorted((ROOT / "experiments").glob("*.toml"))


def test_there_are_experiments() -> None:
    assert {path.stem for path in PRESETS} >= {"sample", "laws", "general", "nist"}


@pytest.mark.parametrize("path", PRESETS, ids=lambda path: str(path.stem))
def test_every_cell_of_an_experiment_has_settings(path: Path) -> None:
    settings = load_settings(path)
    cells = all_cells(settings)
    files = [cell.planned.cell.file for cell in cells]
    assert len(set(files)) == len(files)
    names = {cell.planned.cell.name for cell in cells}
    for cell in cells:
        training = cell.settings.training
        assert training.target_words or training.epochs
        assert training.seed == cell.planned.cell.seed
        # What a cell is compared with is in the matrix, too.
        assert cell.planned.baseline in {"", *names}
    assert {item.role for item in settings.testsets} == {"dev", "test"}


def test_the_sample_trains_every_system() -> None:
    cells = all_cells(load_settings(ROOT / "experiments" / "sample.toml"))
    assert {cell.planned.system for cell in cells} >= set(SYSTEMS)


def test_the_papers_settings_are_those_of_each_paper() -> None:
    cells = all_cells(load_settings(ROOT / "experiments" / "nist.toml"))
    found = {
        (cell.planned.cell.data, cell.planned.cell.name): (
            cell.settings.model.embedding,
            cell.settings.model.hidden,
            cell.settings.model.source_vocabulary,
            cell.settings.text.max_words,
            cell.settings.training.batch_loss,
            cell.settings.training.batch_order,
            cell.settings.decoding.length_rule,
        )
        for cell in cells
    }
    dl4mt = ("mean", "paper", "normalised")
    assert found["phrasenet", "phrasenet-gate"] == (620, 1000, 16_000, 50, *dl4mt)
    assert found["phrasenet", "rnnsearch-30k"] == (620, 1000, 30_000, 50, *dl4mt)
    groundhog = (620, 1000, 30_001, 80, "sum", "paper", "raw")
    assert found["context-gates", "groundhog-coverage+gate"] == groundhog
