"""Steps that choose the vocabulary and train a model on tagged sentences."""

import contextlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.config import ModelConfig, TrainingConfig
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError
from storage.table_schema import Reproducibility
from storage.workspace import Workspace
from tasks.devices import prepared
from tasks.model_files import vocabulary_files
from tasks.own_process import in_own_process, stoppable
from tasks.progress import current_label
from tasks.recipe import RECIPE_FILE, WordRecipe
from tasks.step import CurrentCall, current_call, step
from tasks.training_data import (
    TrainingData,
    examples_in,
    read_dev,
    read_vocabularies,
    write_examples,
)
from tasks.training_dev import Dev, check_dev
from tasks.training_group import Node, in_group
from tasks.training_record import RECORD_FILE
from tasks.training_session import Stopped, Surroundings, TrainingSession
from tasks.training_store import TrainingStore
from tasks.training_trackers import open_trackers

if TYPE_CHECKING:
    import torch

Configs = tuple[ModelConfig, TrainingConfig]
Trained = tuple[ArtifactRef, ArtifactRef, dict[str, Any]]
"""The model, the log, and remarks for the run record."""


@step(writes=("vocabulary",))
def vocabulary(
    workspace: Workspace, *, tagged: tuple[ArtifactRef, ...], source_size: int, target_size: int
) -> ArtifactRef:
    """Count the words of all training sentences and keep the most frequent of each side."""
    from model.vocabulary import Vocabulary

    rows: list[dict[str, Any]] = []
    for side, size in (("source", source_size), ("target", target_size)):
        counts: Counter[str] = Counter()
        for ref in tagged:
            for words in workspace.read_columns(ref, [f"{side}_words"])[f"{side}_words"]:
                counts.update(words)
        known = Vocabulary.build(counts, size)
        rows += [
            {"side": side, "id": number, "word": word, "count": counts.get(word, 0)}
            for number, word in enumerate(known.words)
        ]
    return workspace.write_rows("vocabulary", rows)


