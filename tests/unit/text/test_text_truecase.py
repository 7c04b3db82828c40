import pytest

from tasks.text.truecase import CASING_FILE, Casing, PhraseSpan, learn_casing, restore_case

SENTENCES = [
    "The minister of China met Li in New York .",
    "Reporters from China asked about NATO .",
    "In the State Council , the council of the state met .",
    "He said that the State Council of China decides for the state .",
    "New rules came ; the new law of China is old .",
    "The ministry of Labour cut labour costs , not labour .",
    "He saw the ministry of Labour .",
    "THE STATE OF NATO",
    "New Rules For The State",
]


@pytest.fixture(scope="module")
def casing() -> Casing:
    phrases = ["Administrative Procedure Act", "state funds"]
    return learn_casing((text.split() for text in SENTENCES), (text.split() for text in phrases))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the minister of china met nato .", "The minister of China met NATO ."),
        ("he met li . then he left .", "He met Li . Then he left ."),
        ('" china is old , " he said', '" China is old , " he said'),
        ("the labour of the ministry of labour", "The labour of the ministry of Labour"),
        ("(new laws )", "(new laws )"),
        ("", ""),
        ("3 cats", "3 cats"),
    ],
)
def test_words_get_their_usual_case_and_sentences_a_capital(
    casing: Casing, words: str, expected: str
) -> None:
    assert " ".join(restore_case(words.split(), casing)) == expected


def test_headings_and_capitals_teach_nothing(casing: Casing) -> None:
    assert "rules" not in casing.words
    assert "state" not in casing.words


@pytest.mark.parametrize(
    ("words", "span", "category", "expected"),
    [
        ("the administrative procedure act", (1, 4), "term", "The Administrative Procedure Act"),
        ("on may 3 , 2005", (1, 5), "date", "On May 3 , 2005"),
        ("it may rain", (0, 0), "date", "It may rain"),
        ("in 221 bc", (1, 3), "date", "In 221 BC"),
        ("with xu qian-xue", (1, 3), "person", "With Xu Qian-Xue"),
        ("the bank of nowhere", (1, 4), "organization", "The Bank of Nowhere"),
        ("some state funds", (1, 3), "term", "Some state funds"),
    ],
)
def test_a_remembered_phrase_keeps_its_own_case(
    casing: Casing, words: str, span: tuple[int, int], category: str, expected: str
) -> None:
    spans = [PhraseSpan(*span, category)]
    assert " ".join(restore_case(words.split(), casing, spans)) == expected


def test_casing_travels_with_a_model(casing: Casing) -> None:
    assert Casing.of_model({CASING_FILE: casing.to_bytes()}) == casing
    assert Casing.of_model({}) is None


def test_nothing_but_case_is_changed(casing: Casing) -> None:
    text = "he said that 'the state council of nato' met i'm new york 's 3rd - ."
    restored = restore_case(text.split(), casing, [PhraseSpan(3, 6, "person")])
    assert " ".join(restored).lower() == text
