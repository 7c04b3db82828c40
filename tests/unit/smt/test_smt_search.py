"""The decoder against all translations there are, on tables that are small enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.smt.config import SmtConfig
from tasks.smt.extensions import MOST_JUMP, cover, may_follow
from tasks.smt.features import NUM_FEATURES, Weights
from tasks.smt.model_files import SmtModel
from tasks.smt.translator import SmtTranslator
from tests.reference.smt_search import Pair, derivations, features
from tests.smt_models import SOURCE, Toy, toy, toy_of

WIDE = SmtConfig(max_words=3, stack=10_000, pops=20_000, span_candidates=100)
FLAT = (-1.0,) * 4, (-1.0,) * 6


def random_weights(seed: int) -> Weights:
    chance = np.random.default_rng(seed)
    usual = np.array([0.3] * 4 + [0, -0.3, 0.1, 0.5] + [0] * 6)
    weights: Weights = usual + 0.5 * chance.normal(size=NUM_FEATURES)
    return weights


def by_hand(made: Toy, words: list[str], weights: Weights, limit: int) -> dict[str, float]:
    """Score every translation; of those with the same words the best counts."""
    found: dict[str, float] = {}
    for path in derivations(words, made.pairs, limit):
        text = " ".join(word for step in path for word in step.pair.target)
        score = float(np.dot(weights, features(path, made.slow)))
        found[text] = max(score, found.get(text, -np.inf))
    return found


def translator(model: SmtModel, weights: Weights, **changes: object) -> SmtTranslator:
    values = {name: getattr(WIDE, name) for name in WIDE.__slots__} | changes
    return SmtTranslator(model, weights, SmtConfig(**values))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.lists(st.sampled_from(SOURCE), min_size=1, max_size=5),
    st.integers(0, 4),
)
def test_a_wide_search_finds_the_best_of_all_translations(
    seed: int, words: list[str], limit: int
) -> None:
    made, weights = toy(seed, pairs=5), random_weights(seed)
    expected = by_hand(made, words, weights, limit)
    wide = translator(made.model, weights, distortion_limit=limit)
    found = wide.translate(words)
    text = " ".join(each.word for each in found.words)
    assert found.score == pytest.approx(max(expected.values()), abs=1e-3)
    assert expected[text] == pytest.approx(found.score, abs=1e-3)
    best = wide.candidates(words, 50)
    scores = [float(each.features @ weights) for each in best]
    assert scores == sorted(scores, reverse=True)
    assert len({each.words for each in best}) == len(best)
    ranked = sorted(expected.values(), reverse=True)
    assert scores[:5] == pytest.approx(ranked[: len(scores[:5])], abs=1e-3)
    for each in best:
        assert expected[" ".join(each.words)] == pytest.approx(
            float(each.features @ weights), abs=1e-3
        )


def test_a_swap_is_found_within_the_limit_and_not_without_one() -> None:
    """The language model wants the second word first."""
    pairs = [Pair(("一",), ("A",), *FLAT), Pair(("二",), ("B",), *FLAT)]
    made = toy_of(pairs, [["B", "A"]] * 20)
    weights = np.array([0.1] * 4 + [0.0, 0.0, 0.1, 1.0] + [0.0] * 6)
    said = {
        limit: [
            w.word
            for w in translator(made.model, weights, distortion_limit=limit).translate("一二").words
        ]
        for limit in (0, 6)
    }
    assert said == {0: ["A", "B"], 6: ["B", "A"]}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.sampled_from([*SOURCE, "新"]), max_size=30))
def test_no_limit_is_monotone_and_every_word_is_translated(seed: int, words: list[str]) -> None:
    made = toy(seed)
    for limit, stack in ((0, 10), (3, 2), (6, 20)):
        narrow = translator(
            made.model, random_weights(seed), distortion_limit=limit, stack=stack, pops=stack * 2
        )
        found = narrow.translate(words)
        assert found == narrow.translate(words)
        spans = list(dict.fromkeys((each.start, each.end) for each in found.words))
        covered = sorted(place for start, end in spans for place in range(start, end))
        assert covered == list(range(len(words)))
        jumps = [
            abs(now[0] - before[1]) for before, now in zip([(0, 0), *spans], spans, strict=False)
        ]
        assert max(jumps, default=0) <= limit


def test_an_unknown_word_is_copied_and_an_empty_sentence_stays_empty() -> None:
    made = toy(1)
    plain = translator(made.model, random_weights(1))
    assert plain.translate([]).words == ()
    assert plain.candidates([], 3) == []
    found = plain.translate(["新"])
    assert [each.word for each in found.words] == ["新"]
    assert found.score < -50


def test_a_very_long_sentence_is_translated() -> None:
    made = toy(2)
    words = (SOURCE * 200)[:700]
    quick = translator(made.model, random_weights(2), stack=5, pops=20, distortion_limit=6)
    found = quick.translate(words)
    assert {place for each in found.words for place in range(each.start, each.end)} == set(
        range(700)
    )


@settings(deadline=None)
@given(st.sets(st.integers(1, 12)), st.integers(1, 4), st.integers(0, 8))
def test_coverage_is_a_set_of_words(behind: set[int], length: int, shift: int) -> None:
    gap, mask = 0, sum(1 << (place - 1) for place in behind)
    start, end = shift, shift + length
    free = not any(place in behind for place in range(start, end))
    assert may_follow((gap, mask, 0), start, end, MOST_JUMP) == free
    if free:
        new_gap, new_mask = cover(gap, mask, start, end)
        covered = behind | set(range(start, end))
        expected = next(place for place in range(100) if place not in covered)
        bits = {new_gap + 1 + bit for bit in range(40) if new_mask >> bit & 1}
        assert new_gap == expected
        assert bits == {place for place in covered if place > expected}
