"""What the page of the phrase memory shows: phrases, what speaks for them, and examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.lexical_scores import lexical_scores
from tasks.linked import read_linked
from tasks.reports.memory_page import Example, MemoryData, ShownPhrase
from tasks.tagging.matcher import Matcher
from tasks.tagging.occurrences import Standing, around, standings

Shard = tuple[ArtifactRef, ArtifactRef | None]
"""Pairs, and their links if they were made."""
MOST_WANTED = """
SELECT * FROM phrases
ORDER BY state <> 'conflict', occurrences DESC, evidence_count DESC, source, target
LIMIT $limit
"""
EXAMPLES_EACH = 2
MAX_EXAMPLE_WORDS = 60
"""Longer sentences hide the phrase that they should show."""


def memory_data(
    workspace: Workspace, snapshot: Snapshot, shards: Sequence[Shard], limit: int, title: str
) -> MemoryData:
    """Gather what the page shows.

    Args:
        workspace: where the tables are.
        snapshot: whose phrases.
        shards: the training pairs with their links, for examples; none to leave them out.
        limit: most phrases shown; conflicts come first, then those that stand in most sentences.
        title: what the page is about.
    """
    rows = workspace.query(MOST_WANTED, {"phrases": snapshot.phrases}, {"limit": limit})
    evidence: dict[str, list[Mapping[str, Any]]] = {row["phrase_id"]: [] for row in rows}
    for item in workspace.read_rows(snapshot.evidence):
        if item["phrase_id"] in evidence:
            evidence[item["phrase_id"]].append(item)
    scores = lexical_scores(workspace, snapshot)
    examples = _examples(workspace, rows, shards)
    return MemoryData(
        title=title,
        snapshot_id=snapshot.snapshot_id,
        total=snapshot.phrases.rows,
        phrases=[
            ShownPhrase(
                row,
                evidence[row["phrase_id"]],
                examples.get(row["phrase_id"], []),
                asdict(scores[row["phrase_id"]]) if row["phrase_id"] in scores else None,
            )
            for row in rows
        ],
    )


def _examples(
    workspace: Workspace, rows: Sequence[Mapping[str, Any]], shards: Sequence[Shard]
) -> dict[str, list[Example]]:
    """Find for each phrase the first sentence pairs that hold both of its sides, linked ones
    first."""
    matcher = Matcher(([row["source"]], index) for index, row in enumerate(rows))
    targets = [row["target"].split() for row in rows]
    found: dict[str, list[Example]] = {}
    for pair, links in _linked_rows(workspace, shards):
        source, target = pair["source_words"], pair["target_words"]
        if max(len(source), len(target)) > MAX_EXAMPLE_WORDS:
            continue
        spans: dict[int, list[tuple[int, int]]] = {}
        for start, end, index in matcher.find(source):
            spans.setdefault(index, []).append((start, end))
        for index, places in spans.items():
            kept = found.setdefault(rows[index]["phrase_id"], [])
            if len(kept) == EXAMPLES_EACH and kept[-1].linked:
                continue
            if standing := next(iter(standings(places, targets[index], target, links)), None):
                _keep(kept, _example(pair, standing))
    return found


def _keep(kept: list[Example], example: Example) -> None:
    """Add an example if there is room or if it is the better linked one."""
    kept.append(example)
    kept.sort(key=lambda item: not item.linked)
    del kept[EXAMPLES_EACH:]


def _linked_rows(
    workspace: Workspace, shards: Sequence[Shard]
) -> Iterator[tuple[dict[str, Any], Sequence[tuple[int, int]]]]:
    """Yield the pairs of some shards with their links; without any where none were made yet."""
    for pairs, links in shards:
        rows = workspace.read_rows(pairs)
        if links is None:
            yield from ((row, ()) for row in rows)
        else:
            linked = read_linked(workspace, pairs, links)
            yield from ((row, found) for row, (*_, found) in zip(rows, linked, strict=True))


def _example(pair: Mapping[str, Any], standing: Standing) -> Example:
    return Example(
        pair_id=pair["pair_id"],
        where=f"{pair['corpus']} {pair['document']}".strip(),
        source=around(pair["source_words"], *standing.source),
        target=around(pair["target_words"], *standing.target),
        linked=standing.num_links > 0,
    )
