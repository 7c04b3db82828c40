"""The phrase memory the slow way: every claim of every source in one process.

It reads the tables that the parts read, adds up what all shards counted in plain Python and settles
all sources together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from storage.phrase_keys import phrase_key
from storage.records import phrase_id
from tasks.claims import EvidenceItem, Listing, listed, looked_up, mined, spelled_alike
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import ScoredPair
from tasks.mining.settle import Decision, settle_all
from tasks.mining.uses import Phrase, Uses
from tests.reference.mining_selection import select_reliable_plainly

Row = dict[str, Any]


def collected_plainly(
    candidates: Sequence[Row],
    terms: Sequence[Row],
    corpora: Mapping[str, tuple[Sequence[Row], Sequence[Row]]],
    entries: tuple[Sequence[Row], Sequence[Row]],
    config: MemoryConfig,
) -> tuple[list[Row], list[Row]]:
    """Return the rows of `phrases` and `evidence`.

    Args:
        candidates: rows of that table.
        terms: what was found out about each of them.
        corpora: of each corpus the rows of `pair_counts` and of `use_counts` of all its shards; its
            licence is its name in capitals.
        entries: of a dictionary, and the rows of `use_counts` of what they list.
        config: what makes a phrase reliable.
    """
    everywhere = _added_up(row for _, used in corpora.values() for row in used)
    reliable = _reliable(candidates, everywhere, {_key(row): row for row in terms}, config)
    evidence = [
        item
        for corpus, (pairs, used) in corpora.items()
        for item in mined(_corpus_rows(candidates, pairs, used), corpus, reliable, corpus.upper())
    ]
    uses = _added_up(entries[1])
    rows = [looked_up(entry, lowercase=True) for entry in entries[0]]
    evidence += listed(rows, uses, Listing(memory=config, untrusted=("untrusted",)))
    evidence = spelled_alike(evidence)
    decisions = settle_all(item.claim for item in evidence)
    return [_phrase(one, uses, reliable) for one in decisions], [_row(item) for item in evidence]


def _key(row: Mapping[str, Any]) -> Phrase:
    return row["source"], row["target"]


def _added_up(rows: Any) -> dict[Phrase, Uses]:
    total: dict[Phrase, Uses] = {}
    for row in rows:
        here = Uses(**{field.name: row[field.name] for field in fields(Uses)})
        total[_key(row)] = total.get(_key(row), Uses()).plus(here)
    return dict(sorted(total.items()))


def _reliable(
    candidates: Sequence[Row],
    uses: Mapping[Phrase, Uses],
    terms: Mapping[Phrase, Row],
    config: MemoryConfig,
) -> dict[Phrase, Row]:
    names = [field.name for field in fields(ScoredPair)]
    scored = [ScoredPair(**{name: row[name] for name in names}) for row in candidates]
    used = [uses.get(_key(row), Uses()) for row in candidates]
    found = select_reliable_plainly(scored, used, config)
    return {
        (one.source, one.target): {
            **asdict(one),
            "category": terms[one.source, one.target]["category"],
            "methods": tuple(terms[one.source, one.target]["methods"]),
        }
        for one in found
        if not terms[one.source, one.target]["fragment"]
    }


def _corpus_rows(candidates: Sequence[Row], pairs: Sequence[Row], used: Sequence[Row]) -> list[Row]:
    """Return what one corpus says of the candidates, in order."""
    uses = _added_up(used)
    rows = []
    for row in candidates:
        keys = phrase_key(row["source"]), phrase_key(row["target"])
        count = sum(
            pair["count"] for pair in pairs if (pair["source_key"], pair["target_key"]) == keys
        )
        if uses.get(_key(row), Uses()).occurrences:
            phrase = {"source": row["source"], "target": row["target"]}
            rows.append({**phrase, "pair_count": count, **asdict(uses[_key(row)])})
    return rows


def _phrase(decision: Decision, uses: Mapping[Phrase, Uses], reliable: Mapping[Phrase, Row]) -> Row:
    identity = phrase_id(decision.source, decision.target)
    counts = {"pair_count": 0, "source_count": 0, "target_count": 0, **asdict(Uses())}
    for key, used in uses.items():
        if phrase_id(*key) == identity:
            counts = {"pair_count": 0, "source_count": 0, "target_count": 0, **asdict(used)}
    for key, row in reliable.items():
        if phrase_id(*key) == identity:
            counts = {name: row[name] for name in counts}
    return {
        "phrase_id": identity,
        "source": decision.source,
        "target": decision.target,
        "category": decision.category,
        "origin": decision.origin,
        "provider": decision.claims[0].name,
        "state": decision.state,
        "reliability": decision.reliability,
        **counts,
        "evidence_count": len(decision.claims),
        "note": "",
    }


def _row(item: EvidenceItem) -> Row:
    return item.row()
