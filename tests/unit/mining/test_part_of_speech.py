"""Tags of our own words: jieba's list, its tagger for unknown words, both scripts."""

from pathlib import Path

import jieba
import pytest

from tasks.mining import part_of_speech
from tasks.mining.part_of_speech import Tagger, shared_tagger


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger()


@pytest.mark.parametrize(
    ("word", "tag", "word_class"),
    [
        ("法院", "n", "noun"),
        ("管理", "vn", "nominal"),
        ("有效", "a", "adjective"),
        ("国内", "s", "adjective"),
        ("申请", "v", "verb"),
        ("申請", "v", "verb"),
        ("主管機關", "n", "noun"),
        ("及", "c", "other"),
        ("之", "u", "other"),
        ("以及", "c", "other"),
        ("第三", "m", "other"),
        ("3,000", "m", "other"),
        ("。", "x", "other"),
        (",", "x", "other"),
        ("DNA", "eng", "noun"),
    ],
)
def test_words_of_the_list(tagger: Tagger, word: str, tag: str, word_class: str) -> None:
    assert tagger.tag(word)[:2] == (tag, word_class)


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        ("柳阳市", "ns"),
        ("天丰俱乐部", "nt"),
        ("陈明德", "nr"),
        ("应收账款", "n"),
        ("監察人", "n"),
        ("及经", "x"),
        ("并应", "x"),
        ("由本", "x"),
        ("㐀", "x"),
    ],
)
def test_words_that_the_list_lacks(tagger: Tagger, word: str, tag: str) -> None:
    found = tagger.tag(word)
    assert not found.is_known
    assert found.tag == tag


def test_the_word_list_is_the_reference_for_single_words(tagger: Tagger) -> None:
    assert tagger.reference_total > 50_000_000
    assert tagger.reference_count("法院") == tagger.reference_count("法院") > 0
    assert tagger.reference_count("申請") == tagger.reference_count("申请") > 0
    assert tagger.reference_count("柳阳市") == 0


def test_what_others_taught_jieba_has_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = jieba.Tokenizer()
    taught.tmp_dir = str(tmp_path)
    monkeypatch.setattr(jieba, "dt", taught)  # jieba's own, that all who use it share
    taught.add_word("柳阳市", freq=10_000, tag="zz")
    assert Tagger().tag("柳阳市").tag == "ns"
    assert Tagger().reference_count("柳阳市") == 0


def test_a_tagger_remembers_few_words_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_of_speech, "MOST_KNOWN", 2)
    tagger, words = Tagger(), ["法院", "管理", "第三", "柳阳市", "法院", "申請"]
    shared = shared_tagger()
    for word in words:
        assert tagger.tag(word) == shared.tag(word)
        assert word in tagger._known
        assert len(tagger._known) <= 2


def test_all_shards_of_a_process_share_a_tagger() -> None:
    assert shared_tagger() is shared_tagger()
