"""Steps that weigh the evidence: sieve what was mined, then settle on one translation or
abstain.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.claims import (
    EvidenceItem,
    Listing,
    decided,
    listed,
    looked_up,
    mined,
    spelled_alike,
    uses_of,
)
from tasks.key_parts import PartTables
from tasks.lineage.tombstones import Gone, phrase_key
from tasks.mining.config import MemoryConfig
from tasks.mining.evidence import (
    ALL_EVIDENCE,
    ALL_PHRASES,
    ANY_MINED,
    CORPUS_COUNTS,
    COUNTS_OF_PART,
    LISTINGS_OF_PART,
    SOURCES_BY_STATE,
    TERMS_OF_PART,
)
from tasks.mining.key_parts import Part
from tasks.mining.selection import SELECT_PHRASES, PairCounts, candidate_parameters
from tasks.mining.settle import Claim, Decision, settle_all
from tasks.mining.term_config import Fragments, is_left_out
from tasks.mining.uses import TOTAL_USES, Phrase, Uses
from tasks.mining.verification import (
    RELIABLE_CANDIDATES,
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


@step(writes=("listed", "listings"), name="listed")
def listed_phrases(
    workspace: Workspace, *, entries: tuple[ArtifactRef, ...], lowercase: bool
) -> tuple[ArtifactRef, ArtifactRef]:
    """Write what dictionaries list as phrases that can be looked up: each once, and each entry."""
    rows = [
        looked_up(row, lowercase=lowercase) for ref in entries for row in workspace.read_rows(ref)
    ]
    phrases = {(row["source"], row["target"]) for row in rows if row["source"] and row["target"]}
    listed = ({"source": source, "target": target} for source, target in phrases)
    return workspace.write_rows("listed", listed), workspace.write_rows("listings", rows)


@step(writes=("corpus_counts",), name="corpus-counts", libraries=("duckdb",))
def count_corpus(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    pair_counts: tuple[ArtifactRef, ...],
    use_counts: tuple[ArtifactRef, ...],
) -> ArtifactRef:
    """Add up over the shards of one corpus what it says of the candidates."""
    return workspace.write_query(
        "corpus_counts",
        CORPUS_COUNTS,
        {"candidates": candidates, "pair_counts": pair_counts, "use_counts": use_counts},
    )


@step(writes=("candidates",), name="reliable", libraries=("duckdb",))
def keep_reliable(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    use_counts: tuple[ArtifactRef, ...],
    config: MemoryConfig,
) -> ArtifactRef:
    """Keep the candidates of the sources that have a reliable target: only these are judged.

    Args:
        workspace: where the tables are.
        candidates: the likely phrases.
        use_counts: the `corpus_counts` of each corpus.
        config: what makes a phrase reliable.
    """
    return workspace.write_query(
        "candidates",
        RELIABLE_CANDIDATES,
        {"candidates": candidates, "use_counts": use_counts},
        reliable_parameters(config),
    )


@step(writes=("phrases", "evidence"), name="settle", libraries=("duckdb",))
def settle_part(
    workspace: Workspace,
    *,
    likely: Mapping[str, ArtifactRef],
    counts: Mapping[str, ArtifactRef],
    claimed: Mapping[str, tuple[ArtifactRef, ...]],
    part: Part,
    config: CollectConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase of one part, keeping all evidence.

    Args:
        workspace: where the tables are.
        likely: the mined candidates of `reliable` sources, and what was found out about them as
            `terms`.
        counts: the `corpus_counts` of each corpus.
        claimed: by dictionaries, their `listings`, and the `use_counts` of these in all shards; by
            people, their `decisions`, oldest first, and, as tables `tombstones`, which phrases were
            withdrawn and are not used, whoever claims them.
        part: whose sources are settled.
        config: what else the memory depends on.
    """
    tables = PartTables(workspace, likely["reliable"], part)
    reliable = _kept(
        _reliable(tables, likely["reliable"], counts, config.memory),
        tables.rows(TERMS_OF_PART, {"terms": likely["terms"]}),
        config.fragments,
    )
    listed_uses = {"use_counts": claimed["use_counts"]}
    uses = {
        (row["source"], row["target"]): uses_of(row) for row in tables.rows(TOTAL_USES, listed_uses)
    }
    evidence = _evidence(tables, counts, claimed["listings"], (reliable, uses), config)
    reviewed = tuple(ref for ref in claimed["decisions"] if ref.kind == "decisions")
    evidence += [
        item
        for item in decided(workspace, reviewed, lowercase=config.lowercase)
        if tables.holds(item.claim.source)
    ]
    evidence = spelled_alike(evidence)
    totals = _totals(uses, reliable)
    gone = open_tombstones(workspace, [ref for ref in claimed["decisions"] if ref not in reviewed])
    decisions_made = _settled([item.claim for item in evidence], gone)
    notes = {item.phrase_id: item.reason for item in evidence if item.reason}
    phrases = workspace.write_rows(
        "phrases", (_phrase(item, totals, notes) for item in decisions_made)
    )
    return phrases, workspace.write_rows("evidence", (item.row() for item in evidence))


