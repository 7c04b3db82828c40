"""Whatever happens to the records of a ledger, `problems` says so, at the right place."""

import shutil
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from storage.ledger import Ledger

RECORDS = 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ledger")
    ledger = Ledger(root)
    for number in range(RECORDS):
        ledger.append("run", {"step": "词", "number": number, "share": 0.5})
    return root


def paths(root: Path) -> list[Path]:
    return sorted((root / "ledger" / "records").iterdir())


def copy(whole: Path) -> Path:
    target = whole.parent / "damaged"
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(whole, target))


def numbers_named(root: Path) -> set[int]:
    """Return the records that the findings speak of."""
    found = [problem.split() for problem in Ledger(root).problems()]
    assert all(words[0] == "record" for words in found)
    return {int(words[1]) for words in found}


@settings(max_examples=80, deadline=None)
@given(
    number=st.integers(0, RECORDS - 1),
    position=st.integers(0, 500),
    bits=st.integers(1, 255),
)
def test_a_changed_byte_is_found_where_it_is_or_right_behind(
    whole: Path, number: int, position: int, bits: int
) -> None:
    root = copy(whole)
    path = paths(root)[number]
    data = bytearray(path.read_bytes())
    data[position % len(data)] ^= bits
    path.write_bytes(bytes(data))
    named = numbers_named(root)
    assert named
    assert named <= {number, number + 1} & set(range(RECORDS))


@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, RECORDS - 1), data=st.binary(max_size=40))
def test_a_replaced_record_is_found(whole: Path, number: int, data: bytes) -> None:
    root = copy(whole)
    paths(root)[number].write_bytes(data)
    assert number in numbers_named(root)


@settings(max_examples=30, deadline=None)
@given(lost=st.sets(st.integers(0, RECORDS - 1), min_size=1))
def test_lost_records_are_found(whole: Path, lost: set[int]) -> None:
    root = copy(whole)
    listed = paths(root)
    for number in lost:
        listed[number].unlink()
    # A gap is named by its first record.
    assert numbers_named(root) == {number for number in lost if number - 1 not in lost}


@settings(max_examples=30, deadline=None)
@given(order=st.permutations(range(RECORDS)))
def test_reordered_records_are_found(whole: Path, order: list[int]) -> None:
    assume(order != sorted(order))
    root = copy(whole)
    listed = paths(root)
    contents = [path.read_bytes() for path in listed]
    for path, number in zip(listed, order, strict=True):
        path.write_bytes(contents[number])
    moved = {place for place, number in enumerate(order) if place != number}
    assert moved <= numbers_named(root)
