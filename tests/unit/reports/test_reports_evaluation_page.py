"""The report: its figures are those of the tables, each names its artifact, text is text."""

import html
import re
from html.parser import HTMLParser

import pytest

from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.plots import by_length, gate_dots, intervals, loss_curves
from tasks.reports.sentence_data import ShownTestset
from tests.reference.report_unpacking import packed_in
from tests.report_data import SENTENCES, SYSTEMS, evaluation, score

EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"'


class Tables(HTMLParser):
    """The tables of a page: caption, and rows of cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[list[str]]]] = []
        self._into: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.found.append(("", []))
        elif tag == "tr":
            self.found[-1][1].append([])
        elif tag in ("th", "td", "caption"):
            self._into = []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td", "caption") and self._into is not None:
            text = "".join(self._into)
            if tag == "caption":
                self.found[-1] = (text, self.found[-1][1])
            else:
                self.found[-1][1][-1].append(text)
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def of(self, caption: str) -> list[list[str]]:
        return next(rows for name, rows in self.found if name == caption)


PAGE = evaluation_page(evaluation())


def test_scores_are_those_of_the_table() -> None:
    data = evaluation()
    for metric in ("BLEU", "chrF2"):
        head, *rows = Tables(PAGE).of(metric)
        assert head == ["system", "all (3)", "with phrases (2)"]
        assert rows == [
            [
                system,
                *(
                    f"{row['value']:.2f}"
                    for row in data.scores
                    if (row["system"], row["metric"]) == (system, metric)
                ),
            ]
            for system in SYSTEMS
        ]


def test_the_best_score_of_a_column_stands_out_and_a_draw_does_not() -> None:
    assert "<strong>47.00</strong>" in PAGE
    assert "<strong>40.00</strong>" not in PAGE
    even = [score(system, "BLEU", 40.0) for system in SYSTEMS]
    assert "<strong>40.00" not in evaluation_page(evaluation(scores=even))
    edits = [score(system, "TER", 10.0 + place) for place, system in enumerate(SYSTEMS)]
    assert "<strong>10.00" in evaluation_page(evaluation(scores=edits))


def test_scores_of_different_signatures_never_share_a_column() -> None:
    rows = [score(SYSTEMS[0], "BLEU", 1.0), {**score(SYSTEMS[1], "BLEU", 2.0), "signature": "x"}]
    with pytest.raises(AssertionError, match="different signatures"):
        evaluation_page(evaluation(scores=rows))


def test_phrase_use_is_that_of_the_table() -> None:
    _, *rows = Tables(PAGE).of("All phrases")
    assert rows == [
        ["news", "rnnsearch", "4", "1 (25%)", "0 (0%)", "0", "0", "1", "3"],
        ["news", "phrasenet-gate", "4", "3 (75%)", "2 (50%)", "2", "0", "1", "1"],
    ]
    head, *rows = Tables(PAGE).of("In the output, by category, news")
    assert head == ["category", "from", "offered", *SYSTEMS]
    assert rows == [["term", "mined", "4", "1 (25%)", "3 (75%)"]]


def test_systems_and_speed_are_those_of_log_and_ledger() -> None:
    _, *rows = Tables(PAGE).of("Systems")
    size = ["1,001", "30", "3,000", "4.000", "1 min 23 s", "1,024 MiB"]
    assert rows[1] == ["phrasenet-gate", "1" * 12, *size]
    _, *rows = Tables(PAGE).of("Decoding speed")
    assert rows[0] == ["rnnsearch", "news", "3", "11", "2.0 s", "1.5", "6"]


def test_a_system_without_record_shows_no_figure_instead_of_a_wrong_one() -> None:
    from dataclasses import replace

    facts = [replace(each, training={}, log=[]) for each in evaluation().systems]
    _, *rows = Tables(evaluation_page(evaluation(systems=facts, speeds=[]))).of("Systems")
    assert rows[0][3:] == ["–"] * 5


def test_every_table_and_plot_of_figures_names_what_it_was_read_from() -> None:
    pieces = re.split(r"(?=<table|<svg)", PAGE.split('<h2 id="sentences"')[0])[1:]
    assert len(pieces) > 12
    for piece in pieces:
        # The two plots of lengths stand side by side above one note.
        if "BLEU-v13a by system" in piece and "source words" in piece:
            continue
        assert 'class="from"' in piece, piece[:200]


def test_every_named_artifact_is_in_the_list_at_the_end() -> None:
    linked = set(re.findall(r'href="#(artifact-[^"]+)"', PAGE))
    assert linked == set(re.findall(r'<tr id="(artifact-[^"]+)"', PAGE))
    rows = Tables(PAGE).of("Artifacts")[1:]
    sources = [source for found in evaluation().sources.values() for source in found]
    assert sorted(rows) == sorted(
        [each.kind, each.digest, str(each.record), each.label, each.key] for each in sources
    )


def test_every_sentence_is_in_the_page_once() -> None:
    (found,) = packed_in(PAGE)["sets"]
    assert [row[1] for row in found["rows"]] == [each.sentence_id for each in SENTENCES]


def test_a_page_that_holds_a_part_of_the_sentences_says_so() -> None:
    data = evaluation(sentences=[ShownTestset("news", 5000, SENTENCES)])
    assert "This page holds 3 of 5,000 sentences of news." in evaluation_page(data)
    assert "This page holds" not in PAGE


def test_text_is_never_markup() -> None:
    from dataclasses import replace

    facts = [replace(each, system=EVIL) for each in evaluation().systems[:1]]
    rows = [{**score(EVIL, "BLEU", 1.0), "testset": EVIL, "subset": EVIL, "signature": EVIL}]
    page = evaluation_page(
        evaluation(title=EVIL, baseline="", systems=facts, scores=rows, comparisons=[])
    )
    assert page.count("<script") == PAGE.count("<script")
    assert "<img" not in page
    assert html.escape(EVIL) in page


def test_the_page_fetches_nothing_and_runs_its_own_script_alone() -> None:
    assert not re.search(r'\b(src|action)="|@import|url\((?!#)|<link', PAGE)
    assert re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-", PAGE)


def test_an_evaluation_of_one_system_without_analyses_is_shown() -> None:
    data = evaluation(
        baseline="",
        systems=evaluation().systems[:1],
        scores=[score(SYSTEMS[0], "BLEU", 12.345)],
        comparisons=[],
        measures=[],
        phrase_use=[],
        lengths=[],
        gates=[],
        memory=[],
        speeds=[],
        sentences=[],
    )
    page = evaluation_page(data)
    assert "12.35" in page or "12.34" in page
    assert "no system to compare with" in page
    assert "Chance or not" not in page
    assert "<script" not in page


PLOTS = [
    lambda name: loss_curves({name: evaluation().systems[0].log}),
    lambda name: intervals([(name, 30.0, 29.0, 31.5), ("other", 32.0, 31.0, 33.0)], "BLEU"),
    lambda name: by_length({name: [30.0, None, 20.0]}, ["0–9", "10–19", "20+"], "BLEU"),
    lambda name: gate_dots({name: {"number": (0.4, 0.1), "term": (0.5, 0.2)}}),
]


@pytest.mark.parametrize("plot", PLOTS)
def test_the_same_figures_draw_the_same_plot_in_the_colours_of_the_page(plot: object) -> None:
    assert callable(plot)
    drawn = plot("s <1> $x$ _y")
    assert drawn == plot("s <1> $x$ _y")
    assert drawn.startswith('<svg role="img" aria-label="')
    assert "var(--c0)" in drawn
    assert not re.search(r"#[0-9a-f]{6}", re.sub(r'(href="|url\()#\w+', "", drawn))
    assert "<1>" not in drawn
