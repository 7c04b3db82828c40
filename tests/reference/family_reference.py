"""The reference of whichever family a configuration has: recurrent or Transformer."""

from types import ModuleType

from torch import Tensor

from model.batches import Example
from model.config import ModelConfig
from model.vocabulary import EOS
from tests.reference import decoder_reference, transformer_reference
from tests.reference.decoder_reference import Sentence, State, Step, Weights


def _family(config: ModelConfig) -> ModuleType:
    return transformer_reference if config.switches.is_transformer else decoder_reference


def read(w: Weights, config: ModelConfig, example: Example) -> Sentence:
    """Encode one example."""
    tag = [-1] * (len(example.source_ids) + 1)
    slots = example.slots if config.slots else ()
    spans: list[tuple[int, int]] = []
    for phrase in slots:
        span = (phrase.source_start, phrase.source_end)
        if span not in spans:
            spans.append(span)
        for position in range(*span):
            tag[position] = spans.index(span)
    phrases = tuple(phrase.target_ids for phrase in slots)
    slot = tuple(spans.index((phrase.source_start, phrase.source_end)) for phrase in slots)
    annotations = _family(config).encode(w, config, [*map(int, example.source_ids), EOS])
    return Sentence(w, config, annotations, tag, phrases, slot)


def initial(sentence: Sentence) -> State:
    """Return the state before the first word."""
    state: State = _family(sentence.config).initial(sentence)
    return state


def advance(sentence: Sentence, state: State, word: int | None, alive: tuple[bool, ...]) -> Step:
    """Feed one word (None before the first) and attend."""
    step: Step = _family(sentence.config).advance(sentence, state, word, alive)
    return step


def embed(sentence: Sentence, word: int) -> Tensor:
    """Return the embedding of a target word."""
    embedded: Tensor = _family(sentence.config).embed(sentence, word)
    return embedded
