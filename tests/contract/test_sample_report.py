"""The report under docs/ is whole: one page that fetches nothing, cards, attribution, pictures."""

import re

from tests.reference.report_unpacking import packed_in
from tests.support import ROOT

FOLDER = ROOT / "docs" / "report"
MOST_BYTES = 1_500_000


def test_the_page_is_small_fetches_nothing_and_holds_its_sentences() -> None:
    page = (FOLDER / "report.html").read_text("utf-8")
    assert len(page) < MOST_BYTES
    assert not re.search(r'\bsrc="|@import|<link', page)
    held = packed_in(page)
    assert sum(len(found["rows"]) for found in held["sets"]) == 500
    for system in held["systems"]:
        assert (FOLDER / f"model-card-{system}.md").exists()


def test_what_the_page_about_it_shows_is_there() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    named = re.findall(r"\]\(([\w.-]+)\)", text)
    assert {"report.html", "overview.png", "attribution.md"} <= set(named)
    assert [name for name in named if not (FOLDER / name).exists()] == []
