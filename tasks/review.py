"""The review of phrases by people: which ones to look at first, and what was decided."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.files import write_bytes
from storage.memory import Snapshot
from storage.moments import this_moment
from storage.workspace import Workspace
from tasks.exchange.review_termbase import termbase_text
from tasks.lexical_scores import LexicalScores, lexical_scores
from tasks.readers.review_sheet import WEIGHT_COLUMNS, SheetDecision, read_sheet, write_sheet
from tasks.readers.review_termbase import read_termbase
from tasks.readers.sheets import SHEETS
from tasks.tagging.matcher import Matcher

TERMBASE = ".tbx"
REVIEWABLE = """
SELECT phrase_id, source, target, category, state, origin, provider, reliability,
    found, occurrences, found_documents, documents, note AS reason
FROM phrases
WHERE state IN ('active', 'conflict') AND origin <> 'review'
ORDER BY phrase_id
"""


def review_queue(
    workspace: Workspace, snapshot: Snapshot, dev: Sequence[ArtifactRef]
) -> list[dict[str, Any]]:
    """Return the phrases that nobody decided about yet, the most rewarding ones first.

    The order is by frequency x uncertainty x effect: how often the source stands in the training
    text, how far its translation is from certain (a conflict is entirely uncertain, and an entry
    of a dictionary that stands nowhere half so), and in how many dev and test sentences it stands.
    One is added to both counts, so that what was not seen is still in the list.

    Args:
        workspace: where the tables are.
        snapshot: whose phrases.
        dev: tables `words` of the dev and test sets.
    """
    rows = workspace.query(REVIEWABLE, {"phrases": snapshot.phrases})
    scores = lexical_scores(workspace, snapshot)
    effect = _sentences_with(workspace, [row["source"] for row in rows], dev)
    for row in rows:
        row["sentences"] = effect[row["source"]]
        row |= _weighed(scores.get(row["phrase_id"]))
        row["priority"] = (1 + row["occurrences"]) * _doubt(row) * (1 + row["sentences"])
    rows.sort(key=lambda row: (-row["priority"], -row["sentences"], row["source"], row["target"]))
    return rows


def _weighed(scores: LexicalScores | None) -> dict[str, float | str]:
    """Give what is known of a mined phrase beside its counts; nothing of others."""
    weights = (scores.forward, scores.inverse, scores.significance) if scores else ("", "", "")
    return dict(zip(WEIGHT_COLUMNS, weights, strict=True))


def _doubt(row: dict[str, Any]) -> float:
    """Say how uncertain a translation is, between 0 and 1."""
    return 1.0 if row["state"] == "conflict" else 1.0 - row["reliability"]


def _sentences_with(
    workspace: Workspace, sources: Sequence[str], tables: Sequence[ArtifactRef]
) -> Counter[str]:
    """Count the sentences in which each source stands."""
    distinct = list(dict.fromkeys(sources))
    matcher = Matcher(([source], index) for index, source in enumerate(distinct))
    counts: Counter[str] = Counter()
    for table in tables:
        for words in workspace.read_columns(table, ["source_words"])["source_words"]:
            counts.update({distinct[match.phrase] for match in matcher.find(words)})
    return counts


def write_review(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write candidates for a person to decide about; the ending of the name says in which form.

    Raises:
        InputError: the name has another ending.
    """
    if _is_termbase(path):
        write_bytes(path, termbase_text(rows).encode("utf-8"))
    else:
        write_sheet(path, rows)


def _read_review(path: Path) -> Iterator[SheetDecision]:
    return read_termbase(path) if _is_termbase(path) else read_sheet(path)


def _is_termbase(path: Path) -> bool:
    """Tell a termbase from a sheet by the ending of its name."""
    ending = path.suffix.lower()
    if ending not in (*SHEETS, TERMBASE):
        raise InputError(f"{path}: expected a name that ends with .csv, .xlsx or {TERMBASE}.")
    return ending == TERMBASE


def import_decisions(workspace: Workspace, sheet: Path, author: str, reason: str) -> dict[str, int]:
    """Keep what a sheet decides; the next refresh obeys it.

    Args:
        workspace: where decisions are kept.
        sheet: CSV or XLSX, see `review_sheet`, or TBX, see `review_termbase`.
        author: who decided.
        reason: why, for rows that give no reason of their own.

    Returns:
        How many decisions of each kind were kept; nothing is kept if one row makes no sense.

    Raises:
        InputError: the sheet makes no sense.
    """
    decisions = list(_read_review(sheet))
    now = this_moment()
    rows = [
        {"line": line, "author": author, "decided": now, **row}
        for line, row in enumerate(
            row for decision in decisions for row in _as_rows(decision, reason)
        )
    ]
    counts = dict(Counter(decision.word for decision in decisions))
    if rows:
        keep_decisions(workspace, rows, author, counts)
    return counts


def keep_decisions(
    workspace: Workspace, rows: Iterable[dict[str, Any]], author: str, counts: dict[str, int]
) -> None:
    """Write a table of decisions and record it in the ledger, which holds no text."""
    with workspace.lease():
        table = workspace.write_rows("decisions", rows)
        entry = workspace.decisions.append(table)
        body = {
            "decision": "review",
            "sequence": entry.sequence,
            "table": table.to_json(),
            "author": author,
            "counts": counts,
        }
        workspace.ledger.append("decision", body)


def _as_rows(decision: SheetDecision, reason: str) -> list[dict[str, Any]]:
    """Give a decision as rows of the table: to replace is to reject one and to accept another."""
    verdicts = {
        "accept": [(decision.target, "accept")],
        "reject": [(decision.target, "reject")],
        "replace": [(decision.target, "reject"), (decision.replacement, "accept")],
    }[decision.word]
    return [
        {
            "source": decision.source,
            "target": target,
            "verdict": verdict,
            "category": decision.category,
            "reason": decision.reason or reason,
        }
        for target, verdict in verdicts
    ]
