"""The step that translates tagged sentences with a model and records how each word came about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.errors import ConfigError
from storage.records import Slot
from storage.workspace import Workspace
from tasks.examples import examples_from
from tasks.metrics.phrase_use import TranslatedSentence, uses
from tasks.model_files import vocabularies_of
from tasks.progress import track
from tasks.recipe import WordRecipe
from tasks.step import step
from tasks.text.units import PairCoder

if TYPE_CHECKING:
    from model.hypotheses import Hypothesis, OutputWord
    from model.vocabulary import Vocabulary

UNKNOWN_WORD = "UNK"
"""How a word is printed that the model does not know."""
_CHUNK_BATCHES = 4


@step(writes=("translations",))
def translate(
    workspace: Workspace, *, model: ArtifactRef, tagged: ArtifactRef, decoding: DecodingConfig
) -> ArtifactRef:
    """Translate the sentences of a tagged table with one model."""
    rows = list(workspace.read_rows(tagged))
    translations = translate_rows(workspace.read_bundle(model), rows, decoding)
    return workspace.write_rows(
        "translations", track(translations, total=len(rows), unit="sentences")
    )


def translate_rows(
    files: Mapping[str, bytes], rows: Sequence[Mapping[str, Any]], decoding: DecodingConfig
) -> Iterator[dict[str, Any]]:
    """Translate tagged rows with the model in `files`, in their order.

    A sentence without words gets an empty translation. The rows, and the words that come back, are
    words; what search decided is given for each unit of the model.

    Raises:
        ConfigError: contexts are to be scaled, but the model weighs them itself.
    """
    from model.checkpoint import load
    from model.records import scaled
    from model.search import translate as search

    translator = load(files).translator
    if (decoding.source_scale, decoding.target_scale) != (1, 1):
        try:
            translator = scaled(translator, decoding.source_scale, decoding.target_scale)
        except ValueError as error:
            raise ConfigError(f"[decoding] source_scale, target_scale: {error}") from error
    source, target = vocabularies_of(files)
    recipe = WordRecipe.of_model(files)
    coder = PairCoder.of(recipe.source_units, recipe.target_units, files)
    chunk = decoding.batch_size * _CHUNK_BATCHES
    for first in range(0, len(rows), chunk):
        part = rows[first : first + chunk]
        filled = [coder.coded(row) for row in part if row["source_words"]]
        examples = examples_from(filled, source, target, with_reference=False)
        found = iter(zip(filled, search(translator, examples, decoding), strict=True))
        for row in part:
            coded, hypothesis = next(found) if row["source_words"] else (row, None)
            made = _translation(coded, hypothesis, target)
            yield {
                **made,
                "source_words": row["source_words"],
                "slots": row["slots"],
                **coder.target.decoded(made["steps"]),
            }


def _translation(
    row: Mapping[str, Any], hypothesis: "Hypothesis | None", target: "Vocabulary"
) -> dict[str, Any]:
    output = hypothesis.words if hypothesis else ()
    slots = {slot["slot"]: slot for slot in row["slots"]}
    words = [_surface(word, slots, target) for word in output]
    return {
        "sentence_id": row["sentence_id"],
        "source_words": row["source_words"],
        "words": words,
        "score": hypothesis.score if hypothesis else 0.0,
        "steps": [_step(word, text) for word, text in zip(output, words, strict=True)],
        "slots": row["slots"],
        "uses": list(_uses(words, output, row["slots"])),
    }


def _surface(
    word: "OutputWord", slots: Mapping[int, Mapping[str, Any]], target: "Vocabulary"
) -> str:
    """Return the word as it is printed: a phrase's words come from its slot, known or not."""
    from model.vocabulary import UNK

    if word.slot >= 0:
        phrase: str = slots[word.slot]["target"]
        return phrase.split()[word.offset]
    return UNKNOWN_WORD if word.word_id == UNK else target.words[word.word_id]


def _step(word: "OutputWord", text: str) -> dict[str, Any]:
    return {
        "word": text,
        "mode": "word" if word.slot < 0 else "phrase",
        "slot": word.slot,
        "probability": word.probability,
        "attended": word.attended,
    }


def _uses(
    words: Sequence[str], output: Iterable["OutputWord"], slots: Sequence[Mapping[str, Any]]
) -> list[str]:
    sentence = TranslatedSentence(
        tuple(words), tuple(word.slot for word in output), tuple(Slot(**slot) for slot in slots)
    )
    return list(uses(sentence))
