"""What was withdrawn is known again by its place or its text, and nothing else is."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.lineage.held_elsewhere import held_by, sentence_of
from tasks.lineage.tombstones import (
    Gone,
    Key,
    corpus_key,
    dictionary_key,
    document_key,
    entry_key,
    hash_of,
    line_key,
    phrase_key,
    sentence_key,
)

LONG = "The blue windmill in the valley sings an old song."


def keyed(text: str) -> str:
    return hashlib.sha256(b"key" + text.encode("utf-8", "replace")).hexdigest()


def gone(*keys: Key) -> Gone:
    rows = [{"kind": key[0], "hash": hash_of(key, keyed)} for key in keys]
    return Gone({"table": rows}, keyed)


@pytest.mark.parametrize(
    ("key", "corpus", "document", "source", "target", "taken"),
    [
        (corpus_key("a"), "a", "x", "一", "one", True),
        (corpus_key("a"), "b", "x", "一", "one", False),
        (document_key("a", "x"), "a", "x", "一", "one", True),
        (document_key("a", "x"), "a", "y", "一", "one", False),
        (document_key("a", "x"), "b", "x", "一", "one", False),
        (line_key("a", "x", "一", "one"), "a", "x", "一。", "One.", True),
        (line_key("a", "x", "一", "one"), "a", "x", "一", "two", False),
        (line_key("a", "x", "一", "one"), "a", "y", "一", "one", False),
        (sentence_key(LONG), "b", "y", "一", LONG.upper(), True),
        (sentence_key(LONG), "b", "y", "一", LONG.replace(" ", "  "), True),
        (sentence_key(LONG), "b", "y", LONG, "one", True),
        (sentence_key(LONG), "b", "y", "一", f"{LONG} And more.", False),
        (dictionary_key("a"), "a", "x", "一", "one", False),
        (entry_key("a", "一", "one"), "a", "", "一", "one", False),
    ],
)
def test_a_pair_is_taken_by_its_place_or_its_text(
    key: Key, corpus: str, document: str, source: str, target: str, taken: bool
) -> None:
    assert gone(key).has_pair(corpus, document, source, target) == ("table" if taken else "")


@pytest.mark.parametrize(
    ("key", "dictionary", "taken"),
    [
        (dictionary_key("a"), "a", True),
        (dictionary_key("a"), "b", False),
        (entry_key("a", "一", "one"), "a", True),
        (entry_key("a", "一", "one"), "b", False),
        (entry_key("a", "一", "two"), "a", False),
        (corpus_key("a"), "a", False),
    ],
)
def test_an_entry_is_taken_by_its_place(key: Key, dictionary: str, taken: bool) -> None:
    assert gone(key).has_entry(dictionary, "一", "one") == ("table" if taken else "")


def test_nothing_withdrawn_takes_nothing() -> None:
    nothing = gone()
    assert not nothing
    assert not nothing.has_pair("a", "x", LONG, LONG)
    assert gone(phrase_key("12")).has(phrase_key("12"))
    assert not gone(phrase_key("12")).has_pair("a", "x", "12", "12")


@given(st.text(), st.text(), st.text(), st.text())
def test_parts_of_a_place_are_not_mixed_up(one: str, two: str, three: str, four: str) -> None:
    borders = "\0" not in one + two + three + four
    same = (one, two) == (three, four)
    assert same or not borders or document_key(one, two) != document_key(three, four)


@pytest.mark.parametrize(
    ("text", "is_source", "is_one"),
    [
        ("The windmill sings an old song.", False, True),
        ("The windmill sings an old.", False, False),
        ("( 1 ) , - . ;", False, False),
        ("山谷里的蓝色风车每天早晨都会唱一首老歌。", True, True),
        ("风车很高。", True, False),
        ("", True, False),
    ],
)
def test_only_six_words_make_a_sentence_of_its_own(
    text: str, is_source: bool, is_one: bool
) -> None:
    assert (sentence_of(text, is_source=is_source) is not None) is is_one


def test_what_stands_elsewhere_is_not_its_own() -> None:
    own = sentence_of(LONG, is_source=False)
    other = sentence_of("Another thing that nobody else has ever said.", is_source=False)
    assert own is not None
    assert other is not None
    assert held_by([own, other], ["nothing", f'He wrote: "{LONG.upper()}"']) == {own}
    assert held_by([own, other], []) == set()
    assert held_by([], [LONG]) == set()


def test_a_sentence_within_another_one_is_seen_as_well() -> None:
    whole = sentence_of(LONG, is_source=False)
    inner = sentence_of("windmill in the valley sings an old", is_source=False)
    assert whole is not None
    assert inner is not None
    assert held_by([whole, inner], [LONG]) == {whole, inner}


def test_the_converted_form_counts_as_well() -> None:
    own = sentence_of(
        "山谷裡的藍色風車每天早晨都會唱一首老歌。",
        is_source=True,
        kept_as=["山谷里的蓝色风车每天早晨都会唱一首老歌。"],
    )
    assert own is not None
    assert held_by([own], ["山谷里的蓝色风车 每天早晨都会唱一首老歌"]) == {own}
