"""Models that cannot be opened are told in one message, not in a traceback."""

import json

import pytest

from model.checkpoint import save
from model.config import DecodingConfig
from model.translator import build_translator
from model.vocabulary import SPECIAL, Vocabulary
from storage.errors import InputError
from tasks.decoding import open_models
from tasks.model_files import vocabulary_files
from tests.reference.model_examples import toy_config

WORDS = Vocabulary((*SPECIAL, "a", "b"))


def bundle(**changes: object) -> dict[str, bytes]:
    """Return the files of a model whose settings were written by another version."""
    translator = build_translator(toy_config("rnnsearch"), len(WORDS), len(WORDS), seed=1)
    files = {**save(translator), **vocabulary_files(WORDS, WORDS)}
    content = json.loads(files["config.json"]) | changes
    return {**files, "config.json": json.dumps(content).encode()}


def test_a_model_of_another_version_is_an_error_of_the_input() -> None:
    with pytest.raises(InputError, match=r"A model cannot be read: .*format 99"):
        open_models([bundle(format=99)], DecodingConfig(), {})
