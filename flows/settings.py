"""The settings file: one TOML file, each section a frozen config that belongs to the room obeying
it.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from flows.config_tables import config_from, refuse_unknown
from flows.deployment_config import DeploymentConfig
from model.config import SYSTEMS, DecodingConfig, ModelConfig, TrainingConfig
from model.presets import PRESETS, preset
from storage.errors import ConfigError
from storage.names import did_you_mean
from storage.remote import SCHEME, is_remote
from storage.secret_urls import holds_secret
from tasks.checks.config import CheckConfig
from tasks.execution import ExecutionConfig
from tasks.experiments.config import DataConfig, ExperimentConfig, VariantConfig
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.term_config import TermConfig
from tasks.promotion.config import PromotionConfig
from tasks.readers.checks import check_unique_names
from tasks.readers.config import DictionaryConfig
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.testset_config import TestsetConfig
from tasks.retention import MaintenanceConfig
from tasks.rules.style import RuleStyle
from tasks.smt.config import SMT_SYSTEMS, SmtConfig
from tasks.text.config import TextConfig

T = TypeVar("T")

DEFAULT_FILE = "phrasenet.toml"
PRESET = "preset"
"""Key of the file that takes a set of settings from `model/presets.py`."""
USUAL_EPOCHS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceConfig:
    """Where everything is kept."""

    path: str = "workspace"
    """A folder, relative to the settings file, or `s3://BUCKET/PREFIX` for one that several
    machines work on (docs/scale.md)."""
    local: str = ""
    """Folder for the local copy of a workspace on S3; empty takes `.phrasenet/BUCKET/PREFIX`
    beside the settings file."""
    record_translations: bool = False
    """Keep what `phrasenet translate` translates, with model, memory and slots, so that an audit
    reaches it; `--record` and `--no-record` decide for one command."""

    def __post_init__(self) -> None:
        """Refuse what is no place for a workspace."""
        if not self.path or ("://" in self.path and not is_remote(self.path)):
            raise ConfigError(
                f"path is {self.path!r}; expected a folder of this machine, or s3://BUCKET/PREFIX."
            )
        if self.local and not is_remote(self.path):
            raise ConfigError("local has no effect while path is a folder of this machine.")

    @property
    def remote(self) -> str:
        """Return the place in a bucket, or an empty text."""
        return self.path if is_remote(self.path) else ""

    @property
    def folder(self) -> str:
        """Return the folder of this machine in which work is done."""
        if not self.remote:
            return self.path
        return self.local or f".phrasenet/{self.path.removeprefix(SCHEME).strip('/')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """What is compared with the system of `[model]`."""

    baselines: tuple[str, ...] = ("rnnsearch",)
    """Systems that are trained with the same settings and scored beside it."""
    scaling: bool = False
    """Also translate the test sets four times more with weighted contexts, with the systems that
    have no context gate."""
    term_settings: bool = False
    """Also translate the test sets that have terms three times more, with the systems that have a
    phrase memory: offering their proper terms, their random ones, and nothing, as in WMT's tasks.
    """

    def __post_init__(self) -> None:
        """Refuse unknown systems."""
        known = (*SYSTEMS, *SMT_SYSTEMS)
        for name in self.baselines:
            if name not in known:
                raise ConfigError(
                    f"baselines names {name!r}; the known systems are: {', '.join(known)}."
                    f"{did_you_mean(name, known)}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshConfig:
    """What a refresh takes over from an earlier one."""

    max_drift: float = 0.1
    """The saved aligner links new pairs, too, while no more pairs are new or gone than this share
    of those that trained it; then it is trained again. 0 trains it on every text anew."""
    retrain_share: float = 0.05
    """Share of the phrases in use that must be new, gone or changed for a refresh to ask for a
    retraining (deployments only, by Prefect's event `phrasenet.memory.changed`)."""

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        for name in ("max_drift", "retrain_share"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ConfigError(
                    f"{name} is {getattr(self, name)}; it is a share, so it must be between 0 and "
                    "1."
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a project, resolved."""

    file: Path
    workspace: WorkspaceConfig = field(default_factory=WorkspaceConfig)
    corpora: tuple[CorpusConfig, ...] = ()
    dictionaries: tuple[DictionaryConfig, ...] = ()
    testsets: tuple[TestsetConfig, ...] = ()
    text: TextConfig = field(default_factory=TextConfig)
    rules: RuleStyle = field(default_factory=RuleStyle)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    extraction: ExtractionConfig = field(default_factory=ExtractionConfig)
    terms: TermConfig = field(default_factory=TermConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    refresh: RefreshConfig = field(default_factory=RefreshConfig)
    checks: CheckConfig = field(default_factory=CheckConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=lambda: TrainingConfig(epochs=USUAL_EPOCHS))
    decoding: DecodingConfig = field(default_factory=DecodingConfig)
    smt: SmtConfig = field(default_factory=SmtConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    promotion: PromotionConfig = field(default_factory=PromotionConfig)
    execution: ExecutionConfig = field(default_factory=ExecutionConfig)
    maintenance: MaintenanceConfig = field(default_factory=MaintenanceConfig)
    deployment: DeploymentConfig = field(default_factory=DeploymentConfig)
    experiment: ExperimentConfig = field(default_factory=ExperimentConfig)
    variants: tuple[VariantConfig, ...] = ()
    data: tuple[DataConfig, ...] = ()
    only: str = ""
    """The only system that is trained, where that is not the one of `[model]` with its baselines;
    nothing in the file says so, but a cell of an experiment may."""

    @property
    def title(self) -> str:
        """Name of reports: that of the file, or of its folder if the file has the usual name."""
        return self.file.parent.name if self.file.name == DEFAULT_FILE else self.file.stem

    @property
    def workspace_path(self) -> Path:
        """Return the folder of the workspace, or of the local copy of one on S3."""
        return self.resolve(self.workspace.folder)

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems that are trained and compared, each once."""
        if self.only:
            return (self.only,)
        return tuple(dict.fromkeys([*self.evaluation.baselines, self.model.system]))

    def model_of(self, system: str) -> ModelConfig:
        """Return the network of a compared system: its own switches, in the sizes of `[model]`."""
        return self.model if system == self.model.system else self.model.as_system(system)

    def resolve(self, name: str) -> Path:
        """Return a path of the settings file, which is relative to the file's own folder.

        Raises:
            ConfigError: it cannot be the name of a file.
        """
        if "\0" in name:
            raise ConfigError(f"{self.file}: {name!r} holds a NUL character; mend the path.")
        return (self.file.parent / name).resolve()


SECTIONS: Mapping[str, type[Any]] = {
    "workspace": WorkspaceConfig,
    "text": TextConfig,
    "rules": RuleStyle,
    "alignment": AlignmentConfig,
    "extraction": ExtractionConfig,
    "terms": TermConfig,
    "memory": MemoryConfig,
    "refresh": RefreshConfig,
    "checks": CheckConfig,
    "model": ModelConfig,
    "training": TrainingConfig,
    "decoding": DecodingConfig,
    "smt": SmtConfig,
    "evaluation": EvaluationConfig,
    "promotion": PromotionConfig,
    "execution": ExecutionConfig,
    "maintenance": MaintenanceConfig,
    "deployment": DeploymentConfig,
    "experiment": ExperimentConfig,
}
LISTS: Mapping[str, tuple[str, type[Any]]] = {
    "corpus": ("corpora", CorpusConfig),
    "dictionary": ("dictionaries", DictionaryConfig),
    "testset": ("testsets", TestsetConfig),
    "variant": ("variants", VariantConfig),
    "data": ("data", DataConfig),
}


def load_settings(path: Path) -> Settings:
    """Read a settings file.

    Raises:
        ConfigError: there is no such file, it is not TOML, or something in it makes no sense.
    """
    document = _read(path)
    _refuse_secrets(document, str(path))
    refuse_unknown(document, [PRESET, *SECTIONS, *LISTS], str(path))
    _check_system(document, path)
    usual_values = _preset(document, path)
    values: dict[str, Any] = {}
    for section, cls in SECTIONS.items():
        if section in document or section in usual_values:
            own = document.get(section, {})
            table = _must_be(dict, own, f"{path}: [{section}]", f"[{section}]")
            usual = usual_values.get(section, {})
            values[section] = config_from(cls, {**usual, **table}, f"{path}: [{section}]")
    for key, (name, cls) in LISTS.items():
        tables = _must_be(list, document.get(key, []), f"{path}: [[{key}]]", f"[[{key}]]")
        values[name] = tuple(
            config_from(
                cls,
                _must_be(dict, table, f"{path}: {key} number {number}", f"[[{key}]]"),
                f"{path}: [[{key}]] number {number}",
            )
            for number, table in enumerate(tables, start=1)
        )
        try:
            check_unique_names(key, [config.name for config in values[name]])
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None
    settings = Settings(file=path.resolve(), **values)
    _check_slots(settings)
    _check_baselines(settings)
    _check_promotion(settings)
    return settings


def _refuse_secrets(value: Any, where: str) -> None:
    """Refuse addresses with passwords or keys: settings stand in the ledger, for ever.

    The message names the place and never the value.
    """
    if isinstance(value, str) and holds_secret(value):
        raise ConfigError(
            f"{where}: it holds an address with a user, password or key. Settings are recorded, so "
            "take it out, and give credentials by the environment (AWS_ACCESS_KEY_ID, "
            "AWS_SECRET_ACCESS_KEY, PREFECT_API_AUTH_STRING) or by a block of Prefect."
        )
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value, start=1)
    for name, item in items:
        _refuse_secrets(item, f"{where}: {name}")


def _check_system(document: Mapping[str, Any], path: Path) -> None:
    """Refuse a system that is unknown, or no network, where a network is described."""
    model = document.get("model", {})
    system = model.get("system") if isinstance(model, dict) else None
    if system in SMT_SYSTEMS:
        raise ConfigError(
            f"{path}: [model] describes a network, and {system!r} is none. Name it among the "
            "baselines of [evaluation], or among the systems of [experiment]."
        )
    if isinstance(system, str) and system not in SYSTEMS:
        raise ConfigError(
            f"{path}: [model]: model.system is {system!r}; the known systems are: "
            f"{', '.join(SYSTEMS)}.{did_you_mean(system, SYSTEMS)}"
        )


def _preset(document: Mapping[str, Any], path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of the preset that the file takes, by section; its own win over them."""
    name = document.get(PRESET)
    if name is None:
        return {}
    if not isinstance(name, str) or name not in PRESETS:
        listed = ", ".join(map(repr, PRESETS))
        hint = did_you_mean(name, PRESETS) if isinstance(name, str) else ""
        raise ConfigError(f"{path}: {PRESET} is {name!r}; expected one of {listed}.{hint}")
    found = _taken(name, document, path)
    if "training" not in document:
        found["training"]["epochs"] = USUAL_EPOCHS
    return found


def _taken(name: str, document: Mapping[str, Any], path: Path) -> dict[str, dict[str, Any]]:
    """Return a preset for the system of the file."""
    model = document.get("model", {})
    model = model if isinstance(model, dict) else {}
    usual = ModelConfig()
    system, decoder = model.get("system", usual.system), model.get("decoder", usual.decoder)
    if not (isinstance(system, str) and system in SYSTEMS and isinstance(decoder, str)):
        system, decoder = usual.system, usual.decoder  # refused later, with the right words
    try:
        return preset(name, system, decoder)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error


def _check_baselines(settings: Settings) -> None:
    """Refuse a system to compare with that cannot have the sizes of `[model]`."""
    for system in settings.evaluation.baselines:
        if system in SMT_SYSTEMS:
            continue
        try:
            settings.model_of(system)
        except ValueError as error:
            raise ConfigError(f"{settings.file}: baseline {system}: {error}") from error


def _check_promotion(settings: Settings) -> None:
    """Refuse a test set that must not get worse and is not there."""
    known = [config.name for config in settings.testsets]
    for name in settings.promotion.testsets:
        if name not in known:
            raise ConfigError(
                f"{settings.file}: [promotion] testsets names {name!r}; the test sets are: "
                f"{', '.join(known) or 'none'}."
            )


def _check_slots(settings: Settings) -> None:
    """Refuse to offer more phrases, or more translations of one, than the model takes."""
    for name, what in (
        ("phrase_slots", "phrases a sentence"),
        ("phrase_candidates", "translation(s) a phrase"),
    ):
        offered, taken = getattr(settings.memory, name), getattr(settings.model, name)
        if offered > taken:
            raise ConfigError(
                f"{settings.file}: memory.{name} is {offered}, and the model takes {taken} {what} "
                f"(model.{name}). Make them equal."
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(
            f"There is no settings file {path}. Make one with `phrasenet init DIR`, or name yours "
            "with -c FILE."
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 ({error.reason}). Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}. Mend that place.") from None
    except IsADirectoryError:
        raise ConfigError(
            f"{path}: expected a settings file, found a folder. Name the file in it, such as "
            f"{path / 'phrasenet.toml'}."
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}. Check its path and its permissions."
        ) from None


def _must_be(kind: type[T], value: Any, where: str, form: str) -> T:
    if not isinstance(value, kind):
        raise ConfigError(f"{where} is {value!r}; expected a table that begins with {form}.")
    return value
