"""The steps that tell terms from fragments among the phrases that alignment proposes.

They put together what was counted in all shards (`tasks/contexts.py`) and judge, part by part.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Category
from storage.workspace import Workspace
from tasks.key_parts import PartTables
from tasks.mining.c_value import Nesting
from tasks.mining.categories import category_of
from tasks.mining.key_parts import Part
from tasks.mining.part_of_speech import Tagger, shared_tagger
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import TOTAL_CONTEXTS, TermFacts, gather, nc_values
from tasks.mining.term_totals import (
    ALL_TERMS,
    NAMED_LISTINGS,
    NESTINGS_OF_PART,
    NUM_COMPLEX,
    PHRASES_OF_PART,
    TERMS_BY_FRAGMENT,
    TOTAL_WORDS,
    context_weights_query,
    nestings_query,
    num_best,
)
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


TermTotals = tuple[ArtifactRef, ArtifactRef, int, int]
"""`nestings`, `context_weights`, how many candidates the latter rest on, and the number of words of
content."""

MIN_COUNT = 3
"""Fewest occurrences of a term candidate; what is rarer is no evidence for or against a term."""


@step(writes=("nestings", "context_weights"), name="term-totals", libraries=("duckdb",))
def total_terms(
    workspace: Workspace,
    *,
    sequence_counts: tuple[ArtifactRef, ...],
    term_contexts: tuple[ArtifactRef, ...],
    max_words: int,
) -> TermTotals:
    """Put together over all shards what single terms are compared with."""
    nestings = workspace.write_query(
        "nestings",
        nestings_query(max_words + 1),
        {"sequence_counts": sequence_counts, "term_contexts": term_contexts},
        {"min_count": MIN_COUNT},
    )
    (found,) = workspace.query(NUM_COMPLEX, {"nestings": nestings})
    best = num_best(found["number"])
    weights = workspace.write_query(
        "context_weights",
        context_weights_query(max_words + 1),
        {"nestings": nestings, "term_contexts": term_contexts},
        {"best": best},
    )
    (total,) = workspace.query(
        TOTAL_WORDS, {"sequence_counts": sequence_counts}, {"min_count": MIN_COUNT}
    )
    return nestings, weights, best, total["count"]


@step(writes=("terms",), name="judge-terms", libraries=("duckdb",))
def judge_terms(
    workspace: Workspace,
    *,
    phrases: Mapping[str, ArtifactRef],
    totals: TermTotals,
    term_contexts: tuple[ArtifactRef, ...],
    part: Part,
    config: TermSettings,
) -> ArtifactRef:
    """Judge each likely phrase of one part of the sources, and say what it names.

    Args:
        workspace: where the tables are.
        phrases: the likely `candidates`, and the `listings` of dictionaries.
        totals: what they are compared with.
        term_contexts: what was counted about the sources in all shards.
        part: whose sources are judged.
        config: what else terms depend on.
    """
    tables = PartTables(workspace, phrases["candidates"], part)
    facts = gather(tables.rows(TOTAL_CONTEXTS, {"term_contexts": term_contexts}))
    tagger = shared_tagger()
    judge = _judge(workspace, tables, totals, facts, tagger, config.terms)
    listed = _listed_categories(tables.rows(NAMED_LISTINGS, {"listings": phrases["listings"]}))
    rows = (
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
        for row in tables.rows(PHRASES_OF_PART, {"candidates": phrases["candidates"]})
        if (source := row["source"]) in facts
        for target in [row["target"]]
    )
    return workspace.write_rows("terms", rows)


def _judge(
    workspace: Workspace,
    tables: PartTables,
    totals: TermTotals,
    facts: Mapping[str, TermFacts],
    tagger: Tagger,
    config: TermConfig,
) -> Judge:
    """Prepare the judgement of the sources of a part."""
    nestings, beside, best, total_words = totals
    nested = {
        tuple(row["words"].split(" ")): Nesting(row["count"], row["nested"], row["holders"])
        for row in tables.rows(NESTINGS_OF_PART, {"nestings": nestings})
    }
    weights = {row["word"]: row["terms"] / best for row in workspace.read_rows(beside)}
    return Judge(config, tagger, nested, nc_values(facts, nested, weights, tagger), total_words)


@step(writes=("terms",), name="terms", libraries=("duckdb",))
def merge_terms(workspace: Workspace, *, terms: tuple[ArtifactRef, ...]) -> ArtifactRef:
    """Put together what was found out about the phrases of all parts."""
    _say_what_was_judged(workspace.query(TERMS_BY_FRAGMENT, {"terms": terms}))
    return workspace.write_query("terms", ALL_TERMS, {"terms": terms})


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
    reasons = {row["fragment"]: row["number"] for row in rows}
    total, terms = sum(reasons.values()), reasons.pop("", 0)
    why = ", ".join(f"{count} by {reason}" for reason, count in sorted(reasons.items()))
    log.info("%d of %d likely phrases are terms; fragments: %s", terms, total, why or "none")


def _listed_categories(rows: Iterable[Mapping[str, Any]]) -> dict[str, Category]:
    """Return what the dictionaries call their phrases, where all that name a kind agree."""
    found: dict[str, set[Category]] = {}
    for row in rows:
        found.setdefault(row["source"], set()).add(row["category"])
    return {source: kinds.pop() for source, kinds in found.items() if len(kinds) == 1}
