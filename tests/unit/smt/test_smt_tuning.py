"""BLEU counts and MIRA: hand-worked cases, and planted weights that are found."""

import numpy as np
import pytest
import sacrebleu

from tasks.smt.bleu_counts import References, bleu
from tasks.smt.features import NUM_FEATURES, Weights
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
