"""BLEU of both scripts: against sacreBLEU, against a plain second writing, and taken apart."""

import pytest
from sacrebleu.metrics.bleu import BLEU

from storage.errors import InputError
from tasks.metrics.mteval import Flavour, count_corpus, split_words
from tests.reference import metrics_mteval

OUTPUTS = [
    "The price rose by 3.5% to $1,250.40 -- a record.",
    'he said: "no comment", then left',
    "The U.S.-led talks of 2003-05 ended; nobody won.",
    "the the the the cat",
]
FIRST = [
    "Prices rose 3.5 % to $ 1,250.40, a record high.",
    'He said "no comment" and left.',
    "U.S.-led talks in 2003-05 ended, and nobody won.",
    "the cat sat on the mat",
]
SECOND = ["The price climbed 3.5% to $1,250.40.", "Then he left.", "It ended.", "a cat sat there"]


@pytest.mark.parametrize("references", [[FIRST], [FIRST, SECOND]])
@pytest.mark.parametrize("lowercase", [True, False])
def test_v13a_is_the_bleu_of_sacrebleu(references: list[list[str]], lowercase: bool) -> None:
    ours = count_corpus([OUTPUTS], references, lowercase=lowercase)
    theirs = BLEU(lowercase=lowercase).corpus_score(OUTPUTS, references)
    assert ours.scores()[0].value == pytest.approx(theirs.score, abs=1e-9)
    apart = ours.breakdown(0)
    assert apart.individual == pytest.approx(theirs.precisions, abs=1e-9)
    assert apart.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    assert (apart.hypothesis_words, apart.reference_words) == (theirs.sys_len, theirs.ref_len)


@pytest.mark.parametrize("references", [[FIRST], [FIRST, SECOND]])
def test_v11b_agrees_with_a_second_writing_of_the_script(references: list[list[str]]) -> None:
    score, individual = metrics_mteval.v11b(
        OUTPUTS, [list(each) for each in zip(*references, strict=True)]
    )
    ours = count_corpus([OUTPUTS], references, flavour="v11b")
    assert ours.scores()[0].value == pytest.approx(score, abs=1e-9)
    assert ours.breakdown(0).individual == pytest.approx(individual, abs=1e-9)


def test_the_two_scripts_differ_in_the_reference_whose_length_counts() -> None:
    references = [["one two three four five six"], ["one two three"]]
    output = ["one two three four five"]
    shortest = count_corpus([output], references, flavour="v11b").breakdown(0)
    closest = count_corpus([output], references, flavour="v13a").breakdown(0)
    assert (shortest.reference_words, closest.reference_words) == (3, 6)
    assert shortest.brevity_penalty == 1 > closest.brevity_penalty


def test_of_two_equally_close_references_the_shorter_one_counts() -> None:
    references = [["a b c d e f"], ["a b c d"]]
    assert count_corpus([["a b c d e"]], references).breakdown(0).reference_words == 4


def test_a_missing_reference_has_no_length() -> None:
    references = [["a b c d e"], ["a b c d f"], [""]]
    flavours: tuple[Flavour, ...] = ("v11b", "v13a")
    for flavour in flavours:
        apart = count_corpus([["a b"]], references, flavour=flavour).breakdown(0)
        assert apart.reference_words == 5


def test_without_a_right_ngram_of_some_order_v11b_is_0_and_v13a_is_not() -> None:
    output, reference = ["one two five six seven"], [["one two three four five"]]
    assert count_corpus([output], reference, flavour="v11b").scores()[0].value == 0
    assert count_corpus([output], reference, flavour="v13a").scores()[0].value > 0


@pytest.mark.parametrize("outputs", [["", ""], ["x y", ""], ["a", "b"]])
def test_nothing_right_and_short_outputs_are_0_as_in_sacrebleu(outputs: list[str]) -> None:
    references = [["a b c d", "b c d e"]]
    theirs = BLEU(lowercase=True).corpus_score(outputs, references).score
    value = count_corpus([outputs], references).scores()[0].value
    assert value == pytest.approx(theirs, abs=1e-9)


def test_cumulative_scores_end_with_the_score_and_fall() -> None:
    apart = count_corpus([OUTPUTS], [FIRST]).breakdown(0)
    assert apart.cumulative[-1] == pytest.approx(apart.score)
    assert list(apart.cumulative) == sorted(apart.cumulative, reverse=True)


def test_the_scripts_lower_case_other_letters_differently() -> None:
    output, reference = ["É b c d e"], [["é b c d e"]]
    assert count_corpus([output], reference, flavour="v13a").scores()[0].value == pytest.approx(100)
    assert count_corpus([output], reference, flavour="v11b").scores()[0].value < 100


def test_text_in_words_is_not_split_again() -> None:
    output, reference = ["3.5% of a-b c d"], [["3.5 % of a-b c d"]]
    split = count_corpus([output], reference, in_words=True)
    assert split.scores()[0].value < 80
    assert "tok:none" in split.signature
    assert count_corpus([output], reference).scores()[0].value == pytest.approx(100)


def test_the_signature_says_references_case_penalty_and_smoothing() -> None:
    v11b = count_corpus([OUTPUTS], [FIRST, ["", *SECOND[1:]]], flavour="v11b").signature
    assert v11b == "nrefs:var|case:lc|tok:mteval|bp:shortest|smooth:none|like:mteval-v11b"


def test_unequal_references_are_refused() -> None:
    with pytest.raises(InputError, match="4 hypotheses but 3 references"):
        count_corpus([OUTPUTS], [FIRST[:3]])
    with pytest.raises(InputError, match="3 hypotheses but 4 references"):
        count_corpus([OUTPUTS, OUTPUTS[:3]], [FIRST])


@pytest.mark.parametrize(
    "text", [*OUTPUTS, "a..b ,,c 1,,2 3.-4 x-1- &amp;lt; <skipped>", "。，1、"]
)
def test_parts_between_blanks_are_split_as_the_whole_line_is(text: str) -> None:
    expected = metrics_mteval.words(text.replace("<skipped>", ""), preserve_case=True)
    assert split_words(text) == expected
