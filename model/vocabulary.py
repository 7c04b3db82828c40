"""Words and their ids. It knows nothing of text processing: words come in, ids go out, and back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

EOS = 0
"""Id of the mark that ends every sentence."""
UNK = 1
"""Id of every word that is not in the vocabulary."""
SPECIAL = ("</s>", "UNK")
"""Printed forms of the two special ids."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """An ordered list of words; a word's id is its position, ids 0 and 1 are special."""

    words: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.words[:2] != SPECIAL:
            raise ValueError(
                f"vocabulary: the first two entries are {self.words[:2]}; they must be {SPECIAL}."
            )
        ids = {word: position for position, word in enumerate(self.words) if position > UNK}
        if len(ids) != len(self.words) - 2:
            raise ValueError("vocabulary: a word occurs twice; every word must have one id.")
        object.__setattr__(self, "_ids", ids)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    @classmethod
    def build(cls, counts: Mapping[str, int], size: int) -> "Vocabulary":
        """Keep the most frequent words, equal counts in the order of the words.

        Args:
            counts: how often each word was seen; the order of the mapping does not matter.
            size: most entries of the vocabulary, the two special ones included.

        Raises:
            ValueError: `size` leaves no room for a word.
        """
        if size < 3:
            raise ValueError(f"vocabulary size is {size}; it must be 3 or more.")
        real = (item for item in counts.items() if item[0] not in SPECIAL)
        ranked = sorted(real, key=lambda item: (-item[1], item[0]))
        return cls(SPECIAL + tuple(word for word, _ in ranked[: size - 2]))

    def encode(self, words: Iterable[str]) -> NDArray[np.int32]:
        """Return the ids of words (int32, no end mark added)."""
        return np.asarray([self._ids.get(word, UNK) for word in words], dtype=np.int32)

    def decode(self, ids: Sequence[int] | NDArray[np.int32]) -> list[str]:
        """Return the words of ids; `EOS` and `UNK` give their printed forms."""
        return [self.words[int(number)] for number in ids]
