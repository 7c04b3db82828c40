"""Where the phrases that were offered are in a reference and in a translation."""

from collections.abc import Mapping
from typing import Any

from storage.records import Category, Slot
from tasks.metrics.phrase_use import TranslatedSentence, places
from tasks.text.units import slot_of_each_word

PhraseSpan = tuple[int, int, Category]
"""First word, word behind the last, category."""


def spans_in_reference(tagged: Mapping[str, Any]) -> list[PhraseSpan]:
    """Return the phrases that the reference of a row of `tagged` holds."""
    return [
        (slot["target_start"], slot["target_end"], slot["category"])
        for slot in tagged["slots"]
        if slot["target_start"] >= 0
    ]


def spans_in_translation(translated: Mapping[str, Any]) -> list[PhraseSpan]:
    """Return the phrases that a row of `translations` holds."""
    slots = tuple(Slot(**slot) for slot in translated["slots"])
    words = translated["words"]
    modes = slot_of_each_word(words, translated["steps"])
    found = places(TranslatedSentence(tuple(words), tuple(modes), slots))
    return [
        (place.start, place.end, slot.category)
        for slot, place in zip(slots, found, strict=True)
        if place.start >= 0
    ]
