"""In which order the examples of an epoch come: examples of similar length together."""

from collections.abc import Iterator, Sequence

import numpy as np

from model.batches import Example


def bucketed_batches(
    examples: Sequence[Example], *, batch_size: int, seed: int, epoch: int, buffer_batches: int = 20
) -> Iterator[list[int]]:
    """Yield the indices of each batch of one epoch, examples of similar length together.

    The data are shuffled, cut into buffers of `buffer_batches` batches, each buffer is sorted by
    length and cut into batches, and the batches of a buffer are shuffled. The order depends on the
    arguments only.
    """
    lengths = [(len(e.target_ids), len(e.source_ids)) for e in examples]
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths)).tolist()
    buffer = batch_size * buffer_batches
    for start in range(0, len(order), buffer):
        chunk = sorted(order[start : start + buffer], key=lambda index: (lengths[index], index))
        batches = [chunk[at : at + batch_size] for at in range(0, len(chunk), batch_size)]
        for position in random.permutation(len(batches)):
            yield batches[position]


def batches_of_the_papers(
    examples: Sequence[Example],
    *,
    batch_size: int,
    seed: int,
    buffer_batches: int = 20,
    groundhog: bool = False,
) -> Iterator[list[int]]:
    """Yield the indices of each batch in the order of the papers' programs, which is the same in
    every epoch.

    The data are shuffled once and cut into buffers of `buffer_batches` batches. dl4mt sorts each
    buffer by target length and uses it up from its longest end; GroundHog sorts it by the longer
    side and begins with the shortest.
    """
    lengths = [(len(e.target_ids), len(e.source_ids)) for e in examples]
    keys = [(max(pair), *pair) if groundhog else (*pair, 0) for pair in lengths]
    order = np.random.default_rng(seed).permutation(len(lengths)).tolist()
    buffer = batch_size * buffer_batches
    for start in range(0, len(order), buffer):
        chunk = sorted(order[start : start + buffer], key=lambda index: (keys[index], index))
        if not groundhog:
            chunk.reverse()
        for at in range(0, len(chunk), batch_size):
            yield chunk[at : at + batch_size]
