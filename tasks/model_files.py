"""The files of a trained model beside its weights: the words that it knows."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.vocabulary import Vocabulary

SOURCE_WORDS, TARGET_WORDS = "source_words.json", "target_words.json"


def vocabulary_files(source: "Vocabulary", target: "Vocabulary") -> dict[str, bytes]:
    """Return the vocabularies as files of a model."""
    return {
        name: json.dumps(list(words.words), ensure_ascii=False, indent=0).encode()
        for name, words in ((SOURCE_WORDS, source), (TARGET_WORDS, target))
    }


def vocabularies_of(files: Mapping[str, bytes]) -> "tuple[Vocabulary, Vocabulary]":
    """Read the vocabularies that a model's files carry."""
    from model.vocabulary import Vocabulary

    source, target = (
        Vocabulary(tuple(json.loads(files[name]))) for name in (SOURCE_WORDS, TARGET_WORDS)
    )
    return source, target
