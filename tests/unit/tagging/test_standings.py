"""Where both sides of a phrase stand: linked places first."""

from tasks.tagging.occurrences import Standing, around, standings

WORDS = ["the", "bank", "and", "the", "central", "bank", "of", "a", "bank"]


def test_the_place_that_is_linked_wins_over_the_first() -> None:
    found = standings([(0, 1), (3, 4)], ["bank"], WORDS, [(3, 5), (1, 3)])
    assert found[0] == Standing((3, 4), (5, 6), 1)
    assert len(found) == 6


def test_of_linked_places_the_one_that_fewer_links_leave_wins() -> None:
    links = [(0, 1), (0, 2), (3, 5)]
    assert standings([(0, 1), (3, 4)], ["bank"], WORDS, links)[0] == Standing((3, 4), (5, 6), 1)


def test_without_links_the_first_places_come_first() -> None:
    found = standings([(2, 3), (4, 5)], ["the"], WORDS)
    assert found == [
        Standing(source, target, 0) for source in ((2, 3), (4, 5)) for target in ((0, 1), (3, 4))
    ]


def test_what_lacks_a_side_stands_nowhere() -> None:
    assert standings([], ["bank"], WORDS) == []
    assert standings([(0, 1)], ["banks"], WORDS) == []
    assert standings([(0, 1)], [], WORDS) == []
    assert standings([(0, 1)], ["a"] * 20, WORDS) == []


def test_around_a_span() -> None:
    assert around(["a", "b", "c", "d"], 1, 3) == ("a", "b c", "d")


def test_a_linked_place_that_links_leave_wins_over_one_without_links() -> None:
    found = standings([(0, 1), (3, 4)], ["bank"], WORDS, [(3, 5), (3, 2)])
    assert found[0] == Standing((3, 4), (5, 6), 1)
