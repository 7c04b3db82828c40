"""The links of the aligners against links that are known: the sample's, and some by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks, alignment_scores
from tasks.mining.alignment import Aligner
from tasks.mining.alignment_config import AlignmentConfig, Engine
from tasks.mining.word_table import WordPair
from tasks.sample.chunks import SamplePair
from tasks.sample.newswire import generate
from tests.law_links import FILE, law_links
from tests.support import ROOT

LAWS = ROOT.parent / "shared" / "data" / "laws"


@pytest.mark.parametrize(
    ("engine", "most_trained", "most_new"), [("joint-hmm", 0.06, 0.065), ("thot-hmm", 0.09, 0.11)]
)
def test_the_errors_on_the_sample(engine: Engine, most_trained: float, most_new: float) -> None:
    sample = generate(seed=7)
    aligner = Aligner.train(map(_words, sample.train), AlignmentConfig(engine=engine))
    assert _error(aligner, [made for made in sample.train if not made.is_noise]) <= most_trained
    assert _error(aligner, sample.test) <= most_new


def _words(made: SamplePair) -> WordPair:
    return made.source_words, made.target_words


def _error(aligner: Aligner, pairs: Sequence[SamplePair]) -> float:
    gold = [GoldLinks(frozenset(made.links), frozenset(made.possible_links)) for made in pairs]
    return alignment_scores(aligner.align_pairs(list(map(_words, pairs))), gold).error_rate


def test_the_links_by_hand_hold_no_sentence_and_are_sixty() -> None:
    text = FILE.read_text("utf-8")
    assert len(text.splitlines()) == 60
    assert text.isascii()


@pytest.mark.data
@pytest.mark.skipif(not LAWS.exists(), reason="../shared/data/laws is not here")
def test_the_error_on_the_links_by_hand() -> None:
    pairs, gold = law_links(LAWS)
    aligner = Aligner.train(pairs, AlignmentConfig(engine="joint-hmm"))
    links = aligner.align_pairs([pairs[place] for place in gold])
    assert alignment_scores(links, list(gold.values())).error_rate <= 0.25


def test_links_of_other_texts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "dev.zh").write_text("别的\n" * 1500, "utf-8")
    (tmp_path / "dev.en").write_text("other\n" * 1500, "utf-8")
    with pytest.raises(InputError, match="expected the very sentences that were linked"):
        law_links(tmp_path)
