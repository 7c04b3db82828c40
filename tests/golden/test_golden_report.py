"""The outline of a report, the model card and the attribution, as people read them."""

from html.parser import HTMLParser

from storage.registry import SourceLicence
from tasks.reports.attribution import attribution
from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.model_card import model_card
from tests.conftest import Golden
from tests.report_data import RATED, evaluation

LICENCES = (
    SourceLicence("corpus", "news", "CC0-1.0", "https://example.org/zero"),
    SourceLicence("dictionary", "names", "CC-BY-4.0", "https://example.org/by", "Names by them"),
)
_SHOWN = {
    "h1": "",
    "h2": "\n## ",
    "h3": "### ",
    "figcaption": "plot: ",
    "caption": "table: ",
    "summary": "folded: ",
    "thead": "  columns:",
    "legend": "field: ",
    "label": "field: ",
    "p": "",
    "li": "- ",
}


class Outline(HTMLParser):
    """Headings, texts, captions, columns and fields of a page, one a line."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _SHOWN:
            self._open.append(tag)
            self.lines.append(_SHOWN[tag])
        elif tag == "script" and self._open:
            self._open.clear()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            before = " | " if self._open[-1] == "thead" else ""
            self.lines[-1] += before + " ".join(data.split()) + " " * (data[-1:] == " ")

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines if line.strip()) + "\n"


def test_the_outline_of_a_report(golden: Golden) -> None:
    golden("report/outline.txt", str(Outline(evaluation_page(evaluation(ratings=RATED)))))


def test_a_model_card(golden: Golden) -> None:
    data = evaluation(ratings=RATED)
    golden("report/model-card.md", model_card(data.systems[1], data, LICENCES))


def test_an_attribution(golden: Golden) -> None:
    golden("report/attribution.md", attribution(LICENCES))
