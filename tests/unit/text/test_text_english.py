import pytest

from tasks.text.english import detokenise, tokenise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on March 20, 2003.", "on March 20 , 2003 ."),
        ("a $55 million deal", "a $ 55 million deal"),
        ("3.5% of 1,345,000", "3.5 % of 1,345,000"),
        ("at 10:20 a.m. in the U.S.", "at 10:20 a.m. in the U.S."),
        ("the 16th, the 1990s and -2.5", "the 16th , the 1990s and -2.5"),
        ("don't, can't, it's, we'll", "do n't , ca n't , it 's , we 'll"),
        ("the dogs' and O'Brien's", "the dogs ' and O'Brien 's"),
        ("state-of-the-art (34-1)", "state-of-the-art ( 34-1 )"),
        ("“Yes”, he said", '" Yes " , he said'),
        ("Mr. Li vs. Ms. Xi...", "Mr. Li vs. Ms. Xi ..."),
        ("and/or AT&T", "and / or AT&T"),
        ("see http://example.org/a?b=1.", "see http://example.org/a?b=1 ."),
        ("mail me@example.org, please", "mail me@example.org , please"),
        ("1.Items (a)the end", "1 . Items ( a ) the end"),
        ("pages 3-5 -- or 2003-03-20", "pages 3-5 -- or 2003-03-20"),
        ("", ""),
    ],
)
def test_text_is_cut_into_words(text: str, expected: str) -> None:
    assert " ".join(tokenise(text)) == expected


@pytest.mark.parametrize(
    "printed",
    [
        "march 20 , 2003",
        "3.5 percent",
        "$ 55 million",
        "10:20 a.m. on august 9 , 2014",
        "1,345",
        "-2.5",
        "the 103rd",
        "3 / 15",
        "article 34-1",
        "mid-1980s",
        "hk $ 800",
    ],
)
def test_the_english_of_the_rules_is_cut_into_its_own_words(printed: str) -> None:
    assert tokenise(printed) == printed.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on march 20 , 2003 .", "on march 20, 2003."),
        ("a $ 55 million deal", "a $55 million deal"),
        ("he did n't say ( yet ) : 3.5 %", "he didn't say (yet): 3.5%"),
        ('" yes " , he said , " it \'s so " .', '"yes", he said, "it\'s so".'),
        ("no . 5 is ok", "no. 5 is ok"),
        ("u.s. , etc .", "u.s., etc ."),
        ("the dogs ' food and 's", "the dogs' food and's"),
    ],
)
def test_words_are_printed_as_text(words: str, expected: str) -> None:
    assert detokenise(words.split()) == expected


def test_words_that_would_stick_together_are_printed_apart() -> None:
    assert detokenise(["etc", "."]) == "etc ."
    assert detokenise(["1", ",", "345"]) == "1, 345"


@pytest.mark.parametrize("unit", ["a", "a.", "1,", "a@", "a-", "a'", "(", "1:", "http://", "."])
def test_a_long_line_takes_no_quadratic_time(unit: str) -> None:
    assert "".join(tokenise(unit * 50_000)) == unit * 50_000
