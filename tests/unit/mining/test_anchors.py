"""Words that everybody knows to translate each other, and the links that follow from them alone."""

import pytest

from tasks.mining.alignment import Aligner
from tasks.mining.alignment_config import AlignmentConfig, Engine
from tasks.mining.anchors import anchored, known_places
from tasks.mining.function_words import carries_content
from tasks.mining.name_renderings import name_renderings
from tasks.mining.renderings import renderings


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("贾晓芳", {"jia", "xiaofang"}),
        ("欧阳明", {"ouyang", "ming"}),
        ("平浦省", {"pingpu", "province"}),
        ("广林市", {"guanglin", "city"}),
        ("西安", {"xi'an"}),
        ("重庆", {"chongqing", "zhongqing"}),
    ],
)
def test_a_name_is_spelled_whole_and_in_its_parts(word: str, parts: set[str]) -> None:
    assert parts <= name_renderings(word)


@pytest.mark.parametrize("word", ["我们", "三百", "山", "中华人民共和国", "abc", "3月", ""])
def test_what_can_be_no_name_has_no_spelling(word: str) -> None:
    assert name_renderings(word) == frozenset()


def test_a_spelling_that_is_an_english_function_word_is_no_hint() -> None:
    assert "he" not in name_renderings("何明")
    assert "ming" in name_renderings("何明")


def test_months_and_parts_of_laws_are_known_in_one_word_or_two() -> None:
    assert "october" in renderings("十") & renderings("月") & renderings("十月")
    assert "article" in renderings("第三条") & renderings("条")
    assert "us" in renderings("美元")


def test_words_with_content_are_those_that_say_something() -> None:
    kinds = {"省": True, "province": True, "30.7": True, "的": False, "the": False, "。": False}
    assert {word: carries_content(word) for word in kinds} == kinds


def test_a_word_takes_its_only_known_counterpart_in_each_direction() -> None:
    source, target = ["贾晓芳", "在", "十", "月", "。"], ["jia", "xiaofang", "in", "october", "."]
    assert known_places(source, target) == [(0, 0), (0, 1), (1, 2), (2, 3), (3, 3), (4, 4)]
    forward = [(0, 0), (1, 1), (1, 2), (1, 3)]
    backward = [(0, 0), (1, 3), (2, 2), (3, 0)]
    # `october` has two known source words, so its link stays; the name has two known target words.
    assert anchored(source, target, forward, backward) == (
        [(0, 0), (0, 1), (1, 2), (1, 3), (4, 4)],
        [(0, 0), (1, 2), (2, 3), (3, 3), (4, 4)],
    )


def test_nothing_known_changes_nothing() -> None:
    assert anchored(["甲乙"], ["a", "b"], [(0, 1), (0, 0)], [(0, 1)]) == (
        [(0, 1), (0, 0)][::-1],
        [(0, 1)],
    )


@pytest.mark.parametrize("engine", ["thot-hmm", "thot-fast-align"])
def test_a_name_that_no_pair_held_is_linked_unless_the_corpus_alone_is_trusted(
    engine: Engine,
) -> None:
    pairs = [(["他", "看", "书"], ["he", "read", "books"])] * 5
    new = ["看", "贾晓芳", "2017"], ["2017", "xiaofang", "read"]
    config = AlignmentConfig(engine=engine, max_words=8)
    aligner = Aligner.train(pairs, config)
    assert {(1, 1), (2, 0)} <= set(aligner.align_pair(*new))
    corpus_alone = aligner.with_settings(AlignmentConfig(engine=engine, known_weight=1))
    assert (2, 0) not in corpus_alone.align_pair(*new)
