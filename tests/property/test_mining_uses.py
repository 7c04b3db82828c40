"""Laws of counting how often phrases are right, and of leaving a sentence out."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.uses import (
    CountedPair,
    Phrase,
    UseCounter,
    Uses,
    by_document,
    count_uses,
    document_key,
    without_copies,
)
from tests.reference.mining_uses import uses_plainly

PHRASES: list[Phrase] = [("甲", "a"), ("甲乙", "a b"), ("乙", "a"), ("乙", "b"), ("丙甲", "b b")]
sources = st.lists(st.sampled_from(["甲", "乙", "丙", "甲乙", "丙甲"]), max_size=6)
targets = st.lists(st.sampled_from("abc"), max_size=6)
pairs = st.lists(
    st.tuples(st.sampled_from(["", "x", "y", "z"]), sources, targets), max_size=12
).map(
    lambda drawn: sorted(
        (document_key("corpus", document, str(place)), source, target)
        for place, (document, source, target) in enumerate(drawn)
    )
)


def in_documents(found: Sequence[CountedPair]) -> list[CountedPair]:
    return sorted(found, key=lambda pair: pair[0])


@given(text=pairs)
@settings(deadline=None)
def test_uses_are_those_of_the_plain_count(text: list[CountedPair]) -> None:
    assert count_uses(text, PHRASES) == [uses_plainly(text, phrase) for phrase in PHRASES]


@given(pairs, st.integers(0, 4))
def test_uses_of_shards_of_documents_add_up(text: list[CountedPair], cut: int) -> None:
    names = sorted({document for document, _, _ in text})
    shards = [
        [pair for pair in text if (names.index(pair[0]) < cut) == is_first]
        for is_first in (True, False)
    ]
    one, two = (count_uses(shard, PHRASES) for shard in shards)
    assert [left.plus(right) for left, right in zip(one, two, strict=True)] == count_uses(
        text, PHRASES
    )


@given(pairs, st.data())
def test_leaving_a_pair_and_its_copies_out_is_never_having_had_them(
    text: list[CountedPair], data: st.DataObject
) -> None:
    if not text:
        return
    _, source, target = data.draw(st.sampled_from(text))
    extra = [
        (document_key("corpus", document, f"copy {place}"), source, target)
        for place, document in enumerate(
            data.draw(st.lists(st.sampled_from(["", "x", "new"]), max_size=3))
        )
    ]
    whole = in_documents([*text, *extra])
    rest = [pair for pair in whole if list(pair[1:]) != [source, target]]
    counter = UseCounter(PHRASES)
    held = dict(by_document((key, counter.in_pair(*words)) for key, *words in whole))
    copies: dict[tuple[str, str], int] = {}
    for document, *words in whole:
        if words == [source, target]:
            copies[document] = copies.get(document, 0) + 1
    totals = count_uses(whole, PHRASES)
    for place, here in counter.in_pair(source, target).items():
        documents = [(held[key][place], number) for key, number in copies.items()]
        left = without_copies(totals[place], here, documents)
        assert left == uses_plainly(rest, PHRASES[place])


def test_a_document_in_which_half_is_right_is_not_mostly_right() -> None:
    assert Uses.of_document(1, 2) == Uses(1, 2, 0, 1)
    assert Uses.of_document(2, 3) == Uses(2, 3, 1, 1)
    assert Uses.of_document(0, 0) == Uses()


def test_pairs_without_a_document_are_one_each() -> None:
    text = in_documents(
        [(document_key("c", "", str(place)), ["甲"], ["a"]) for place in range(3)]
        + [(document_key("c", "law", str(place)), ["甲"], ["a"]) for place in range(5)]
    )
    assert count_uses(text, [("甲", "a")]) == [Uses(8, 8, 4, 4)]
