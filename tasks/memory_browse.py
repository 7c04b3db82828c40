"""What the page of the phrase memory shows: phrases, what speaks for them, and examples."""

from collections.abc import Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.reports.memory_page import Example, MemoryData, ShownPhrase
from tasks.tagging.matcher import Matcher
from tasks.tagging.occurrences import leftmost_free

MOST_WANTED = """
SELECT * FROM phrases
ORDER BY state <> 'conflict', occurrences DESC, evidence_count DESC, source, target
LIMIT $limit
"""
EXAMPLES_EACH = 2
MAX_EXAMPLE_WORDS = 60
"""Longer sentences hide the phrase that they should show."""


def memory_data(
    workspace: Workspace, snapshot: Snapshot, pairs: Sequence[ArtifactRef], limit: int, title: str
) -> MemoryData:
    """Gather what the page shows.

    Args:
        workspace: where the tables are.
        snapshot: whose phrases.
        pairs: the training pairs, for examples; none to leave them out.
        limit: most phrases shown; conflicts come first, then those that stand in most sentences.
        title: what the page is about.
    """
    rows = workspace.query(MOST_WANTED, {"phrases": snapshot.phrases}, {"limit": limit})
    evidence: dict[str, list[Mapping[str, Any]]] = {row["phrase_id"]: [] for row in rows}
    for item in workspace.read_rows(snapshot.evidence):
        if item["phrase_id"] in evidence:
            evidence[item["phrase_id"]].append(item)
    examples = _examples(workspace, rows, pairs)
    return MemoryData(
        title=title,
        snapshot_id=snapshot.snapshot_id,
        total=snapshot.phrases.rows,
        phrases=[
            ShownPhrase(row, evidence[row["phrase_id"]], examples.get(row["phrase_id"], []))
            for row in rows
        ],
    )


def _examples(
    workspace: Workspace, rows: Sequence[Mapping[str, Any]], pairs: Sequence[ArtifactRef]
) -> dict[str, list[Example]]:
    """Find for each phrase the first sentence pairs that hold both of its sides."""
    matcher = Matcher(([row["source"]], index) for index, row in enumerate(rows))
    targets = [row["target"].split() for row in rows]
    found: dict[str, list[Example]] = {}
    for ref in pairs:
        for pair in workspace.read_rows(ref):
            source, target = pair["source_words"], pair["target_words"]
            if max(len(source), len(target)) > MAX_EXAMPLE_WORDS:
                continue
            for start, end, index in matcher.find(source):
                kept = found.setdefault(rows[index]["phrase_id"], [])
                if len(kept) >= EXAMPLES_EACH or any(e.pair_id == pair["pair_id"] for e in kept):
                    continue
                place = leftmost_free(targets[index], target, [False] * len(target))
                if place >= 0:
                    kept.append(
                        Example(
                            pair_id=pair["pair_id"],
                            where=f"{pair['corpus']} {pair['document']}".strip(),
                            source=_around(source, start, end),
                            target=_around(target, place, place + len(targets[index])),
                        )
                    )
    return found


def _around(words: Sequence[str], start: int, end: int) -> tuple[str, str, str]:
    """Give the text before a span, of the span and after it."""
    blank = " "
    return blank.join(words[:start]), blank.join(words[start:end]), blank.join(words[end:])
