"""What a user says about an experiment: `[experiment]`, `[[variant]]` and `[[data]]` of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from storage.errors import ConfigError
from tasks.readers.checks import check_name

Metric = Literal["BLEU-v13a", "BLEU-v11b", "BLEU of words"]
METRICS: tuple[Metric, ...] = get_args(Metric)
Overrides = Mapping[str, Any]
"""Keys of a section of the settings file that are changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentConfig:
    """A matrix of systems, seeds and data, all trained with one budget."""

    systems: tuple[str, ...] = ()
    """Systems and variants, trained in this order with every seed."""
    single_seed: tuple[str, ...] = ()
    """Systems and variants that are trained after them, with the first seed only."""
    seeds: tuple[int, ...] = (1,)
    """Seeds of the first weights and of the order of the pairs."""
    target_words: int = 0
    """Target words that every cell is trained on, repeated ones and end marks counted; 0 takes the
    budget of [training]."""
    out_of_domain: tuple[str, ...] = ()
    """Test sets of another domain, which do not count in averages."""
    metric: Metric = "BLEU-v13a"
    """Score of the tables: that of today's papers, that of the two papers (mteval-v11b), or BLEU of
    our own lower-cased words without another tokeniser."""
    show_sentence: bool = False
    """Show one sentence with its attention in the page of the tables (Context Gates, figure 6): for
    texts that may be passed on, or pages that are not."""
    results: str = "results"
    """Folder of the tables, and below it `cells/` with one JSON file a cell; relative to the
    settings file."""

    def __post_init__(self) -> None:
        if self.target_words < 0:
            raise ConfigError(f"target_words is {self.target_words}; it must be 0 or more.")
        if not self.seeds or min(self.seeds) < 0:
            raise ConfigError(f"seeds is {list(self.seeds)}; expected whole numbers of 0 or more.")
        _refuse_twice("seeds", [str(seed) for seed in self.seeds])
        _refuse_twice("systems and single_seed", [*self.systems, *self.single_seed])
        if not self.results:
            raise ConfigError('results is empty; name a folder, such as "results".')


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantConfig:
    """A system under a name of its own, with other settings."""

    name: str
    """What it is called in tables and commands."""
    system: str
    """The named system that it is a variant of."""
    baseline: str = ""
    """The system or variant that it is compared with; empty for that of its system."""
    model: Overrides = field(default_factory=dict)
    """Keys of [model] that differ, such as {source_vocabulary = 16000}."""
    training: Overrides = field(default_factory=dict)
    """Keys of [training] that differ."""
    decoding: Overrides = field(default_factory=dict)
    """Keys of [decoding] that differ."""

    def __post_init__(self) -> None:
        check_name("variant", self.name)
        _refuse_taken(f"variant {self.name!r}", self.model, self.training)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataConfig:
    """Texts that the cells learn from: some of the corpora, with other settings of texts."""

    name: str
    """What it is called in tables and commands."""
    corpora: tuple[str, ...] = ()
    """Names of the corpora; empty for all."""
    systems: tuple[str, ...] = ()
    """Systems and variants that are trained on it; empty for all of the experiment."""
    seeds: tuple[int, ...] = ()
    """Their seeds; empty for those of the experiment."""
    target_words: int = 0
    """Budget of its cells; 0 for that of the experiment."""
    text: Overrides = field(default_factory=dict)
    """Keys of [text] that differ."""
    memory: Overrides = field(default_factory=dict)
    """Keys of [memory] that differ."""
    model: Overrides = field(default_factory=dict)
    """Keys of [model] that differ; those of a variant come after them."""
    training: Overrides = field(default_factory=dict)
    """Keys of [training] that differ."""
    decoding: Overrides = field(default_factory=dict)
    """Keys of [decoding] that differ."""

    def __post_init__(self) -> None:
        check_name("data", self.name)
        _refuse_taken(f"data {self.name!r}", self.model, self.training)
        _refuse_twice(f"data {self.name!r}: systems", self.systems)
        _refuse_twice(f"data {self.name!r}: seeds", [str(seed) for seed in self.seeds])
        if self.target_words < 0 or (self.seeds and min(self.seeds) < 0):
            raise ConfigError(
                f"data {self.name!r}: target_words is {self.target_words} and seeds is "
                f"{list(self.seeds)}; expected 0 or more."
            )


def _refuse_taken(where: str, model: Overrides, training: Overrides) -> None:
    """Refuse keys that the matrix sets itself."""
    for name, table, key in (("model", model, "system"), ("training", training, "seed")):
        if key in table:
            raise ConfigError(f"{where}: {name}.{key} is set by the matrix. Remove it.")


def _refuse_twice(where: str, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(f"{where} names {twice[0]!r} twice. Remove one.")
