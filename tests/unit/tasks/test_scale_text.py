"""The text that large measurements are made on: no pair twice, both sides and all rounds alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scale_text import MOST_ROUNDS, Pair, changed, texts
from tasks.rules.grammar import find
from tasks.rules.style import RuleStyle

FURTHER = range(1, MOST_ROUNDS)
STYLE = RuleStyle(place_names=True)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("依第三条。", "Under Article 3."), ("依第四条。", "Under Article 4.")),
        (("他住在台南。", "He lives in Tainan."), ("他住在台州。", "He lives in Taizhou.")),
        (("参考德国。", "See Germany, Germany."), ("第106条：参考德国。", "article 106: See")),
        (("他在上海。", "In Shanghai."), ("第106条：他在上海。", "article 106: In")),
        (("无。", "None."), ("第106条：无。", "article 106: None.")),
    ],
    ids=["a numeral", "a city", "a country that stands there twice", "one of few", "nothing"],
)
def test_a_pair_is_changed_on_both_sides(pair: tuple[str, str], expected: tuple[str, str]) -> None:
    source, target = changed(*pair, 1, 5)
    assert source == expected[0]
    assert target.startswith(expected[1])


def test_the_first_round_has_a_number_only_where_there_is_none_to_change() -> None:
    assert changed("依第三条。", "Under Article 3.", 0, 5) == ("依第三条。", "Under Article 3.")
    assert changed("无。", "None.", 0, 5) == ("第6条：无。", "article 6: None.")


@pytest.mark.parametrize("country", ["德国", "德國"])
def test_a_country_is_another_country_in_the_same_script(country: str) -> None:
    made = {changed(f"运往{country}。", "sent to Germany.", turn, 0) for turn in FURTHER}
    assert len(made) == len(FURTHER)
    for source, target in made:
        (match,) = find(source, STYLE)
        assert match.rule == "place.country/1"
        assert match.source != country
        assert target.lower() == f"sent to {match.target}."


SENTENCES = st.sampled_from(
    [
        ("限三日内提出。", "within three days."),
        ("处十万元罚金。", "a fine of 100,000 dollars."),
        ("他住在台南。", "He lives in Tainan."),
        ("参考德国。", "See Germany."),
        ("参考香港。", "See Hong Kong."),
        ("无。", "None."),
    ]
)


@given(st.lists(SENTENCES, min_size=1, max_size=6, unique=True), st.data())
def test_no_pair_is_a_copy_and_all_rounds_hold_as_many_numbers_and_names(
    pairs: list[tuple[str, str]], data: st.DataObject
) -> None:
    corpus: list[Pair] = [(*pair, f"d{place}") for place, pair in enumerate(pairs)]
    number = data.draw(st.integers(0, len(corpus) * MOST_ROUNDS))
    made = list(texts(iter(corpus), number))
    assert len(made) == number
    assert len({pair[:2] for pair in made}) == number
    held = [len(find(source, STYLE)) for source, *_ in made]
    assert held == [held[place % len(corpus)] for place in range(number)]
    for (source, target, name), pair in zip(made, corpus, strict=False):
        assert name == pair[2]
        assert (source, target) == pair[:2] or source.endswith(f"条：{pair[0]}")


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="1 pairs make at most 9"):
        list(texts([("无。", "None.", "d")], 10))
