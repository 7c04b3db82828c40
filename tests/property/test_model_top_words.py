"""Laws of the words that search looks at: the same as by sorting the whole vocabulary."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.top_words import best_words, refined, scan, top_words


@given(
    rows=st.integers(1, 40),
    vocabulary=st.sampled_from([3, 127, 128, 640, 2000, 2048]),
    count=st.integers(1, 7),
    seed=st.integers(0, 99),
)
def test_the_best_words_are_those_of_a_sort(
    rows: int, vocabulary: int, count: int, seed: int
) -> None:
    logits = torch.randn(
        rows, vocabulary, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    count = min(count, vocabulary)
    expected = logits.sort(dim=1, descending=True)
    found = top_words(logits, count)
    assert torch.equal(found.logit_DX, expected.values[:, :count])
    assert torch.equal(found.word_DX, expected.indices[:, :count])
    assert torch.equal(found.end_D, logits[:, 0])
    scanned = scan(logits, torch.float64)
    torch.testing.assert_close(scanned.log_sum_D, logits.logsumexp(1), rtol=1e-12, atol=1e-12)


def test_rough_logits_are_made_exact_and_correct_the_sum() -> None:
    stream = torch.Generator().manual_seed(1)
    hidden = torch.randn(20, 8, generator=stream, dtype=torch.float64)
    weight = torch.randn(1500, 8, generator=stream, dtype=torch.float64)
    bias = torch.randn(1500, generator=stream, dtype=torch.float64)
    exact = hidden @ weight.T + bias
    rough = exact.to(torch.bfloat16)
    log_sum, highest = scan(rough, torch.float64)
    twice = best_words(rough, highest, 12, torch.float64)
    best, corrected = refined(twice, log_sum, hidden, (weight, bias), 6)
    expected = exact.sort(dim=1, descending=True)
    torch.testing.assert_close(best.logit_DX, expected.values[:, :6], rtol=1e-12, atol=1e-12)
    assert torch.equal(best.word_DX, expected.indices[:, :6])
    torch.testing.assert_close(best.end_D, exact[:, 0], rtol=1e-12, atol=1e-12)
    truth = exact.logsumexp(1)
    assert (corrected - truth).abs().max() < 0.1 * (log_sum - truth).abs().max()
    assert log_sum == pytest.approx(truth, abs=0.05)
