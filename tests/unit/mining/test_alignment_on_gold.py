"""The links of our own aligner against links that are known: the sample's, and some by hand."""

from pathlib import Path

import pytest

from tasks.metrics.alignment_error import GoldLinks, alignment_scores
from tasks.mining.alignment import Aligner
from tasks.mining.alignment_config import AlignmentConfig
from tasks.sample.newswire import generate
from tests.law_links import FILE, OtherWords, law_links
from tests.support import ROOT

LAWS = ROOT.parent / "shared" / "data" / "laws"


def test_the_error_on_the_sample_is_at_most_a_tenth() -> None:
    sample = generate(seed=7)
    pairs = [(made.source_words, made.target_words) for made in sample.train]
    links = Aligner.train(pairs, AlignmentConfig(engine="joint-hmm")).align_pairs(pairs)
    clean = [number for number, made in enumerate(sample.train) if not made.is_noise]
    gold = [
        GoldLinks(frozenset(sample.train[i].links), frozenset(sample.train[i].possible_links))
        for i in clean
    ]
    scores = alignment_scores([links[i] for i in clean], gold)
    assert scores.error_rate <= 0.10


def test_the_links_by_hand_hold_no_sentence_and_are_sixty() -> None:
    text = FILE.read_text("utf-8")
    assert len(text.splitlines()) == 60
    assert text.isascii()


@pytest.mark.data
@pytest.mark.skipif(not LAWS.exists(), reason="../shared/data/laws is not here")
def test_the_error_on_the_links_by_hand() -> None:
    try:
        pairs, gold = law_links(LAWS)
    except OtherWords as error:
        pytest.skip(str(error))
    aligner = Aligner.train(pairs, AlignmentConfig(engine="joint-hmm"))
    links = aligner.align_pairs([pairs[place] for place in gold])
    assert alignment_scores(links, list(gold.values())).error_rate <= 0.40


def test_a_gold_file_that_is_elsewhere_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "dev.zh").write_text("别的\n" * 1500, "utf-8")
    (tmp_path / "dev.en").write_text("other\n" * 1500, "utf-8")
    with pytest.raises(OtherWords, match="other words than those linked"):
        law_links(tmp_path)
