import pytest

from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise


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
        ("at 8:30pm, 2.5kg of PM2.5", "at 8:30pm , 2.5kg of PM2.5"),
        ("a 6,800-space, 7.7-magnitude one", "a 6,800-space , 7.7-magnitude one"),
        ("a U.S.-led, non-U.S. team", "a U.S.-led , non-U.S. team"),
        ("short- and long-term", "short- and long-term"),
        ("at FiveThirtyEight.com, today", "at FiveThirtyEight.com , today"),
        ("#topic and #NAME# won", "#topic and #NAME# won"),
        ("what?! no!! **", "what ?! no !! **"),
        ("a Ph.D. in law", "a Ph.D. in law"),
        ("3.Items of 1,345,00", "3 . Items of 1,345 , 00"),
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
        ("he said ' no ' twice", "he said 'no' twice"),
        ("it was ' not on ' her list", "it was 'not on' her list"),
        ("the dogs ' and cats ' food", "the dogs' and cats' food"),
        ('so it ended . "', 'so it ended."'),
        ('" it ended , " he said . " Well . "', '"it ended," he said. "Well."'),
        ('he said , " Wait', 'he said, "Wait'),
        ("US $ 14.7 or NT $ 200 or a £ 5 note", "US$14.7 or NT$200 or a £5 note"),
        ("at 35 ° W .", "at 35°W."),
        ("7 – 2 and 10 – 12", "7–2 and 10–12"),
        ("the war – and peace", "the war – and peace"),
        ("UTC + 1 and 50 + people", "UTC+1 and 50+ people"),
        ("Article 55 ( 1 ) ( b )", "Article 55(1)(b)"),
        ("resolution 2127 ( 2013 )", "resolution 2127 (2013)"),
        ("item 3 ( b )", "item 3 (b)"),
        ("Italy * ( 2015 ) **", "Italy* (2015)**"),
        ("what ?! no", "what?! no"),
        ("and / or", "and/or"),
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
