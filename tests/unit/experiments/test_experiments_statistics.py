"""What a result keeps of each sentence comes back as it was, and gives the same scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.experiments.config import METRICS
from tasks.experiments.statistics import (
    FLAVOURS,
    KINDS,
    LONG,
    SHORT,
    SOURCE_WORDS,
    bleu_columns,
    bleu_counts,
    inside,
    kinds_of,
    packed,
    unpacked,
)
from tasks.metrics.mteval import count_corpus
from tasks.subsets import SUBSETS

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6).map(" ".join)
REFERENCES = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(WORDS, REFERENCES), min_size=1, max_size=8), st.sampled_from(METRICS))
def test_counts_come_back_from_their_packed_columns(
    pairs: list[tuple[str, str]], metric: str
) -> None:
    outputs, references = zip(*pairs, strict=True)
    corpus = count_corpus([outputs], [references], flavour=FLAVOURS[metric])  # type: ignore[index]
    kept = unpacked(packed(bleu_columns(metric, corpus.counts[0])))  # type: ignore[arg-type]
    assert np.array_equal(bleu_counts(kept, metric), corpus.counts[0])  # type: ignore[arg-type]


def slot(origin: str) -> dict[str, str]:
    return {"origin": origin}


def test_kinds_of_sentences_are_kept_as_bits() -> None:
    rows = [
        {"slots": [slot("rule")], "has_unknown": False},
        {"slots": [slot("mined")], "has_unknown": True},
        {"slots": [], "has_unknown": False},
    ]
    columns = {KINDS: kinds_of(rows), SOURCE_WORDS: np.array([30, 31, 5], dtype=np.int32)}
    for name, belongs in SUBSETS.items():
        assert inside(columns, name).tolist() == [belongs(row) for row in rows], name
    assert inside(columns, LONG).tolist() == [False, True, False]
    assert inside(columns, SHORT).tolist() == [True, False, True]


@pytest.mark.parametrize("damage", [{"data": "not base64"}, {"sentences": 9}, {"columns": ["a"]}])
def test_damaged_statistics_are_refused(damage: dict[str, object]) -> None:
    kept = packed({"a": np.array([1, 2]), "b": np.array([3, 4])})
    with pytest.raises(InputError, match="damaged"):
        unpacked(kept | damage)
