"""The canonical content digest, case by case; its laws are in
tests/property/test_storage_tables.py.
"""

import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

from storage.digests import ContentDigest, file_digest, text_digest

WORDS = pa.list_(pa.string())
SPANS = pa.list_(pa.struct([("start", pa.int32()), ("rule", pa.string())]))


def digest_of(kind: pa.DataType, *batches: list[object]) -> str:
    schema = pa.schema([("value", kind)])
    digest = ContentDigest(schema)
    for values in batches:
        digest.update(pa.record_batch([pa.array(values, kind)], schema=schema))
    return digest.hexdigest()


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (pa.string(), [None], [""]),
        (pa.string(), ["ab", "c"], ["a", "bc"]),
        (pa.string(), ["", "a"], ["a", ""]),
        (pa.string(), ["a", None], [None, "a"]),
        (pa.int64(), [None], [0]),
        (pa.int64(), [1, 2], [2, 1]),
        (pa.int64(), [], [0]),
        (pa.float64(), [None], [0.0]),
        (pa.float64(), [1.0], [1.0000000000000002]),
        (pa.bool_(), [None], [False]),
        (WORDS, [["a", "b"]], [["ab"]]),
        (WORDS, [["a", "b"], ["c"]], [["a"], ["b", "c"]]),
        (WORDS, [[]], [None]),
        (WORDS, [[]], [[""]]),
        (WORDS, [[None]], [[""]]),
        (WORDS, [["a"], []], [[], ["a"]]),
        (SPANS, [[{"start": 1, "rule": None}]], [[{"start": 1, "rule": ""}]]),
        (SPANS, [[{"start": 0, "rule": ""}]], [[{"start": None, "rule": ""}]]),
        (SPANS, [[None]], [[{"start": None, "rule": None}]]),
    ],
)
def test_different_values_have_different_digests(
    kind: pa.DataType, one: list[object], other: list[object]
) -> None:
    assert digest_of(kind, one) != digest_of(kind, other)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.string(), ["a", None, "bc", ""]),
        (pa.int64(), [1, None, 3, 4]),
        (WORDS, [["a", "b"], [], None, ["c", None]]),
        (SPANS, [[{"start": 1, "rule": "a"}], None, [], [None]]),
    ],
)
def test_the_digest_does_not_depend_on_where_batches_are_cut(
    kind: pa.DataType, values: list[object]
) -> None:
    whole = digest_of(kind, values)
    assert digest_of(kind, values[:1], values[1:]) == whole
    assert digest_of(kind, values[:3], [], values[3:]) == whole


def test_the_digest_does_not_see_how_an_array_lies_in_memory() -> None:
    schema = pa.schema([("value", WORDS)])
    values = pa.array([["x"], ["a", "b"], None, ["c"], ["y"]], WORDS)
    sliced = ContentDigest(schema)
    sliced.update(pa.record_batch([values.slice(1, 3)], schema=schema))
    assert sliced.hexdigest() == digest_of(WORDS, [["a", "b"], None, ["c"]])


def test_the_digest_names_its_columns_and_types() -> None:
    assert digest_of(pa.int64(), [1]) != digest_of(pa.int32(), [1])
    renamed = ContentDigest(pa.schema([("other", pa.int64())]))
    renamed.update(pa.record_batch([pa.array([1])], names=["other"]))
    assert renamed.hexdigest() != digest_of(pa.int64(), [1])


def test_digests_stay_what_they_were() -> None:
    """The digests of old workspaces must be found again by every later version."""
    assert text_digest("词") == "52ff1aedae10a89812e29cfa50746c69"
    assert digest_of(WORDS, [["中央", "银行"], [], None]) == "a81abce4837c3984a61d148d4642e24b"


def test_a_file_is_digested_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a" * (1 << 20) + b"b")
    assert file_digest(path) == hashlib.sha256(path.read_bytes()).hexdigest()
