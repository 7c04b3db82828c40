"""Steps that count, shard by shard, how often phrases and rules are right where they would be
offered.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from storage.datasets import ArtifactRef
from storage.workspace import Elsewhere, Workspace
from tasks.changed_pairs import pairs_with
from tasks.compiled.arrays import spelled
from tasks.documents import read_counted, ruled_pairs
from tasks.mining.likely import LikelyPhrases
from tasks.mining.rule_uses import TOTAL_RULE_USES, count_rule_uses
from tasks.mining.uses import UseCounts, count_uses_in
from tasks.phrase_columns import picked_of, query_phrases, read_phrases
from tasks.reconfirm import (
    KNOWN_PHRASES,
    MERGED_PHRASE_USES,
    MERGED_RULE_USES,
    NEW_PHRASES,
    touched_documents,
)
from tasks.step import Before, step

Rows = Iterator[dict[str, Any]]


@step(writes=("use_counts",), libraries=("duckdb",), continues=("pairs", "phrases"))
def confirm(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    phrases: ArtifactRef,
    before: Before | None = None,
) -> ArtifactRef:
    """Count in the words of one shard how often phrases are right where their source stands.

    Args:
        workspace: where the tables are.
        pairs: the shard, which holds whole documents.
        phrases: candidates, or what dictionaries list; those whose source stands nowhere are left
            out of the result.
        before: an earlier call, of whose documents and phrases many may be the same.
    """
    if before is None:
        return _write_uses(workspace, _uses(workspace, pairs, read_phrases(workspace, phrases)))
    tables = {"phrases": phrases, "phrases_before": before.inputs["phrases"]}
    known, new = (query_phrases(workspace, it, tables) for it in (KNOWN_PHRASES, NEW_PHRASES))
    with touched_documents(workspace, pairs, before.inputs["pairs"]) as (aside, now, old):
        holding = pairs_with(workspace, aside, pairs, spelled(new.sources))
        added = _write_uses(aside, _uses(aside, now, known), _uses(aside, holding, new))
        removed = _write_uses(aside, _uses(aside, old, known))
        merged = {
            "phrases": phrases,
            "before": before.result,
            "added": Elsewhere(aside.root, added),
            "removed": Elsewhere(aside.root, removed),
        }
        return workspace.write_query("use_counts", MERGED_PHRASE_USES, merged)


Counted = tuple[LikelyPhrases, UseCounts]
"""Phrases, and their uses."""


def _uses(workspace: Workspace, pairs: ArtifactRef, phrases: LikelyPhrases) -> Counted:
    """Count the uses of phrases in a shard."""
    return phrases, count_uses_in(*read_counted(workspace, pairs), phrases)


def _write_uses(workspace: Workspace, *counted: Counted) -> ArtifactRef:
    """Write the uses of the phrases that stand somewhere, each of them in one of the parts."""
    sides = {
        "source": [(phrases.sources, phrases.source_of(uses.phrase)) for phrases, uses in counted],
        "target": [(phrases.targets, uses.phrase) for phrases, uses in counted],
    }
    counts = zip(*(uses[1:] for _, uses in counted), strict=True)
    names = zip(UseCounts._fields[1:], map(np.concatenate, counts), strict=True)
    columns = {side: picked_of(parts) for side, parts in sides.items()}
    return workspace.write_columns("use_counts", {**columns, **dict(names)})


@step(writes=("rule_counts",), name="rule-uses", libraries=("duckdb",), continues=("pairs",))
def confirm_rules(
    workspace: Workspace, *, pairs: ArtifactRef, before: Before | None = None
) -> ArtifactRef:
    """Count in one shard how often what the rules write stands opposite, by shape."""
    if before is None:
        return workspace.write_rows("rule_counts", _rule_uses(workspace, pairs))
    with touched_documents(workspace, pairs, before.inputs["pairs"]) as (aside, now, old):
        added = aside.write_rows("rule_counts", _rule_uses(aside, now))
        removed = aside.write_rows("rule_counts", _rule_uses(aside, old))
        merged = {
            "before": before.result,
            "added": Elsewhere(aside.root, added),
            "removed": Elsewhere(aside.root, removed),
        }
        return workspace.write_query("rule_counts", MERGED_RULE_USES, merged)


def _rule_uses(workspace: Workspace, pairs: ArtifactRef) -> Rows:
    counted = count_rule_uses(ruled_pairs(workspace, pairs))
    return (
        {"rule": rule, "shape": shape, **asdict(uses)} for (rule, shape), uses in counted.items()
    )


@step(writes=("rule_counts",), name="rules", libraries=("duckdb",))
def merge_rules(workspace: Workspace, *, rule_counts: tuple[ArtifactRef, ...]) -> ArtifactRef:
    """Add up over all shards how often the rules are right."""
    return workspace.write_query("rule_counts", TOTAL_RULE_USES, {"rule_counts": rule_counts})
