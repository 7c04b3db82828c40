"""The built-in sample keeps its promises: gold answers fit the text, and the test part is new."""

import hashlib
import itertools
import random
from collections import Counter

import pytest

from storage.errors import ConfigError
from tasks.rules.grammar import find
from tasks.sample.chunks import SamplePair, finish, order, pair, phrase, written
from tasks.sample.names import (
    date_chunk,
    distance_chunk,
    money_chunk,
    number_chunk,
    percent_chunk,
    split_pools,
)
from tasks.sample.newswire import MAX_WORDS, MIN_WORDS, Sample, _new_pair, generate

AMBIGUOUS: dict[str, tuple[str, ...]] = {
    "项目": ("project", "event"),
    "成绩": ("result", "grade"),
    "材料": ("material", "document"),
    "问题": ("question", "problem"),
    "活动": ("activity", "campaign"),
    "处理": ("handle", "process"),
    "组织": ("organize", "organization"),
}
"""Words whose translation depends on the subject, with the English base forms."""


@pytest.fixture(scope="module")
def sample() -> Sample:
    return generate(seed=7, train=1500, dev=100, test=200)


def everything(sample: Sample) -> list[SamplePair]:
    return [*sample.train, *sample.dev, *sample.test]


def digest(sample: Sample) -> str:
    return hashlib.sha256(repr(sample).encode()).hexdigest()


def test_the_seed_alone_decides(sample: Sample) -> None:
    assert digest(generate(seed=7, train=1500, dev=100, test=200)) == digest(sample)
    assert digest(generate(seed=8, train=1500, dev=100, test=200)) != digest(sample)


def test_it_says_that_it_is_synthetic(sample: Sample) -> None:
    assert "synthetic" in sample.notice


def test_the_parts_are_as_large_as_asked_for_and_share_no_sentence(sample: Sample) -> None:
    assert [len(part) for part in (sample.train, sample.dev, sample.test)] == [1500, 100, 200]
    sources = [made.source for made in everything(sample)]
    assert len(set(sources)) == len(sources)


def test_names_dates_and_amounts_of_the_test_part_never_occur_in_training(sample: Sample) -> None:
    known = {found.source_text for made in sample.train for found in made.phrases}
    known_targets = {found.target_text for made in sample.train for found in made.phrases}
    new = [
        found
        for made in (*sample.test, *sample.dev)
        for found in made.phrases
        if found.category != "term"
    ]
    assert len(new) > 300
    for found in new:
        assert found.source_text not in known
        assert found.target_text not in known_targets


def test_the_words_are_the_text_and_links_and_spans_lie_inside(sample: Sample) -> None:
    for made in everything(sample):
        assert "".join(made.source_words) == made.source
        assert MIN_WORDS <= len(made.source_words) <= MAX_WORDS
        assert written(list(made.target_words)).lower() == made.target.lower()
        for s, t in (*made.links, *made.possible_links):
            assert 0 <= s < len(made.source_words)
            assert 0 <= t < len(made.target_words)


def test_phrases_are_consistent_with_the_links_and_do_not_overlap(sample: Sample) -> None:
    for made in everything(sample):
        for found in made.phrases:
            for s, t in made.links:
                inside = found.source.start <= s < found.source.end
                assert inside == (found.target.start <= t < found.target.end)
            words = made.target_words[found.target.start : found.target.end]
            assert " ".join(words) == found.target_text
        for left, right in itertools.pairwise(made.phrases):
            assert left.source.end <= right.source.start


def test_a_sentence_is_not_made_twice() -> None:
    pools = split_pools(
        random.Random(1), {"train": 1.0}, {"people": 5, "places": 5, "organizations": 5}
    )
    first = _new_pair(random.Random(2), pools["train"], set())
    assert _new_pair(random.Random(2), pools["train"], set()) == first
    assert _new_pair(random.Random(2), pools["train"], {first.source}).source != first.source


def test_a_share_of_the_test_sentences_has_no_phrase(sample: Sample) -> None:
    share = sum(not made.phrases for made in sample.test) / len(sample.test)
    assert 0.2 < share < 0.5


