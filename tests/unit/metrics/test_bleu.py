"""BLEU and chrF: scores say how they were made, and misfitting references are refused."""

import pytest

from storage.errors import InputError
from tasks.metrics.bleu import Score, check_comparable, corpus_bleu, corpus_chrf

HYPOTHESES = ["the cat sat on the mat .", "he read a book yesterday .", "it rains a lot today ."]
REFERENCES = ["the cat sat on a mat .", "he read a book yesterday .", "today it rains very hard ."]


def test_a_perfect_translation_has_100() -> None:
    assert corpus_bleu(REFERENCES, [REFERENCES]).value == pytest.approx(100)
    assert corpus_chrf(REFERENCES, [REFERENCES]).value == pytest.approx(100)


def test_a_score_says_how_it_was_made() -> None:
    score = corpus_bleu(HYPOTHESES, [REFERENCES])
    assert score.name == "BLEU"
    for part in ("nrefs:1", "case:lc", "tok:13a", "smooth:exp", "version:2"):
        assert part in score.signature
    assert str(score) == f"BLEU = {score.value:.2f} ({score.signature})"
    assert "tok:" not in corpus_chrf(HYPOTHESES, [REFERENCES]).signature


def test_case_counts_only_when_asked_for() -> None:
    shouted = [text.upper() for text in REFERENCES]
    assert corpus_bleu(shouted, [REFERENCES]).value == pytest.approx(100)
    assert corpus_bleu(shouted, [REFERENCES], lowercase=False).value < 10
    assert corpus_chrf(shouted, [REFERENCES]).value == pytest.approx(100)
    assert corpus_chrf(shouted, [REFERENCES], lowercase=False).value < 20


def test_the_tokenizer_decides_what_a_word_is() -> None:
    joined = ["the cat sat on a mat.", *REFERENCES[1:]]
    assert corpus_bleu(joined, [REFERENCES]).value == pytest.approx(100)
    assert corpus_bleu(joined, [REFERENCES], tokenize="none").value < 99
    chinese = ["今天天气很好我去学校"]
    assert corpus_bleu(chinese, [chinese], tokenize="zh").value == pytest.approx(100)
    assert corpus_bleu(chinese, [chinese], tokenize="13a").value == 0


def test_entities_are_unescaped_before_scoring() -> None:
    hypothesis, reference = ["he works at AT&amp;T in town"], ["he works at AT&T in town"]
    assert corpus_bleu(hypothesis, [reference]).value == pytest.approx(100)


def test_empty_hypotheses_have_0() -> None:
    assert corpus_bleu(["", ""], [["a b", "c"], ["d", "e f"]]).value == 0


def test_a_missing_reference_is_left_out_and_does_not_shorten_the_others() -> None:
    hypothesis = ["the cat"]
    full = ["the cat sat down here"]
    with_gap = corpus_bleu(hypothesis, [full, ["the cat ran up there"], [""]])
    without = corpus_bleu(hypothesis, [full, ["the cat ran up there"]])
    assert with_gap.value == pytest.approx(without.value)
    assert "nrefs:1" not in with_gap.signature


def test_a_sentence_without_any_reference_is_named() -> None:
    with pytest.raises(InputError, match="sentence 2 has no reference"):
        corpus_bleu(HYPOTHESES, [["a", None, "c"], ["a", "  ", "c"]])


def test_transposed_references_are_refused() -> None:
    with pytest.raises(InputError, match="seem to be transposed"):
        corpus_bleu(HYPOTHESES, [[text] for text in REFERENCES])


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (HYPOTHESES, [REFERENCES[:2]], "3 hypotheses but 2 references in set 1"),
        (HYPOTHESES, [REFERENCES, [*REFERENCES, "x"]], "3 hypotheses but 4 references in set 2"),
        (HYPOTHESES, REFERENCES, "reference set 1 is one text"),
        (HYPOTHESES, [], "expected at least one set of references"),
        ([], [[]], "expected at least one hypothesis"),
    ],
)
def test_references_that_do_not_fit_are_refused(
    hypotheses: list[str], references: list[list[str | None]], message: str
) -> None:
    for metric in (corpus_bleu, corpus_chrf):
        with pytest.raises(InputError, match=message):
            metric(hypotheses, references)


def test_scores_made_differently_are_not_compared() -> None:
    lower, cased = (corpus_bleu(HYPOTHESES, [REFERENCES], lowercase=case) for case in (True, False))
    check_comparable([lower, Score("BLEU", 1.0, lower.signature)])
    with pytest.raises(InputError, match="expected one signature in one column"):
        check_comparable([lower, cased])
