"""Whether bfloat16 learns and translates as float32 does, on the built-in sample.

`python -m benchmarks.precision [SYSTEM ...]` trains small networks three times: in float32, in
bfloat16, and in float32 with another seed; then it counts translations that bfloat16 changes. The
loss in bfloat16 should differ from float32 no more than one seed from another. Some two minutes of
one processor for each system.
"""

import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import torch

from benchmarks.measuring import say
from benchmarks.results_page import markdown_table
from model.batches import Example, SlotIds
from model.config import DecodingConfig, ModelConfig, Precision, TrainingConfig
from model.fit import fit
from model.search import translate
from model.translator import Translator, build_translator
from model.vocabulary import Vocabulary
from tasks.sample.chunks import SamplePair
from tasks.sample.newswire import Sample, generate

SYSTEMS = ("rnnsearch", "phrasenet-gate", "groundhog-gru")
WORDS, EMBEDDING, HIDDEN, BATCH, STEPS, MEAN_OF = 1000, 64, 96, 40, 240, 30
TRANSLATED = 500


def main(systems: Sequence[str]) -> int:
    """Print a table of losses and a count for each system."""
    torch.set_num_threads(1)
    sample = generate(1)
    known = _vocabularies(sample)
    pairs = [_example(pair, *known) for pair in sample.train]
    held_out = [_example(pair, *known) for pair in (*sample.dev, *sample.test)][:TRANSLATED]
    for system in systems or SYSTEMS:
        exact = _network(system, known, seed=1)
        losses = [
            _losses(exact, pairs, "float32", seed=1),
            _losses(_network(system, known, seed=1), pairs, "bfloat16", seed=1),
            _losses(_network(system, known, seed=2), pairs, "float32", seed=2),
        ]
        say(f"## {system}\n\n{_table(losses)}\n")
        say(f"{_changed(exact, held_out)} of {len(held_out)} translations differ in bfloat16.\n")
    return 0


def _vocabularies(sample: Sample) -> tuple[Vocabulary, Vocabulary]:
    source = Counter(word for pair in sample.train for word in pair.source_words)
    target = Counter(word for pair in sample.train for word in pair.target_words)
    return Vocabulary.build(source, WORDS), Vocabulary.build(target, WORDS)


def _example(pair: SamplePair, source: Vocabulary, target: Vocabulary) -> Example:
    words = target.encode(pair.target_words)
    slots = [
        SlotIds(
            phrase.source.start,
            phrase.source.end,
            tuple(words[phrase.target.start : phrase.target.end].tolist()),
            phrase.target.start,
        )
        for phrase in pair.phrases
    ]
    return Example(source.encode(pair.source_words), words, tuple(slots[:10]))


def _network(system: str, known: tuple[Vocabulary, Vocabulary], seed: int) -> Translator:
    config = ModelConfig(system=system, embedding=EMBEDDING, hidden=HIDDEN, initial_values="scaled")
    return build_translator(config, len(known[0]), len(known[1]), seed)


def _losses(
    translator: Translator, pairs: Sequence[Example], precision: Precision, seed: int
) -> list[float]:
    """Train; return the mean loss of each few steps."""
    config = TrainingConfig(
        batch_size=BATCH, steps=STEPS, learning_rate=0.003, precision=precision, seed=seed
    )
    losses = iter([report.loss for report in fit(translator, pairs, config)])
    return [statistics.mean(part) for part in _parts(losses)]


def _parts(losses: Iterator[float]) -> Iterator[list[float]]:
    while part := list(islice(losses, MEAN_OF)):
        yield part


def _table(losses: Sequence[Sequence[float]]) -> str:
    rows = [
        [
            f"{number * MEAN_OF + 1} to {(number + 1) * MEAN_OF}",
            f"{exact:.3f}",
            f"{rough:.3f}",
            f"{rough - exact:+z.3f}",
            f"{other:.3f}",
            f"{other - exact:+z.3f}",
        ]
        for number, (exact, rough, other) in enumerate(zip(*losses, strict=True))
    ]
    heading = ["steps", "float32", "bfloat16", "difference", "other seed", "difference"]
    return markdown_table(heading, rows)


def _changed(translator: Translator, examples: Sequence[Example]) -> int:
    """Return how many translations bfloat16 changes."""
    formats: tuple[Precision, ...] = ("float32", "bfloat16")
    exact, rough = (
        [
            [word.word_id for word in found.words]
            for found in translate(translator, examples, DecodingConfig(beam=5, precision=each))
        ]
        for each in formats
    )
    return sum(a != b for a, b in zip(exact, rough, strict=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
