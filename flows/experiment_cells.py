"""The cells of an experiment with the settings of each, and the digest that names what a cell is.

A cell's digest is of its settings that differ from the usual ones and of the contents of its files.
Where the files lie, how the work is spread and the code do not count: a result stays that of the
cell, and names the code that made it.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flows.config_tables import typed_values
from flows.settings import Settings
from flows.source_files import find_corpus, find_file
from model.config import SYSTEMS
from storage.digests import text_digest
from storage.errors import ConfigError
from storage.ledger import canonical_json
from storage.names import did_you_mean
from tasks.arguments import KEY_USUAL, SHAPES_RESULT, as_json, in_key
from tasks.experiments.config import DataConfig, Overrides
from tasks.experiments.matrix import EVERYTHING, PlannedCell, planned_cells
from tasks.readers.corpus_config import CorpusConfig
from tasks.smt.config import SMT_SYSTEMS

_SHAPING = (
    "text", "rules", "alignment", "extraction", "terms", "memory", "model", "training", "decoding",
)  # fmt: skip
"""Sections that shape what comes out of a cell."""
_PLACES: Mapping[str, frozenset[str]] = {
    "corpora": frozenset({"path", "source", "target", "documents"}),
    "dictionaries": frozenset({"path"}),
    "testsets": frozenset({"source", "references", "gold", "gold_words", "terms"}),
}
"""Keys of each kind of source that say where a file lies."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A planned cell with its own settings."""

    planned: PlannedCell
    settings: Settings

    @property
    def name(self) -> str:
        """Return how people see the cell."""
        return str(self.planned.cell)


def all_cells(settings: Settings) -> list[Cell]:
    """Return the cells of the experiment of a settings file, in the order in which they run.

    Raises:
        ConfigError: a system, corpus, test set or key is unknown, or a cell's settings make no
            sense.
    """
    _check_testsets(settings)
    planned = _explained(settings, planned_cells)(
        settings.experiment, settings.variants, settings.data, [*SYSTEMS, *SMT_SYSTEMS]
    )
    cells = [Cell(item, _settings_of(settings, item)) for item in planned]
    if any(cell.settings.training.nodes > 1 for cell in cells):
        raise ConfigError(
            f"{settings.file}: training.nodes is above 1, but the cells of an experiment train on "
            "this machine alone. Take training.nodes and training.rendezvous out."
        )
    return cells


def _explained(settings: Settings, function: Any) -> Any:
    """Let the errors of a function name the settings file."""

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (ConfigError, ValueError) as error:
            raise ConfigError(f"{settings.file}: {error}") from error

    return call


def _check_testsets(settings: Settings) -> None:
    names = [config.name for config in settings.testsets]
    if not names:
        raise ConfigError(f"{settings.file}: an experiment needs a [[testset]]. Add one.")
    for name in settings.experiment.out_of_domain:
        if name not in names:
            raise ConfigError(
                f"{settings.file}: [experiment] out_of_domain names {name!r}; expected one of "
                f"{', '.join(names)}.{did_you_mean(name, names)}"
            )


def data_settings(settings: Settings, name: str) -> Settings:
    """Return the settings of one set of texts: its corpora, and what it says about all cells."""
    data = next((item for item in settings.data if item.name == name), EVERYTHING)
    where = f"{settings.file}: data {name!r}"
    training = _changed(settings.training, data.training, f"{where} training")
    budget = data.target_words or settings.experiment.target_words
    if budget:
        training = replace(training, target_words=budget, epochs=0, steps=0)
    return replace(
        settings,
        corpora=_corpora(settings, data),
        text=_changed(settings.text, data.text, f"{where} text"),
        memory=_changed(settings.memory, data.memory, f"{where} memory"),
        model=_changed(settings.model, data.model, f"{where} model"),
        training=training,
        decoding=_changed(settings.decoding, data.decoding, f"{where} decoding"),
    )


def _corpora(settings: Settings, data: DataConfig) -> tuple[CorpusConfig, ...]:
    known = {config.name: config for config in settings.corpora}
    for name in data.corpora:
        if name not in known:
            raise ConfigError(
                f"{settings.file}: data {data.name!r}: corpora names {name!r}; expected one of "
                f"{', '.join(known)}.{did_you_mean(name, known)}"
            )
    return tuple(known[name] for name in data.corpora or known)


