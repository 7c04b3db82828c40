"""The report: what a text says is shown as text, and what was produced is marked."""

from typing import Any

from tasks.metrics.phrase_use import UseCount
from tasks.reports.evaluation_page import (
    EvaluationData,
    ExampleSentence,
    SystemOutput,
    evaluation_page,
)
from tasks.reports.page import table
from tasks.reports.plots import loss_curves

SLOT = {"slot": 0, "start": 1, "end": 3, "target": "central bank"}


def step(word: str, slot: int = -1) -> dict[str, Any]:
    return {"word": word, "mode": "word" if slot < 0 else "phrase", "slot": slot}


def page_of(outputs: list[SystemOutput], source: list[str]) -> str:
    example = ExampleSentence("test:0", source, [SLOT], ["the central bank"], outputs)
    score = {
        "testset": "test",
        "system": "s",
        "subset": "all",
        "metric": "BLEU",
        "value": 12.345,
        "sentences": 1,
        "signature": "tok:13a",
    }
    return evaluation_page(
        EvaluationData(
            title="<script>alert(1)</script>",
            scores=[score],
            comparisons=[],
            logs={},
            memory=[("term", "mined", 3)],
            uses={("test", "s"): [UseCount(None, None, 4, 3, 2)]},
            examples={"test": [example]},
        )
    )


def test_text_is_never_markup() -> None:
    page = page_of(
        [SystemOutput("s", [step("<b>"), step("&amp;")], ["offered"])], ["<i>", "央", "行"]
    )
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;b&gt; &amp;amp;" in page
    assert "&lt;i&gt;" in page


def test_words_of_one_slot_are_marked_together() -> None:
    words = [step("the"), step("central", 0), step("bank", 0), step("rose")]
    page = page_of([SystemOutput("s", words, ["produced"])], ["的", "央", "行"])
    assert '<mark title="produced">central bank<sub>1</sub></mark> rose' in page
    assert '<mark title="central bank">央行<sub>1</sub></mark>' in page


def test_scores_and_uses_stand_in_the_page() -> None:
    page = page_of([], ["的", "央", "行"])
    assert "12.35" in page or "12.34" in page
    assert "3 (75%)" in page
    assert "2 (50%)" in page
    assert "tok:13a" in page


def test_figures_stand_on_the_right_and_names_on_the_left() -> None:
    text = table(["name", "count"], [["a", "1"], ["b", "20"]])
    assert '<td>a</td><td class="number">1</td>' in text


def test_the_same_log_draws_the_same_curve() -> None:
    rows = [
        {"target_words": n * 100, "loss": 5.0 / n, "dev_loss": 4.0 if n == 2 else None}
        for n in range(1, 4)
    ]
    first, second = loss_curves({"a": rows}), loss_curves({"a": rows})
    assert first == second
    assert first.startswith("<svg")
    assert "target words seen" in first
