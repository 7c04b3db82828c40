"""What people said of the translations, rater by rater."""

import html
from collections.abc import Sequence

from tasks.rating.agreement import Agreement, RatedComparison, Shares
from tasks.rating.shown import EarlierRatings, ShownRatings
from tasks.reports.evaluation_data import EvaluationData
from tasks.reports.page import about, table
from tasks.reports.provenance import source_note

_ABOUT = (
    "People read both translations of a sentence without knowing whose they are, and said which "
    "one says more of the source (adequacy) and which one is better English (fluency)."
)
_UNRATED = (
    "Nobody has rated these translations, so adequacy and fluency are not known. "
    "phrasenet ratings export writes a blinded worksheet, and phrasenet ratings import reads what "
    "comes back."
)
_KAPPA = (
    "Kappa (Cohen): agreement beyond chance, 1 for complete agreement, 0 for what chance alone "
    "gives. It is not defined where both raters always give the same one answer."
)
_GATES = (
    "Pearson's r of a sentence's mean context gate with the judgement (-1: the baseline is better, "
    "0: equal, 1: the system is better), from -1 to 1: computed for each rater, then averaged."
)


def ratings(data: EvaluationData) -> str:
    """Return what raters said, or that nobody was asked."""
    found = data.ratings
    earlier = "".join(about(earlier_ratings(item)) for item in found.earlier)
    if not found.comparisons:
        return about(_UNRATED) + earlier + source_note(data.read_from("ratings"))
    tables = "".join(_comparison(data, item) for item in found.comparisons)
    return about(_ABOUT) + earlier + tables + _gates(data)


def earlier_ratings(found: EarlierRatings) -> str:
    """Say in a sentence that ratings are left out, and why."""
    return (
        f"Ratings of earlier outputs of {found.system} and {found.baseline} on {found.testset} "
        f"are left out ({found.items:,}): they judge other translations than those shown here."
    )


def share_cells(row: Shares) -> list[str]:
    """Return the cells of one rater's answers on one question: rated, <, =, >."""
    counts = (row.baseline_better, row.equal, row.system_better)
    return [f"{row.items:,}", *(f"{100 * n / row.items:.1f} % ({n:,})" for n in counts)]


def agreement_cells(row: Agreement) -> list[str]:
    """Return the cells of one pair of raters on one question."""
    kappa = "not defined" if row.kappa is None else f"{row.kappa:z.3f}"
    shares = (f"{100 * row.observed:.1f} %", f"{100 * row.expected:.1f} %")
    return [" and ".join(row.raters), f"{row.items:,}", *shares, kappa]


SHARES_HEADER = ("rated", "baseline better (<)", "equal (=)", "system better (>)")
AGREEMENT_HEADER = ("raters", "rated by both", "agree", "by chance", "kappa")


def _comparison(data: EvaluationData, found: RatedComparison) -> str:
    title = f"{found.system} against {found.baseline}, {found.testset}"
    sources = data.read_from("ratings")
    shares = table(
        ["question", "rater", *SHARES_HEADER],
        [[row.question, row.rater, *share_cells(row)] for row in found.shares],
        caption="Which translation is better, in percent of the sentences rated",
        sources=sources,
    )
    return f"<h3>{html.escape(title)}</h3>{shares}{_agreements(data, found.agreements)}"


def _agreements(data: EvaluationData, found: Sequence[Agreement]) -> str:
    if not found:
        return about("No sentence was rated by two people, so it is not known how far they agree.")
    return table(
        ["question", *AGREEMENT_HEADER],
        [[row.question, *agreement_cells(row)] for row in found],
        caption="How far raters agree",
        note=_KAPPA,
        sources=data.read_from("ratings"),
    )


def _gates(data: EvaluationData) -> str:
    """Return whether the gate goes with what raters saw."""
    found = data.ratings.gates
    if not found:
        return ""
    body = [
        [
            f"{item.system} against {item.baseline}",
            item.testset,
            item.question,
            item.subset,
            f"{item.sentences:,}",
            f"{item.raters:,}",
            f"{item.value:.2f}",
        ]
        for item in found
    ]
    return table(
        ["system", "test set", "question", "source length", "sentences", "raters", "r"],
        body,
        caption="Context gate and judgement",
        note=_GATES,
        sources=data.read_from("ratings", "sentences"),
    )


def ratings_of(system: str, found: ShownRatings) -> list[RatedComparison]:
    """Return the comparisons in which a system was rated, on either side."""
    return [item for item in found.comparisons if system in (item.baseline, item.system)]
