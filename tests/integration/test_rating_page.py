"""The page to rate in, in a real browser: it shows, counts, and gives what the command reads."""

import json
import re
from pathlib import Path

import pytest

from tasks.rating.rating_page import rating_page
from tasks.rating.returned import rated_items
from tasks.rating.worksheet import Compared, OutputPair, draw_worksheet
from tasks.readers.rating_files import read_returned
from tests.integration.browser import rendered

EVIL = '</script><script>document.body.textContent="broken"</script><img src=x onerror=alert(1)>'
DRAWN = "draw();\n})();"
PAIRS = [
    OutputPair(sentence_id=f"{n}", source=f"第{n}句{EVIL}", baseline=f"b {n}", system=f"s {n}")
    for n in range(5)
]


def page_with(script: str) -> str:
    """Return a page, with something more done at the end of its script."""
    key, items = draw_worksheet(PAIRS, Compared("t", "b", "s"), num_sentences=5, seed=1)
    text = rating_page(items, key.worksheet)
    assert text.count(DRAWN) == 1
    return text.replace(DRAWN, f"draw();{script}\n}})();")


@pytest.mark.browser
@pytest.mark.parametrize("width", [420, 1200])
def test_every_sentence_is_shown_as_text(tmp_path: Path, width: int) -> None:
    path = tmp_path / "rate.html"
    path.write_text(page_with(""), encoding="utf-8")
    shown = rendered(path, tmp_path, width=width)
    assert "0 of 5 sentences rated" in shown
    assert len(re.findall("<article", shown)) == 5
    assert len(re.findall('type="radio"', shown)) == 30
    assert "<img" not in shown.replace("\\u003cimg", "")


@pytest.mark.browser
def test_answers_are_counted_and_saved_in_the_form_that_is_read(tmp_path: Path) -> None:
    click = """
    for (const name of ["adequacy-2", "fluency-2", "adequacy-3"]) {
      document.querySelector('[name="' + name + '"][value="B"]').click();
    }
    at("rater").value = " Lin "; at("rater").dispatchEvent(new Event("input"));
    document.title = JSON.stringify(result());
    """
    path = tmp_path / "rate.html"
    path.write_text(page_with(click), encoding="utf-8")
    shown = rendered(path, tmp_path, width=800)
    assert "1 of 5 sentences rated" in shown
    saved = re.search("<title>(.*?)</title>", shown)
    assert saved is not None
    (tmp_path / "lin.json").write_text(saved.group(1), encoding="utf-8")
    returned = read_returned(tmp_path / "lin.json")
    key, _ = draw_worksheet(PAIRS, Compared("t", "b", "s"), num_sentences=5, seed=1)
    assert (returned.worksheet, returned.rater) == (key.worksheet, "Lin")
    signs = [1 if first == "baseline" else -1 for _, first in key.places]
    assert {item.number: dict(item.answers) for item in rated_items(returned, key)} == {
        2: {"adequacy": signs[1], "fluency": signs[1]},
        3: {"adequacy": signs[2], "fluency": None},
    }


@pytest.mark.browser
def test_a_saved_file_can_be_taken_up_again(tmp_path: Path) -> None:
    saved = json.dumps(
        {
            "rater": "Lin",
            "ratings": [{"number": 1, "adequacy": "A", "fluency": "=", "comment": "c"}],
        }
    )
    path = tmp_path / "rate.html"
    path.write_text(page_with(f"restore({saved}); draw();"), encoding="utf-8")
    assert "1 of 5 sentences rated" in rendered(path, tmp_path, width=800)
