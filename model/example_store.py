"""Examples as a few long arrays: they need the memory of their numbers, and no object per sentence.

The arrays may lie in a file that is mapped into memory; an example is made of views on them when it
is asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from model.batches import Example, SlotIds

COLUMNS: Mapping[str, str] = {
    "source_ids": "int32",
    "source_lengths": "int32",
    "target_ids": "int32",
    "target_lengths": "int32",
    "num_slots": "int32",
    "slot_starts": "int32",
    "slot_ends": "int32",
    "slot_places": "int32",
    "phrase_ids": "int32",
    "phrase_lengths": "int32",
}
"""The arrays and their types. Those of ids hold the words of all sentences or phrases, one after
the other; `slot_places` is where a phrase stands in the reference, or -1."""


def columns_of(examples: Iterable[Example]) -> dict[str, NDArray[np.int32]]:
    """Return the columns of some examples; those of several parts can be joined."""
    chosen = list(examples)
    slots = [slot for example in chosen for slot in example.slots]
    lists: dict[str, Any] = {
        "source_lengths": [len(example.source_ids) for example in chosen],
        "target_lengths": [len(example.target_ids) for example in chosen],
        "num_slots": [len(example.slots) for example in chosen],
        "slot_starts": [slot.source_start for slot in slots],
        "slot_ends": [slot.source_end for slot in slots],
        "slot_places": [slot.target_start for slot in slots],
        "phrase_ids": [word for slot in slots for word in slot.target_ids],
        "phrase_lengths": [len(slot.target_ids) for slot in slots],
    }
    nothing = [np.zeros(0, dtype=np.int32)]
    return {
        "source_ids": np.concatenate(nothing + [each.source_ids for each in chosen]),
        "target_ids": np.concatenate(nothing + [each.target_ids for each in chosen]),
        **{name: np.asarray(values, dtype=np.int32) for name, values in lists.items()},
    }


class ExampleStore(Sequence[Example]):
    """Examples that are made of columns when they are asked for."""

    def __init__(self, columns: Mapping[str, NDArray[np.int32]]) -> None:
        """Take the columns as they are, without a copy.

        Args:
            columns: as `columns_of` makes them, each in one piece.
        """
        self._columns = columns
        self._source_starts = _starts(columns["source_lengths"])
        self._target_starts = _starts(columns["target_lengths"])
        self._slot_starts = _starts(columns["num_slots"])
        self._phrase_starts = _starts(columns["phrase_lengths"])

    def __len__(self) -> int:
        return len(self._columns["source_lengths"])

    @overload
    def __getitem__(self, index: int) -> Example: ...

    @overload
    def __getitem__(self, index: slice) -> list[Example]: ...

    def __getitem__(self, index: int | slice) -> Example | list[Example]:
        """Return one example or several; their words are views on the columns."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = int(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no example {number}: there are {len(self)}")
        number %= len(self)
        source, target = self._source_starts, self._target_starts
        return Example(
            self._columns["source_ids"][source[number] : source[number + 1]],
            self._columns["target_ids"][target[number] : target[number + 1]],
            tuple(map(self._slot, range(self._slot_starts[number], self._slot_starts[number + 1]))),
        )

    def lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the words of each target and of each source, without end marks."""
        target, source = self._columns["target_lengths"], self._columns["source_lengths"]
        return target.astype(np.int64), source.astype(np.int64)

    def _slot(self, number: int) -> SlotIds:
        columns, start = self._columns, self._phrase_starts
        return SlotIds(
            int(columns["slot_starts"][number]),
            int(columns["slot_ends"][number]),
            tuple(columns["phrase_ids"][start[number] : start[number + 1]].tolist()),
            int(columns["slot_places"][number]),
        )


def _starts(lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where each part begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])
