"""What a training reads: tagged sentences as numbered examples, the words, the dev sets."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from storage.array_files import ArrayFiles
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.examples import examples_from
from tasks.recipe import WordRecipe
from tasks.text.units import PairCoder
from tasks.training_dev import Dev, DevText, DevTexts

if TYPE_CHECKING:
    from model.batches import Example
    from model.example_store import ExampleStore
    from model.vocabulary import Vocabulary

    Vocabularies = tuple[Vocabulary, Vocabulary]

_PART_ROWS = 4096


@dataclass(frozen=True, slots=True)
class TrainingData:
    """References to what a training reads."""

    tagged: tuple[ArtifactRef, ...]
    """Sentences to learn from, in the units of the network."""
    dev: tuple[ArtifactRef, ...]
    """Sentences of the dev sets, likewise."""
    dev_texts: tuple[tuple[ArtifactRef, ArtifactRef], ...]
    """The dev sets in words and their lines with references, where networks are compared by BLEU.
    """
    words: tuple[ArtifactRef, ...]
    """The vocabulary, and bundles of files about words that travel with the model."""
    recipe: WordRecipe


def read_vocabularies(workspace: Workspace, words: ArtifactRef) -> "Vocabularies":
    """Read the vocabulary of each side."""
    from model.vocabulary import Vocabulary

    columns = workspace.read_columns(words, ["side", "word"])
    sides: dict[str, list[str]] = {"source": [], "target": []}
    for side, word in zip(columns["side"], columns["word"], strict=True):
        sides[side].append(word)
    return Vocabulary(tuple(sides["source"])), Vocabulary(tuple(sides["target"]))


def write_examples(
    workspace: Workspace,
    folder: Path,
    tagged: Sequence[ArtifactRef],
    known: "Vocabularies",
    candidates: int,
) -> "ExampleStore":
    """Number the sentences to learn from, a few thousand at a time, and return them.

    Args:
        workspace: where the sentences are.
        folder: where the numbers go.
        tagged: the sentences; those without words on a side are left out.
        known: words of the source and of the target.
        candidates: most candidate translations of a source phrase.
    """
    from model.example_store import COLUMNS, columns_of

    files = ArrayFiles(folder, COLUMNS)
    found = _examples(workspace, tagged, known, candidates)
    while part := list(itertools.islice(found, _PART_ROWS)):
        files.add(columns_of(part))
    return examples_in(folder)


def examples_in(folder: Path) -> "ExampleStore":
    """Return the examples that were written to a folder; they stay there."""
    from model.example_store import COLUMNS, ExampleStore

    return ExampleStore(ArrayFiles(folder, COLUMNS).mapped())


def read_dev(
    workspace: Workspace, data: TrainingData, known: "Vocabularies", candidates: int
) -> Dev:
    """Read the dev sets."""
    examples = list(_examples(workspace, data.dev, known, candidates))
    if not data.dev_texts:
        return Dev(examples)
    files: dict[str, bytes] = {}
    for ref in data.words[1:]:
        files |= workspace.read_bundle(ref)
    coder = PairCoder.of(data.recipe.source_units, data.recipe.target_units, files)
    sentences = tuple(_dev_sentences(workspace, data.dev_texts))
    return Dev(examples, DevTexts(sentences, known, coder))


def _dev_sentences(
    workspace: Workspace, texts: Sequence[tuple[ArtifactRef, ArtifactRef]]
) -> Iterator[DevText]:
    for tagged, lines in texts:
        references = {
            row["sentence_id"]: tuple(filter(None, row["references"]))
            for row in workspace.read_rows(lines)
        }
        for row in workspace.read_rows(tagged):
            if references[row["sentence_id"]]:
                yield DevText(row, references[row["sentence_id"]])


def _examples(
    workspace: Workspace, tagged: Sequence[ArtifactRef], known: "Vocabularies", candidates: int
) -> "Iterator[Example]":
    rows = (row for ref in tagged for row in workspace.read_rows(ref))
    while part := list(itertools.islice(rows, _PART_ROWS)):
        for example in examples_from(part, *known, with_reference=True, candidates=candidates):
            if len(example.source_ids) and len(example.target_ids):
                yield example
