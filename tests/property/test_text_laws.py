"""Laws of normalising, segmenting, tokenising and cleaning."""

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.records import Span
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise
from tasks.text.segment import segment

CHINESE = "年月日时分元万亿三五百千两〇○点第的中国人民银行在于，。"
TRICKY = st.text(
    st.one_of(
        st.sampled_from(
            CHINESE + "aA1２ 　\t\n\u0300\u3099か\uff9e\u1100\u1161\u200b\ufeff㎡…\ud800"
        ),
        st.characters(),
    ),
    max_size=30,
)
ENGLISH = st.lists(
    st.one_of(
        st.sampled_from(
            ["a.m.", "u.s.", "mr.", "do", "n't", "'s", "'", '"', "(", ")", "$", "%", "1,345", "3.5"]
            + [
                " ",
                "  ",
                ",",
                ".",
                "...",
                "-",
                "--",
                "/",
                "2",
                "cat",
                "o'brien",
                "s",
                "“",
                "”",
                "’",
            ]
            + ["http://a.b", "a@b.cd", "no", "16th", "-2.5", "10:20", "_", "&", "#", "\n"]
        ),
        st.text("ab1.,'\"-% $(/:&@é", max_size=4),
    ),
    max_size=14,
).map("".join)


@given(TRICKY)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@settings(deadline=None)  # The first example loads the dictionary.
@given(TRICKY, st.data())
def test_words_joined_give_the_text_back_and_keep_the_borders_of_spans(
    text: str, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [Span(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    words = segment(text, spans)
    assert "".join(word.text for word in words) == "".join(text.split())
    assert all(text[word.start : word.end] == word.text for word in words)
    borders = {border for span in spans for border in (span.start, span.end)}
    assert not any(
        border in range(word.start + 1, word.end) for word in words for border in borders
    )


@given(ENGLISH)
def test_printed_english_is_cut_and_printed_into_itself(text: str) -> None:
    words = tokenise(text)
    printed = detokenise(words)
    assert tokenise(printed) == words
    assert detokenise(tokenise(printed)) == printed


@given(ENGLISH)
def test_tokenising_loses_nothing_but_blanks_and_curls(text: str) -> None:
    straight = text.translate(str.maketrans("“”’", '""\''))
    assert "".join(tokenise(text)) == "".join(straight.split())


@given(ENGLISH)
def test_both_cases_are_cut_alike(text: str) -> None:
    assert [word.lower() for word in tokenise(text)] == tokenise(text.lower())