def _settings_of(settings: Settings, planned: PlannedCell) -> Settings:
    """Return the settings of a cell: only its own system, with its seed and what is its own."""
    common = data_settings(settings, planned.cell.data)
    own = next((item for item in settings.variants if item.name == planned.cell.name), None)
    where = f"{settings.file}: {planned.cell.name}"
    is_network = planned.system not in SMT_SYSTEMS
    try:
        model = common.model_of(planned.system) if is_network else common.model
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error
    training, decoding = common.training, common.decoding
    if own is not None:
        model = _changed(model, own.model, f"{where}: model")
        training = _changed(training, own.training, f"{where}: training")
        decoding = _changed(decoding, own.decoding, f"{where}: decoding")
    return replace(
        common,
        model=model,
        training=replace(training, seed=planned.cell.seed),
        decoding=decoding,
        evaluation=replace(
            common.evaluation,
            baselines=(),
            # Weighted contexts are translations four times more; one seed shows the curve.
            scaling=common.evaluation.scaling and planned.is_first_seed,
        ),
        smt=replace(common.smt, seed=planned.cell.seed),
        only="" if is_network else planned.system,
    )


def _changed(config: Any, overrides: Overrides, where: str) -> Any:
    if not overrides:
        return config
    values = typed_values(type(config), overrides, where)
    try:
        return replace(config, **values)
    except (ValueError, ConfigError) as error:
        raise ConfigError(f"{where}: {error}") from error


def settings_digest(cell: Cell) -> str:
    """Return the digest of what the settings say about a cell, without its files."""
    return _digest({"cell": str(cell.planned.cell), "settings": shaping_settings(cell.settings)})


def cell_digest(cell: Cell, sources: Mapping[str, Any]) -> str:
    """Return the digest of a cell: of its settings and of the contents of its files."""
    return _digest({"settings": settings_digest(cell), "sources": sources})


def _digest(value: Mapping[str, Any]) -> str:
    return text_digest(canonical_json(value).decode())


def shaping_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings that shape a cell's result and are not the usual ones, as JSON.

    A setting that did not exist when a result was made and has its usual value changes nothing.
    """
    found: dict[str, Any] = {name: _unusual(getattr(settings, name)) for name in _SHAPING}
    found["training"].pop("threads", None)
    evaluation = settings.evaluation
    found["evaluation"] = {"scaling": evaluation.scaling, "term_settings": evaluation.term_settings}
    if settings.only:
        found["smt"] = _unusual(settings.smt)
        for section in ("model", "training", "decoding"):
            del found[section]
    for name, places in _PLACES.items():
        found[name] = [
            {key: value for key, value in _unusual(config).items() if key not in places}
            for config in getattr(settings, name)
        ]
    return found


def _unusual(config: Any) -> dict[str, Any]:
    found = {}
    for each in dataclasses.fields(config):
        if not each.metadata.get(SHAPES_RESULT, True):
            continue
        value, usual = in_key(config, each), each.metadata.get(KEY_USUAL, each.default)
        if each.default_factory is not dataclasses.MISSING:
            usual = each.default_factory()
        if value != usual:
            found[each.name] = as_json(each.name, value)
    return found


def sources_of(settings: Settings) -> dict[str, Any]:
    """Return the digests of the contents of all files of a cell, by what they are.

    Raises:
        InputError: a file is missing.
    """
    corpora = {
        config.name: as_json(config.name, list(find_corpus(settings, config).parts))
        for config in settings.corpora
    }
    dictionaries = {
        config.name: as_json(config.name, find_file(settings, config.path))
        for config in settings.dictionaries
    }
    testsets = {
        config.name: as_json(
            config.name,
            [
                find_file(settings, name)
                for name in (
                    config.source, *config.references, config.gold, *config.gold_words, config.terms
                )
                if name
            ],
        )
        for config in settings.testsets
    }  # fmt: skip
    return {"corpora": corpora, "dictionaries": dictionaries, "testsets": testsets}


def data_names(cells: Sequence[Cell]) -> list[str]:
    """Return the sets of texts of some cells, in their order."""
    return list(dict.fromkeys(cell.planned.cell.data for cell in cells))
