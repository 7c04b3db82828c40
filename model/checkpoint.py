"""Checkpoints as bytes: safetensors and JSON only, nothing that runs code when it is read.

It turns a network, and optionally a training to resume, into named byte strings and back. Writing
files is the caller's.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import safetensors.torch
import torch
from torch import Tensor
from torch.optim import Optimizer

from model import fit
from model.combinations import without_effect
from model.config import SYSTEMS, ModelConfig, TrainingConfig
from model.fit import FitState
from model.noise import set_stream
from model.translator import Translator

FORMAT = 1
"""Version of the layout below; a reader refuses others."""
WEIGHTS, CONFIG, TRAINING = "weights.safetensors", "config.json", "training_state.safetensors"
_LATER = ", which this version does not know: use the version that wrote it, or a later one."
_PROCESSOR = torch.device("cpu")
_STREAM, _MEAN = "random.stream", "ema/"
_COUNTS = (
    "step",
    "epoch",
    "position",
    "target_words",
    "num_examples",
    "micro_batch",
    "step_scale",
    "trouble",
    "trouble_step",
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What `load` found."""

    translator: Translator
    training: TrainingConfig | None
    state: FitState | None
    """None if the checkpoint cannot be resumed."""


def save(
    translator: Translator, training: TrainingConfig | None = None, state: FitState | None = None
) -> dict[str, bytes]:
    """Return the files of a checkpoint, by name.

    Args:
        translator: the network.
        training: how it is being trained; recorded, and needed with `state`.
        state: where the training stands; None gives a checkpoint that cannot be resumed.

    Raises:
        ValueError: a state without its settings.
    """
    if state is not None and training is None:
        raise ValueError("a training state was given without its TrainingConfig: give both.")
    config: dict[str, Any] = {
        "format": FORMAT,
        "model": asdict(translator.config),
        "source_size": translator.source_size,
        "target_size": translator.target_size,
        "training": None if training is None else training.as_recorded(),
        "progress": None,
    }
    files = {WEIGHTS: _tensor_bytes(translator.state_dict())}
    if state is not None:
        config["progress"] = {name: getattr(state, name) for name in _COUNTS}
        tensors = _optimizer_tensors(translator, state)
        files[TRAINING] = _tensor_bytes({**tensors, **_streams(state), **_mean(state)})
    files[CONFIG] = (json.dumps(config, indent=2, sort_keys=True) + "\n").encode()
    return files


def load(
    files: Mapping[str, bytes],
    resumed_with: TrainingConfig | None = None,
    device: torch.device = _PROCESSOR,
) -> Checkpoint:
    """Rebuild what `save` was given.

    Args:
        files: what `save` returned.
        resumed_with: how the training goes on, if not as it was; with another optimizer it goes on
            without the history of the one before.
        device: where the network and its training are put; files know nothing of devices.

    Raises:
        ValueError: a file is missing, or the checkpoint has another format or unknown settings.
    """
    for name in (CONFIG, WEIGHTS):
        if name not in files:
            raise ValueError(f"checkpoint: {name} is missing; found {sorted(files)}.")
    config = json.loads(files[CONFIG])
    if config.get("format") != FORMAT:
        raise ValueError(
            f"checkpoint: {CONFIG} has format {config.get('format')!r}, "
            f"this version reads {FORMAT}."
        )
    translator = Translator(
        _model_config(config["model"]), config["source_size"], config["target_size"]
    )
    weights = safetensors.torch.load(files[WEIGHTS])
    translator.to(device, next(iter(weights.values())).dtype)
    translator.load_state_dict(weights)
    training, state = _training_config(config["training"]), None
    training = resumed_with or training
    if training is not None and config["progress"] is not None and TRAINING in files:
        tensors = safetensors.torch.load(files[TRAINING])
        state = _state(translator, training, tensors, config)
    return Checkpoint(translator, training, state)


def _model_config(values: Mapping[str, Any]) -> ModelConfig:
    """Rebuild a configuration; switches that an older version did not know have their defaults."""
    _refuse_unknown(values, ModelConfig, "model")
    if values["system"] not in SYSTEMS:
        raise ValueError(f"checkpoint: {CONFIG} has the system {values['system']!r}{_LATER}")
    # JSON has lists only; the settings have tuples.
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    # Older versions let switches stand that the system has no use for.
    for name in without_effect(SYSTEMS[settings["system"]].phrase_memory):
        settings.pop(name, None)
    return ModelConfig(**settings)


def _training_config(values: Mapping[str, Any] | None) -> TrainingConfig | None:
    if values is None:
        return None
    _refuse_unknown(values, TrainingConfig, "training")
    return TrainingConfig(**values)


def _refuse_unknown(
    values: Mapping[str, Any], kind: type[ModelConfig] | type[TrainingConfig], section: str
) -> None:
    unknown = sorted(values.keys() - {field.name for field in fields(kind)})
    if unknown:
        raise ValueError(
            f"checkpoint: {CONFIG} has the {section} settings {', '.join(unknown)}{_LATER}"
        )


def _tensor_bytes(tensors: Mapping[str, Tensor]) -> bytes:
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return safetensors.torch.save(plain)


def _optimizer_tensors(translator: Translator, state: FitState) -> dict[str, Tensor]:
    """Return the optimizer's history under `parameter/quantity`."""
    tensors: dict[str, Tensor] = {}
    for name, parameter in translator.named_parameters():
        for quantity, value in state.optimizer.state.get(parameter, {}).items():
            tensors[f"{name}/{quantity}"] = torch.as_tensor(value)
    return tensors


def _streams(state: FitState) -> dict[str, Tensor]:
    """Return the random states of all processes, the leading one's without a number."""
    others = {f"{_STREAM}.{rank}": each for rank, each in enumerate(state.other_streams, start=1)}
    return {_STREAM: state.stream.get_state(), **others}


def _mean(state: FitState) -> dict[str, Tensor]:
    return {f"{_MEAN}{name}": each for name, each in (state.mean or {}).items()}


def _state(
    translator: Translator,
    training: TrainingConfig,
    tensors: Mapping[str, Tensor],
    config: Mapping[str, Any],
) -> FitState:
    state, progress = fit.start(translator, training), config["progress"]
    has_history = config["training"]["optimizer"] == training.optimizer
    parameters = dict(translator.named_parameters())
    for full_name, tensor in tensors.items():
        name, _, quantity = full_name.partition("/")
        if full_name.startswith(_MEAN) and state.mean is not None:
            state.mean[quantity] = tensor.to(translator.device)
        elif name in parameters and has_history:
            state.optimizer.state[parameters[name]][quantity] = _history(
                state.optimizer, quantity, tensor, translator.device
            )
    set_stream(state.stream, tensors[_STREAM], training.seed + progress["step"])
    numbered = sorted(name for name in tensors if name.startswith(f"{_STREAM}."))
    state.other_streams = tuple(tensors[f"{_STREAM}.{rank + 1}"] for rank in range(len(numbered)))
    for name in _COUNTS:
        setattr(state, name, progress.get(name, getattr(state, name)))
    return state


def _history(optimizer: Optimizer, quantity: str, tensor: Tensor, device: torch.device) -> Tensor:
    """Put a part of an optimizer's history where the optimizer wants it: only a fused one counts
    its steps on the device.
    """
    if quantity == "step" and not optimizer.defaults.get("fused"):
        return tensor
    return tensor.to(device)
