"""Which cells an experiment has, what they are called and compared with."""

import pytest

from model.config import SYSTEMS
from storage.errors import ConfigError
from tasks.experiments.config import DataConfig, ExperimentConfig, VariantConfig
from tasks.experiments.matrix import CellName, baseline_of, chosen_cells, planned_cells

LARGE = VariantConfig(name="rnnsearch-16k", system="rnnsearch")
MATRIX = ExperimentConfig(
    systems=("rnnsearch", "rnnsearch-16k"), single_seed=("groundhog-gru",), seeds=(1, 2)
)


def names(*data: DataConfig) -> list[str]:
    return [str(p.cell) for p in planned_cells(MATRIX, [LARGE], data, list(SYSTEMS))]


def test_one_seed_of_all_systems_comes_before_the_next() -> None:
    assert names() == [
        "all/rnnsearch/1", "all/rnnsearch-16k/1", "all/rnnsearch/2", "all/rnnsearch-16k/2",
        "all/groundhog-gru/1",
    ]  # fmt: skip


def test_texts_may_have_systems_and_seeds_of_their_own() -> None:
    few = DataConfig(name="few")
    more = DataConfig(name="more", systems=("rnnsearch",), seeds=(3,))
    assert names(few, more)[-2:] == ["few/groundhog-gru/1", "more/rnnsearch/3"]


def test_only_the_first_seed_is_the_first() -> None:
    planned = planned_cells(MATRIX, [LARGE], [], list(SYSTEMS))
    assert {p.cell.seed for p in planned if p.is_first_seed} == {1}


def test_names_become_names_of_files() -> None:
    assert (
        CellName("all", "groundhog-gru+gate[t,s]", 1).file == "all.groundhog-gru+gate_t_s_.1.json"
    )
    files = {CellName("all", name, 1).file for name in SYSTEMS}
    assert len(files) == len(SYSTEMS)


@pytest.mark.parametrize(
    ("name", "baseline"),
    [
        ("phrasenet-gate", "rnnsearch"),
        ("rnnsearch-16k", "rnnsearch"),
        ("groundhog-gru+gate[t]", "groundhog-gru"),
        ("groundhog-coverage+gate", "groundhog-coverage"),
        ("groundhog-gru", ""),
        ("rnnsearch", ""),
    ],
)
def test_a_system_is_compared_with_what_it_adds_to(name: str, baseline: str) -> None:
    assert baseline_of(name, {LARGE.name: LARGE}) == baseline


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_baseline_is_a_system(name: str) -> None:
    assert baseline_of(name, {}) in ("", *SYSTEMS)


def test_cells_are_chosen_by_system_and_seed() -> None:
    planned = planned_cells(MATRIX, [LARGE], [], list(SYSTEMS))
    chosen = chosen_cells(planned, ["rnnsearch"], [2])
    assert [str(item.cell) for item in chosen] == ["all/rnnsearch/2"]
    with pytest.raises(ConfigError, match="--systems names 'smtt'; expected one of rnnsearch,"):
        chosen_cells(planned, ["smtt"], [])
    with pytest.raises(ConfigError, match="--seeds names '7'; expected one of 1, 2"):
        chosen_cells(planned, [], [7])


def test_cells_are_chosen_by_their_texts() -> None:
    texts = [DataConfig(name="news"), DataConfig(name="laws", systems=("rnnsearch",), seeds=(2,))]
    planned = planned_cells(MATRIX, [LARGE], texts, list(SYSTEMS))
    chosen = chosen_cells(planned, [], [], ["laws"])
    assert [str(item.cell) for item in chosen] == ["laws/rnnsearch/2"]
    with pytest.raises(ConfigError, match="--data names 'law'; expected one of news, laws"):
        chosen_cells(planned, [], [], ["law"])
    with pytest.raises(ConfigError, match="--systems, --seeds and --data name together"):
        chosen_cells(planned, ["rnnsearch"], [1], ["laws"])


@pytest.mark.parametrize(
    ("experiment", "variants", "data", "message"),
    [
        (ExperimentConfig(), [], [], "names no system"),
        (ExperimentConfig(systems=("rnn",)), [], [], "systems names 'rnn'"),
        (MATRIX, [], [], "systems names 'rnnsearch-16k'"),
        (MATRIX, [VariantConfig(name="rnnsearch", system="rnnsearch")], [], "name of a system"),
        (MATRIX, [VariantConfig(name="rnnsearch-16k", system="x")], [], "system names 'x'"),
        (
            MATRIX, [VariantConfig(name="rnnsearch-16k", system="rnnsearch", baseline="x")], [],
            "baseline names 'x'",
        ),
        (MATRIX, [LARGE], [DataConfig(name="d", systems=("x",))], "data 'd': systems names 'x'"),
    ],
)  # fmt: skip
def test_unknown_names_are_refused(
    experiment: ExperimentConfig,
    variants: list[VariantConfig],
    data: list[DataConfig],
    message: str,
) -> None:
    with pytest.raises(ConfigError, match=message):
        planned_cells(experiment, variants, data, list(SYSTEMS))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExperimentConfig(seeds=()), "seeds is"),
        (lambda: ExperimentConfig(seeds=(1, 1)), "twice"),
        (lambda: ExperimentConfig(seeds=(-1,)), "0 or more"),
        (lambda: ExperimentConfig(systems=("a",), single_seed=("a",)), "names 'a' twice"),
        (lambda: ExperimentConfig(target_words=-1), "0 or more"),
        (lambda: ExperimentConfig(results=""), "results is empty"),
        (lambda: VariantConfig(name="a b", system="s"), "variant.name"),
        (lambda: VariantConfig(name="a", system="s", model={"system": "x"}), "set by the matrix"),
        (lambda: VariantConfig(name="a", system="s", training={"seed": 2}), "set by the matrix"),
        (lambda: DataConfig(name="a", target_words=-1), "0 or more"),
        (lambda: DataConfig(name="a", training={"seed": 2}), "set by the matrix"),
    ],
)
def test_nonsense_is_refused(make: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()  # type: ignore[operator]
