"""Made-up sentence pairs to train small networks on."""

import numpy as np

from model.batches import Example, SlotIds


def reversed_pairs(number: int, seed: int) -> list[Example]:
    """Make pairs of 2 to 5 words: the target is the source from its end; every other has a slot."""
    random = np.random.default_rng(seed)
    found = []
    for index in range(number):
        source = random.integers(2, 12, size=int(random.integers(2, 6))).astype(np.int32)
        target = source[::-1].copy()
        phrase = SlotIds(0, 1, (int(source[0]),), len(source) - 1)
        found.append(Example(source, target, (phrase,) if index % 2 else ()))
    return found
