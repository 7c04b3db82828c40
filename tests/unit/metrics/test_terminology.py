"""Terminology success and consistency: hand-worked, and against a plain second writing."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.metrics.terminology import Term, term_scores, terminology
from tasks.readers.term_lists import read_term_sets
from tasks.text.english import tokenise

BANK = Term("银行", ("bank", "banking house"))
RATE = Term("利率", ("interest rate",))


def test_success_is_the_share_of_occurrences_capped_at_one() -> None:
    found = terminology(
        ["银行和银行 利率", "利率"],
        ["The Bank cut the Interest Rate.", "the price"],
        [["the bank and the bank cut the interest rate", "the interest rate"]],
        [[BANK, RATE], [RATE]],
    )
    # bank: 1 of 2; rate: 1 of 1; rate in the second sentence: 0 of 1.
    assert (found.scored, found.segments_with_terms) == (3, 2)
    assert found.success == pytest.approx(1.5 / 3)
    assert found.repeated == 1
    assert found.consistency == {"first": 0.5, "frequent": 0.5, "dictionary": 0.5}


def test_a_term_counts_only_with_a_translation_in_a_reference() -> None:
    found = terminology(["银行", "房子"], ["bank", "bank"], [["lender", "bank"]], [[BANK], [BANK]])
    assert found.scored == 0
    assert term_scores(found, "proper", "substring") == []


def test_consistency_knows_three_right_translations() -> None:
    sources, references = ["银行"] * 4, [["bank, banking house"] * 4]
    outputs = ["a banking house", "a bank", "a bank", "a lender"]
    found = terminology(sources, outputs, references, [[BANK]] * 4)
    assert found.consistency == {"first": 0.25, "frequent": 0.5, "dictionary": 0.5}


def test_words_are_whole_where_they_are_asked_for() -> None:
    term = Term("艾", ("ai",))
    texts = (["艾"], ["he said so"], [["ai"]], [[term]])
    assert terminology(*texts).success == 1
    assert terminology(*texts, match="words").success == 0
    assert terminology(["艾"], ["AI, ai."], [["ai"]], [[term]], "words").success == 1


TEXT = st.text(alphabet="ab ", max_size=8)
SEGMENT = st.tuples(TEXT, TEXT, TEXT)


@given(st.lists(SEGMENT, min_size=1, max_size=4), st.lists(st.sampled_from(["a", "ab", "b a"])))
def test_success_agrees_with_a_plain_writing(
    rows: list[tuple[str, str, str]], targets: list[str]
) -> None:
    sources, outputs, references = (list(column) for column in zip(*rows, strict=True))
    terms = [Term("a", tuple(targets) or ("b",)), Term("ab", ("a",))]
    found = terminology(sources, outputs, [references], [terms] * len(rows))
    total = number = 0.0
    for source, output, reference in rows:
        for term in terms:
            if term.source in source and any(target in reference for target in term.targets):
                number += 1
                said = sum(output.count(target) for target in term.targets)
                total += min(said / source.count(term.source), 1)
    assert found.scored == number
    assert found.success == pytest.approx(total / number if number else 0)


def test_texts_of_other_segments_are_refused() -> None:
    with pytest.raises(InputError, match="same segments in the same order"):
        terminology(["银行"], ["bank", "bank"], [["bank"]], [[BANK]])


def test_forms_of_term_lists(tmp_path: Path) -> None:
    columns = tmp_path / "terms.tsv"
    columns.write_text("银行\tbank\n利率\tinterest rate\n银行\tbanking house\n", "utf-8")
    assert read_term_sets(columns, 2) == {"terms": [(BANK, RATE)] * 2}
    segments = tmp_path / "terms.jsonl"
    lines = [
        {"zh": "x", "proper": {"银行": ["bank", "banking house"]}, "random": {"说": "say"}},
        {"zh": "y", "proper": {"interest rate": ["利率"]}, "noterm": {}},
    ]
    segments.write_text("\n".join(json.dumps(line) for line in lines) + "\n", "utf-8")
    assert read_term_sets(segments, 2) == {
        "proper": [(BANK,), (RATE,)],
        "random": [(Term("说", ("say",)),), ()],
    }
    segments.write_text(json.dumps([{"zh": "银行", "en": "bank"}]) + "\n", "utf-8")
    assert read_term_sets(segments, 3) == {"terms": [(Term("银行", ("bank",)),)] * 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("银行\n", "line 1: expected a term, a tab"),
        ("{\n", "line 1: not JSON"),
        ('{"zh": "x"}\n', "expected dictionaries such as"),
        ('[{"de": "Bank"}]\n', "expected objects with `zh` and `en`"),
        ('{"proper": {"银行": [1]}}\n', "expected texts as terms"),
        ('{"proper": {"银行": "bank"}}\n' * 3, "terms for 3 segments and there are 2"),
    ],
)
def test_bad_term_lists_are_told(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "terms"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_term_sets(file, 2)


def _times_word_by_word(target: str, text: str) -> int:
    """Count by going through the words, the slow and obvious way."""
    wanted, words = tokenise(target.strip().lower()), tokenise(text.lower())
    count = at = 0
    while wanted and at <= len(words) - len(wanted):
        is_here = words[at : at + len(wanted)] == wanted
        count += is_here
        at += len(wanted) if is_here else 1
    return count


@given(
    st.lists(st.sampled_from(["a", "ab", "A", "b.", "(a)"]), max_size=3),
    st.lists(st.sampled_from(["a", "ab", "A", "b.", "(a)", "c"]), max_size=12),
)
def test_whole_words_are_counted_as_word_by_word(target: list[str], text: list[str]) -> None:
    wanted, said = " ".join(target), " ".join(text)
    terms = [[Term("甲", (wanted,))]]
    found = terminology(["甲" * 20], [said], [[wanted]], terms, "words")
    times = _times_word_by_word(wanted, said)
    assert found.scored == bool(target)
    assert found.success == (times / 20 if target else 0)
