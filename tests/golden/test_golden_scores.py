"""What `phrasenet score` and `phrasenet compare` print, as golden files.

sacreBLEU's version is part of its signatures, so raising it shows here.
"""

import random
import re
from pathlib import Path

import pytest

from tests.conftest import Command, Golden

LAST_DIGITS = re.compile(r"(\d\.\d{6})\d+")
"""Processors differ in the last digits of a logarithm."""

TEXTS = [
    "The committee met on 3 May 2003 and adopted the report.",
    "Prices rose by 3.5%, the bank said.",
    "He did not say when the talks would begin.",
    "More than 200 people took part in the meeting.",
    "The river is 6,300 kilometres long.",
]


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write references and the outputs of three systems that lose more and more words."""
    chance = random.Random(2)
    monkeypatch.chdir(tmp_path)
    Path("test.en").write_text("\n".join(TEXTS * 8) + "\n")
    for name, share in (("best", 0.05), ("good", 0.15), ("poor", 0.3)):
        lines = [
            " ".join(word for word in text.split() if chance.random() > share) for text in TEXTS * 8
        ]
        Path(f"{name}.en").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.usefixtures("outputs")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("score", ["score", "good.en", "--ref", "test.en", "--ter"]),
        ("score_json", ["score", "good.en", "--ref", "test.en", "best.en", "--cased", "--json"]),
        ("compare", ["compare", "poor.en", "good.en", "--ref", "test.en"]),
        ("compare_several", ["compare", "poor.en", "good.en", "best.en", "--ref", "test.en"]),
        (
            "compare_json",
            ["compare", "good.en", "best.en", "--ref", "test.en", "--bleu", "v11b", "--json"],
        ),
    ],
)
def test_scores_as_printed(
    name: str, arguments: list[str], phrasenet: Command, golden: Golden
) -> None:
    answer = phrasenet(*arguments)
    assert (answer.code, answer.err) == (0, "")
    golden(f"scores/{name}.txt", LAST_DIGITS.sub(r"\1", answer.out))


@pytest.mark.usefixtures("outputs")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("unequal", ["compare", "poor.en", "short.en", "--ref", "test.en"]),
        ("nothing_to_align", ["align", "empty.en", "empty.en"]),
        ("missing_output", ["compare", "poor.en", "none.en", "--ref", "test.en"]),
        ("nothing_to_score", ["compare", "empty.en", "empty.en", "--ref", "empty.en"]),
    ],
)
def test_bad_input_is_told(
    name: str, arguments: list[str], phrasenet: Command, golden: Golden
) -> None:
    Path("short.en").write_text("One line.\n")
    Path("empty.en").write_text("")
    answer = phrasenet(*arguments)
    assert (answer.code, answer.out) == (2, "")
    golden(f"scores/{name}.txt", answer.err)
