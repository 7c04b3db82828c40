"""Read sentence pairs document by document."""

from collections.abc import Iterable, Iterator
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.rule_uses import RulePair
from tasks.mining.uses import CountedPair, DocumentKey, document_key

_BY_DOCUMENT = """
SELECT corpus, document, pair_id, {columns} FROM pairs
ORDER BY corpus, CASE WHEN document = '' THEN pair_id ELSE document END, document, pair_id
"""
"""A pair without a document is one of its own."""


def counted_pairs(workspace: Workspace, pairs: Iterable[ArtifactRef]) -> Iterator[CountedPair]:
    """Yield the pairs of some shards, those of a document next to each other."""
    for ref in pairs:
        yield from _by_document(workspace, ref, ("source_words", "target_words"))


def ruled_pairs(workspace: Workspace, pairs: ArtifactRef) -> Iterator[RulePair]:
    """Yield what the rules saw in the pairs of a shard, those of a document together."""
    return _by_document(workspace, pairs, ("rules", "target_words"))


def _by_document(
    workspace: Workspace, pairs: ArtifactRef, columns: tuple[str, str]
) -> Iterator[tuple[DocumentKey, Any, Any]]:
    query, (first, second) = _BY_DOCUMENT.format(columns=", ".join(columns)), columns
    for row in workspace.stream(query, {"pairs": pairs}):
        place = row["corpus"], row["document"], row["pair_id"]
        yield document_key(*place), row[first], row[second]
