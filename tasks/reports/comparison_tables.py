"""Tables that say whether a system differs from its baseline by more than chance."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.reports.evaluation_data import EvaluationData, Rows, of
from tasks.reports.page import about, folded, strong, table
from tasks.reports.provenance import Source

SIGNIFICANT = 0.05
MAIN_METRIC = "BLEU-v13a"

_ABOUT = (
    "Could the difference between a system and the baseline be chance? Three tests on the same "
    "sentences ask so: p below 0.05 says that chance alone would seldom do this. Such differences "
    "stand out."
)
_NOTE = (
    "In brackets: 95 % intervals over resampled sentences. Up and down: sentences whose output "
    "alone makes the corpus score rise or fall, for the sign test. All p are two-sided; that of "
    "the bootstrap is also adjusted for the number of systems (Holm)."
)


def comparison_tables(data: EvaluationData) -> str:
    """Return a table for each test set and metric; an empty text without comparisons."""
    compared = {row["testset"] for row in data.comparisons}
    tables = "".join(_of_testset(data, testset) for testset in data.testsets if testset in compared)
    return about(_ABOUT) + tables if tables else ""


def _of_testset(data: EvaluationData, testset: str) -> str:
    rows = of(data.comparisons, testset=testset)
    sources = data.read_from("comparisons", testset=testset)
    tables = {
        metric: _table(of(rows, metric=metric), metric, sources)
        for metric in dict.fromkeys(row["metric"] for row in rows)
    }
    main = MAIN_METRIC if MAIN_METRIC in tables else next(iter(tables))
    others = "".join(text for metric, text in tables.items() if metric != main)
    return f"<h3>{html.escape(testset)}</h3>{tables[main]}{folded('Other metrics', others)}"


def _table(rows: Rows, metric: str, sources: Sequence[Source]) -> str:
    header = [
        "system",
        f"sentences, against {rows[0]['baseline']}",
        "score",
        "difference",
        "up",
        "down",
        "p sign test",
        "p boot\u00adstrap",
        "adjusted",
        "p random\u00adisation",
    ]
    body = [
        [
            row["system"],
            f"{row['subset']} ({row['sentences']:,})",
            f"{row['value']:.2f} [{row['low']:.2f}, {row['high']:.2f}]",
            _difference(row),
            f"{row['better']:,}",
            f"{row['worse']:,}",
            _p(row["p_sign"]),
            _p(row["p_bootstrap"]),
            _p(row["p_bootstrap_adjusted"]),
            _p(row["p_randomisation"]),
        ]
        for row in rows
    ]
    note = f"{_NOTE} {rows[0]['signature']}"
    return table(header, body, caption=metric, note=note, sources=sources)


def _difference(row: Mapping[str, Any]) -> str:
    text = (
        f"{row['difference']:+z.2f} [{row['difference_low']:+z.2f}, {row['difference_high']:+z.2f}]"
    )
    return strong(text) if row["p_bootstrap_adjusted"] < SIGNIFICANT else text


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
