"""In which order the examples of an epoch come: examples of similar length together."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from model.batches import Example
from model.training_config import BatchUnit, TrainingConfig

Numbers = NDArray[np.int64]


@runtime_checkable
class KnowsLengths(Protocol):
    """Examples that know their lengths without being looked at one by one."""

    def lengths(self) -> tuple[Numbers, Numbers]:
        """Return the words of each target and of each source, without end marks."""
        ...


def lengths_of(examples: Sequence[Example]) -> tuple[Numbers, Numbers]:
    """Return the words of each target and of each source, without end marks (int64)."""
    if isinstance(examples, KnowsLengths):
        return examples.lengths()
    sides = [(len(each.target_ids), len(each.source_ids)) for each in examples]
    target, source = np.asarray(sides, dtype=np.int64).reshape(-1, 2).T
    return target, source


def batches_of_epoch(
    examples: Sequence[Example], config: TrainingConfig, epoch: int, *, groundhog: bool
) -> list[Numbers]:
    """Return the indices of the examples of each batch of an epoch.

    Args:
        examples: training pairs.
        config: size, unit, order and seed of batches.
        epoch: 0-based pass over the data.
        groundhog: whether the order of the papers is that of GroundHog.
    """
    sizes = {"batch_size": config.batch_size, "buffer_batches": config.buffer_batches}
    if config.batch_order == "paper":
        found = batches_of_the_papers(
            examples, seed=config.seed, unit=config.batch_unit, groundhog=groundhog, **sizes
        )
    else:
        found = bucketed_batches(
            examples, seed=config.seed, epoch=epoch, unit=config.batch_unit, **sizes
        )
    return list(found)


def bucketed_batches(
    examples: Sequence[Example],
    *,
    batch_size: int,
    seed: int,
    epoch: int,
    buffer_batches: int = 20,
    unit: BatchUnit = "sentences",
) -> Iterator[Numbers]:
    """Yield the indices of each batch of one epoch, examples of similar length together.

    The data are shuffled, cut into buffers of `buffer_batches` batches, each buffer is sorted by
    length and cut into batches, and the batches of a buffer are shuffled. The order depends on the
    arguments only.
    """
    target, source = lengths = lengths_of(examples)
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(target))
    most = batch_size * buffer_batches
    for chunk in _buffers(order, lengths, most, unit):
        ordered = chunk[np.lexsort((chunk, source[chunk], target[chunk]))]
        batches = _cut(ordered, lengths, batch_size, unit)
        for position in random.permutation(len(batches)):
            yield batches[position]


def batches_of_the_papers(
    examples: Sequence[Example],
    *,
    batch_size: int,
    seed: int,
    buffer_batches: int = 20,
    groundhog: bool = False,
    unit: BatchUnit = "sentences",
) -> Iterator[Numbers]:
    """Yield the indices of each batch in the order of the papers' programs, which is the same in
    every epoch.

    The data are shuffled once and cut into buffers of `buffer_batches` batches. dl4mt sorts each
    buffer by target length and uses it up from its longest end; GroundHog sorts it by the longer
    side and begins with the shortest.
    """
    target, source = lengths = lengths_of(examples)
    order = np.random.default_rng(seed).permutation(len(target))
    for chunk in _buffers(order, lengths, batch_size * buffer_batches, unit):
        keys = [chunk, source[chunk], target[chunk]]
        if groundhog:
            keys.append(np.maximum(target, source)[chunk])
        ordered = chunk[np.lexsort(keys)]
        yield from _cut(ordered if groundhog else ordered[::-1], lengths, batch_size, unit)


def padding_share(lengths: tuple[Numbers, Numbers], batches: Sequence[Numbers]) -> float:
    """Return the share of places in the padded batches of both sides that hold no word."""
    places, words = 0, 0
    for side in lengths:
        for batch in batches:
            places += len(batch) * (int(side[batch].max()) + 1)
            words += int(side[batch].sum()) + len(batch)
    return 1 - words / places if places else 0.0


def _buffers(
    order: Numbers, lengths: tuple[Numbers, Numbers], most: int, unit: BatchUnit
) -> Iterator[Numbers]:
    """Cut shuffled examples into buffers of so many sentences, or so many words."""
    if unit == "sentences":
        yield from (order[at : at + most] for at in range(0, len(order), most))
        return
    reached = np.cumsum(np.maximum(*lengths)[order] + 1)
    at = 0
    while at < len(order):
        before = int(reached[at - 1]) if at else 0
        end = max(at + 1, int(np.searchsorted(reached, before + most, side="right")))
        yield order[at:end]
        at = end


def _cut(
    ordered: Numbers, lengths: tuple[Numbers, Numbers], batch_size: int, unit: BatchUnit
) -> list[Numbers]:
    """Cut a sorted buffer into batches of so many sentences, or so many words with padding."""
    if unit == "sentences":
        return [ordered[at : at + batch_size] for at in range(0, len(ordered), batch_size)]
    places = (np.maximum(*lengths)[ordered] + 1).tolist()
    batches, at, longest = [], 0, 0
    for number, size in enumerate(places):
        longest = max(longest, size)
        if number > at and longest * (number + 1 - at) > batch_size:
            batches.append(ordered[at:number])
            at, longest = number, size
    return [*batches, ordered[at:]] if len(ordered) else batches
