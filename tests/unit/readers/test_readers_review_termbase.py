"""Termbases for reviewers: written, decided in, and read back."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from storage.errors import InputError
from tasks.exchange.review_termbase import termbase_text
from tasks.readers.review_sheet import SheetDecision
from tasks.readers.review_termbase import read_termbase

ROW: dict[str, Any] = {
    "phrase_id": "a" * 24,
    "source": "利率",
    "target": "interest rates",
    "category": "term",
    "state": "conflict",
    "origin": "mined",
    "provider": "laws",
    "reliability": 0.8125,
    "occurrences": 12,
    "sentences": 3,
}
OTHER = {**ROW, "phrase_id": "b" * 24, "source": "台北", "target": "Taipei", "category": "location"}
RIVAL = {**ROW, "phrase_id": "c" * 24, "target": "rate of interest"}


def decided(text: str, term: str, status: str, note: str = "") -> str:
    """Give an English term another status, as a tool for termbases would."""
    before = f"<term>{term}</term><min:administrativeStatus>admittedTerm-admn-sts"
    assert before in text
    noted = f"<note>{note}</note>" if note else ""
    return text.replace(before, f"{noted}<term>{term}</term><min:administrativeStatus>{status}")


def read(folder: Path, text: str) -> list[SheetDecision]:
    path = folder / "review.tbx"
    path.write_text(text, encoding="utf-8")
    return list(read_termbase(path))


def test_candidates_of_one_source_share_a_concept() -> None:
    root = etree.fromstring(termbase_text([ROW, OTHER, RIVAL]).encode())
    concepts = root.findall(".//{*}conceptEntry")
    terms = [[term.text for term in concept.iter("{*}term")] for concept in concepts]
    assert terms == [["利率", "interest rates", "rate of interest"], ["台北", "Taipei"]]


def test_a_termbase_that_nobody_decided_in_decides_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, termbase_text([ROW, OTHER, RIVAL])) == []


def test_preferred_is_accepted_and_deprecated_is_rejected(tmp_path: Path) -> None:
    text = termbase_text([ROW, OTHER, RIVAL])
    text = decided(text, "rate of interest", "preferredTerm-admn-sts", "as in the Civil Code")
    text = decided(text, "interest rates", "deprecatedTerm-admn-sts")
    found = read(tmp_path, text)
    assert {
        (item.word, item.source, item.target, item.category, item.reason) for item in found
    } == {
        ("reject", "利率", "interest rates", "term", ""),
        ("accept", "利率", "rate of interest", "term", "as in the Civil Code"),
    }


def test_two_preferred_translations_are_refused(tmp_path: Path) -> None:
    text = termbase_text([ROW, RIVAL])
    for term in ("rate of interest", "interest rates"):
        text = decided(text, term, "preferredTerm-admn-sts")
    with pytest.raises(InputError, match=r"line 6: .* are both preferred for 利率"):
        read(tmp_path, text)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(target=st.text(min_size=1), category=st.sampled_from(["term", "person", "number"]))
def test_any_text_can_be_shown_and_keeps_its_category(
    tmp_path: Path, target: str, category: str
) -> None:
    text = termbase_text([{**ROW, "target": f"x {target}", "category": category}])
    text = text.replace("admittedTerm", "preferredTerm")
    (item,) = read(tmp_path, text)
    assert item.category == category
    assert item.target.split()[0].startswith("x")
