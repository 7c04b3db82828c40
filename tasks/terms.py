"""The step that tells terms from fragments among the phrases that alignment proposes.

It puts together what was counted in all shards (`tasks/contexts.py`) and judges.
"""

import logging
from collections import Counter
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Category
from storage.workspace import Workspace
from tasks.contexts import by_source, unsegmented
from tasks.mining.categories import category_of
from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import FREQUENT_SEQUENCES, TOTAL_CONTEXTS, TermFacts, gather
from tasks.mining.termhood import Judge, Verdict
from tasks.rules.style import RuleStyle
from tasks.step import step

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TermSettings:
    """What terms depend on beside the counts."""

    terms: TermConfig
    rules: RuleStyle
    max_words: int
    """Longest source, in words."""


MIN_COUNT = 3
"""Fewest occurrences of a term candidate; what is rarer is no evidence for or against a term."""


@step(writes=("terms",), name="terms", libraries=("duckdb",))
def judge_terms(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    sequence_counts: tuple[ArtifactRef, ...],
    term_contexts: tuple[ArtifactRef, ...],
    entries: tuple[ArtifactRef, ...],
    config: TermSettings,
) -> ArtifactRef:
    """Put the counts of all shards together; judge each likely phrase, and say what it names."""
    facts = gather(workspace.query(TOTAL_CONTEXTS, {"term_contexts": term_contexts}))
    frequencies = {
        tuple(row["words"].split(" ")): row["count"]
        for row in workspace.query(
            FREQUENT_SEQUENCES, {"sequence_counts": sequence_counts}, {"min_count": MIN_COUNT}
        )
    }
    tagger = Tagger()
    judge = Judge.of(config.terms, tagger, frequencies, facts)
    listed = _listed_categories(workspace, entries)
    rows = [
        _term_row(
            judge.judge(facts[source], target),
            facts[source],
            {
                "source": source,
                "target": target,
                "category": category_of(
                    source, target, facts[source], listed, (tagger, config.rules)
                ),
            },
        )
        for source, targets in by_source(workspace, candidates).items()
        if source in facts
        for target in targets
    ]
    _say_what_was_judged(rows)
    return workspace.write_rows("terms", rows)


def _term_row(verdict: Verdict, facts: TermFacts, phrase: dict[str, str]) -> dict[str, Any]:
    """Return a row of `terms`; scores are kept in whole thousandths, the same on every machine."""
    return {
        **phrase,
        "methods": list(verdict.methods),
        "fragment": verdict.reason,
        "words": " ".join(facts.words),
        "c_value": round(1000 * verdict.c_value),
        "nc_value": round(1000 * verdict.nc_value),
        "keyness": round(1000 * verdict.keyness),
        "left_entropy": round(1000 * facts.left_entropy),
        "right_entropy": round(1000 * facts.right_entropy),
    }


def _say_what_was_judged(rows: list[dict[str, Any]]) -> None:
    reasons = Counter(row["fragment"] for row in rows)
    terms = reasons.pop("", 0)
    why = ", ".join(f"{count} by {reason}" for reason, count in sorted(reasons.items()))
    log.info("%d of %d likely phrases are terms; fragments: %s", terms, len(rows), why or "none")


def _listed_categories(
    workspace: Workspace, entries: tuple[ArtifactRef, ...]
) -> dict[str, Category]:
    """Return what the dictionaries call their phrases, where all that name a kind agree."""
    found: dict[str, set[Category]] = {}
    for ref in entries:
        for row in workspace.read_rows(ref, ["source", "category"]):
            if row["category"] != "term":
                found.setdefault(unsegmented(row["source"]), set()).add(row["category"])
    return {source: kinds.pop() for source, kinds in found.items() if len(kinds) == 1}
