"""Phrase pairs of linked sentence pairs, worked out on paper.

Each case names its words, its links, what Moses extracts, and what is left if no outer word may be
without a link. `a-b/c-d` are the source words [a, b) and the target words [c, d).
"""

import pytest

from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import extract_phrases, phrase_spans
from tests.reference.mining_extraction import extract_phrases_plainly

LONG = 8
UP_TO_SEVEN = " ".join(
    f"{start}-{end}/{start}-{end}"
    for start in range(LONG)
    for end in range(start + 1, min(start + 7, LONG) + 1)
)
"""Of eight words in a row: 8 of one word, 7 of two, and so on to 2 of seven; not all eight."""

CASES = {
    "one word": (1, 1, "0-0", "0-1/0-1", "0-1/0-1"),
    "no source": (0, 2, "", "", ""),
    "no link": (2, 2, "", "", ""),
    "in order": (2, 2, "0-0 1-1", "0-1/0-1 0-2/0-2 1-2/1-2", "0-1/0-1 0-2/0-2 1-2/1-2"),
    "swapped": (2, 2, "0-1 1-0", "0-1/1-2 0-2/0-2 1-2/0-1", "0-1/1-2 0-2/0-2 1-2/0-1"),
    "one to two": (1, 2, "0-0 0-1", "0-1/0-2", "0-1/0-2"),
    "two to one": (2, 1, "0-0 1-0", "0-2/0-1", "0-2/0-1"),
    "all to all": (2, 2, "0-0 0-1 1-0 1-1", "0-2/0-2", "0-2/0-2"),
    "the same link twice": (1, 1, "0-0 0-0", "0-1/0-1", "0-1/0-1"),
    "a gap that nobody links": (1, 3, "0-0 0-2", "0-1/0-3", "0-1/0-3"),
    "a gap linked elsewhere": (2, 3, "0-0 0-2 1-1", "0-2/0-3 1-2/1-2", "0-2/0-3 1-2/1-2"),
    "a target word without link behind": (1, 2, "0-0", "0-1/0-1 0-1/0-2", "0-1/0-1"),
    "target words without link on both sides": (
        1,
        3,
        "0-1",
        "0-1/1-2 0-1/0-2 0-1/1-3 0-1/0-3",
        "0-1/1-2",
    ),
    "a source word without link in front": (2, 1, "1-0", "0-2/0-1 1-2/0-1", "1-2/0-1"),
    "a source word without link between": (
        3,
        2,
        "0-0 2-1",
        "0-1/0-1 0-2/0-1 0-3/0-2 1-3/1-2 2-3/1-2",
        "0-1/0-1 0-3/0-2 2-3/1-2",
    ),
    "a target word without link between": (
        2,
        3,
        "0-0 1-2",
        "0-1/0-1 0-1/0-2 0-2/0-3 1-2/1-3 1-2/2-3",
        "0-1/0-1 0-2/0-3 1-2/2-3",
    ),
    "words without link on either side": (
        2,
        2,
        "0-1",
        "0-1/1-2 0-1/0-2 0-2/1-2 0-2/0-2",
        "0-1/1-2",
    ),
    "the last goes first": (
        3,
        3,
        "0-1 1-2 2-0",
        "0-1/1-2 0-2/1-3 0-3/0-3 1-2/2-3 2-3/0-1",
        "0-1/1-2 0-2/1-3 0-3/0-3 1-2/2-3 2-3/0-1",
    ),
    "nothing but the whole is together": (
        4,
        4,
        "0-1 1-3 2-0 3-2",
        "0-1/1-2 0-4/0-4 1-2/3-4 2-3/0-1 3-4/2-3",
        "0-1/1-2 0-4/0-4 1-2/3-4 2-3/0-1 3-4/2-3",
    ),
    "seven words at most": (
        LONG,
        LONG,
        " ".join(f"{word}-{word}" for word in range(LONG)),
        UP_TO_SEVEN,
        UP_TO_SEVEN,
    ),
    "a target of eight words": (1, 8, "0-0 0-7", "", ""),
    "a target of seven has no room for more": (1, 9, "0-1 0-7", "0-1/1-8", "0-1/1-8"),
}


def spans(text: str) -> set[tuple[int, ...]]:
    return {
        tuple(int(number) for number in span.replace("/", "-").split("-")) for span in text.split()
    }


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("unaligned_edges", [True, False], ids=["moses", "tight"])
def test_both_ways_find_what_is_found_by_hand(
    case: tuple[int, int, str, str, str], unaligned_edges: bool
) -> None:
    num_source, num_target, links, moses, tight = case
    linked = [(link[0], link[1]) for link in map(_pair, links.split())]
    expected = spans(moses if unaligned_edges else tight)
    found = extract_phrases(
        num_source, num_target, linked, max_words=7, unaligned_edges=unaligned_edges
    )
    assert len(found) == len(set(found))
    assert set(found) == expected
    plain = extract_phrases_plainly(
        num_source, num_target, linked, max_words=7, unaligned_edges=unaligned_edges
    )
    assert plain == expected


def _pair(link: str) -> tuple[int, int]:
    source, target = link.split("-")
    return int(source), int(target)


@pytest.mark.parametrize(
    ("target", "links", "expected"),
    [
        (["the", "bank"], "0-0 0-1", "0-1/1-2"),
        (["the", "the", "bank"], "0-0 0-2", "0-1/2-3"),
        (["the"], "0-0", "0-1/0-1"),
        (["bank", "the"], "0-0 0-1", "0-1/0-2"),
        (["bank", "a", "loan"], "0-0 0-2", "0-1/0-3"),
    ],
)
def test_a_target_begins_behind_its_articles(target: list[str], links: str, expected: str) -> None:
    config = ExtractionConfig(edges="tight-without-articles")
    pair = (["银行"], target, [_pair(link) for link in links.split()])
    assert set(next(phrase_spans([pair], config))) == spans(expected)
