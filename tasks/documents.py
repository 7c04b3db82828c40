"""Read sentence pairs document by document."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.compiled.arrays import Numbers, Sentences, Texts, sentences_of, texts_of
from tasks.mining.rule_uses import RulePair
from tasks.mining.uses import DocumentKey, document_key

_PLACE, _WORDS = ("corpus", "document", "pair_id"), ("source_words", "target_words")
_BY_DOCUMENT = """
SELECT corpus, document, pair_id, {columns} FROM pairs
ORDER BY corpus, CASE WHEN document = '' THEN pair_id ELSE document END, document, pair_id
"""
"""A pair without a document is one of its own."""


def read_counted(workspace: Workspace, pairs: ArtifactRef) -> tuple[Sentences, Sentences, Numbers]:
    """Read the words of both sides of a shard, source words without blanks in them, and the number
    of the document of each pair."""
    read = workspace.read_arrays(pairs, [*_PLACE, *_WORDS], max(pairs.rows, 1))
    columns: Any = next(read, None)
    if columns is None:
        (source, _), (target, _) = sentences_of([], blanks=0), sentences_of([], blanks=1)
        return source, target, np.zeros(0, np.int64)
    source, target = (columns[side] for side in _WORDS)
    joined = texts_of(["".join(word.split()) for word in source.words])
    number: dict[DocumentKey, int] = {}
    places = map(document_key, *(columns[name] for name in _PLACE))
    documents = [number.setdefault(place, len(number)) for place in places]
    return (
        Sentences(source.ids, source.starts, joined, 0),
        Sentences(target.ids, target.starts, Texts(*target.texts), 1),
        np.asarray(documents, np.int64),
    )


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