@step(writes=("model", "training_log"), with_driver=True)
def train(
    workspace: Workspace,
    *,
    tagged: tuple[ArtifactRef, ...],
    dev: Mapping[str, tuple[Any, ...]],
    words: tuple[ArtifactRef, ...],
    recipe: WordRecipe,
    configs: Configs,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Train one system; returns the model that is best on dev, and the log.

    The work so far is kept now and then, and a later try of the same call goes on from there.

    Args:
        workspace: where everything is.
        tagged: sentences to learn from, in the units of the network.
        dev: the dev sets: `tagged`, likewise, and where networks are compared by BLEU, `texts`, the
            sentences in words each with the lines of its set.
        words: the vocabulary, and bundles of files about words that travel with the model.
        recipe: how text becomes words.
        configs: the network and how it is trained.
    """
    call = current_call()
    data = TrainingData(tagged, dev["tagged"], dev["texts"], words, recipe)
    model, log, remarks = in_own_process(
        current_label(),
        train_here,
        workspace,
        call,
        data,
        configs,
        has_children=configs[1].processes > 1,
    )
    call.remarks.update(remarks)
    return model, log


def train_here(
    workspace: Workspace, call: CurrentCall, data: TrainingData, configs: Configs
) -> Trained:
    """Train in this process, or in a group of processes that it leads.

    Raises:
        InputError: there is nothing to learn from.
        ConfigError: the settings ask for what is not there, the loss is not finite, or the network
            does not fit into memory.
        KeyboardInterrupt: it was asked to stop; a checkpoint is kept.
    """
    if configs[1].nodes > 1:
        workspace.share()  # so that the other machines find what it learns from
    trained = _in_processes(workspace, call, data, configs, leads=True)
    if trained is None:
        raise KeyboardInterrupt
    return trained


def help_train(
    workspace: Workspace, call: CurrentCall, data: TrainingData, configs: Configs
) -> None:
    """Do this machine's share of a training that another machine leads.

    Raises:
        LostProcess: that machine was not there in time, or was lost.
        PhrasenetError: as `train_here`.
    """
    _in_processes(workspace, call, data, configs, leads=False)


def _in_processes(
    workspace: Workspace, call: CurrentCall, data: TrainingData, configs: Configs, *, leads: bool
) -> Trained | None:
    known = read_vocabularies(workspace, data.words[0])
    with workspace.scratch() as folder:
        candidates = configs[0].phrase_candidates
        if not write_examples(workspace, folder, data.tagged, known, candidates):
            raise InputError(
                "No training sentence has words on both sides; there is nothing to learn."
            )
        arguments = (workspace, folder, call, data, configs)
        if configs[1].processes == 1:
            return train_share(*arguments)
        node = Node(call.key if configs[1].nodes > 1 else "", leads)
        return in_group(folder, configs[1], train_share, arguments, node)


def own_device(training: TrainingConfig, rank: int) -> "torch.device":
    """Return the device of a process of a training, ready to compute; those of a machine are
    numbered one after the other.

    Raises:
        ConfigError: there is no such device, or it does not have the training's number format.
    """
    here = training.processes // training.nodes
    return prepared(
        training.device,
        "training.device",
        [training.precision],
        rank=rank % here,
        processes=here,
    )


def train_share(
    workspace: Workspace, folder: Path, call: CurrentCall, data: TrainingData, configs: Configs
) -> Trained | None:
    """Train as one process of a group, or alone; the process that leads writes the result.

    Returns:
        None if it was asked to stop, or if another process leads.
    """
    from model.fit import use_threads
    from model.freed_memory import freed_memory_kept
    from model.gradients import OutOfMemory
    from model.group import Group
    from model.machine import device_name

    training, group = configs[1], Group()
    use_threads(training.threads)
    device = own_device(training, group.rank)
    with stoppable() as stopped:
        around = Surroundings(stopped, group, device=device)
        session, dev = _begun(workspace, call, data, configs, around)
        try:
            with contextlib.closing(around.trackers), freed_memory_kept():
                session.train(examples_in(folder), dev)
        except Stopped:
            return None
        except FloatingPointError as error:
            raise ConfigError(f"[training]: {error}") from error
        except OutOfMemory as error:
            raise ConfigError(
                f"The model does not fit into the memory of {device_name(device)}: {error}. Lower "
                "model.hidden, model.embedding, the vocabularies or text.max_words."
            ) from error
        session.record.device = device_name(device)
        return _written(workspace, session, data) if group.leads else None


def _begun(
    workspace: Workspace,
    call: CurrentCall,
    data: TrainingData,
    configs: Configs,
    around: Surroundings,
) -> tuple[TrainingSession, Dev]:
    """Open the session of a training, and read the dev sets where they are measured."""
    from model.group import Group

    leads, training = Group().leads, configs[1]
    source, target = known = read_vocabularies(workspace, data.words[0])
    network = {**asdict(configs[0]), "vocabulary": data.words[0].digest}
    store = TrainingStore(
        workspace.checkpoints, call, network=network, keep=training.keep_checkpoints
    )
    dev = read_dev(workspace, data, known, configs[0].phrase_candidates) if leads else Dev()
    if leads:
        check_dev(dev, training)
        around.trackers = open_trackers(
            training.track,
            workspace.root / "tracking",
            f"{call.label.removeprefix('train ')}-{call.key[:8]}",
            training.as_recorded(),
            training.mlflow_uri,
        )
    return TrainingSession(store, configs, (len(source), len(target)), around), dev


def _written(workspace: Workspace, session: TrainingSession, data: TrainingData) -> Trained:
    """Write the model and the log of a training that has ended."""
    source, target = read_vocabularies(workspace, data.words[0])
    files = session.best.files | vocabulary_files(source, target)
    for ref in data.words[1:]:
        files |= workspace.read_bundle(ref)
    record = session.record
    files[RECIPE_FILE] = data.recipe.to_bytes()
    files[RECORD_FILE] = record.to_bytes()
    reach: Reproducibility = "same-machine" if record.can_be_made_again else "none"
    made = workspace.write_bundle("model", files, reproducibility=reach)
    log = workspace.write_rows("training_log", record.log, reproducibility=reach)
    return made, log, record.remarks()
