"""The settings of the cells of an experiment, and what makes two cells the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from flows.experiment_cells import (
    Cell,
    all_cells,
    cell_digest,
    settings_digest,
    shaping_settings,
    sources_of,
)
from flows.settings import load_settings
from model import device_names
from storage.errors import ConfigError, PhrasenetError
from tests.support import copy_tiny, edit

EXPERIMENT = """
[evaluation]
scaling = true

[experiment]
systems = ["rnnsearch", "small", "groundhog-gru"]
seeds = [1, 2]
target_words = 900

[[variant]]
name = "small"
system = "rnnsearch"
model = {hidden = 16}
training = {batch_size = 7}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(device_names, "_has_gpu", lambda: False)
    folder = copy_tiny(tmp_path / "tiny")
    with (folder / "phrasenet.toml").open("a", encoding="utf-8") as stream:
        stream.write(EXPERIMENT)
    return folder / "phrasenet.toml"


def cells(project: Path) -> dict[str, Cell]:
    return {cell.name: cell for cell in all_cells(load_settings(project))}


def digest(project: Path, name: str) -> str:
    cell = cells(project)[name]
    return cell_digest(cell, sources_of(cell.settings))


def test_a_cell_has_its_system_its_seed_and_the_common_budget(project: Path) -> None:
    cell = cells(project)["all/groundhog-gru/2"]
    assert cell.settings.model.system == "groundhog-gru"
    assert cell.settings.model.hidden == 32
    training = cell.settings.training
    assert (training.seed, training.target_words, training.epochs) == (2, 900, 0)
    assert cell.settings.evaluation.baselines == ()


def test_a_variant_changes_what_it_names(project: Path) -> None:
    cell = cells(project)["all/small/1"]
    assert (cell.settings.model.system, cell.settings.model.hidden) == ("rnnsearch", 16)
    assert cell.settings.training.batch_size == 7
    assert cell.planned.baseline == "rnnsearch"


def test_weighted_contexts_are_for_the_first_seed(project: Path) -> None:
    found = {name: cell.settings.evaluation.scaling for name, cell in cells(project).items()}
    assert found["all/rnnsearch/1"]
    assert not found["all/rnnsearch/2"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("hidden = 32", "hidden = 34"),
        ("batch_size = 10", "batch_size = 11"),
        ("min_count = 2", "min_count = 3"),
        ("target_words = 900", "target_words = 901"),
    ],
)
def test_settings_that_shape_the_result_change_the_digest(
    project: Path, before: str, after: str
) -> None:
    old = digest(project, "all/rnnsearch/1")
    edit(project, before, after)
    assert digest(project, "all/rnnsearch/1") != old


def test_texts_change_the_digest_and_not_that_of_the_settings(project: Path) -> None:
    old, of_settings = digest(project, "all/rnnsearch/1"), settings_digest(
        cells(project)["all/rnnsearch/1"]
    )  # fmt: skip
    with (project.parent / "test.en").open("a", encoding="utf-8") as stream:
        stream.write("One line more .\n")
    assert digest(project, "all/rnnsearch/1") != old
    assert settings_digest(cells(project)["all/rnnsearch/1"]) == of_settings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("shards = 2", "shards = 1"),
        ("epochs = 5", "epochs = 6"),
        ('path = "workspace"', 'path = "other"'),
        ("seeds = [1, 2]", "seeds = [1]"),
        ('systems = ["rnnsearch", ', 'systems = ["phrasenet-gate", "rnnsearch", '),
        ("batch_size = 10", "batch_size = 10\nthreads = 3"),
        ("batch_size = 10", "batch_size = 10\nrestarts = 5"),
        ("batch_size = 7", "batch_size = 8"),
        # A usual value that is written down is the same as one that is not.
        ("[model]", "[model]\nphrase_slots = 10"),
    ],
)
def test_what_does_not_shape_the_result_keeps_the_digest(
    project: Path, before: str, after: str
) -> None:
    old = digest(project, "all/rnnsearch/1")
    edit(project, before, after)
    assert digest(project, "all/rnnsearch/1") == old


