"""How large a full report is, how long it takes to make, and how soon a browser can show it.

2,000 sentences and 5 systems with attention and gates, made up: words follow Zipf's law, attention
runs along the diagonal and is as blurred as that of trained systems.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import figure, processor_seconds, say
from tasks.metrics.attention_table import AttentionMatrix
from tasks.reports.evaluation_data import EvaluationData, SystemFacts
from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.sentence_data import Looks, ShownSentence, ShownTestset, SystemOutput

NUM_SENTENCES = 2000
SYSTEMS = ("rnnsearch", "phrasenet-gate", "phrasenet-softmax", "groundhog-gru", "+gate")
MOST_BYTES = 5_000_000
MOST_SECONDS = 2.0
_VOCABULARY = 20_000
_CATEGORIES = ("date", "number", "person", "location", "term")


def run() -> None:
    """Measure size, making and opening."""
    data = full_report()
    made: list[str] = []
    figure("making the page", processor_seconds(lambda: made.append(evaluation_page(data))), "s")
    page = made[0].encode()
    figure("size", len(page) / 1e6, "MB")
    figure("of at most", MOST_BYTES / 1e6, "MB")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_bytes(page)
        _open(path)


def _open(path: Path) -> None:
    from tests.integration.browser import BROWSERS, browser_path
    from tests.integration.tab import browsing

    if browser_path() is None:
        say(f"  no browser to open it in; one of {', '.join(BROWSERS)} would be used")
        return
    with browsing(path.parent) as browser, browser.opened(path, width=1200) as tab:
        tab.until("performance.getEntriesByName('ready').length > 0")
        ready = tab.ask("performance.getEntriesByName('ready')[0].startTime") / 1000
        figure("from opening to the list of sentences", ready, "s")
        figure("of at most", MOST_SECONDS, "s")
        for name, action in _ACTIONS.items():
            figure(name, tab.ask(f"{_TIMED.replace('ACTION', action)}") / 1000, "s")


_ACTIONS = {
    "worst first": 'document.getElementById("order-worst").click()',
    "search for a word, first time": 'set("query", "w17")',
    "search for another": 'set("query", "w23 w5")',
    "open the first sentence, with five pictures": "await pictures(0)",
    "open another": "await pictures(1)",
}
_TIMED = """(async () => {
  const set = (id, value) => { const field = document.getElementById(id); field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true })); };
  const later = () => new Promise((done) => setTimeout(done));
  const pictures = async (place) => {
    const box = document.querySelectorAll("details.sentence")[place];
    box.open = true;
    while (box.querySelectorAll(".map svg").length < 5) await later();
  };
  const start = performance.now();
  ACTION;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
})()"""


def full_report() -> EvaluationData:
    """Make a report up that is as large as one may be."""
    draw = random.Random(7)
    sentences = [_sentence(draw, number) for number in range(NUM_SENTENCES)]
    rows = [
        {
            "testset": "news",
            "system": system,
            "subset": "all",
            "metric": "BLEU",
            "value": 30.0,
            "sentences": NUM_SENTENCES,
            "signature": "made up",
        }
        for system in SYSTEMS
    ]
    return EvaluationData(
        title="Full report",
        baseline=SYSTEMS[0],
        systems=[SystemFacts(system, "0" * 32, 1, (), {}) for system in SYSTEMS],
        scores=rows,
        sentences=[ShownTestset("news", NUM_SENTENCES, sentences)],
    )


def _words(draw: random.Random, number: int, prefix: str) -> list[str]:
    return [f"{prefix}{int(_VOCABULARY ** draw.random())}" for _ in range(number)]


def _sentence(draw: random.Random, number: int) -> ShownSentence:
    source = _words(draw, draw.randint(8, 40), "字")
    reference = _words(draw, len(source) + draw.randint(0, 6), "w")
    slots = list(_slots(draw, len(source)))
    outputs = [_output(draw, source, reference, slots, system) for system in SYSTEMS]
    return ShownSentence(
        number + 1, f"news:{number:08d}", source, slots, [" ".join(reference)], outputs
    )


def _slots(draw: random.Random, length: int) -> Iterator[dict[str, Any]]:
    for index, start in enumerate(range(1, length - 2, 9)):
        yield {
            "start": start,
            "end": start + 2,
            "target": " ".join(_words(draw, 2, "w")),
            "category": draw.choice(_CATEGORIES),
            "origin": "mined",
            "provider": "news",
            "phrase_id": f"{draw.getrandbits(96):024x}",
            "slot": index,
        }


def _output(
    draw: random.Random,
    source: Sequence[str],
    reference: Sequence[str],
    slots: Sequence[dict[str, Any]],
    system: str,
) -> SystemOutput:
    words = [word if draw.random() < 0.7 else _words(draw, 1, "w")[0] for word in reference]
    gated = "gate" in system
    attention = AttentionMatrix(tuple(source), tuple(words), _attention(draw, words, source))
    gates = [draw.random() for _ in range(len(words) + 1)] if gated else []
    return SystemOutput(
        words=words,
        spans=[(slot["start"], slot["start"] + 2, slot["slot"]) for slot in slots],
        uses=[draw.choice(("produced", "appeared", "offered")) for _ in slots],
        outcomes=[draw.choice(("exact", "spelled", "misplaced", "ignored")) for _ in slots],
        bleu=100 * draw.random(),
        trouble=(draw.randint(0, 2), 0, draw.randint(0, 1)),
        looks=Looks.of(attention, gates),
    )


def _attention(
    draw: random.Random, words: Sequence[str], source: Sequence[str]
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    rows, columns = np.arange(len(words) + 1), np.arange(len(source) + 1)
    stream = np.random.default_rng(draw.getrandbits(32))
    centres = rows * len(source) / max(1, len(words)) + stream.normal(0, 1.5, len(rows))
    blurred = np.exp(-np.abs(columns[None, :] - centres[:, None]) / 0.9)
    noisy = blurred * stream.gamma(0.7, 1, blurred.shape) + 1e-3
    found: np.ndarray[Any, np.dtype[np.float64]] = noisy / noisy.sum(axis=1, keepdims=True)
    return found
