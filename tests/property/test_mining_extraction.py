"""Laws of phrase extraction."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.mining.extraction import extract_phrases
from tests.reference.mining_extraction import extract_phrases_plainly

Example = tuple[int, int, list[tuple[int, int]]]


@st.composite
def linked_pairs(draw: st.DrawFn) -> Example:
    num_source, num_target = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    link = st.tuples(st.integers(0, num_source - 1), st.integers(0, num_target - 1))
    return num_source, num_target, draw(st.lists(link, max_size=9))


@given(linked_pairs(), st.integers(1, 5), st.booleans())
def test_the_fast_way_finds_what_the_definition_says(
    example: Example, max_words: int, unaligned_edges: bool
) -> None:
    num_source, num_target, links = example
    found = list(
        extract_phrases(
            num_source, num_target, links, max_words=max_words, unaligned_edges=unaligned_edges
        )
    )
    assert len(found) == len(set(found))
    assert set(found) == extract_phrases_plainly(
        num_source, num_target, links, max_words=max_words, unaligned_edges=unaligned_edges
    )


@given(linked_pairs(), st.integers(1, 5))
def test_no_link_crosses_the_border_of_a_phrase(example: Example, max_words: int) -> None:
    num_source, num_target, links = example
    for s1, s2, t1, t2 in extract_phrases(num_source, num_target, links, max_words=max_words):
        for s, t in links:
            assert (s1 <= s < s2) == (t1 <= t < t2)


@given(linked_pairs(), st.integers(1, 5))
def test_reading_a_pair_backwards_gives_the_same_phrases(example: Example, max_words: int) -> None:
    num_source, num_target, links = example
    there = extract_phrases(num_source, num_target, links, max_words=max_words)
    back = extract_phrases(num_target, num_source, [(t, s) for s, t in links], max_words=max_words)
    assert set(there) == {(s1, s2, t1, t2) for t1, t2, s1, s2 in back}
