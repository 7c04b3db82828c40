"""The page of the phrase memory in a real browser, at two widths: it searches, and runs no text."""

import re
from pathlib import Path
from typing import Any

import pytest

from tasks.reports.memory_page import Example, MemoryData, ShownPhrase, memory_page
from tests.integration.browser import rendered

EVIL = '</script><script>document.body.textContent="broken"</script><img src=x onerror=alert(1)>'
SEARCH = "search();\n})();"


def phrase(number: int, **changes: Any) -> ShownPhrase:
    row = {
        "phrase_id": f"{number:024d}",
        "source": f"词{number}",
        "target": f"word {number}",
        "category": "term",
        "origin": "mined",
        "state": "conflict" if number % 7 == 0 else "active",
        "reliability": 0.5,
        "occurrences": number,
        "note": "",
        **changes,
    }
    counts = dict.fromkeys(("found", "occurrences", "found_documents", "documents"), 0)
    evidence = {"origin": "dictionary", "provider": "d", "line": number, "licence": EVIL, **counts}
    example = Example("p", EVIL, ("前", "词", "后"), ("before", EVIL, "after"))
    return ShownPhrase(row, [evidence], [example])


def page_of(phrases: list[ShownPhrase], script: str = "") -> str:
    """Return a page, with something more done at the end of its script."""
    text = memory_page(MemoryData("Memory <1>", "5" * 32, 300, phrases))
    assert text.count(SEARCH) == 1
    return text.replace(SEARCH, f"search();{script}\n}})();")


@pytest.mark.browser
@pytest.mark.parametrize("width", [420, 1200])
def test_phrases_are_shown_a_hundred_at_a_time(tmp_path: Path, width: int) -> None:
    path = tmp_path / "memory.html"
    path.write_text(page_of([phrase(number) for number in range(250)]), encoding="utf-8")
    shown = rendered(path, tmp_path, width=width)
    assert "250 of 250 phrases" in shown
    assert "50 are not on this page" in shown
    assert len(re.findall(r"<details", shown)) == 100
    assert '<button id="more" type="button">' in shown


@pytest.mark.browser
def test_the_reader_searches_filters_and_opens(tmp_path: Path) -> None:
    path = tmp_path / "memory.html"
    script = (
        'at("query").value = "WORD 4"; at("state").value = "conflict";'
        'at("query").dispatchEvent(new Event("input")); at("list").firstChild.open = true;'
    )
    path.write_text(page_of([phrase(number) for number in range(50)], script), encoding="utf-8")
    shown = rendered(path, tmp_path, width=800)
    assert "3 of 50 phrases" in shown
    assert ">词14<" in shown
    assert ">词42<" in shown
    assert ">词49<" in shown
    assert ">词43<" not in shown


@pytest.mark.browser
def test_text_is_never_markup(tmp_path: Path) -> None:
    path = tmp_path / "memory.html"
    evil = phrase(1, source=EVIL, target=EVIL, note=EVIL)
    path.write_text(page_of([evil], 'at("list").firstChild.open = true;'), encoding="utf-8")
    shown = rendered(path, tmp_path, width=800)
    assert "1 of 1 phrases" in shown
    assert "<img" not in shown.replace("\\u003cimg", "")
    assert "&lt;img" in shown
