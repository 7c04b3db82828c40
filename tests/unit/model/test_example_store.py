"""Examples as long arrays: the same examples, made when they are asked for."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.batch_order import KnowsLengths, lengths_of
from model.batches import Example
from model.example_store import COLUMNS, ExampleStore, columns_of
from storage.array_files import ArrayFiles
from tests.reference.model_examples import examples


def alike(one: Example, other: Example) -> bool:
    return (
        one.slots == other.slots
        and np.array_equal(one.source_ids, other.source_ids)
        and np.array_equal(one.target_ids, other.target_ids)
    )


@given(st.lists(examples(), max_size=6))
def test_a_store_gives_back_the_examples(data: list[Example]) -> None:
    store = ExampleStore(columns_of(data))
    assert len(store) == len(data)
    assert all(map(alike, store, data))
    assert [len(part) for part in (store[1:], store[::2])] == [len(data[1:]), len(data[::2])]
    for ours, theirs in zip(lengths_of(store), lengths_of(data), strict=True):
        assert np.array_equal(ours, theirs)
    assert isinstance(store, KnowsLengths)
    with pytest.raises(IndexError):
        store[len(data)]


def test_what_is_written_in_parts_is_mapped_without_copies(tmp_path: Path) -> None:
    words = [np.arange(2, 2 + size, dtype=np.int32) for size in (3, 1, 4)]
    data = [Example(each, each[::-1]) for each in words]
    files = ArrayFiles(tmp_path / "examples", COLUMNS)
    for part in (data[:2], [], data[2:]):
        files.add(columns_of(part))
    mapped = files.mapped()
    store = ExampleStore(mapped)
    assert all(map(alike, store, data))
    assert np.shares_memory(store[2].source_ids, mapped["source_ids"])
    assert not mapped["source_ids"].flags.owndata
    assert len(ExampleStore(ArrayFiles(tmp_path / "nothing", COLUMNS).mapped())) == 0
