"""BLEU counts and MIRA: hand-worked cases, and planted weights that are found."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tasks.smt.bleu_counts import References, bleu
from tasks.smt.features import NUM_FEATURES, Weights
from tasks.smt.mert import NARROW, Pooled, best_step, find_changes, mert
from tasks.smt.mira import Pool, corpus_bleu, mira
from tasks.smt.translator import Candidate
from tasks.smt.tuning import Round, best_round, tune

GOOD = ["the", "bank", "of", "the", "river", "is", "green"]
BAD = ["a", "bank", "on", "any", "river", "are", "green"]


def test_counts_by_hand() -> None:
    counts = References([["a", "b", "c"], ["a", "b"]]).counts(["a", "a", "b"])
    # a twice but once in each reference; a a, a b; a a b. The reference of 3 words is as long.
    assert counts.tolist() == [2, 1, 0, 0, 3, 2, 1, 0, 3, 3]


@pytest.mark.parametrize(
    "references",
    [[GOOD], [GOOD, BAD], [GOOD[:5], [*GOOD, "now"]], [[*GOOD, "now", "then"], GOOD]],
)
def test_bleu_is_sacrebleus(references: list[list[str]]) -> None:
    said = ["the", "bank", "of", "the", "river", "are", "green", "now"]
    found = 100 * float(bleu(References(references).counts(said)))
    streams = [[" ".join(each)] for each in references]
    expected = sacrebleu.corpus_bleu(
        [" ".join(said)], streams, tokenize="none", smooth_method="none"
    )
    assert found == pytest.approx(expected.score)


def pools(number: int, planted: Weights, seed: int) -> list[Pool]:
    """Make sentences whose best candidate under the planted weights is right."""
    chance = np.random.default_rng(seed)
    right, wrong = References([GOOD]).counts(GOOD), References([GOOD]).counts(BAD)
    made = []
    for _ in range(number):
        features = chance.normal(size=(8, len(planted)))
        counts = np.tile(wrong, (8, 1))
        counts[int(np.argmax(features @ planted))] = right
        made.append(Pool(features, counts))
    return made


def test_mira_finds_planted_weights() -> None:
    planted = np.array([1.0, -0.5, 0.0, 2.0])
    first = np.array([-1.0, 1.0, 1.0, 0.1])
    train, held_out = pools(60, planted, 1), pools(60, planted, 2)
    found = mira(train, first, seed=1)
    assert corpus_bleu(train, first) < 0.5
    assert corpus_bleu(train, found) > 0.9
    assert corpus_bleu(held_out, found) > 0.7
    assert np.array_equal(found, mira(train, first, seed=1))


def test_mira_leaves_what_cannot_be_better() -> None:
    same = Pool(np.zeros((2, 3)), np.tile(References([GOOD]).counts(BAD), (2, 1)))
    first = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(mira([same], first, seed=1), first)


def test_rounds_gather_candidates_and_the_best_is_taken() -> None:
    """A decoder that knows two candidates: which it finds depends on one weight."""
    asked: list[Weights] = []

    def decode(weights: Weights) -> list[list[Candidate]]:
        asked.append(weights)
        features = np.eye(NUM_FEATURES)[:2]
        found = [Candidate(tuple(GOOD), features[0]), Candidate(tuple(BAD), features[1])]
        return [sorted(found, key=lambda each: -float(each.features @ weights))]

    first = np.zeros(NUM_FEATURES)
    first[1] = 0.1
    rounds = list(tune(decode, [References([GOOD])], first, 4, seed=1))
    assert rounds[0].bleu < 0.5
    assert best_round(rounds).bleu == pytest.approx(1.0)
    assert len(rounds) == 5
    assert list(map(id, asked)) == [id(each.weights) for each in rounds]


def test_of_equal_rounds_the_first_is_taken() -> None:
    made = [Round(number, np.zeros(1), value) for number, value in enumerate((0.1, 0.3, 0.3))]
    assert best_round(made).number == 1


def pooled_of(seed: int, sentences: int = 3, candidates: int = 4, features: int = 2) -> Pooled:
    chance = np.random.default_rng(seed)
    total = sentences * candidates
    lengths = chance.integers(4, 9, size=total)
    counts = np.zeros((total, 10))
    for order in range(4):
        counts[:, 4 + order] = lengths - order
        counts[:, order] = chance.integers(1, lengths - order + 1)
    counts[:, 8], counts[:, 9] = lengths, 7
    places = np.arange(0, total + 1, candidates)
    # Whole numbers, so that slopes and places of changes are often the same.
    return Pooled(chance.integers(-3, 4, size=(total, features)).astype(float), counts, places)


def bleu_at(pooled: Pooled, weights: Weights) -> float:
    """Return BLEU of the best candidates, one sentence after the other."""
    total = np.zeros(10)
    for start, end in zip(pooled.starts[:-1], pooled.starts[1:], strict=True):
        rows = range(start, end)
        total += pooled.counts[max(rows, key=lambda row: float(pooled.features[row] @ weights))]
    return float(bleu(total))


@given(st.integers(0, 10_000))
def test_a_line_is_searched_for_its_best_place(seed: int) -> None:
    pooled = pooled_of(seed)
    chance = np.random.default_rng(seed + 1)
    weights, direction = chance.normal(size=2), chance.normal(size=2)
    step, found = best_step(pooled, weights, direction)
    assert bleu_at(pooled, weights + step * direction) == pytest.approx(found)
    # Slowly: every place where two candidates of a sentence are as good, and what lies between.
    values, slopes = pooled.features @ weights, pooled.features @ direction
    crossings = {
        (values[one] - values[two]) / (slopes[two] - slopes[one])
        for start in pooled.starts[:-1]
        for one in range(start, start + 4)
        for two in range(start, one)
        if slopes[one] != slopes[two]
    }
    places = sorted(crossings)
    between = [(a + b) / 2 for a, b in zip(places, places[1:], strict=False) if b - a >= NARROW]
    tried = [places[0] - 1, *between, places[-1] + 1] if places else [0.0]
    most = max(bleu_at(pooled, weights + place * direction) for place in tried)
    assert found == pytest.approx(most)


def test_changes_of_the_best_candidate_by_hand() -> None:
    # Lines of one sentence: 0 - x, 1, 0 + x; and of one whose candidates never change.
    found = find_changes(
        np.array([0.0, 1, 0, 5, 4]), np.array([-1.0, 0, 1, 2, 2]), np.array([0, 3, 5])
    )
    assert [each.tolist() for each in found] == [[0, 3], [-1, 1], [0, 1], [1, 2]]


def test_mert_finds_planted_weights_and_is_never_worse() -> None:
    planted = np.array([1.0, -0.5, 0.0, 2.0])
    first = np.array([-1.0, 1.0, 1.0, 0.1])
    train = pools(60, planted, 1)
    found = mert(train, first, seed=1)
    assert corpus_bleu(train, found) > 0.95
    assert corpus_bleu(pools(60, planted, 2), found) > 0.7
    assert np.abs(found).sum() == pytest.approx(np.abs(first).sum())
    assert np.array_equal(found, mert(train, first, seed=1))
    assert np.array_equal(mert(train, planted, seed=1), planted)
