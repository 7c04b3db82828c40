"""A statistical model as named files, and back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import load, save

from tasks.smt.features import NAMES, Weights
from tasks.smt.language_model import LanguageModel
from tasks.smt.options import Models
from tasks.smt.phrase_table import PhraseTable, index_sources
from tasks.smt.tries import edges_of, trie_of

_WORDS = ("source_words.txt", "target_words.txt")
ARRAYS = "arrays.safetensors"
_TABLE, _LANGUAGE = "table-", "language-"
WEIGHTS_FILE = "weights.json"


class SmtModel(NamedTuple):
    """What was learned from sentence pairs; weights are apart."""

    models: Models
    source: tuple[str, ...]
    """The source words by number."""
    target: tuple[str, ...]
    """The target words by number, without the marks of the language model."""


def model_files(
    table: PhraseTable, language: LanguageModel, words: tuple[Sequence[str], Sequence[str]]
) -> dict[str, bytes]:
    """Return a model as files; `words` are the words of both sides by number."""
    edges, targets = edges_of(language.trie)
    arrays: dict[str, Any] = {f"{_TABLE}{name}": value for name, value in table._asdict().items()}
    rest = {name: value for name, value in language._asdict().items() if name != "trie"}
    for name, value in {"edges": edges, "targets": targets, **rest}.items():
        arrays[f"{_LANGUAGE}{name}"] = value
    files = {ARRAYS: save({name: np.ascontiguousarray(value) for name, value in arrays.items()})}
    for name, each in zip(_WORDS, words, strict=True):
        files[name] = "".join(f"{word}\n" for word in each).encode("utf-8", "surrogatepass")
    return files


def read_model(files: Mapping[str, bytes]) -> SmtModel:
    """Read a model from its files."""
    arrays = load(files[ARRAYS])
    table = PhraseTable(*(arrays[_TABLE + name] for name in PhraseTable._fields))
    trie = trie_of(arrays[_LANGUAGE + "edges"], arrays[_LANGUAGE + "targets"])
    rest = (arrays[_LANGUAGE + name] for name in LanguageModel._fields if name != "trie")
    source, target = (
        tuple(files[name].decode("utf-8", "surrogatepass").split("\n")[:-1]) for name in _WORDS
    )
    return SmtModel(Models(table, index_sources(table), LanguageModel(trie, *rest)), source, target)


def weights_bytes(weights: Weights) -> bytes:
    """Return weights as a JSON file, by name."""
    named = dict(zip(NAMES, weights.tolist(), strict=True))
    return json.dumps(named, indent=1).encode() + b"\n"


def read_weights(data: bytes) -> Weights:
    """Read weights."""
    named = json.loads(data)
    return np.array([named[name] for name in NAMES])
