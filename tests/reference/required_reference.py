"""Translations that hold required phrases, by enumeration.

Slow and obvious: every path of modes, every way to place the phrases.
"""

import itertools
from collections.abc import Iterator, Sequence

from model.batches import Example
from model.config import ModelConfig
from model.vocabulary import EOS
from tests.reference.decoder_reference import Sentence, Weights
from tests.reference.family_reference import advance, initial, read
from tests.reference.model_reference import (
    Path,
    after_phrase,
    after_word,
    distribution,
    every_slot,
    strings,
)


def spelled(text: tuple[int, ...], phrases: Sequence[tuple[int, ...]]) -> bool:
    """Say whether all phrases stand in a text at places that do not overlap."""
    for starts in itertools.product(range(len(text)), repeat=len(phrases)):
        places = [
            set(range(start, start + len(phrase)))
            for start, phrase in zip(starts, phrases, strict=True)
        ]
        apart = sum(map(len, places)) == len(set().union(*places))
        right = all(
            text[start : start + len(phrase)] == phrase
            for start, phrase in zip(starts, phrases, strict=True)
        )
        if apart and right:
            return True
    return not phrases


def strings_with(
    w: Weights, config: ModelConfig, example: Example, slots: frozenset[int], longest: int
) -> dict[tuple[int, ...], float]:
    """Return the probability of every translation that holds the phrases of some slots: spelled
    out without phrase memory, otherwise over all paths that produce them in phrase mode, of phrases
    on the same source words one of those asked for.
    """
    if not config.slots:
        phrases = [example.slots[slot].target_ids for slot in sorted(slots)]
        everything = strings(w, config, example, longest)
        return {text: p for text, p in everything.items() if spelled(text, phrases)}
    found: dict[tuple[int, ...], float] = {}
    sentence = read(w, config, example)
    start = Path((), initial(sentence), every_slot(sentence), 1.0)
    for text, p in _visit(sentence, (start, frozenset()), slots, longest):
        found[text] = found.get(text, 0.0) + p
    return found


def _visit(
    sentence: Sentence,
    reached: tuple[Path, frozenset[int]],
    slots: frozenset[int],
    longest: int,
) -> Iterator[tuple[tuple[int, ...], float]]:
    path, produced = reached
    previous = path.words[-1] if path.words else None
    step = advance(sentence, path.state, previous, path.alive)
    words, phrases = distribution(sentence, step)
    if {sentence.slot[k] for k in slots} <= {sentence.slot[k] for k in produced & slots}:
        yield path.words, path.p * float(words[EOS])
    if len(path.words) == longest:
        return
    for word in range(1, len(words)):
        text = (*path.words, word)
        alive = after_word(sentence, text, path.alive)
        child = Path(text, step.state, alive, path.p * float(words[word]))
        yield from _visit(sentence, (child, produced), slots, longest)
    for number in range(len(sentence.phrases)):
        child = after_phrase(sentence, path, step, number, float(phrases[number]))
        if path.alive[sentence.slot[number]] and len(child.words) <= longest:
            yield from _visit(sentence, (child, produced | {number}), slots, longest)
