"""Steps that weigh the evidence: sieve what was mined, then settle on one translation or
abstain.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Category, phrase_id
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import SELECT_PHRASES, candidate_parameters
from tasks.mining.settle import PRECEDENCE, Claim, Decision, settle_all
from tasks.mining.verification import (
    SELECT_RELIABLE,
    by_source,
    count_uses,
    reliable_parameters,
)
from tasks.step import step
from tasks.text.english import tokenise
from tasks.text.script import normalise

MINED = "mined"
COUNTS = ("pair_count", "source_count", "target_count", "found", "occurrences")
"""What a mined phrase rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectConfig:
    """What the memory depends on beside its evidence."""

    memory: MemoryConfig
    lowercase: bool
    """Whether target words are lower-cased, as those of the corpora are."""
    licences: tuple[str, ...]
    """Licences of the corpora that were mined, sorted."""


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
            "source_counts": source_counts,
            "target_counts": target_counts,
        },
        candidate_parameters(config),
    )


@step(writes=("use_counts",))
def confirm(
    workspace: Workspace, *, pairs: ArtifactRef, candidates: ArtifactRef, max_words: int
) -> ArtifactRef:
    """Count in the words of one shard how often each candidate is right where its source stands."""
    likely = workspace.read_columns(candidates, ["source", "target"])
    wanted = by_source(zip(likely["source"], likely["target"], strict=True))
    words = workspace.read_columns(pairs, ["source_words", "target_words"])
    counts = count_uses(
        zip(words["source_words"], words["target_words"], strict=True), wanted, max_words=max_words
    )
    return workspace.write_rows(
        "use_counts",
        (
            {
                "source": source,
                "target": target,
                "found": found,
                "occurrences": counts.occurrences[source],
            }
            for (source, target), found in counts.found.items()
        ),
    )


@step(writes=("phrases", "evidence"), libraries=("duckdb",))
def collect(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    use_counts: tuple[ArtifactRef, ...],
    entries: tuple[ArtifactRef, ...],
    config: CollectConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase, keeping all evidence.

    Args:
        workspace: where the tables are.
        candidates: what was mined and is likely.
        use_counts: of each shard, how often the candidates are right.
        entries: the dictionaries.
        config: what else the memory depends on.
    """
    reliable = workspace.query(
        SELECT_RELIABLE,
        {"candidates": candidates, "use_counts": use_counts},
        reliable_parameters(config.memory),
    )
    mined = list(_mined(reliable, ", ".join(config.licences)))
    listed = [
        item
        for ref in entries
        for row in workspace.read_rows(ref)
        if (item := _listed(row, lowercase=config.lowercase)) is not None
    ]
    evidence = _spelled_alike(mined + listed)
    counts = {item.phrase_id: item for item in mined}
    decisions = settle_all(item.claim for item in evidence)
    phrases = workspace.write_rows("phrases", (_phrase(item, counts) for item in decisions))
    return phrases, workspace.write_rows("evidence", (item.row() for item in evidence))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """One reason to believe a phrase, with where it stands."""

    claim: Claim
    line: int
    part: int
    licence: str
    counts: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))

    @property
    def phrase_id(self) -> str:
        return phrase_id(self.claim.source, self.claim.target)

    def row(self) -> dict[str, Any]:
        return {
            "phrase_id": self.phrase_id,
            "origin": self.claim.origin,
            "provider": self.claim.name,
            "line": self.line,
            "part": self.part,
            "category": self.claim.category,
            "licence": self.licence,
            **self.counts,
        }


def _spelled_alike(evidence: list[_Evidence]) -> list[_Evidence]:
    """Give targets that differ only in blanks one spelling, and number evidence of one place.

    Such targets are one phrase with one id; the most trusted source's spelling is kept.
    """
    ranked = sorted(
        evidence, key=lambda item: (PRECEDENCE.index(item.claim.origin), item.claim.target)
    )
    spelling: dict[str, str] = {}
    for item in ranked:
        spelling.setdefault(item.phrase_id, item.claim.target)
    places: Counter[tuple[str, str, int]] = Counter()
    alike: list[_Evidence] = []
    for item in ranked:
        place = (item.phrase_id, item.claim.name, item.line)
        claim = replace(item.claim, target=spelling[item.phrase_id])
        alike.append(replace(item, claim=claim, part=places[place]))
        places[place] += 1
    return alike


def _mined(rows: Iterable[Mapping[str, Any]], licence: str) -> Iterator[_Evidence]:
    for row in rows:
        claim = Claim(
            source=row["source"],
            target=row["target"],
            origin="mined",
            category="term",
            name=MINED,
            count=row["pair_count"],
            reliability=row["reliability"],
        )
        yield _Evidence(claim, 0, 0, licence, {name: row[name] for name in COUNTS})


def _listed(row: Mapping[str, Any], *, lowercase: bool) -> _Evidence | None:
    """Read a dictionary's entry; None if one side is empty once it is normalised."""
    source = "".join(normalise(row["source"]).split())
    target = " ".join(tokenise(normalise(row["target"])))
    if not source or not target:
        return None
    category: Category = row["category"]
    claim = Claim(
        source=source,
        target=target.lower() if lowercase else target,
        origin="dictionary",
        category=category,
        name=row["dictionary"],
    )
    return _Evidence(claim, row["line"], row["part"], row["licence"])


def _phrase(decision: Decision, mined: Mapping[str, _Evidence]) -> dict[str, Any]:
    identity = phrase_id(decision.source, decision.target)
    known = mined.get(identity)
    return {
        "phrase_id": identity,
        "source": decision.source,
        "target": decision.target,
        "category": decision.category,
        "origin": decision.origin,
        "state": decision.state,
        "reliability": decision.reliability,
        **(known.counts if known else dict.fromkeys(COUNTS, 0)),
        "evidence_count": len(decision.claims),
        "note": "",
    }
