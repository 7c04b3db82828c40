"""Laws of symmetrisation."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from tasks.mining.alignment_config import Heuristic
from tasks.mining.symmetrise import symmetrise

Directed = list[tuple[int, int]]

heuristics = st.sampled_from(get_args(Heuristic))


@st.composite
def both_directions(draw: st.DrawFn) -> tuple[Directed, Directed]:
    num_source, num_target = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    sources = st.one_of(st.none(), st.integers(0, num_source - 1))
    targets = st.one_of(st.none(), st.integers(0, num_target - 1))
    forward = [(s, t) for t in range(num_target) if (s := draw(sources)) is not None]
    backward = [(s, t) for s in range(num_source) if (t := draw(targets)) is not None]
    return forward, backward


@given(both_directions(), heuristics)
def test_the_intersection_is_kept_and_nothing_outside_the_union_is_added(
    links: tuple[Directed, Directed], heuristic: Heuristic
) -> None:
    forward, backward = set(links[0]), set(links[1])
    chosen = set(symmetrise(forward, backward, heuristic))
    assert forward & backward <= chosen <= forward | backward


@given(both_directions())
def test_each_heuristic_adds_to_the_one_before(links: tuple[Directed, Directed]) -> None:
    names: list[Heuristic] = ["intersection", "grow-diag", "grow-diag-final-and", "union"]
    found = [set(symmetrise(*links, name)) for name in names]
    assert all(small <= large for small, large in zip(found, found[1:], strict=False))
    covered = set(symmetrise(*links, "grow-diag-final"))
    for one in (links[0], links[1]):
        for s, t in one:
            assert any(s == a for a, _ in covered) or any(t == b for _, b in covered)


@given(both_directions(), heuristics)
def test_links_are_sorted_and_unique_whatever_their_order(
    links: tuple[Directed, Directed], heuristic: Heuristic
) -> None:
    forward, backward = links
    chosen = symmetrise(forward, backward, heuristic)
    assert list(chosen) == sorted(set(chosen))
    assert symmetrise(forward[::-1] * 2, backward[::-1], heuristic) == chosen
