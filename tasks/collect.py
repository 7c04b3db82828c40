"""Steps that weigh the evidence: sieve what was mined, then settle on one translation or
abstain.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.claims import (
    CorpusCounts,
    Listing,
    decided,
    listed,
    listed_phrase,
    mined,
    spelled_alike,
    uses_of,
)
from tasks.lineage.tombstones import Gone, phrase_key
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import SELECT_PHRASES, PairCounts, candidate_parameters
from tasks.mining.settle import Claim, Decision, settle_all
from tasks.mining.term_config import Fragments
from tasks.mining.uses import TOTAL_USES, Phrase, Uses
from tasks.mining.verification import (
    SELECT_RELIABLE,
    Evidence,
    fewest_documents,
    reliable_parameters,
)
from tasks.step import step
from tasks.tombstones import open_tombstones

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectConfig:
    """What the memory depends on beside its evidence."""

    memory: MemoryConfig
    lowercase: bool
    """Whether target words are lower-cased, as those of the corpora are."""
    fragments: Fragments
    """Whether mined phrases that are no terms are left out."""
    licences: Mapping[str, str]
    """Licence of each corpus that was mined."""
    untrusted: tuple[str, ...] = ()
    """Dictionaries that mined phrases outrank."""


@step(writes=("candidates",), libraries=("duckdb",))
def select(
    workspace: Workspace,
    *,
    phrase_counts: tuple[ArtifactRef, ...],
    source_counts: tuple[ArtifactRef, ...],
    target_counts: tuple[ArtifactRef, ...],
    config: MemoryConfig,
) -> ArtifactRef:
    """Merge the counts of all shards and keep the phrase pairs that are likely enough to look
    at.
    """
    return workspace.write_query(
        "candidates",
        SELECT_PHRASES,
        {
            "pair_counts": phrase_counts,
            "source_phrases": source_counts,
            "target_phrases": target_counts,
        },
        candidate_parameters(config),
    )


@step(writes=("listed",), name="listed")
def listed_phrases(
    workspace: Workspace, *, entries: tuple[ArtifactRef, ...], lowercase: bool
) -> ArtifactRef:
    """Write what dictionaries list as phrases that can be looked up, each once."""
    rows = (row for ref in entries for row in workspace.read_rows(ref))
    known = (listed_phrase(row, lowercase=lowercase) for row in rows)
    return workspace.write_rows(
        "listed",
        ({"source": source, "target": target} for source, target in {*filter(None, known)}),
    )


@step(writes=("phrases", "evidence"), libraries=("duckdb",))
def collect(
    workspace: Workspace,
    *,
    likely: Mapping[str, ArtifactRef],
    counts: Mapping[str, CorpusCounts],
    dictionaries: Mapping[str, tuple[ArtifactRef, ...]],
    decisions: tuple[ArtifactRef, ...],
    config: CollectConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase, keeping all evidence.

    Args:
        workspace: where the tables are.
        likely: the `candidates` that were mined, and what was found out about them as `terms`.
        counts: what speaks for the candidates, by corpus.
        dictionaries: their `entries`, and the `use_counts` of these in all shards.
        decisions: what people decided, oldest first; and, as tables `tombstones`, which phrases
            were withdrawn and are not used, whoever claims them.
        config: what else the memory depends on.
    """
    reliable = _kept(
        _reliable(workspace, likely["candidates"], counts, config.memory),
        workspace.read_rows(likely["terms"]),
        config.fragments,
    )
    uses = {
        (row["source"], row["target"]): uses_of(row)
        for row in workspace.query(TOTAL_USES, {"use_counts": dictionaries["use_counts"]})
    }
    listing = Listing(memory=config.memory, lowercase=config.lowercase, untrusted=config.untrusted)
    rows = (row for ref in dictionaries["entries"] for row in workspace.read_rows(ref))
    evidence = [
        item
        for corpus, counted in counts.items()
        for item in mined(
            workspace,
            corpus,
            {**counted, "candidates": (likely["candidates"],)},
            reliable,
            config.licences[corpus],
        )
    ]
    evidence += listed(rows, uses, listing)
    reviewed = tuple(ref for ref in decisions if ref.kind == "decisions")
    evidence += decided(workspace, reviewed, lowercase=config.lowercase)
    evidence = spelled_alike(evidence)
    totals = _totals(uses, reliable)
    gone = open_tombstones(workspace, [ref for ref in decisions if ref not in reviewed])
    decisions_made = _settled([item.claim for item in evidence], gone)
    _say_what_was_settled(decisions_made)
    notes = {item.phrase_id: item.reason for item in evidence if item.reason}
    phrases = workspace.write_rows(
        "phrases", (_phrase(item, totals, notes) for item in decisions_made)
    )
    return phrases, workspace.write_rows("evidence", (item.row() for item in evidence))


