"""Translations by several networks that decide together, by enumeration."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from model.batches import Example
from model.translator import Translator
from tests.reference.decoder_reference import Sentence
from tests.reference.family_reference import advance, initial, read
from tests.reference.model_reference import (
    Path,
    after_phrase,
    after_word,
    distribution,
    every_slot,
)


def joint_mean(tables: Sequence[Tensor], *, geometric: bool) -> Tensor:
    """The mean of probabilities, or their geometric mean scaled to sum to 1."""
    stacked = torch.stack(list(tables))
    if not geometric:
        return stacked.mean(0)
    product = stacked.prod(0) ** (1 / len(stacked))
    return product / product.sum()


def strings_together(
    translators: Sequence[Translator], example: Example, longest: int, *, geometric: bool
) -> dict[tuple[int, ...], float]:
    """Return the probability of every translation of at most `longest` words, over all modes."""
    sentences = [read(each.state_dict(), each.config, example) for each in translators]
    starts = [Path((), initial(each), every_slot(each), 1.0) for each in sentences]
    found: dict[tuple[int, ...], float] = {}
    for words, p in _continue(sentences, starts, longest, geometric=geometric):
        found[words] = found.get(words, 0.0) + p
    return found


def _continue(
    sentences: Sequence[Sentence], paths: Sequence[Path], longest: int, *, geometric: bool
) -> Iterator[tuple[tuple[int, ...], float]]:
    words, alive, p = paths[0].words, paths[0].alive, paths[0].p
    previous = words[-1] if words else None
    steps = [
        advance(sentence, path.state, previous, alive)
        for sentence, path in zip(sentences, paths, strict=True)
    ]
    tables = [
        torch.cat(distribution(sentence, step))
        for sentence, step in zip(sentences, steps, strict=True)
    ]
    outcomes = joint_mean(tables, geometric=geometric).tolist()
    phrases = sentences[0].phrases
    num_words = len(outcomes) - len(phrases)
    yield words, p * outcomes[0]
    if len(words) == longest:
        return
    for word in range(1, num_words):
        text = (*words, word)
        after = after_word(sentences[0], text, alive)
        grown = [Path(text, step.state, after, p * outcomes[word]) for step in steps]
        yield from _continue(sentences, grown, longest, geometric=geometric)
    for number, phrase in enumerate(phrases):
        if alive[sentences[0].slot[number]] and len(words) + len(phrase) <= longest:
            grown = [
                after_phrase(sentence, path, step, number, outcomes[num_words + number])
                for sentence, path, step in zip(sentences, paths, steps, strict=True)
            ]
            yield from _continue(sentences, grown, longest, geometric=geometric)
