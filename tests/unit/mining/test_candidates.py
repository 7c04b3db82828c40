"""Counting phrases: which words may be a phrase, and what is counted of the rest."""

from collections import Counter

import pytest

from tasks.mining.candidates import count_phrases
from tasks.mining.config import Edges, ExtractionConfig
from tasks.mining.extraction import phrase_spans
from tasks.mining.function_words import is_content_word, is_numeral, is_punctuation

SOURCE = ["在", "中央", "银行"]
TARGET = ["at", "the", "central", "bank", "."]
LINKS = ((0, 0), (1, 2), (2, 3))


def counts(edges: Edges, max_words: int = 6) -> Counter[tuple[str, str]]:
    config = ExtractionConfig(edges=edges)
    return count_phrases([(SOURCE, TARGET, LINKS)], config, max_words=max_words).pairs


def test_phrases_are_texts_without_function_words_or_marks_at_their_edges() -> None:
    assert counts("tight") == {
        ("中央", "central"): 1,
        ("银行", "bank"): 1,
        ("中央银行", "central bank"): 1,
    }


def test_longer_phrases_than_wanted_are_not_counted() -> None:
    assert counts("tight", max_words=1) == {("中央", "central"): 1, ("银行", "bank"): 1}


def test_what_cannot_be_a_target_still_counts_for_its_source() -> None:
    config = ExtractionConfig(edges="moses")
    found = count_phrases([(SOURCE, TARGET, LINKS)], config, max_words=6)
    # central bank, the central bank, central bank . and the central bank .
    assert found.sources["中央银行"] == 4
    assert found.pairs["中央银行", "central bank"] == 1
    assert found.targets["central bank"] == 1
    assert "在中央银行" not in found.sources


def test_an_article_at_the_start_of_a_target_is_left_to_the_sentence() -> None:
    links = ((0, 0), (0, 1), (0, 2))
    spans = {
        edges: next(
            phrase_spans([(["银行"], ["the", "big", "bank"], links)], ExtractionConfig(edges=edges))
        )
        for edges in ("tight", "tight-without-articles")
    }
    assert spans == {"tight": [(0, 1, 0, 3)], "tight-without-articles": [(0, 1, 1, 3)]}
    alone = phrase_spans([(["这"], ["the"], ((0, 0),))], ExtractionConfig())
    assert list(alone) == [[(0, 1, 0, 1)]]


def test_links_of_other_words_are_a_defect_and_not_data() -> None:
    with pytest.raises(ValueError, match="link 0-9 lies outside a pair of 3 and 5 words"):
        count_phrases([(SOURCE, TARGET, ((0, 9),))], ExtractionConfig(), max_words=6)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("central bank", True),
        ("bank of england", True),
        ("the bank", False),
        ("bank of", False),
        ("bank .", False),
        ("of the", False),
        ("1,345", False),
        ("article 4", True),
        ("中央 银行", True),
        ("的 银行", False),
        ("三百", False),
        ("第四条", False),
        ("a - b", False),
        ("几位 老师", False),
        ("这家 银行", False),
        ("10 月 18", False),
        ("几何 学", True),
        ("", False),
    ],
)
def test_what_may_be_a_phrase(words: str, expected: bool) -> None:
    source = words.split()
    links = tuple((place, 0) for place in range(len(source)))
    found = count_phrases([(source, ["x"], links)], ExtractionConfig(), max_words=6)
    assert bool(found.sources) is expected


@pytest.mark.parametrize(
    ("word", "content", "numeral", "mark"),
    [
        ("银行", True, False, False),
        ("bank", True, False, False),
        ("的", False, False, False),
        ("second", False, True, False),
        ("21st", False, True, False),
        ("两百万", False, True, False),
        ("百货", True, False, False),
        ("、", False, False, True),
        ("--", False, False, True),
        ("a6", True, False, False),
    ],
)
def test_kinds_of_words(word: str, content: bool, numeral: bool, mark: bool) -> None:
    assert (is_content_word(word), is_numeral(word), is_punctuation(word)) == (
        content,
        numeral,
        mark,
    )
