"""The report of an evaluation or experiment as one HTML page that needs nothing else: no network,
no other file.

Colours follow the reader's choice of dark or light, the page can be read on a telephone, and what a
colour says is also said in words or by a mark. Every table and plot names the artifacts that it was
read from.
"""

from collections.abc import Iterator

from tasks.reports.assets import asset
from tasks.reports.behaviour_section import attention, lengths
from tasks.reports.comparison_tables import comparison_tables
from tasks.reports.evaluation_data import EvaluationData
from tasks.reports.page import Frame, about, page
from tasks.reports.phrase_section import phrases
from tasks.reports.production_section import production
from tasks.reports.provenance import source_table
from tasks.reports.rating_section import ratings
from tasks.reports.score_section import scores, tiles
from tasks.reports.sentence_section import script, sentences
from tasks.reports.training_section import training


def evaluation_page(data: EvaluationData) -> str:
    """Return the page as HTML text."""
    frame = Frame(
        kicker="phrasenet report",
        lead=_lead(data),
        style=asset("report.css"),
        script=script() if any(testset.sentences for testset in data.sentences) else "",
    )
    return page(data.title, [section for section in _sections(data) if section[1]], frame)


def _lead(data: EvaluationData) -> str:
    number = len(data.names)
    systems = "one system" if number == 1 else f"{number} systems"
    against = f", compared with {data.baseline}" if data.baseline and number > 1 else ""
    return (
        f"{systems.capitalize()} ({', '.join(data.names)}) on {', '.join(data.testsets)}{against}."
    )


def _sections(data: EvaluationData) -> Iterator[tuple[str, str]]:
    yield "Overview", tiles(data)
    yield "Scores", scores(data)
    yield "Chance or not", comparison_tables(data)
    yield "Fit for production", production(data)
    yield "Phrases", phrases(data)
    yield "Rated by people", ratings(data)
    yield "Length", lengths(data)
    yield "Attention and gates", attention(data)
    yield "Training and speed", training(data)
    yield "Sentences", sentences(data)
    yield "Where figures come from", _provenance(data)


def _provenance(data: EvaluationData) -> str:
    text = about(
        "Everything above was read from these artifacts of the workspace. The ledger's record "
        "holds the code, settings, inputs and versions of the call that made one; "
        "phrasenet audit verify checks that no byte has changed since."
    )
    return text + source_table(data.read_from(*dict.fromkeys(name for name, _ in data.sources)))
