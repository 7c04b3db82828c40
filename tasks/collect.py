"""Steps that weigh the evidence: score what was mined, then settle on one translation or abstain."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import Category, phrase_id
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import SELECT_PHRASES, select_parameters
from tasks.mining.settle import Claim, Decision, settle_all
from tasks.step import step
from tasks.text.english import tokenise
from tasks.text.script import normalise

MINED = "mined"


@step(writes=("candidates",), libraries=("duckdb",))
def select(
    workspace: Workspace,
    *,
    phrase_counts: tuple[ArtifactRef, ...],
    source_counts: tuple[ArtifactRef, ...],
    target_counts: tuple[ArtifactRef, ...],
    config: MemoryConfig,
) -> ArtifactRef:
    """Merge the counts of all shards and keep the phrase pairs that pass every threshold."""
    return workspace.write_query(
        "candidates",
        SELECT_PHRASES,
        {
            "pair_counts": phrase_counts,
            "source_counts": source_counts,
            "target_counts": target_counts,
        },
        select_parameters(config),
    )


@step(writes=("phrases", "evidence"))
def collect(
    workspace: Workspace,
    *,
    candidates: ArtifactRef,
    entries: tuple[ArtifactRef, ...],
    lowercase: bool,
    licences: tuple[str, ...],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Settle on one translation of each source phrase, keeping all evidence.

    Args:
        workspace: where the tables are.
        candidates: what was mined and passes the thresholds.
        entries: the dictionaries.
        lowercase: whether target words are lower-cased, as those of the corpora are.
        licences: licences of the corpora that were mined, sorted.
    """
    mined = list(_mined(workspace.read_rows(candidates), ", ".join(licences)))
    listed = [
        item
        for ref in entries
        for row in workspace.read_rows(ref)
        if (item := _listed(row, lowercase=lowercase)) is not None
    ]
    evidence = mined + listed
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
    pair_count: int = 0
    source_count: int = 0
    target_count: int = 0

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
            "pair_count": self.pair_count,
            "source_count": self.source_count,
            "target_count": self.target_count,
        }


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
        counts = (row["pair_count"], row["source_count"], row["target_count"])
        yield _Evidence(claim, 0, 0, licence, *counts)


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
    counts = mined.get(identity)
    return {
        "phrase_id": identity,
        "source": decision.source,
        "target": decision.target,
        "category": decision.category,
        "origin": decision.origin,
        "state": decision.state,
        "reliability": decision.reliability,
        "pair_count": counts.pair_count if counts else 0,
        "source_count": counts.source_count if counts else 0,
        "target_count": counts.target_count if counts else 0,
        "evidence_count": len(decision.claims),
        "note": "",
    }
