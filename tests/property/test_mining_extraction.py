"""Laws of phrase extraction and of counting phrases."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.phrase_keys import phrase_key
from tasks.compiled.arrays import spelled
from tasks.mining.candidates import PhraseCounter, PhraseCounts, ShardCounts, count_phrases
from tasks.mining.config import Edges, ExtractionConfig
from tasks.mining.extraction import LinkedPair, corpus_of, extract_phrases, phrase_spans
from tests.reference.mining_counts import count_plainly, spans_plainly
from tests.reference.mining_extraction import extract_phrases_plainly

Example = tuple[int, int, list[tuple[int, int]]]

SOURCE_WORDS = ("银行", "银", "行", "中央", "的", "在", "三", "，", "国", "中国")
TARGET_WORDS = ("the", "a", "bank", "central", "of", ".", "3", "banks", "bank's", "é")
EDGES: tuple[Edges, ...] = get_args(Edges)
CONFIGS = st.builds(
    ExtractionConfig,
    max_words=st.integers(1, 8),
    edges=st.sampled_from(EDGES),
)


@st.composite
def linked_pairs(draw: st.DrawFn) -> Example:
    num_source, num_target = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    link = st.tuples(st.integers(0, num_source - 1), st.integers(0, num_target - 1))
    return num_source, num_target, draw(st.lists(link, max_size=9))


def random_pair(random: Random) -> LinkedPair:
    """Make a sentence pair with links, some of them far from the diagonal, some words without."""
    source = random.choices(SOURCE_WORDS, k=random.randint(1, 8))
    target = random.choices(TARGET_WORDS, k=random.randint(1, 8))
    places = [(s, t) for s in range(len(source)) for t in range(len(target))]
    near = [(s, t) for s, t in places if abs(s * len(target) - t * len(source)) <= len(source)]
    chosen = random.sample(near, random.randint(0, len(near)))
    return source, target, [*chosen, *random.choices(places, k=random.randint(0, 2))]


def by_text(counts: ShardCounts) -> PhraseCounts:
    """Give counts by text, and hold the arrays to what they promise."""
    sources, targets = spelled(counts.sources.texts), spelled(counts.targets.texts)
    assert counts.sources.keys.tolist() == [phrase_key(text) for text in sources]
    assert counts.targets.keys.tolist() == [phrase_key(text) for text in targets]
    assert sorted(counts.sources.keys) == list(counts.sources.keys)
    pieces = [piece.tolist() for piece in counts.pairs.pieces(7)]
    assert all(len(piece) == 7 for piece in pieces[:-1])
    rows = [tuple(row) for piece in pieces for row in piece]
    assert len(rows) == len(counts.pairs)
    assert sorted({row[:2] for row in rows}) == [row[:2] for row in rows]
    found = PhraseCounts()
    for source, target, count in rows:
        found.pairs[sources[source], targets[target]] = count
    found.sources.update(dict(zip(sources, counts.sources.counts.tolist(), strict=True)))
    found.targets.update(dict(zip(targets, counts.targets.counts.tolist(), strict=True)))
    return found


@pytest.mark.parametrize(("edges", "seed"), [(edges, at) for at, edges in enumerate(EDGES)])
def test_a_thousand_pairs_have_the_phrases_of_the_definition(edges: Edges, seed: int) -> None:
    random, config = Random(seed), ExtractionConfig(edges=edges)
    pairs = [random_pair(random) for _ in range(1_000 // len(EDGES) + 1)]
    found = list(phrase_spans(pairs, config))
    assert len(found) == len(pairs)
    for pair, spans in zip(pairs, found, strict=True):
        assert set(spans) == spans_plainly(pair, config)
        assert len(spans) == len(set(spans))
        assert [span[:2] for span in spans] == sorted(span[:2] for span in spans)
    assert count_phrases(pairs, config, max_words=6) == count_plainly(pairs, config, max_words=6)


@given(st.randoms(use_true_random=False), CONFIGS, st.integers(1, 8), st.booleans())
@settings(max_examples=40, deadline=None)
def test_neither_batches_nor_room_change_what_is_counted(
    random: Random, config: ExtractionConfig, max_words: int, everything: bool
) -> None:
    pairs = [random_pair(random) for _ in range(12)]
    counter = PhraseCounter(config, max_words=max_words, everything=everything, room=1)
    cuts = sorted(random.sample(range(13), 3))
    for first, end in zip([0, *cuts], [*cuts, 12], strict=True):
        counter.add(corpus_of(pairs[first:end]))
    assert by_text(counter.counts()) == count_plainly(
        pairs, config, max_words=max_words, everything=everything
    )


def test_nothing_at_all_has_no_phrases() -> None:
    assert count_phrases([], ExtractionConfig(), max_words=6) == PhraseCounts()
    assert count_phrases([([], ["a"], [])], ExtractionConfig(), max_words=6) == PhraseCounts()


@given(linked_pairs(), st.integers(1, 5), st.booleans())
@settings(deadline=None)
def test_the_fast_way_finds_what_the_definition_says(
    example: Example, max_words: int, unaligned_edges: bool
) -> None:
    num_source, num_target, links = example
    found = extract_phrases(
        num_source, num_target, links, max_words=max_words, unaligned_edges=unaligned_edges
    )
    assert len(found) == len(set(found))
    assert set(found) == extract_phrases_plainly(
        num_source, num_target, links, max_words=max_words, unaligned_edges=unaligned_edges
    )


@given(linked_pairs(), st.integers(1, 5))
@settings(deadline=None)
def test_no_link_crosses_the_border_of_a_phrase(example: Example, max_words: int) -> None:
    num_source, num_target, links = example
    for s1, s2, t1, t2 in extract_phrases(num_source, num_target, links, max_words=max_words):
        for s, t in links:
            assert (s1 <= s < s2) == (t1 <= t < t2)


@given(linked_pairs(), st.integers(1, 5))
@settings(deadline=None)
def test_reading_a_pair_backwards_gives_the_same_phrases(example: Example, max_words: int) -> None:
    num_source, num_target, links = example
    there = extract_phrases(num_source, num_target, links, max_words=max_words)
    back = extract_phrases(num_target, num_source, [(t, s) for s, t in links], max_words=max_words)
    assert set(there) == {(s1, s2, t1, t2) for t1, t2, s1, s2 in back}


def test_texts_whose_last_bytes_differ_by_one_have_keys_of_their_own() -> None:
    texts = [first + chr(0x8BA0 + last) for first in "预制编" for last in range(64)]
    texts += [f"{first}{last}" for first in ("ca", "do") for last in "abcdefghijklmnopqrstuvwxyz"]
    assert len({phrase_key(text) for text in texts}) == len(texts)


@given(st.lists(st.sampled_from([*SOURCE_WORDS, "\0", "\ud800", ""]), max_size=6))
@settings(deadline=None)
def test_the_key_of_a_phrase_does_not_depend_on_how_it_is_cut(words: list[str]) -> None:
    text = "".join(words)
    assert 0 <= phrase_key(text) < 1 << 63
    for cut in (words, list(text)):
        counter = PhraseCounter(ExtractionConfig(max_words=20), max_words=20, everything=True)
        counter.add(corpus_of([(cut, ["x"], [(place, 0) for place in range(len(cut))])]))
        assert counter.counts().sources.keys.tolist() == ([phrase_key(text)] if cut else [])
