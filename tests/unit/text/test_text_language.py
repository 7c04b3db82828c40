import pytest

from tasks.text.english import tokenise
from tasks.text.language import english_permille


def permille(text: str) -> int:
    words = [word.lower() for word in tokenise(text)]
    return english_permille(text, words, sum(map(str.isalpha, text)))


@pytest.mark.parametrize(
    "text",
    [
        "The council will meet on Monday to discuss the budget.",
        "Regulations Governing the Administration of Fishing Harbours",
        "Annual report, volume three",
        "Quit.",
        "2014-05-06",
        "",
    ],
)
def test_english_and_what_is_too_short_to_say_pass(text: str) -> None:
    assert permille(text) >= 300


@pytest.mark.parametrize(
    "text",
    [
        "Der Rat tritt am Montag zusammen, um den Haushalt zu beraten.",
        "Le conseil se réunira lundi pour examiner le budget annuel.",
        "El consejo se reunirá el lunes para examinar el presupuesto.",
        "Hội đồng sẽ họp vào thứ hai để thảo luận về ngân sách.",
        "Rada zbierze się w poniedziałek, aby omówić budżet.",
    ],
)
def test_other_languages_are_told_apart(text: str) -> None:
    assert permille(text) < 300
