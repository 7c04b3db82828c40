"""Tagged sentences to translations, with one model or several; used by the step and by commands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from model.config import DecodingConfig
from storage.errors import ConfigError, InputError
from storage.records import Slot
from tasks.devices import prepared
from tasks.examples import examples_from, taken_slots
from tasks.metrics.phrase_use import TranslatedSentence, uses
from tasks.model_files import vocabularies_of
from tasks.recipe import WordRecipe
from tasks.short_list import WordTable, listed_ids
from tasks.text.units import PairCoder
from tasks.unknown_words import UNKNOWN_WORD, replacement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from model.batches import Example
    from model.hypotheses import Hypothesis, OutputWord
    from model.translator import Translator
    from model.vocabulary import Vocabulary

_CHUNK_BATCHES = 4


@dataclass(frozen=True, slots=True)
class Models:
    """One or more models that translate together."""

    translators: "tuple[Translator, ...]"
    source: "Vocabulary"
    target: "Vocabulary"
    decoding: DecodingConfig
    lexicon: Mapping[str, str]
    """Translations of single source words, for unknown words."""
    coder: PairCoder
    """Between words and the units of the models."""
    table: WordTable = field(default_factory=dict)
    """Translations of words, for short lists."""

    @property
    def candidates(self) -> int:
        """Most candidate translations of a source phrase that the models take."""
        return self.translators[0].config.phrase_candidates


@dataclass(frozen=True, slots=True)
class Translated:
    """A sentence and what was found for it."""

    row: dict[str, Any]
    """Row of a `translations` table: the best translation."""
    coded: Mapping[str, Any]
    """The sentence in the units of the models."""
    example: "Example | None"
    """None for a sentence without words."""
    hypotheses: "Sequence[Hypothesis]"
    """Best first."""
    required: frozenset[int]
    """Slots whose phrases the translation was made to hold."""
    impossible: Mapping[int, str] = field(default_factory=dict)
    """Slots that were to be required but cannot be, with the reason."""


def open_models(
    bundles: Sequence[Mapping[str, bytes]],
    decoding: DecodingConfig,
    lexicon: Mapping[str, str],
    *,
    averaged: bool = False,
    table: WordTable | None = None,
) -> Models:
    """Load models that translate together.

    Args:
        bundles: files of each model.
        decoding: how to search.
        lexicon: translations of single source words.
        averaged: whether one model is made of the mean of their weights, instead of letting them
            decide together.
        table: translations of words, for short lists.

    Raises:
        InputError: a model cannot be read, or the models know other words or cannot be put
            together.
        ConfigError: contexts are to be scaled, but a model weighs them itself; or there is no such
            device.
    """
    from model.averaging import average
    from model.checkpoint import load
    from model.network import check_ensemble

    source, target = vocabularies_of(bundles[0])
    if any(vocabularies_of(files) != (source, target) for files in bundles[1:]):
        raise InputError(
            "The models were trained on different words. Models that translate together must come "
            "from the same data and the same vocabulary sizes."
        )
    device = prepared(decoding.device, "decoding.device", [decoding.precision])
    if decoding.readout == "int8" and device.type != "cpu":
        raise ConfigError(
            'decoding.readout is "int8", which only processors compute here. Set it to "float", or '
            'decoding.device to "cpu".'
        )
    try:
        translators = [load(files, device=device).translator for files in bundles]
    except ValueError as error:
        raise InputError(f"A model cannot be read: {error}") from error
    try:
        translators = [average(translators)] if averaged else translators
        check_ensemble(translators)
    except ValueError as error:
        raise InputError(f"The models cannot be put together: {error}") from error
    scaled = tuple(_scaled(each, decoding) for each in translators)
    recipe = WordRecipe.of_model(bundles[0])
    coder = PairCoder.of(recipe.source_units, recipe.target_units, bundles[0])
    return Models(scaled, source, target, decoding, lexicon, coder, table or {})


def _scaled(translator: "Translator", decoding: DecodingConfig) -> "Translator":
    from model.records import scaled

    if (decoding.source_scale, decoding.target_scale) == (1, 1):
        return translator
    try:
        return scaled(translator, decoding.source_scale, decoding.target_scale)
    except ValueError as error:
        raise ConfigError(f"[decoding] source_scale, target_scale: {error}") from error


def translate_rows(
    models: Models,
    rows: Sequence[Mapping[str, Any]],
    required: Sequence[frozenset[int]] | None = None,
) -> Iterator[Translated]:
    """Translate tagged rows in their order.

    A sentence without words gets an empty translation.

    Args:
        models: what translates.
        rows: rows of a `tagged` table.
        required: for each row the slots whose phrases the translation must hold; those that are
            impossible are left out and told.

    Raises:
        ConfigError: phrases are required, but the search has no beam.
    """
    asked = required if required is not None else [frozenset[int]()] * len(rows)
    chunk = models.decoding.batch_size * _CHUNK_BATCHES
    for first in range(0, len(rows), chunk):
        part = slice(first, first + chunk)
        yield from _chunk(models, rows[part], asked[part])


def _chunk(
    models: Models, rows: Sequence[Mapping[str, Any]], asked: Sequence[frozenset[int]]
) -> Iterator[Translated]:
    from model.search import translate_n_best

    phrase_mode = models.translators[0].config.slots > 0
    filled = [
        (models.coder.coded(row), slots)
        for row, slots in zip(rows, asked, strict=True)
        if row["source_words"]
    ]
    examples = examples_from(
        (row for row, _ in filled),
        models.source,
        models.target,
        with_reference=False,
        candidates=models.candidates,
    )
    demands = [
        _demand(models, example, row, slots, phrase_mode=phrase_mode)
        for example, (row, slots) in zip(examples, filled, strict=True)
    ]
    try:
        found = translate_n_best(
            models.translators,
            examples,
            models.decoding,
            [each.phrases for each in demands],
            _listed(models, rows),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from error
    coded_rows = [row for row, _ in filled]
    answers = iter(zip(coded_rows, examples, found, demands, strict=True))
    for row in rows:
        if not row["source_words"]:
            yield Translated(_translation(row, row, None, models), row, None, (), frozenset())
            continue
        coded, example, hypotheses, each = next(answers)
        best = _translation(row, coded, hypotheses[0], models)
        yield Translated(best, coded, example, hypotheses, each.slots, each.impossible)


def _listed(models: Models, rows: Sequence[Mapping[str, Any]]) -> "list[NDArray[np.int64]] | None":
    """Return the target words that each sentence with words may need; None for all words."""
    frequent = models.decoding.short_list
    if not frequent:
        return None
    sentences = [row["source_words"] for row in rows if row["source_words"]]
    return [
        listed_ids(words, models.table, models.coder, models.target, frequent)
        for words in sentences
    ]


class _Demand(NamedTuple):
    """What one translation must hold: as phrases of its example, and as slots of its sentence."""

    phrases: frozenset[int]
    slots: frozenset[int]
    impossible: Mapping[int, str]


def _demand(
    models: Models,
    example: "Example",
    row: Mapping[str, Any],
    asked: frozenset[int],
    *,
    phrase_mode: bool,
) -> _Demand:
    from model.requirements import impossible

    taken = [slot["slot"] for slot in taken_slots(row, models.candidates)]
    wanted = frozenset(place for place, slot in enumerate(taken) if slot in asked)
    never = impossible(example, wanted, models.decoding, phrase_mode=phrase_mode)
    reasons = {taken[place]: reason for place, reason in never.items()} | {
        slot: "it has several translations in the phrase memory, and the model takes one"
        for slot in asked.difference(taken)
    }
    return _Demand(wanted - never.keys(), asked - reasons.keys(), reasons)


def _translation(
    row: Mapping[str, Any],
    coded: Mapping[str, Any],
    hypothesis: "Hypothesis | None",
    models: Models,
) -> dict[str, Any]:
    """Give a translation in words; what search decided is given for each unit of the models."""
    output = hypothesis.words if hypothesis else ()
    units, steps = printed_units(coded, output, models)
    return {
        "sentence_id": row["sentence_id"],
        "source_words": row["source_words"],
        "score": hypothesis.score if hypothesis else 0.0,
        "slots": row["slots"],
        "uses": list(_uses(units, [step["slot"] for step in steps], coded["slots"])),
        **models.coder.target.decoded(steps),
    }


def printed_units(
    row: Mapping[str, Any], output: "Iterable[OutputWord]", models: Models
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the units of a translation as they are printed, and the decision behind each.

    What stands for an unknown word may be several words, which share its decision.

    Args:
        row: the sentence in the units of the models.
        output: what search found.
        models: what translated.
    """
    slots = taken_slots(row, models.candidates)
    words: list[str] = []
    steps: list[dict[str, Any]] = []
    for word in output:
        slot = slots[word.slot]["slot"] if word.slot >= 0 else word.slot
        for text in _surface(word, slots, row["source_words"], models).split(" "):
            words.append(text)
            steps.append(_step(word, text, slot))
    return words, steps


def _surface(
    word: "OutputWord",
    slots: Sequence[Mapping[str, Any]],
    source_words: Sequence[str],
    models: Models,
) -> str:
    """Return the word as it is printed: a phrase's words come from its slot, known or not."""
    from model.vocabulary import UNK

    if word.slot >= 0:
        phrase: str = slots[word.slot]["target"]
        return phrase.split()[word.offset]
    if word.word_id != UNK:
        return models.target.words[word.word_id]
    rule = models.decoding.unknown_words
    return replacement(word.attended, source_words, rule, models.lexicon) or UNKNOWN_WORD


def _step(word: "OutputWord", text: str, slot: int) -> dict[str, Any]:
    return {
        "word": text,
        "mode": "word" if slot < 0 else "phrase",
        "slot": slot,
        "probability": word.probability,
        "attended": word.attended,
    }


def _uses(
    words: Sequence[str], slot_of_word: Iterable[int], slots: Sequence[Mapping[str, Any]]
) -> list[str]:
    sentence = TranslatedSentence(
        tuple(words), tuple(slot_of_word), tuple(Slot(**slot) for slot in slots)
    )
    return list(uses(sentence))
