"""What lexical weights and significance rest on is counted as the definitions say."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.phrase_keys import phrase_key
from tasks.mining.association import SentenceCounts, significance
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import LinkedPair, corpus_of
from tasks.mining.lexical_weights import WordLink, lexical_weights
from tasks.mining.link_counts import NULL, NULL_KEY, LinkCounter
from tasks.mining.phrase_places import PhrasePlaces, count_alignments
from tests.property.test_mining_extraction import CONFIGS, random_pair
from tests.reference.mining_places import (
    alignments_plainly,
    links_plainly,
    places_plainly,
    sentences_plainly,
)

SEEDS = st.integers(0, 1 << 32)


def one_link_each(pair: LinkedPair) -> LinkedPair:
    """Take repeated links out: no aligner makes any."""
    return pair[0], pair[1], sorted(set(pair[2]))


@given(SEEDS, CONFIGS, st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_places_alignments_and_sentences_are_those_of_the_definition(
    seed: int, config: ExtractionConfig, max_words: int
) -> None:
    random = Random(seed)
    pairs = [one_link_each(random_pair(random)) for _ in range(30)]
    counted = count_phrases(pairs, config, max_words=max_words).pairs
    wanted = sorted(counted)
    phrases = random.sample(wanted, len(wanted) // 2 + 1) if wanted else []
    phrases.append(("银行银行", "no such phrase"))
    looking = PhrasePlaces(phrases, config, max_words=max_words)
    expected = places_plainly(pairs, phrases, config, max_words=max_words)
    found = [tuple(row) for row in looking.find(corpus_of(pairs)).tolist()]
    assert [place[:3] for place in found] == sorted(place[:3] for place in found)
    assert len(found) == len(set(found))
    assert set(found) == expected
    times = Counter(phrases[place] for *_, place in found)
    assert times == {phrase: counted[phrase] for phrase in times}
    corpus = corpus_of(pairs)
    alignments = {tuple(cut): n for cut, n in count_alignments(corpus, looking.find(corpus))}
    assert alignments == alignments_plainly(pairs, expected)
    for part in (pairs[:11], pairs[11:]):
        looking.see(corpus_of(part))
    sentences = [side.tolist() for side in looking.sentences()]
    assert list(zip(*sentences, strict=True)) == sentences_plainly(pairs, phrases)


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_links_are_counted_with_those_of_the_empty_word(seed: int) -> None:
    random = Random(seed)
    pairs = [one_link_each(random_pair(random)) for _ in range(20)]
    counter = LinkCounter()
    for part in (pairs[:7], [], pairs[7:]):
        counter.add(corpus_of(part))
    counts = counter.counts()
    keys = list(zip(counts.sources.tolist(), counts.targets.tolist(), strict=True))
    assert keys == sorted(set(keys))
    expected = {
        tuple(phrase_key(word) if word else NULL_KEY for word in words): number
        for words, number in links_plainly(pairs).items()
    }
    assert dict(zip(keys, counts.counts.tolist(), strict=True)) == expected


def plain_weight(
    given_words: Sequence[str],
    made: Sequence[str],
    links: set[tuple[int, int]],
    counts: Mapping[tuple[str, str], int],
) -> Fraction:
    """Koehn, Och and Marcu (2003), equation 8, in fractions."""
    weight = Fraction(1)
    for j, word in enumerate(made):
        over = [given_words[i] for i, other in links if other == j] or [NULL]
        total = Fraction(0)
        for one in over:
            number = sum(n for (first, _), n in counts.items() if first == one)
            total += Fraction(counts.get((one, word), 0), number)
        weight *= total / len(over)
    return weight


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_lexical_weights_are_those_of_the_equation(seed: int) -> None:
    random = Random(seed)
    pairs = [one_link_each(random_pair(random)) for _ in range(8)]
    counts = links_plainly(pairs)
    sources, targets = Counter[str](), Counter[str]()
    for (one, other), number in counts.items():
        sources[one] += number
        targets[other] += number
    words = {
        pair: WordLink(number, sources[pair[0]], targets[pair[1]])
        for pair, number in counts.items()
    }
    source, target, links = pairs[0]
    weights = lexical_weights(source, target, random.sample(links, len(links)), words)
    turned = {(t, s): number for (s, t), number in counts.items()}
    forward = plain_weight(source, target, set(links), counts)
    inverse = plain_weight(target, source, {(j, i) for i, j in links}, turned)
    assert math.isclose(weights.forward, forward, rel_tol=1e-12)
    assert math.isclose(weights.inverse, inverse, rel_tol=1e-12)


@given(st.integers(1, 60), st.data())
def test_significance_is_the_tail_of_the_hypergeometric_distribution(
    total: int, data: st.DataObject
) -> None:
    source, target = (data.draw(st.integers(0, total)) for _ in range(2))
    least, most = max(0, source + target - total), min(source, target)
    both = data.draw(st.integers(least, most))
    ways = sum(
        math.comb(source, k) * math.comb(total - source, target - k) for k in range(both, most + 1)
    )
    exact = -math.log(ways / math.comb(total, target))
    found = significance(SentenceCounts(both, source, target, total))
    assert math.isclose(found, exact, rel_tol=1e-9, abs_tol=1e-9)
