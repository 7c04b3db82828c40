"""Steps that choose the vocabulary and train a model on tagged sentences."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from model.config import ModelConfig, TrainingConfig
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError
from storage.workspace import Workspace
from tasks.examples import examples_from
from tasks.model_files import vocabulary_files
from tasks.own_process import in_own_process
from tasks.progress import current_label
from tasks.recipe import RECIPE_FILE, WordRecipe
from tasks.step import current_key, step
from tasks.training_session import TrainingSession

if TYPE_CHECKING:
    from model.batches import Example
    from model.vocabulary import Vocabulary


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


@step(writes=("model", "training_log"))
def train(
    workspace: Workspace,
    *,
    tagged: tuple[ArtifactRef, ...],
    dev: tuple[ArtifactRef, ...],
    words: tuple[ArtifactRef, ...],
    recipe: WordRecipe,
    configs: tuple[ModelConfig, TrainingConfig],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Train one system; returns the model with the smallest loss on dev, and the log.

    `words` are the vocabulary, and bundles of files about words that travel with the model.
    The work so far is kept now and then, and a later try of the same call goes on from there.
    """
    made: tuple[ArtifactRef, ArtifactRef] = in_own_process(
        current_label(),
        train_here,
        workspace,
        current_key(),
        (tagged, dev),
        words,
        recipe,
        configs,
    )
    return made


def train_here(
    workspace: Workspace,
    key: str,
    sentences: tuple[tuple[ArtifactRef, ...], tuple[ArtifactRef, ...]],
    words: tuple[ArtifactRef, ...],
    recipe: WordRecipe,
    configs: tuple[ModelConfig, TrainingConfig],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Train in this process; `sentences` are those to learn from and those of dev.

    Raises:
        InputError: there is nothing to learn from.
        ConfigError: the loss is not finite.
    """
    from model.fit import use_threads

    use_threads(configs[1].threads)
    source, target = read_vocabularies(workspace, words[0])
    candidates = configs[0].phrase_candidates
    examples = _examples(workspace, sentences[0], (source, target), candidates)
    if not examples:
        raise InputError("No training sentence has words on both sides; there is nothing to learn.")
    session = TrainingSession(workspace.checkpoints, key, configs, (len(source), len(target)))
    try:
        session.train(examples, _examples(workspace, sentences[1], (source, target), candidates))
    except FloatingPointError as error:
        raise ConfigError(f"[training]: {error}") from error
    except RuntimeError as error:
        if "can't allocate memory" not in str(error):
            raise
        raise ConfigError(
            "The model does not fit into the memory of this machine. Lower model.hidden, "
            "model.embedding, the vocabularies or training.batch_size."
        ) from error
    files = session.best_files() | vocabulary_files(source, target)
    for ref in words[1:]:
        files |= workspace.read_bundle(ref)
    files[RECIPE_FILE] = recipe.to_bytes()
    made = workspace.write_bundle("model", files, reproducibility="same-machine")
    log_ref = workspace.write_rows("training_log", session.log)
    session.forget()
    return made, log_ref


def read_vocabularies(workspace: Workspace, words: ArtifactRef) -> "tuple[Vocabulary, Vocabulary]":
    """Read the vocabulary of each side."""
    from model.vocabulary import Vocabulary

    columns = workspace.read_columns(words, ["side", "word"])
    sides: dict[str, list[str]] = {"source": [], "target": []}
    for side, word in zip(columns["side"], columns["word"], strict=True):
        sides[side].append(word)
    return Vocabulary(tuple(sides["source"])), Vocabulary(tuple(sides["target"]))


def _examples(
    workspace: Workspace,
    tagged: Sequence[ArtifactRef],
    known: "tuple[Vocabulary, Vocabulary]",
    candidates: int,
) -> "list[Example]":
    rows = (row for ref in tagged for row in workspace.read_rows(ref))
    made = examples_from(rows, *known, with_reference=True, candidates=candidates)
    return [example for example in made if len(example.source_ids) and len(example.target_ids)]
