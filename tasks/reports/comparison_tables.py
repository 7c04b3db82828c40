"""Tables that say whether a system differs from its baseline by more than chance."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.reports.page import table

_NOTE = (
    "In brackets: 95 % intervals over resampled sentences. Sign test: sentences whose output alone "
    "makes the corpus score rise or fall. p: two-sided, that of the bootstrap also adjusted for "
    "the number of systems (Holm)."
)


def comparison_tables(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table for each test set and metric; an empty text without rows."""
    made = dict.fromkeys((row["testset"], row["metric"]) for row in rows)
    return "".join(
        f"<h3>{html.escape(testset)}, {html.escape(metric)}</h3>"
        + _table([row for row in rows if (row["testset"], row["metric"]) == (testset, metric)])
        for testset, metric in made
    )


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    header = [
        "system",
        f"sentences, against {rows[0]['baseline']}",
        "score",
        "difference",
        "sign test",
        "bootstrap",
        "randomisation",
    ]
    body = [
        [
            row["system"],
            f"{row['subset']} ({row['sentences']:,})",
            f"{row['value']:.2f} [{row['low']:.2f}, {row['high']:.2f}]",
            f"{row['difference']:+.2f} "
            f"[{row['difference_low']:+.2f}, {row['difference_high']:+.2f}]",
            f"{row['better']:,} up, {row['worse']:,} down, p {_p(row['p_sign'])}",
            f"p {_p(row['p_bootstrap'])}, adjusted {_p(row['p_bootstrap_adjusted'])}",
            f"p {_p(row['p_randomisation'])}",
        ]
        for row in rows
    ]
    return table(header, body, note=f"{_NOTE} {rows[0]['signature']}")


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"
