"""Read sentence pairs document by document."""

from collections.abc import Iterable, Iterator
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.rule_uses import RulePair
from tasks.mining.uses import CountedPair, DocumentKey, document_key

_PLACE = ["corpus", "document", "pair_id"]


def counted_pairs(workspace: Workspace, pairs: Iterable[ArtifactRef]) -> Iterator[CountedPair]:
    """Yield the pairs of some shards, those of a document next to each other."""
    for ref in pairs:
        yield from _by_document(workspace, ref, ["source_words", "target_words"])


def ruled_pairs(workspace: Workspace, pairs: ArtifactRef) -> Iterator[RulePair]:
    """Yield what the rules saw in the pairs of a shard, those of a document together."""
    return _by_document(workspace, pairs, ["rules", "target_words"])


def _by_document(
    workspace: Workspace, pairs: ArtifactRef, columns: list[str]
) -> Iterator[tuple[DocumentKey, Any, Any]]:
    table = workspace.read_columns(pairs, [*_PLACE, *columns])
    names = zip(*(table[name] for name in _PLACE), strict=True)
    keys = [document_key(*place) for place in names]
    first, second = (table[name] for name in columns)
    for row in sorted(range(len(keys)), key=keys.__getitem__):
        yield keys[row], first[row], second[row]
