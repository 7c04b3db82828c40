"""Sizes, sentences and batches that the measurements of speed share.

The sentences are random words with the lengths of real ones: speed depends on lengths and sizes,
not on what words mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from model.batch_order import bucketed_batches
from model.batches import Example, SlotIds

BATCH, BUCKETS = 80, 20
LONGEST = 50


@dataclass(frozen=True, slots=True)
class Size:
    """Widths of a network; source and target have as many words."""

    name: str
    embedding: int
    hidden: int
    vocabulary: int = 16_000


SMALL = Size("small", 128, 256)
LARGE = Size("large", 620, 1000)


def sentences(count: int, vocabulary: int, seed: int = 1) -> list[Example]:
    """Return random pairs with up to three slots each; the lengths are log-normal with means near
    22 and 28 words, at most 50.
    """
    random = np.random.default_rng(seed)
    return [_example(random, vocabulary) for _ in range(count)]


def _example(random: np.random.Generator, vocabulary: int) -> Example:
    source_length = int(np.clip(random.lognormal(2.98, 0.55), 4, LONGEST))
    target_length = int(np.clip(source_length * random.normal(1.25, 0.15), 4, LONGEST))
    source = random.integers(2, vocabulary - 2, source_length).astype(np.int32)
    target = random.integers(2, vocabulary - 2, target_length).astype(np.int32)
    slots = tuple(
        SlotIds(start, start + 2, tuple(int(word) for word in target[start : start + 3]), start)
        for start in range(0, min(source_length, target_length) - 6, 6)
    )
    return Example(source, target, slots[:3])


def bucketed(examples: Sequence[Example], count: int) -> list[list[Example]]:
    """Return some batches as training forms them: pairs of nearly equal length."""
    order = bucketed_batches(examples, batch_size=BATCH, seed=1, epoch=0, buffer_batches=BUCKETS)
    return [[examples[index] for index in batch] for batch in islice(order, count)]


def random_order(examples: Sequence[Example], count: int) -> list[list[Example]]:
    """Return some batches in random order, as Joey NMT forms them."""
    order = np.random.default_rng(2).permutation(len(examples))
    return [
        [examples[index] for index in order[first * BATCH : (first + 1) * BATCH]]
        for first in range(count)
    ]
