"""What people said and asked for, without what is withdrawn: tables that nothing makes again.

Reviewers' decisions go if their phrase rests on the target alone, or if they quote a sentence of
it. A rating stays, and loses a comment that quotes. Of the translations that users asked for, those
go that hold a sentence of it or were offered such a phrase.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.table_log import TableLog
from storage.workspace import Workspace
from tasks.claims import target_words
from tasks.lineage.held_elsewhere import Quotations
from tasks.text.script import normalise
from tasks.withdraw_plan import Found

Row = dict[str, Any]
Rewrite = Callable[[Row], Row | None]
"""Returns a row as it may stay, or None if it has to go."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One table that has to be written again."""

    log: TableLog
    number: int
    """Of the table in its log."""
    before: ArtifactRef
    rows: tuple[Row, ...]
    """What stays."""
    changed: int
    """Rows that go or lose something."""

    @property
    def path(self) -> Path:
        """Return the entry of the log that is replaced."""
        return self.log.path_of(self.number)


def rewritings(workspace: Workspace, found: Found) -> list[Rewriting]:
    """Return all tables that speak of a target; none for a phrase, whose words are others', too."""
    if found.target.kind == "phrase":
        return []
    phrases, quotes = set(found.phrase_ids), Quotations(found.sentences)
    logs: tuple[tuple[TableLog, Rewrite], ...] = (
        (workspace.decisions, lambda row: _decision(row, phrases, quotes)),
        (workspace.ratings, lambda row: _rating(row, quotes)),
        (workspace.translations, lambda row: _translation(row, phrases, quotes)),
    )
    return [item for log, rewrite in logs for item in _of_log(workspace, log, rewrite)]


def _of_log(workspace: Workspace, log: TableLog, rewrite: Rewrite) -> Iterator[Rewriting]:
    for number, ref in enumerate(log.tables()):
        if not workspace.holds(ref):
            continue
        rows = list(workspace.read_rows(ref))
        kept = [rewrite(row) for row in rows]
        changed = sum(new != old for new, old in zip(kept, rows, strict=True))
        if changed:
            stays = tuple(row for row in kept if row is not None)
            yield Rewriting(log, number, ref, stays, changed)


def _decision(row: Row, phrases: set[str], quotes: Quotations) -> Row | None:
    source = "".join(normalise(row["source"]).split())
    phrase = phrase_id(source, target_words(row["target"], lowercase=True))
    if phrase in phrases or quotes.are_in(row["source"], row["target"], row["reason"]):
        return None
    return row


def _rating(row: Row, quotes: Quotations) -> Row:
    return {**row, "comment": ""} if quotes.are_in(row["comment"]) else row


def _translation(row: Row, phrases: set[str], quotes: Quotations) -> Row | None:
    texts = "".join(row["source_words"]), " ".join(row["words"])
    offered: set[str] = {slot["phrase_id"] for slot in row["slots"]}
    return None if offered & phrases or quotes.are_in(*texts) else row


def rewritten_run(
    record: Mapping[str, Any], before: ArtifactRef, after: ArtifactRef
) -> dict[str, Any]:
    """Return the record of a run whose result was written again without some of its rows.

    Args:
        record: the body of the run's record.
        before: the result that it names.
        after: what is left of it.
    """
    return {
        **record,
        "key": f"{record['key'][:20]}{after.digest[:12]}",
        "outputs": [after.to_json()],
        "rewritten": before.to_json(),
    }