@step(writes=("phrases", "evidence"), libraries=("duckdb",))
def collect(
    workspace: Workspace,
    *,
    phrases: tuple[ArtifactRef, ...],
    evidence: tuple[ArtifactRef, ...],
    candidates: ArtifactRef,
    counts: Mapping[str, ArtifactRef],
    config: MemoryConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Put together what was settled of all parts of the sources.

    Args:
        workspace: where the tables are.
        phrases: those of each part.
        evidence: likewise.
        candidates: the likely phrases.
        counts: the `corpus_counts` of each corpus.
        config: what makes a mined phrase reliable, to say so if none is.
    """
    _say_what_was_settled(workspace, phrases)
    if candidates.rows and not workspace.query(ANY_MINED, {"evidence": evidence}):
        _say_if_none_is_reliable(workspace, candidates, counts, config)
    return (
        workspace.write_query("phrases", ALL_PHRASES, {"phrases": phrases}),
        workspace.write_query("evidence", ALL_EVIDENCE, {"evidence": evidence}),
    )


def _evidence(
    tables: PartTables,
    counts: Mapping[str, ArtifactRef],
    listings: tuple[ArtifactRef, ...],
    known: tuple[Mapping[Phrase, Mapping[str, Any]], Mapping[Phrase, Uses]],
    config: CollectConfig,
) -> list[EvidenceItem]:
    """Return what corpora and dictionaries have to say.

    Args:
        tables: of the part.
        counts: the `corpus_counts` of each corpus.
        listings: of the dictionaries.
        known: the mined phrases that are kept, and the uses of the listed ones.
        config: what else it depends on.
    """
    reliable, uses = known
    listing = Listing(memory=config.memory, untrusted=config.untrusted)
    found = [
        item
        for corpus, ref in counts.items()
        for item in mined(
            tables.rows(COUNTS_OF_PART, {"corpus_counts": ref}),
            corpus,
            reliable,
            config.licences[corpus],
        )
    ]
    entries = tables.rows(LISTINGS_OF_PART, {"listings": listings})
    return [*found, *listed(entries, uses, listing)]


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
    tables: PartTables,
    candidates: ArtifactRef,
    counts: Mapping[str, ArtifactRef],
    config: MemoryConfig,
) -> dict[Phrase, dict[str, Any]]:
    """Return the rows of the mined phrases that are reliable over all corpora."""
    rows = tables.rows(
        SELECT_RELIABLE,
        {"candidates": candidates, "use_counts": tuple(counts.values())},
        reliable_parameters(config),
    )
    return {(row["source"], row["target"]): row for row in rows}


def _say_if_none_is_reliable(
    workspace: Workspace,
    candidates: ArtifactRef,
    counts: Mapping[str, ArtifactRef],
    config: MemoryConfig,
) -> None:
    rows = workspace.stream(
        SELECT_RELIABLE,
        {"candidates": candidates, "use_counts": tuple(counts.values())},
        reliable_parameters(config),
    )
    if config.count_by == "documents" and next(rows, None) is None:
        log.warning(
            "no mined phrase is reliable: with memory.min_reliability = %g it has to be right in "
            "%d documents or more. If the corpora are few large documents, set memory.count_by = "
            '"sentences".',
            config.min_reliability,
            fewest_documents(config),
        )


def _kept(
    reliable: Mapping[Phrase, Mapping[str, Any]],
    terms: Iterable[Mapping[str, Any]],
    fragments: Fragments,
) -> dict[Phrase, dict[str, Any]]:
    """Add to reliable phrases what was found out about them, and leave out some fragments."""
    judged = {(row["source"], row["target"]): row for row in terms}
    kept = {
        phrase: {**row, "category": found["category"], "methods": tuple(found["methods"])}
        for phrase, row in reliable.items()
        if (found := judged[phrase]) and not is_left_out(found["fragment"], fragments)
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


def _say_what_was_settled(workspace: Workspace, phrases: tuple[ArtifactRef, ...]) -> None:
    """Log how many source phrases have their one translation, and how many are in conflict."""
    rows = workspace.query(SOURCES_BY_STATE, {"phrases": phrases})
    sources = {row["state"]: row["sources"] for row in rows}
    log.info(
        "%d source phrases have one translation; %d are in conflict and not used; "
        "%d had a translation rejected",
        *(sources.get(state, 0) for state in ("active", "conflict", "rejected")),
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
