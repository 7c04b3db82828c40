import pytest

from tasks.tagging.matcher import Match, Matcher


def find(phrases: list[str], sentence: str) -> list[Match]:
    matcher = Matcher((tuple(phrase.split()), number) for number, phrase in enumerate(phrases))
    return matcher.find(sentence.split())


def test_all_matches_are_found_overlapping_ones_included() -> None:
    phrases = ["红烧 牛肉", "牛肉 面", "红烧 牛肉 面", "面"]
    assert find(phrases, "红烧 牛肉 面") == [(0, 2, 0), (0, 3, 2), (1, 3, 1), (2, 3, 3)]


def test_a_phrase_is_found_however_its_inside_is_segmented() -> None:
    assert find(["中国 人民 银行"], "中国人民 银行 行长") == [(0, 2, 0)]


def test_a_phrase_is_not_found_inside_a_word_or_across_its_border() -> None:
    assert find(["人民", "银行 行"], "中国人民 银行 行长") == []


def test_a_phrase_may_stand_at_the_end_and_twice() -> None:
    assert find(["西安"], "西安 位于 西安") == [(0, 1, 0), (2, 3, 0)]


def test_blanks_of_a_phrase_say_nothing() -> None:
    assert Matcher([(("奥迪 A6",), 5)]).find(["奥迪", "A6"]) == [(0, 2, 5)]
    assert Matcher([(("New", "York"), 5)]).find(["在", "New York"]) == [(1, 2, 5)]


def test_several_indexes_may_share_one_text() -> None:
    assert Matcher([(("面",), 3), (("面",), 1)]).find(["面"]) == [(0, 1, 1), (0, 1, 3)]


def test_nothing_is_found_without_phrases_or_words() -> None:
    assert Matcher([]).find(["面"]) == []
    assert find(["面"], "") == []


def test_a_lone_surrogate_in_a_sentence_matches_nothing() -> None:
    assert Matcher([(("面",), 0)]).find(["\ud800", "面"]) == [(1, 2, 0)]


@pytest.mark.parametrize("words", [(), ("",), (" ",), ("\ud800",), ("\U0010ffff",)])
def test_a_phrase_without_valid_characters_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="phrase 7"):
        Matcher([(words, 7)])
