"""Steps that count, shard by shard, how often phrases and rules are right where they would be
offered.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Elsewhere, Workspace
from tasks.changed_pairs import pairs_with
from tasks.documents import counted_pairs, ruled_pairs
from tasks.mining.rule_uses import TOTAL_RULE_USES, count_rule_uses
from tasks.mining.uses import Phrase, count_uses
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
        wanted = _phrases(workspace.read_rows(phrases, ["source", "target"]))
        return workspace.write_rows("use_counts", _uses(workspace, pairs, wanted))
    tables = {"phrases": phrases, "phrases_before": before.inputs["phrases"]}
    known = _phrases(workspace.query(KNOWN_PHRASES, tables))
    new = _phrases(workspace.query(NEW_PHRASES, tables))
    with touched_documents(workspace, pairs, before.inputs["pairs"]) as (aside, now, old):
        holding = pairs_with(workspace, aside, pairs, (source for source, _ in new))
        more = [*_uses(aside, now, known), *_uses(aside, holding, new)]
        added = aside.write_rows("use_counts", more)
        removed = aside.write_rows("use_counts", _uses(aside, old, known))
        merged = {
            "phrases": phrases,
            "before": before.result,
            "added": Elsewhere(aside.root, added),
            "removed": Elsewhere(aside.root, removed),
        }
        return workspace.write_query("use_counts", MERGED_PHRASE_USES, merged)


def _phrases(rows: Iterable[dict[str, Any]]) -> list[Phrase]:
    return [(row["source"], row["target"]) for row in rows]


def _uses(workspace: Workspace, pairs: ArtifactRef, phrases: list[Phrase]) -> Rows:
    """Yield the uses of the phrases that stand somewhere in a shard."""
    if not phrases or not pairs.rows:
        return
    counted = count_uses(counted_pairs(workspace, [pairs]), phrases)
    for (source, target), uses in zip(phrases, counted, strict=True):
        if uses.occurrences:
            yield {"source": source, "target": target, **asdict(uses)}


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
