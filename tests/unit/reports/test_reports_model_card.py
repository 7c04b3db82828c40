"""Model card and attribution: figures of the tables, what was not measured, and plain text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.registry import SourceLicence
from tasks.reports.attribution import attribution
from tasks.reports.markdown import markdown_table, plain
from tasks.reports.model_card import model_card
from tests.report_data import evaluation, use

LICENCES = (
    SourceLicence("dictionary", "names", "CC-BY-4.0", "https://example.org/by", "By | *them*"),
    SourceLicence("corpus", "news", "CC0-1.0"),
)


def card() -> str:
    data = evaluation()
    return model_card(data.systems[1], data, LICENCES)


@pytest.mark.parametrize(
    "line",
    [
        "# Model card: phrasenet-gate",
        f"Model `{'1' * 32}`, 1,001 parameters.",
        "| news | corpus | CC0-1.0 |  |",
        "| names | dictionary | CC-BY-4.0 | https://example.org/by |",
        "| call | train phrasenet-gate |",
        f"| digest of the code | {'c' * 32} |",
        f"| input: tagged | tagged {'d' * 32} |",
        "| version of torch | 2.13.0 |",
        "| took | 1 min 23 s |",
        "Trained for 30 steps on 3,000 target words.",
        "| model.hidden | 96 |",
        "| training.epochs | 9 |",
        "| recipe.lowercase | True |",
        "| news | BLEU | 47.00 | 3 | nrefs:1\\|tok:13a\\|BLEU |",
        "- BLEU-v13a on news: 30.10 to 32.40",
        "| news | all | +0.77 | -0.25 to +1.75 | 0.0400 |",
        "| news | term | mined | 4 | 3 | 2 |",
        "- news: of 4 offered term phrases (mined), 1 not in the output.",
        "- news: by length, BLEU-v13a is lowest, 31.00, on the 2 sentences of 0 to 9 source words.",
    ],
)
def test_the_card_says_what_tables_and_ledger_say(line: str) -> None:
    assert line in card().splitlines() or any(line in each for each in card().splitlines())


def test_the_baseline_has_its_interval_too() -> None:
    data = evaluation()
    text = model_card(data.systems[0], data, LICENCES)
    assert "- BLEU-v13a on news: 29.00 to 32.00" in text
    assert "## Against the baseline" not in text


def test_what_is_not_known_is_said_to_be_so() -> None:
    data = evaluation(comparisons=[], lengths=[], phrase_use=[use("x", "", "", *[0] * 7)])
    text = model_card(replace(data.systems[1], training={}, log=[]), data, ())
    assert "no record of the training" in text
    assert "No source is named." in text
    assert "No phrase was offered" in text
    assert "were not measured" in text.replace("\n", " ")


def test_attribution_names_every_source_and_asks_for_its_line() -> None:
    text = attribution(LICENCES)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0] for row in rows] == ["| source", "| ---", "| news", "| names"]
    assert "- names: By \\| \\*them\\*" in text
    assert "Lines of attribution" not in attribution(LICENCES[1:])


@given(st.text(max_size=30))
def test_a_cell_holds_any_text_on_one_line(text: str) -> None:
    table = markdown_table(["a", "b"], [[text, "x"]])
    assert len(table.split("\n")) == 4
    bare = table.split("\n")[2].replace("\\\\", "").replace("\\|", "")
    assert bare.count("|") == 3


def test_marks_are_shown_and_words_with_underscores_stay_legible() -> None:
    assert plain("a_b *c* [d](e) <f> _g_") == "a_b \\*c\\* \\[d\\](e) \\<f\\> \\_g\\_"
