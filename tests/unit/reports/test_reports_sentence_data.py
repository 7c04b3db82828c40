"""The packed sentences: nothing is lost, attention is off by half a step, no text breaks out."""

import base64
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.metrics.attention_table import AttentionMatrix
from tasks.reports.sentence_data import (
    ATTENTION_LEVELS,
    Looks,
    ShownSentence,
    ShownTestset,
    SystemOutput,
    attention_digits,
    attention_levels,
    browser_data,
    gate_digits,
    packed,
)
from tests.reference.report_unpacking import gates_of, levels_of, unpack, words_of
from tests.report_data import SENTENCES, SYSTEMS

words = st.lists(st.text(min_size=1, max_size=6), max_size=5)
shares = st.floats(0, 1)


@given(st.lists(words, min_size=1, max_size=4), st.data())
def test_every_word_of_every_sentence_comes_back(sources: list[list[str]], data: Any) -> None:
    outputs = [data.draw(words) for _ in sources]
    sentences = [
        ShownSentence(number, f"t:{number}", source, [], ["r"], [SystemOutput(output, [], [])])
        for number, (source, output) in enumerate(zip(sources, outputs, strict=True))
    ]
    texts, looks = browser_data([ShownTestset("t", 9, sentences)], ["s"], "", "s")
    value = unpack(packed(texts))
    assert looks == [[[0]] * len(sentences)]
    (found,) = value["sets"]
    assert (found["name"], found["total"]) == ("t", 9)
    assert [row[1] for row in found["rows"]] == [each.sentence_id for each in sentences]
    for row, source, output in zip(found["rows"], sources, outputs, strict=True):
        assert words_of(value, row[2]) == source
        assert words_of(value, row[5][0][0]) == output


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, ATTENTION_LEVELS)), max_size=5),
    st.integers(0, 60),
)
def test_digits_of_attention_are_read_as_they_were_written(
    runs: list[tuple[int, int]], zeros: int
) -> None:
    levels = [level for before, last in runs for level in (*[0] * before, last)] + [0] * zeros
    text = attention_digits(levels)
    assert set(text) <= set(string.ascii_lowercase + string.digits)
    assert levels_of(text, len(levels)) == [levels]


@given(st.lists(shares, min_size=1, max_size=20))
def test_attention_is_off_by_half_a_step_at_most(row: list[float]) -> None:
    (levels,) = attention_levels(np.array([row]))
    for value, level in zip(row, levels, strict=True):
        assert abs(value - level / ATTENTION_LEVELS) <= 0.5 / ATTENTION_LEVELS + 1e-9


@given(st.lists(st.one_of(st.none(), shares), max_size=9))
def test_gates_are_off_by_less_than_a_percent(gates: list[float | None]) -> None:
    read = gates_of("".join(map(gate_digits, gates)))
    assert len(read) == len(gates)
    for gate, percent in zip(gates, read, strict=True):
        assert (gate is None) == (percent is None)
        if gate is not None and percent is not None:
            assert abs(gate - percent / 100) <= 0.01 + 1e-9


def test_a_gate_that_is_no_number_is_none() -> None:
    assert gate_digits(float("nan")) == "--"


def test_words_are_sent_again_only_where_a_model_reads_others() -> None:
    source, output = ["央行", "涨"], ["bank", "rose"]
    same = Looks.of(AttentionMatrix(tuple(source), tuple(output), np.eye(3)), [])
    units = Looks.of(AttentionMatrix(("央", "行", "涨"), tuple(output), np.eye(4)[:3]), [0.1] * 3)
    for looks, sent in ((same, 0), (units, ["央", "行", "涨"])):
        made = SystemOutput(output, [], [], looks=looks)
        shown = ShownSentence(1, "t:1", source, [], [], [made])
        value, attention = browser_data([ShownTestset("t", 1, [shown])], ["s"], "", "s")
        found = attention[0][0][0]
        assert (words_of(value, found[2]) if found[2] else 0) == sent
        assert found[3] == 0


def test_phrases_scores_and_baseline_are_sent() -> None:
    value, _ = browser_data([ShownTestset("news", 3, SENTENCES)], SYSTEMS, SYSTEMS[0], SYSTEMS[1])
    assert (value["systems"], value["baseline"], value["main"]) == (list(SYSTEMS), 0, 1)
    first = value["sets"][0]["rows"][0]
    assert first[4] == [[0, 2, "central bank", "term", "dictionary", "names", f"{0:024x}"]]
    assert first[5][0][1:5] == [[], "o", "i", 20.0]
    assert first[5][1][1:6] == [[0, 2, 0], "p", "e", 90.0, [1, 0, 0]]


def test_without_a_baseline_none_is_named() -> None:
    value, _ = browser_data([ShownTestset("news", 3, SENTENCES)], SYSTEMS, "", SYSTEMS[1])
    assert value["baseline"] == -1


@pytest.mark.parametrize("evil", ["</script>", "<!--", "\u202e", "\u2028", "\x00"])
def test_no_text_ends_the_element_it_stands_in(evil: str) -> None:
    text = packed({"text": evil})
    assert set(text) <= set(string.ascii_letters + string.digits + "+/=")
    assert unpack(text) == {"text": evil}
    # No time stands in the head of the stream: the same sentences give the same page.
    assert base64.b64decode(text)[4:8] == bytes(4)