def test_some_training_pairs_are_noise_and_have_no_answers(sample: Sample) -> None:
    noise = [made for made in sample.train if made.is_noise]
    assert 5 < len(noise) < 100
    assert all(not made.links and not made.phrases for made in noise)
    assert not any(made.is_noise for made in (*sample.dev, *sample.test))


def test_the_two_sides_differ_in_their_order(sample: Sample) -> None:
    crossing = sum(
        any(a[0] < b[0] and a[1] > b[1] for a, b in itertools.combinations(made.links, 2))
        for made in sample.test
    )
    assert crossing > len(sample.test) / 2


def test_ambiguous_words_have_two_translations(sample: Sample) -> None:
    seen = {
        (made.source_words[s], made.target_words[t]) for made in sample.train for s, t in made.links
    }
    for source, targets in AMBIGUOUS.items():
        for target in targets:
            assert any(s == source and t.startswith(target[:5]) for s, t in seen), (source, target)


def test_the_dictionary_covers_every_name_with_one_translation(sample: Sample) -> None:
    entries = {entry.source: entry for entry in sample.dictionary}
    assert len(entries) == len(sample.dictionary)
    kinds: Counter[str] = Counter()
    for made in everything(sample):
        for found in made.phrases:
            if found.category in ("person", "location", "organization"):
                entry = entries[found.source_text]
                assert (entry.target.lower(), entry.category) == (found.target_text, found.category)
                kinds[found.category] += 1
    assert len(kinds) == 3


@pytest.mark.parametrize(
    ("chunk", "source", "target"),
    [
        (date_chunk(2003, 3, 20, "full"), "2003年3月20日", "march 20 , 2003"),
        (date_chunk(2003, 12, 1, "day"), "12月1日", "december 1"),
        (date_chunk(2003, 10, 21, "chinese"), "十月二十一日", "october 21"),
        (money_chunk(550, "dollar"), "5500万美元", "55 million us dollars"),
        (money_chunk(125, "yuan"), "1250万元", "12.5 million yuan"),
        (money_chunk(1200, "yuan"), "1.2亿元", "120 million yuan"),
        (money_chunk(12_300, "dollar"), "12.3亿美元", "1.23 billion us dollars"),
        (percent_chunk(35), "3.5%", "3.5 percent"),
        (percent_chunk(400), "40%", "40 percent"),
        (number_chunk(1345), "1345名", "1,345"),
        (distance_chunk(350), "350公里", "350 kilometers"),
    ],
)
def test_values_are_written_in_both_languages(chunk: object, source: str, target: str) -> None:
    found = finish(chunk).phrases[0]  # type: ignore[arg-type]
    assert (found.source_text, found.target_text) == (source, target)


def test_the_rules_read_the_dates_and_amounts_of_the_sample(sample: Sample) -> None:
    for made in sample.test:
        seen = [(match.source, match.target.lower()) for match in find(made.source)]
        assert seen == [
            (found.source_text, found.target_text)
            for found in made.phrases
            if found.category in ("date", "number", "quantity")
        ]


def test_a_sentence_is_written_as_people_write_it() -> None:
    words = ["on", "March", "3", ",", "2004", ",", "Wang", "Wei", "paid", "5", "yuan", "."]
    assert written(words) == "On March 3, 2004, Wang Wei paid 5 yuan."


def test_positions_are_counted_when_a_sentence_is_complete() -> None:
    name, verb = phrase(pair("王伟", "Wang Wei"), "person"), pair("来 了", "came")
    made = finish(order([name, verb], [verb, name]))
    assert made.target_words == ("came", "wang", "wei")
    assert made.links == ((0, 1), (0, 2), (1, 0), (2, 0))
    assert (made.phrases[0].target.start, made.phrases[0].target.end) == (1, 3)


def test_an_impossible_size_is_refused() -> None:
    with pytest.raises(ConfigError, match="sample.test is -1"):
        generate(1, test=-1)


def test_the_text_of_the_sample_stays_what_results_were_measured_on() -> None:
    made = generate(seed=1, train=200, dev=20, test=30)
    text = "\n".join(f"{p.source}\t{p.target}" for p in (*made.train, *made.dev, *made.test))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "671f4840ad281239"
