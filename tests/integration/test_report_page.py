"""The report in a real browser, at two widths: filters, sentences, pictures; no text is run."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.sentence_data import ShownTestset
from tests.integration.browser import rendered
from tests.integration.tab import Browser, Tab, browsing
from tests.report_data import evaluation, sentence, slot

pytestmark = pytest.mark.browser

EVIL = "</script><img/src=x/onerror=alert(1)>"
LONG = "x" * 400
READY = "performance.getEntriesByName('ready').length > 0"


def written(folder: Path, page: str) -> Path:
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("report"), evaluation_page(evaluation()))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("browser")) as running:
        yield running


def ids(tab: Tab) -> list[str]:
    """Return the numbers of the sentences that are listed, in their order."""
    return [text.removeprefix("▸ ") for text in tab.texts("details.sentence .number")]


def overflows(tab: Tab) -> bool:
    """Say whether the page has to be scrolled sideways."""
    return bool(tab.ask("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.mark.parametrize(("width", "scheme"), [(420, "dark"), (1200, "light")])
def test_a_reader_filters_and_opens_a_sentence(
    browser: Browser, report: Path, width: int, scheme: str
) -> None:
    with browser.opened(report, width=width, scheme=scheme) as tab:
        tab.until(READY)
        assert not overflows(tab)
        assert tab.texts("#count") == ["3 of 3 sentences"]
        assert ids(tab) == ["1", "2", "3"]
        tab.click("label:has(#order-worst)")
        assert ids(tab) == ["2", "1", "3"]
        tab.click("label:has(#order-best)")
        assert ids(tab) == ["3", "1", "2"]
        tab.click("label:has(#order-changed)")
        assert ids(tab) == ["1", "2", "3"]
        assert tab.texts("summary > .delta") == ["+70.0", "−10.0", "+0.0"]
        tab.click("details.sentence summary")
        tab.until("document.querySelectorAll('.map svg').length === 2")
        assert tab.texts(".map figcaption") == ["rnnsearch", "phrasenet-gate"]
        # Three words, each with two shares, and the end mark; the first looks at one word alone.
        assert tab.ask("document.querySelectorAll('.map:nth-child(2) .heat').length") == 7
        assert tab.ask("document.querySelectorAll('.map:nth-child(2) .gate').length") == 3
        assert tab.texts(".detail .fate") == ["✗ ignored", "✓ produced"]
        assert not overflows(tab)
        dark = tab.ask("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert dark == (scheme == "dark")


def test_a_reader_searches_in_both_languages(browser: Browser, report: Path) -> None:
    with browser.opened(report, width=1200) as tab:
        tab.until(READY)
        tab.type("#query", "足球比赛")
        assert ids(tab) == ["2"]
        tab.ask("document.getElementById('query').value = ''")
        tab.type("#query", "BANK rose")
        assert ids(tab) == ["1"]
        tab.ask("document.getElementById('query').value = ''")
        tab.type("#query", "nowhere")
        assert ids(tab) == []
        assert tab.texts("#count") == ["0 of 3 sentences"]


def test_sentences_are_chosen_by_category_and_fate(browser: Browser, report: Path) -> None:
    with browser.opened(report, width=1200) as tab:
        tab.until(READY)
        tab.choose("#kind", "without")
        assert ids(tab) == ["3"]
        tab.choose("#kind", "term")
        assert ids(tab) == ["1", "2"]
        tab.choose("#fate", "ignored")
        assert ids(tab) == []
        tab.choose("#system", "0")
        assert ids(tab) == ["1", "2"]
        # Without a baseline beside it, nothing is compared.
        assert tab.texts("summary > .delta") == []


def test_a_keyboard_is_enough(browser: Browser, report: Path) -> None:
    with browser.opened(report, width=1200) as tab:
        tab.until(READY)
        tab.ask("document.getElementById('order-given').focus()")
        tab.press("ArrowRight")
        assert ids(tab) == ["2", "1", "3"]
        tab.ask("document.querySelector('details.sentence summary').focus()")
        tab.press("Enter")
        tab.until("document.querySelectorAll('.map svg').length === 2")
        tab.ask("document.querySelector('.map summary').focus()")
        tab.press("Enter")
        tab.until("document.querySelectorAll('.looks-list li').length > 0")
        assert "the ← 足球 about 100 %" in tab.texts(".looks-list li")[0]


def test_a_link_opens_its_sentence(browser: Browser, report: Path) -> None:
    with browser.opened(report, width=1200) as tab:
        tab.until(READY)
        tab.ask("location.hash = '#sentence=news%3A00000002'")
        tab.until("document.querySelectorAll('.map svg').length === 2")
        assert len(tab.texts("details.sentence[open]")) == 1
        for broken in ("%", "news%3A99"):
            tab.ask(f"location.hash = '#sentence={broken}'")
        assert tab.ask("document.querySelectorAll('details.sentence').length") == 1


def test_text_is_never_run_and_hidden_signs_are_shown(browser: Browser, tmp_path: Path) -> None:
    odd = [
        sentence(1, (f"{EVIL} 好", f"{EVIL} a", f"{EVIL} b"), (0.0, 0.0)),
        sentence(2, ("\u202e倒 \u0007", "abc\u202e def", "\u2066x y"), (0.0, 0.0)),
        sentence(3, (f"{LONG} 好", f"{LONG} a", f"{LONG} b"), (0.0, 0.0)),
        sentence(4, ("", "", ""), (0.0, 0.0)),
    ]
    page = evaluation_page(evaluation(sentences=[ShownTestset("news", 4, odd)]))
    with browser.opened(written(tmp_path, page), width=420) as tab:
        tab.until(READY)
        tab.ask("document.querySelectorAll('details.sentence').forEach((e) => { e.open = true; })")
        tab.until("document.querySelectorAll('.detail').length === 4")
        assert tab.ask("document.querySelectorAll('img, iframe').length") == 0
        assert EVIL in tab.texts(".detail")[0]
        assert {"U+202E", "U+0007", "U+2066"} <= set(tab.texts(".hidden-sign"))
        assert "(nothing)" in tab.texts("details.sentence")[3]
        assert not overflows(tab)


def test_rival_phrases_on_the_same_words_are_all_marked(browser: Browser, tmp_path: Path) -> None:
    made = sentence(1, ("中央 银行 上涨", "a bank rose", "central bank rose"), (20.0, 90.0))
    rivals = [*made.slots, slot(1, 0, 2, "reserve bank", "term")]
    outputs = [
        replace(made.outputs[0], uses=["offered", "offered"], outcomes=["ignored"] * 2),
        replace(made.outputs[1], uses=["produced", "offered"], outcomes=["exact", "ignored"]),
    ]
    shown = ShownTestset("news", 1, [replace(made, slots=rivals, outputs=outputs)])
    page = evaluation_page(evaluation(sentences=[shown]))
    with browser.opened(written(tmp_path, page), width=1200) as tab:
        tab.until(READY)
        assert tab.texts(".source mark.produced sup") == ["1✓ 2✗"]
        tab.ask("document.querySelector('details.sentence').open = true")
        tab.until("document.querySelectorAll('.detail').length === 1")
        assert {"central bank", "reserve bank"} <= set(tab.texts(".detail td"))
        assert set(tab.texts(".target mark.produced sup")) == {"1✓"}


def test_more_sentences_are_drawn_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    many = [sentence(n, ("央 行", "a b", "c d"), (1.0, 2.0)) for n in range(1, 61)]
    page = evaluation_page(evaluation(sentences=[ShownTestset("news", 60, many)]))
    with browser.opened(written(tmp_path, page), width=420) as tab:
        tab.until(READY)
        assert ids(tab) == [str(n) for n in range(1, 26)]
        tab.click("#more")
        tab.click("#more")
        assert ids(tab) == [str(n) for n in range(1, 61)]
        assert tab.ask("document.getElementById('more').hidden")


def test_the_second_test_set_is_shown_when_chosen(browser: Browser, tmp_path: Path) -> None:
    sets = [
        ShownTestset("news", 1, [sentence(1, ("央 行", "a b", "c d"), (1.0, 2.0))]),
        ShownTestset("laws", 9, [sentence(7, ("法 律", "e f", "g h"), (1.0, 2.0))]),
    ]
    page = evaluation_page(evaluation(sentences=sets))
    with browser.opened(written(tmp_path, page), width=1200) as tab:
        tab.until(READY)
        tab.choose("#set", "1")
        assert ids(tab) == ["7"]
        assert tab.texts("#count") == ["1 of 1 sentences (of 9)"]


def test_a_damaged_page_says_so(browser: Browser, tmp_path: Path) -> None:
    page = evaluation_page(evaluation())
    cut = re.sub(r'(octet-stream">.{40})[^<]*', r"\1", page)
    assert cut != page
    with browser.opened(written(tmp_path, cut), width=1200) as tab:
        tab.until("!document.getElementById('trouble').hidden")
        assert "damaged" in tab.texts("#trouble")[0]
        assert tab.ask("document.getElementById('browser').hidden")


@pytest.mark.parametrize("width", [420, 1200])
def test_the_page_is_rendered_without_a_word_on_the_console(
    report: Path, tmp_path: Path, width: int
) -> None:
    shown = rendered(report, tmp_path, width=width)
    assert len(re.findall(r'<details class="sentence"', shown)) == 3