def test_the_kind_of_the_device_counts_and_not_its_name(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = cells(project)["all/rnnsearch/1"].settings

    def counted() -> list[str | None]:
        names = ("auto", "cpu", "cuda", "cuda:1")
        own = [replace(settings, training=replace(settings.training, device=x)) for x in names]
        return [shaping_settings(each)["training"].get("device") for each in own]

    assert counted() == [None, None, "cuda", "cuda"]
    monkeypatch.setattr(device_names, "_has_gpu", lambda: True)
    assert counted() == ["cuda", None, "cuda", "cuda"]


def test_an_experiment_trains_on_one_machine(project: Path) -> None:
    spread = 'batch_size = 10\nprocesses = 2\nnodes = 2\nrendezvous = "host:29400"'
    edit(project, "batch_size = 10", spread)
    with pytest.raises(ConfigError, match=r"phrasenet\.toml: training\.nodes is above 1"):
        cells(project)


def test_only_settings_that_are_not_the_usual_ones_count(project: Path) -> None:
    settings = cells(project)["all/rnnsearch/1"].settings
    assert shaping_settings(settings)["decoding"] == {}
    assert set(shaping_settings(settings)["training"]) == {"batch_size", "target_words"}


def test_settings_of_networks_are_not_those_of_other_systems(project: Path) -> None:
    edit(project, 'systems = ["rnnsearch"', 'systems = ["smt", "rnnsearch"')
    old = digest(project, "all/smt/1")
    edit(project, "hidden = 32", "hidden = 34")
    assert digest(project, "all/smt/1") == old


def test_where_the_files_lie_does_not_matter(project: Path) -> None:
    old = digest(project, "all/rnnsearch/1")
    (project.parent / "test.en").rename(project.parent / "moved.en")
    edit(project, '"test.en"', '"moved.en"')
    assert digest(project, "all/rnnsearch/1") == old


def test_every_cell_has_a_digest_of_its_own(project: Path) -> None:
    found = [digest(project, name) for name in cells(project)]
    assert len(set(found)) == len(found)


DATA = """
[[data]]
name = "short"
corpora = ["tiny"]
systems = ["rnnsearch"]
seeds = [5]
target_words = 70
text = {max_words = 6}
memory = {min_count = 4}
model = {hidden = 24}
training = {batch_size = 3}
decoding = {beam = 2}
"""


def test_texts_may_have_settings_of_their_own(project: Path) -> None:
    with project.open("a", encoding="utf-8") as stream:
        stream.write(DATA)
    found = cells(project)
    assert list(found) == ["short/rnnsearch/5"]
    settings = found["short/rnnsearch/5"].settings
    assert (settings.text.max_words, settings.memory.min_count) == (6, 4)
    assert (settings.model.hidden, settings.training.batch_size) == (24, 3)
    assert (settings.training.target_words, settings.decoding.beam) == (70, 2)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("hidden = 16", "hiden = 16", "small: model: unknown key 'hiden'. Did you mean 'hidden'"),
        ("hidden = 16", 'hidden = "x"', "small: model hidden is 'x'; expected a whole number"),
        ("{hidden = 16}", "[16]", "expected a table, such as"),
        ("batch_size = 7", "batch_size = 0", "small: training: training.batch_size is 0"),
        ('system = "rnnsearch"\nmodel', 'system = "rnn"\nmodel', "system names 'rnn'"),
        ('systems = ["rnnsearch"', 'systems = ["rnn"', "systems names 'rnn'; expected one of"),
        ("seeds = [1, 2]", "seeds = 1", "expected a list, such as .1, 2."),
        ("seeds = [1, 2]", 'seeds = ["a"]', "expected a whole number"),
        ("target_words = 900", 'out_of_domain = ["x"]', "out_of_domain names 'x'; expected one of"),
        ("target_words = 900", 'metric = "BLEU"', "metric is 'BLEU'; expected one of"),
    ],
)
def test_mistakes_are_named_with_the_file(
    project: Path, before: str, after: str, message: str
) -> None:
    edit(project, before, after)
    with pytest.raises(PhrasenetError, match=f"phrasenet.toml.*{message}"):
        all_cells(load_settings(project))


def test_texts_name_corpora_of_the_file(project: Path) -> None:
    with project.open("a", encoding="utf-8") as stream:
        stream.write(DATA.replace('corpora = ["tiny"]', 'corpora = ["large"]'))
    with pytest.raises(ConfigError, match="data 'short': corpora names 'large'; expected one of t"):
        all_cells(load_settings(project))


def test_an_experiment_needs_a_test_set(project: Path) -> None:
    text = project.read_text("utf-8")
    first = text.index("[[testset]]")
    project.write_text(text[:first] + text[text.index("[memory]") :], "utf-8")
    with pytest.raises(ConfigError, match="needs a ..testset"):
        all_cells(load_settings(project))
