"""What is counted at the places of phrases is what the slow reference counts."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.english_shape import as_name, as_names
from tasks.mining.likely import LikelyPhrases
from tasks.mining.term_contexts import English, PhraseFinder, count_contexts
from tasks.mining.word_arrays import WordArrays
from tests.facts import spelled_facts
from tests.reference.mining_contexts import contexts_plainly

CHINESE = ["甲", "乙", "甲乙", "丙", "，"]
ENGLISH = [
    "The",
    "the",
    "A",
    "bank",
    "Bank",
    "BANK",
    "of",
    "Ärzte",
    "ärzte",
    "taiwan",
    "Taiwan",
    ",",
]
SOURCES = ["甲", "乙", "甲乙", "乙丙", "甲乙丙"]
TARGETS = ["bank", "bank of taiwan", "taiwan", "ärzte", "the bank", "of"]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int, str]], str]:
    words = draw(st.lists(st.sampled_from(CHINESE), max_size=7))
    cuts = sorted(draw(st.sets(st.integers(0, len(words)), max_size=4)))
    spans = [
        (start, end, draw(st.sampled_from(["location", "term"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return words, spans, " ".join(draw(st.lists(st.sampled_from(ENGLISH), max_size=8)))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(pairs(), max_size=5),
    st.dictionaries(st.sampled_from(SOURCES), st.sets(st.sampled_from(TARGETS), min_size=1)),
    st.sets(st.sampled_from(["甲乙", "乙丙", "丙甲"])),
    st.integers(1, 3),
)
def test_contexts_are_those_of_the_plain_count(
    text: list[Any], phrases: dict[str, set[str]], names: set[str], longest: int
) -> None:
    listed = sorted((source, target) for source in phrases for target in phrases[source])
    likely = LikelyPhrases.of_lists([pair[0] for pair in listed], [pair[1] for pair in listed])
    arrays = WordArrays.of(
        (words, [{"start": start, "end": end, "category": kind} for start, end, kind in spans])
        for words, spans, _ in text
    )
    english = English.of((raw, raw.lower().split()) for *_, raw in text)
    counted = count_contexts(
        arrays, likely, PhraseFinder.of(sorted(names)), english, max_words=longest
    )
    rows = spelled_facts(likely, counted)
    assert rows == sorted(rows)
    plain = contexts_plainly(
        text,
        {source: sorted(targets) for source, targets in phrases.items()},
        sorted(names),
        longest,
    )
    assert {tuple(row[:3]): row[3] for row in rows} == dict(plain)


@given(st.lists(st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=4).map(" ".join)))
def test_many_names_are_written_as_each_is(targets: list[str]) -> None:
    lowered = [target.lower() for target in targets]
    assert as_names(lowered) == [as_name(target) for target in lowered]
