"""Every named system learns fifty sentences of the built-in sample by heart.

Words that occur once are unknown to the vocabularies; where they stand in a phrase, a system with
phrase memory must give them nevertheless.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest
import sacrebleu

from model import fit
from model.batches import Example, SlotIds
from model.config import SYSTEMS, DecodingConfig, ModelConfig, TrainingConfig
from model.search import Hypothesis, translate
from model.translator import build_translator
from model.vocabulary import UNK, Vocabulary
from tasks.sample.chunks import SamplePair
from tasks.sample.newswire import generate

NUM_PAIRS = 50
QUICK = (
    "groundhog-vanilla",
    "groundhog-coverage+gate",
    "phrasenet-gate+context-gate",
    "transformer+phrase-gate",
)
"""Systems that are tried at every commit."""


@dataclass(frozen=True)
class Data:
    pairs: tuple[SamplePair, ...]
    examples: tuple[Example, ...]
    source: Vocabulary
    target: Vocabulary


@cache
def data() -> Data:
    pairs = [pair for pair in generate(1, train=200, dev=1, test=1).train if pair.phrases]
    pairs = pairs[:NUM_PAIRS]
    source = frequent(pair.source_words for pair in pairs)
    target = frequent(pair.target_words for pair in pairs)
    examples = tuple(as_example(pair, source, target) for pair in pairs)
    return Data(tuple(pairs), examples, source, target)


def frequent(sentences: object) -> Vocabulary:
    counts = Counter(word for words in sentences for word in words)  # type: ignore[attr-defined]
    return Vocabulary.build(counts, 2 + sum(number > 1 for number in counts.values()))


def as_example(pair: SamplePair, source: Vocabulary, target: Vocabulary) -> Example:
    slots = [
        SlotIds(
            gold.source.start,
            gold.source.end,
            tuple(target.encode(pair.target_words[gold.target.start : gold.target.end]).tolist()),
            gold.target.start,
        )
        for gold in pair.phrases[:4]
    ]
    ids = source.encode(pair.source_words), target.encode(pair.target_words)
    return Example(*ids, tuple(slots))


def printed(pair: SamplePair, hypothesis: Hypothesis, target: Vocabulary) -> str:
    phrases = [gold.target_text.split() for gold in pair.phrases]
    return " ".join(
        phrases[word.slot][word.offset] if word.slot >= 0 else target.words[word.word_id]
        for word in hypothesis.words
    )


def expected(pair: SamplePair, example: Example, target: Vocabulary, *, phrases: bool) -> str:
    """Return the reference as the system can print it at best."""
    remembered = {
        slot.target_start + offset
        for slot in example.slots
        if phrases
        for offset in range(len(slot.target_ids))
    }
    return " ".join(
        word if number != UNK or position in remembered else target.words[UNK]
        for position, (word, number) in enumerate(
            zip(pair.target_words, example.target_ids, strict=True)
        )
    )


@pytest.mark.parametrize(
    "system",
    [pytest.param(system, marks=() if system in QUICK else pytest.mark.slow) for system in SYSTEMS],
)
def test_fifty_sentences_of_the_sample_are_learnt_by_heart(system: str) -> None:
    known = data()
    layers = 2 if "transformer" in system else 1
    config = ModelConfig(
        system=system,
        embedding=48,
        hidden=64,
        coverage_dim=4,
        phrase_slots=4,
        initial_values="scaled",
        encoder_layers=layers,
        decoder_layers=layers,
    )
    translator = build_translator(config, len(known.source), len(known.target), seed=1)
    training = TrainingConfig(
        batch_size=10, steps=300, learning_rate=0.005, final_learning_rate=5e-4
    )
    for _ in fit.fit(translator, known.examples, training):
        pass
    unseen = [Example(e.source_ids, slots=e.slots) for e in known.examples]
    found = translate(translator, unseen, DecodingConfig(beam=3))
    phrases = config.slots > 0
    outputs = [printed(*both, known.target) for both in zip(known.pairs, found, strict=True)]
    references = [
        expected(pair, example, known.target, phrases=phrases)
        for pair, example in zip(known.pairs, known.examples, strict=True)
    ]
    assert any("UNK" in reference for reference in references) or phrases
    assert sacrebleu.corpus_bleu(outputs, [references], tokenize="none", force=True).score >= 95
    unknown = [
        (pair, hypothesis)
        for pair, example, hypothesis in zip(known.pairs, known.examples, found, strict=True)
        if any(UNK in slot.target_ids for slot in example.slots)
    ]
    assert unknown
    assert phrases == any(word.slot >= 0 for _, hypothesis in unknown for word in hypothesis.words)