def _settled(claims: list[Claim], gone: Gone) -> list[Decision]:
    """Settle every source phrase; what was withdrawn is left out like what a person rejected."""
    taken = {
        claim
        for claim in claims
        if gone and gone.has(phrase_key(phrase_id(claim.source, claim.target)))
    }
    settled = settle_all(
        replace(claim, rejects=claim.rejects or claim in taken) for claim in claims
    )
    pairs = {(claim.source, claim.target) for claim in taken}
    return [
        replace(item, state="withdrawn") if (item.source, item.target) in pairs else item
        for item in settled
    ]


def _reliable(
    workspace: Workspace,
    candidates: ArtifactRef,
    counts: Mapping[str, CorpusCounts],
    config: MemoryConfig,
) -> dict[Phrase, dict[str, Any]]:
    """Return the rows of the mined phrases that are reliable over all corpora."""
    tables = [ref for refs in counts.values() for ref in refs["use_counts"]]
    rows = workspace.query(
        SELECT_RELIABLE,
        {"candidates": candidates, "use_counts": tables},
        reliable_parameters(config),
    )
    if candidates.rows and not rows and config.count_by == "documents":
        log.warning(
            "no mined phrase is reliable: with memory.min_reliability = %g it has to be right in "
            "%d documents or more. If the corpora are few large documents, set memory.count_by = "
            '"sentences".',
            config.min_reliability,
            fewest_documents(config),
        )
    return {(row["source"], row["target"]): row for row in rows}


def _kept(
    reliable: Mapping[Phrase, Mapping[str, Any]],
    terms: Iterable[Mapping[str, Any]],
    fragments: Fragments,
) -> dict[Phrase, dict[str, Any]]:
    """Add to reliable phrases what was found out about them, and leave fragments out."""
    judged = {(row["source"], row["target"]): row for row in terms}
    kept = {
        phrase: {**row, "category": found["category"], "methods": tuple(found["methods"])}
        for phrase, row in reliable.items()
        if (found := judged[phrase]) and (fragments == "keep" or not found["fragment"])
    }
    log.info("%d of %d reliable mined phrases are terms", len(kept), len(reliable))
    return kept


def _totals(
    uses: Mapping[Phrase, Uses], reliable: Mapping[Phrase, Mapping[str, Any]]
) -> dict[str, Evidence]:
    """Return what each phrase rests on over all corpora, by its id."""
    totals = {phrase_id(*key): Evidence(PairCounts(0, 0, 0), used) for key, used in uses.items()}
    for key, row in reliable.items():
        extracted = PairCounts(row["pair_count"], row["source_count"], row["target_count"])
        totals[phrase_id(*key)] = Evidence(extracted, uses_of(row))
    return totals


def _say_what_was_settled(decisions: Sequence[Decision]) -> None:
    """Log how many source phrases have their one translation, and how many are in conflict."""
    sources = {
        state: len({item.source for item in decisions if item.state == state})
        for state in ("active", "conflict", "rejected")
    }
    log.info(
        "%d source phrases have one translation; %d are in conflict and not used; "
        "%d had a translation rejected",
        *sources.values(),
    )


def _phrase(
    decision: Decision, totals: Mapping[str, Evidence], notes: Mapping[str, str]
) -> dict[str, Any]:
    identity = phrase_id(decision.source, decision.target)
    known = totals.get(identity, Evidence(PairCounts(0, 0, 0), Uses()))
    return {
        "phrase_id": identity,
        "source": decision.source,
        "target": decision.target,
        "category": decision.category,
        "origin": decision.origin,
        "provider": decision.claims[0].name,
        "state": decision.state,
        "reliability": decision.reliability,
        "pair_count": known.extracted.pair,
        "source_count": known.extracted.source,
        "target_count": known.extracted.target,
        **asdict(known.uses),
        "evidence_count": len(decision.claims),
        "note": notes.get(identity, ""),
    }
