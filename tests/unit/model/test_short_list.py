"""Short lists of target words, and products in int8."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example
from model.config import DecodingConfig
from model.search import Hypothesis, translate, translate_n_best
from model.search_softmax import STEPS, quantised
from model.short_list import short_list
from model.vocabulary import EOS, UNK, Vocabulary
from tasks.short_list import MOST_TRANSLATIONS, listed_ids, word_table
from tasks.text.units import PairCoder
from tests.reference.model_examples import WORDS, example, examples, toy_config, toy_translator

SYSTEMS = ("rnnsearch", "phrasenet-gate", "phrasenet-softmax", "transformer+phrase-gate")
NETWORKS = {name: toy_translator(toy_config(name), scale=0.8) for name in SYSTEMS}
ALL = np.arange(WORDS)
METHODS = (
    DecodingConfig(beam=3, max_length_ratio=2.0),
    DecodingConfig(beam=3, max_length_ratio=2.0, precision="bfloat16"),
    DecodingConfig(method="greedy", max_length_ratio=2.0),
    DecodingConfig(method="sample", samples=2, max_length_ratio=2.0),
)


def words(hypothesis: Hypothesis) -> list[tuple[int, int]]:
    return [(word.word_id, word.slot) for word in hypothesis.words]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("config", METHODS)
@settings(max_examples=3)
@given(batch=st.lists(examples(most=4), min_size=1, max_size=3))
def test_a_list_of_all_words_changes_nothing(
    system: str, config: DecodingConfig, batch: list[Example]
) -> None:
    network = NETWORKS[system]
    whole = translate_n_best(network, batch, config)
    assert translate_n_best(network, batch, config, listed=[ALL] * len(batch)) == whole


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=5)
@given(
    batch=st.lists(examples(most=4), min_size=2, max_size=4),
    lists=st.lists(st.lists(st.integers(0, WORDS - 1), max_size=4), min_size=4, max_size=4),
)
def test_translations_keep_to_their_own_list_in_any_company(
    system: str, batch: list[Example], lists: list[list[int]]
) -> None:
    network, config = NETWORKS[system], DecodingConfig(beam=3, max_length_ratio=2.0)
    listed = [np.asarray(ids, dtype=np.int64) for ids in lists[: len(batch)]]
    together = translate(network, batch, config, listed=listed)
    for sentence, ids, found in zip(batch, listed, together, strict=True):
        phrases = {word for slot in sentence.slots for word in slot.target_ids}
        assert {word for word, _ in words(found)} <= {*ids.tolist(), *phrases, UNK}
        alone = translate(network, [sentence], config, listed=[ids])[0]
        assert words(alone) == words(found)
        assert alone.score == pytest.approx(found.score, abs=1e-9)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("copies", [1, 2])
def test_probabilities_are_shared_out_among_the_words_of_the_list(
    precision: str, copies: int
) -> None:
    config = DecodingConfig(beam=9, max_length_ratio=1.0, recombine=False, precision=precision)  # type: ignore[arg-type]
    networks = [NETWORKS["rnnsearch"].float()] * copies
    try:
        found = translate_n_best(networks, [example([3])], config, listed=[np.asarray([2, 5])])[0]
    finally:
        NETWORKS["rnnsearch"].double()
    first = {h.words[0].word_id: h.words[0].probability for h in found if h.words}
    empty = [np.exp(h.log_probability) for h in found if not h.words]
    assert first.keys() == {UNK, 2, 5}
    assert sum(first.values()) + empty[0] == pytest.approx(
        1, abs=1e-3 if precision == "bfloat16" else 1e-5
    )


def test_required_words_of_phrases_are_on_the_list() -> None:
    sentence = example([2, 3, 4], None, (0, 2, (9, 10), -1))
    config = DecodingConfig(beam=2)
    for system in ("rnnsearch", "phrasenet-gate"):
        listed = [np.zeros(0, dtype=np.int64)]
        found = translate(NETWORKS[system], [sentence], config, [frozenset([0])], listed)[0]
        assert {9, 10} <= {word for word, _ in words(found)}


def test_a_list_begins_with_the_end_mark_and_knows_its_places() -> None:
    made = short_list(
        [np.asarray([7, 3]), np.asarray([5])], [example([2])] * 2, torch.device("cpu")
    )
    assert made.word_X.tolist() == [EOS, UNK, 3, 5, 7]
    assert made.closed_BX.tolist() == [
        [False, False, False, True, False],
        [False] * 2 + [True, False, True],
    ]
    assert made.places(torch.tensor([3, 7])).tolist() == [2, 4]
    assert made.spread(torch.tensor([[1.0, 2, 3, 4, 5]]), 9)[0, 3] == 3


def test_words_come_from_phrases_then_from_links_and_from_no_rejected_phrase() -> None:
    phrases = [
        {"source": "水", "target": "fresh water", "state": "active"},
        {"source": "火", "target": "fire", "state": "rejected"},
    ]
    links = [
        {"source": "水", "target": "river", "count": 2},
        {"source": "水", "target": "liquid", "count": 5},
        {"source": "", "target": "the", "count": 9},
    ] + [{"source": "一", "target": f"w{n:02}", "count": 1} for n in range(30)]
    table = word_table(phrases, links)
    assert table["水"] == ("fresh", "water", "liquid", "river")
    assert table["一"] == tuple(f"w{n:02}" for n in range(MOST_TRANSLATIONS))
    assert set(table) == {"水", "一"}
    target = Vocabulary(("</s>", "UNK", "the", "a", "river", "water"))
    coder = PairCoder.of("words", "words", {})
    assert listed_ids(["水", "木"], table, coder, target, 3).tolist() == [0, 1, 2, 4, 5]
    assert listed_ids(["木"], table, coder, target, 99).tolist() == [0, 1, 2, 3, 4, 5]


def test_whole_numbers_give_rows_back_within_half_a_step() -> None:
    x_XE = torch.randn(7, 30, generator=torch.Generator().manual_seed(1))
    x_XE[3] = 0
    whole_XE, scale_X1 = quantised(x_XE)
    assert whole_XE.dtype == torch.int8
    assert int(whole_XE.abs().max()) == STEPS
    assert ((whole_XE * scale_X1 - x_XE).abs() <= scale_X1 / 2 + 1e-7).all()


@pytest.mark.parametrize("listed", [None, [ALL] * 3])
@pytest.mark.parametrize("system", SYSTEMS)
def test_int8_scores_are_close_and_those_of_the_best_words_closer(
    system: str, listed: list[np.ndarray] | None
) -> None:
    batch = [example([2, 3, 4]), example([5, 2], None, (0, 1, (4, 6), -1)), example([7, 8, 9, 3])]
    config = DecodingConfig(beam=4, max_length_ratio=2.0)
    exact = translate(NETWORKS[system], batch, config)
    whole = translate(NETWORKS[system], batch, replace(config, readout="int8"), listed=listed)
    for one, other in zip(exact, whole, strict=True):
        assert words(one) == words(other)
        assert one.score == pytest.approx(other.score, abs=0.02)
        assert one.score != other.score
