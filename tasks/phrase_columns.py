"""Reading and writing the texts of phrases with no object for each."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from storage.columns import PickedTexts, TextColumn
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.compiled.arrays import Numbers, Texts, joined_texts, texts_of
from tasks.mining.likely import LikelyPhrases
from tasks.mining.term_contexts import FACTS, Facts, FactTable

CountedFacts = tuple[LikelyPhrases, Iterable[Facts]]
"""Phrases, and what was counted of their sources."""


@lru_cache(maxsize=1)
def read_phrases(workspace: Workspace, table: ArtifactRef) -> LikelyPhrases:
    """Read the phrases of a table that is sorted by source and target.

    All shards ask for the same, and to prepare the phrases takes longer than to find them in a
    small shard.
    """
    texts = workspace.read_texts(table, ["source", "target"])
    return LikelyPhrases.of(Texts(*texts["source"]), Texts(*texts["target"]))


def query_phrases(
    workspace: Workspace, query: str, tables: Mapping[str, ArtifactRef]
) -> LikelyPhrases:
    """Return the phrases that a query gives."""
    found = workspace.query_arrays(f"{query} ORDER BY source, target", tables)
    return LikelyPhrases.of_lists(found["source"], found["target"])


def picked_of(parts: Sequence[tuple[Texts, Numbers]]) -> PickedTexts:
    """Return a column of texts: those of each part, by number, one part behind the other.

    Only texts that are picked are laid out: of all phrases, few stand in one shard.
    """
    from tasks.compiled.laying import in_order

    laid, picked = [], []
    shift = 0
    for texts, numbers in parts:
        used, places = np.unique(numbers, return_inverse=True)
        laid.append(in_order(texts, used))
        picked.append(places + shift)
        shift += len(used)
    return PickedTexts(TextColumn(*joined_texts(laid)), np.concatenate(picked))


def write_facts(workspace: Workspace, *counted: CountedFacts) -> ArtifactRef:
    """Write what was counted of some phrases, each of them in one of the parts."""
    tables = [(phrases.sources, FactTable.of(facts)) for phrases, facts in counted]
    columns = {
        "source": picked_of([(sources, table.phrase) for sources, table in tables]),
        "fact": PickedTexts(FACTS, np.concatenate([table.fact for _, table in tables])),
        "value": picked_of([(texts_of(table.values), table.value) for _, table in tables]),
        "count": np.concatenate([table.number for _, table in tables]),
    }
    return workspace.write_columns("term_contexts", columns)
