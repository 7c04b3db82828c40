"""The cells of an experiment: which there are, what they are called and compared with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from storage.errors import ConfigError
from storage.names import did_you_mean
from tasks.experiments.config import DataConfig, ExperimentConfig, VariantConfig

EVERYTHING = DataConfig(name="all")
"""The data of an experiment that declares none: all corpora of its file."""

BASELINES: Mapping[str, str] = {
    "phrasenet-gate": "rnnsearch",
    "phrasenet-softmax": "rnnsearch",
    "rnnsearch+context-gate": "rnnsearch",
    "phrasenet-gate+context-gate": "phrasenet-gate",
    "phrasenet-softmax+context-gate": "phrasenet-softmax",
    "groundhog-vanilla+gate": "groundhog-vanilla",
    "groundhog-coverage": "groundhog-gru",
    "groundhog-coverage+gate": "groundhog-coverage",
    "transformer+phrase-gate": "transformer",
    "transformer+phrase-softmax": "transformer",
}
"""What the papers compare a system with: the same network without the part in question."""


@dataclass(frozen=True, slots=True, order=True)
class CellName:
    """One system, trained with one seed on one set of texts."""

    data: str
    name: str
    """The system, or the variant of one."""
    seed: int

    def __str__(self) -> str:
        """Return how people see the cell in lines of progress and in labels of calls."""
        return f"{self.data}/{self.name}/{self.seed}"

    @property
    def file(self) -> str:
        """Return the name of the cell's JSON file."""
        letters = "".join(c if c.isalnum() or c in "+-._" else "_" for c in self.name)
        return f"{self.data}.{letters}.{self.seed}.json"


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """A cell of the matrix, run or not."""

    cell: CellName
    system: str
    baseline: str
    """Name of the system or variant that it is compared with; empty for none."""
    is_first_seed: bool = True
    """Whether it has the first seed of its texts."""


def baseline_of(name: str, variants: Mapping[str, VariantConfig]) -> str:
    """Return what a system or variant is compared with, or an empty text.

    A variant is compared with the system that it is a variant of.
    """
    if name in variants:
        return variants[name].baseline or variants[name].system
    if name.startswith("groundhog-gru+"):
        return "groundhog-gru"
    return BASELINES.get(name, "")


def planned_cells(
    experiment: ExperimentConfig,
    variants: Sequence[VariantConfig],
    data: Sequence[DataConfig],
    systems: Sequence[str],
) -> list[PlannedCell]:
    """Return all cells in the order in which they are run: one seed of all before the next.

    Args:
        experiment: the matrix.
        variants: systems under names of their own.
        data: sets of texts; none for all corpora together.
        systems: the names of the systems that there are.

    Raises:
        ConfigError: something names a system that there is not.
    """
    named = {variant.name: variant for variant in variants}
    _check_names(experiment, named, data, systems)
    found = []
    for texts in data or (EVERYTHING,):
        first = (texts.seeds or experiment.seeds)[0]
        for cell in _of_data(experiment, texts):
            system = named[cell.name].system if cell.name in named else cell.name
            baseline = baseline_of(cell.name, named)
            found.append(PlannedCell(cell, system, baseline, cell.seed == first))
    return found


def _of_data(experiment: ExperimentConfig, data: DataConfig) -> Iterator[CellName]:
    seeds = data.seeds or experiment.seeds
    for seed in seeds:
        for name in data.systems or experiment.systems:
            yield CellName(data.name, name, seed)
    for name in () if data.systems else experiment.single_seed:
        yield CellName(data.name, name, seeds[0])


def _check_names(
    experiment: ExperimentConfig,
    variants: Mapping[str, VariantConfig],
    data: Sequence[DataConfig],
    systems: Sequence[str],
) -> None:
    known = [*systems, *variants]
    for name, variant in variants.items():
        if name in systems:
            raise ConfigError(f"variant {name!r} has the name of a system. Give it another.")
        _must_be_known(variant.system, f"variant {name!r}: system", systems)
        if variant.baseline:
            _must_be_known(variant.baseline, f"variant {name!r}: baseline", known)
    asked = {"systems": experiment.systems, "single_seed": experiment.single_seed}
    asked |= {f"data {item.name!r}: systems": item.systems for item in data}
    for where, names in asked.items():
        for name in names:
            _must_be_known(name, where, known)
    if not any(asked.values()):
        raise ConfigError(
            "the experiment names no system. Add systems = [...] to [experiment], such as "
            '["rnnsearch", "phrasenet-gate"].'
        )


def _must_be_known(name: str, where: str, known: Sequence[str]) -> None:
    if name not in known:
        raise ConfigError(
            f"{where} names {name!r}; expected one of {', '.join(known)}."
            f"{did_you_mean(name, known)}"
        )


def chosen_cells(
    planned: Sequence[PlannedCell],
    systems: Sequence[str],
    seeds: Sequence[int],
    data: Sequence[str] = (),
) -> list[PlannedCell]:
    """Return the cells of some systems, seeds and sets of texts; nothing named means all.

    Raises:
        ConfigError: the experiment has no such system, seed or set of texts, or no cell of all
            that is named.
    """
    for name in systems:
        names = dict.fromkeys(item.cell.name for item in planned)
        _must_be_known(name, "--systems", list(names))
    for seed in seeds:
        numbers = dict.fromkeys(str(item.cell.seed) for item in planned)
        _must_be_known(str(seed), "--seeds", list(numbers))
    for name in data:
        sets = dict.fromkeys(item.cell.data for item in planned)
        _must_be_known(name, "--data", list(sets))
    chosen = [
        item
        for item in planned
        if (not systems or item.cell.name in systems)
        and (not seeds or item.cell.seed in seeds)
        and (not data or item.cell.data in data)
    ]
    if not chosen:
        raise ConfigError(
            "No cell has the system, seed and texts that --systems, --seeds and --data name "
            "together. Leave one of them out."
        )
    return chosen
