"""Printing the words of real English gives the text back."""

import re

import pytest

from tasks.text.detokenise import detokenise
from tasks.text.english import STRAIGHT, tokenise
from tasks.text.script import normalise
from tests.support import ROOT

DATA = ROOT.parent / "shared" / "data"
FILES = [
    "flores/dev.en",
    "wmt/newsdev2017.en",
    "wmt/newstest2019.en",
    "wmt/generaltest2022.ref0.en",
    "wmt/generaltest2022.ref1.en",
    "un/dev.en",
]
FAULT = re.compile(
    r"\s[,.;:!?)%](?:\s|$)|[.,!?] \"|\( | \)|[a-z][.,;:][A-Za-z]{2}|\d\.[A-Z]|[a-z]\("
    r"|[)\]][A-Za-z]|\" \"|,\"?[A-Z]|[a-z];[0-9]"
)
"""Blanks where English has none, and none where it has one."""


def is_well_set(text: str) -> bool:
    return not FAULT.search(text) and text.count('"') % 2 == 0


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="the real text is not here")
def test_ninety_nine_of_a_hundred_well_set_sentences_are_printed_as_they_were() -> None:
    same = number = 0
    for name in FILES:
        for line in (DATA / name).read_text(encoding="utf-8").split("\n"):
            text = normalise(line).translate(STRAIGHT)
            if text and is_well_set(text):
                number += 1
                same += detokenise(tokenise(text)) == text
    assert number > 10_000
    assert same / number >= 0.99
