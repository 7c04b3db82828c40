"""Small random examples and networks for tests of the models."""

import numpy as np
import torch
from hypothesis import strategies as st

from model.batches import Example, SlotIds
from model.config import SYSTEMS, ModelConfig
from model.translator import Translator, build_translator
from model.vocabulary import UNK

torch.set_num_threads(1)  # two threads on tiny tensors mostly wait for each other

WORDS = 12
"""Entries of the toy vocabularies."""


def toy_config(system: str, **changes: object) -> ModelConfig:
    """Return a network small enough for loops in Python."""
    sizes = {"embedding": 5, "hidden": 4, "coverage_dim": 3, "phrase_slots": 4, "gate_hidden": 6}
    if SYSTEMS[system].is_transformer:
        sizes |= {"heads": 2, "feed_forward": 7, "encoder_layers": 2, "decoder_layers": 2}
    return ModelConfig(system=system, **{**sizes, **changes})  # type: ignore[arg-type]


def toy_translator(
    config: ModelConfig, *, words: int = WORDS, seed: int = 3, scale: float = 0.5
) -> Translator:
    """Return a float64 network with weights large enough for every term to matter."""
    translator = build_translator(config, words, words, seed).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in translator.parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.copy_(scale * noise)
    return translator.eval()


@st.composite
def examples(draw: st.DrawFn, *, words: int = WORDS, most: int = 7, candidates: int = 1) -> Example:
    """Draw a pair with phrases in both sides, phrases in the source only, and unknown words; with
    more candidates, source phrases with several translations.
    """
    ids = st.integers(UNK, words - 1)
    source = draw(st.lists(ids, min_size=1, max_size=most))
    target = draw(st.lists(ids, min_size=0, max_size=most))
    slots: list[SlotIds] = []
    source_at = target_at = 0
    for _ in range(draw(st.integers(0, 3))):
        source_start = source_at + draw(st.integers(0, 1))
        source_at = source_start + draw(st.integers(1, 2))
        if source_at > len(source):
            break
        target_start = target_at + draw(st.integers(0, 1))
        target_end = target_start + draw(st.integers(1, 3))
        if target_end <= len(target) and draw(st.booleans()):
            phrase = tuple(target[target_start:target_end])
            slots.append(SlotIds(source_start, source_at, phrase, target_start))
            target_at = target_end
        else:
            phrase = tuple(draw(st.lists(ids, min_size=1, max_size=3)))
            slots.append(SlotIds(source_start, source_at, phrase))
        rivals = draw(st.lists(st.lists(ids, min_size=1, max_size=3), max_size=candidates - 1))
        others = [SlotIds(source_start, source_at, tuple(rival)) for rival in rivals]
        slots[-1:] = draw(st.permutations([slots[-1], *others]))
    return Example(np.asarray(source, np.int32), np.asarray(target, np.int32), tuple(slots))


def example(
    source: list[int],
    target: list[int] | None = None,
    *slots: tuple[int, int, tuple[int, ...], int],
) -> Example:
    """Write an example; a slot is (source start, source end, target words, target start)."""
    return Example(
        np.asarray(source, np.int32),
        np.asarray(target or [], np.int32),
        tuple(SlotIds(*slot) for slot in slots),
    )
