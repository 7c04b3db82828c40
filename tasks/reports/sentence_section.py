"""The sentence browser: its form, its legend and the packed sentences; scripts draw the rest."""

from collections.abc import Sequence
from typing import Any

from tasks.reports.assets import asset
from tasks.reports.evaluation_data import EvaluationData
from tasks.reports.page import about
from tasks.reports.provenance import source_note
from tasks.reports.sentence_data import browser_data, packed

SCRIPTS = ("data.js", "sentence.js", "heatmap.js", "browser.js")

_LEGEND = """
<ul id="legend" aria-label="How phrases are marked">
<li><mark class="phrase produced">phrase<sup>1✓</sup></mark> produced: emitted whole, in phrase mode</li>
<li><mark class="phrase appeared">phrase<sup>2≈</sup></mark> appeared: spelled word by word</li>
<li><mark class="phrase ignored">短语<sup>3✗</sup></mark> ignored: not in the output</li>
</ul>
"""  # noqa: E501
_ORDERS = (
    ("given", "in order"),
    ("worst", "worst"),
    ("best", "best"),
    ("changed", "most changed"),
)
_FATES = (
    ("any", "whatever became of it"),
    ("produced", "produced"),
    ("appeared", "appeared, word by word"),
    ("ignored", "ignored"),
)
_OUTCOMES = (("exact", "exact"), ("spelled", "spelled"), ("misplaced", "misplaced"))


def sentences(data: EvaluationData) -> str:
    """Return the browser of all sentences that the page holds; empty without any."""
    if not any(testset.sentences for testset in data.sentences):
        return ""
    text = about(
        "Every sentence with what each system made of it. Open one to see its references, what "
        "became of each phrase, and where the systems looked. Worst, best and most changed go by "
        "the BLEU of the single sentence, which is rough: read the sentences, not the number."
    )
    texts, looks = browser_data(data.sentences, data.names, data.baseline, data.main)
    sources = data.read_from("translations", "lines", "outcomes", "sentences", "records")
    return (
        f'{text}<div id="browser" hidden>{_form(data.sentences)}{_LEGEND}'
        '<p id="count" class="note" role="status"></p><div id="list"></div>'
        '<button id="more" type="button" hidden>Show more sentences</button></div>'
        '<p id="trouble" class="note" role="alert" hidden></p>'
        "<noscript><p>The sentences are drawn by a script of this page; allow it to run. Nothing "
        "is fetched from anywhere.</p></noscript>"
        f"{_carried('sentence-data', texts)}{_carried('attention-data', looks)}"
        f"{_left_out(data)}{source_note(sources)}"
    )


def _carried(name: str, value: Any) -> str:
    return f'<script id="{name}" type="application/octet-stream">{packed(value)}</script>'


def _left_out(data: EvaluationData) -> str:
    parts = [
        f"{len(testset.sentences):,} of {testset.total:,} sentences of {testset.name}"
        for testset in data.sentences
        if len(testset.sentences) < testset.total
    ]
    return about(f"This page holds {', '.join(parts)}.") if parts else ""


def script() -> str:
    """Return the script that draws the browser."""
    return '"use strict";(() => {\n' + "\n".join(asset(name) for name in SCRIPTS) + "})();"


def _form(testsets: Sequence[object]) -> str:
    orders = "".join(
        f'<label><input type="radio" name="order" id="order-{value}" value="{value}"'
        f"{' checked' if value == 'given' else ''}><span>{text}</span></label>"
        for value, text in _ORDERS
    )
    fates = "".join(f'<option value="{value}">{text}</option>' for value, text in _FATES)
    return (
        '<form id="controls" role="search">'
        '<label>Test set <select id="set"></select></label>'
        '<label>Judged system <select id="system"></select></label>'
        f"<fieldset><legend>Order</legend>{orders}</fieldset>"
        '<label>Sentences <select id="kind"></select></label>'
        f'<label>A phrase that was <select id="fate">{fates}</select></label>'
        '<label class="search">Search <input id="query" type="search" autocomplete="off" '
        'placeholder="中文 or English"></label></form>'
    )
