"""What speaks for and against phrases: corpora, dictionaries and people, each with its place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.decisions import ReviewDecision, standing
from tasks.mining.settle import Claim
from tasks.mining.uses import Phrase, Uses
from tasks.mining.verification import is_contradicted, reliability
from tasks.text.english import tokenise
from tasks.text.script import normalise

REVIEWED = "review"


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One reason to believe a phrase, with where it stands."""

    claim: Claim
    licence: str
    line: int = 0
    part: int = 0
    methods: tuple[str, ...] = ()
    """Who proposed it: methods of mining, or a review."""
    pair_count: int = 0
    uses: Uses = Uses()
    author: str = ""
    decided: str = ""
    reason: str = ""

    @property
    def phrase_id(self) -> str:
        """Return the id of the phrase that it speaks of."""
        return phrase_id(self.claim.source, self.claim.target)

    def row(self) -> dict[str, Any]:
        """Return the row of a table `evidence`."""
        return {
            "phrase_id": self.phrase_id,
            "origin": self.claim.origin,
            "provider": self.claim.name,
            "methods": list(self.methods),
            "line": self.line,
            "part": self.part,
            "category": self.claim.category,
            "licence": self.licence,
            "pair_count": self.pair_count,
            **asdict(self.uses),
            "rejects": self.claim.rejects,
            "author": self.author,
            "decided": self.decided,
            "reason": self.reason,
        }


def spelled_alike(evidence: Iterable[EvidenceItem]) -> list[EvidenceItem]:
    """Give targets that differ only in blanks one spelling, and number evidence of one place.

    Such targets are one phrase with one id; the most trusted source's spelling is kept.
    """
    ranked = sorted(evidence, key=lambda item: (item.claim.rank, item.claim.target))
    spelling: dict[str, str] = {}
    for item in ranked:
        spelling.setdefault(item.phrase_id, item.claim.target)
    places: Counter[tuple[str, str, int]] = Counter()
    alike: list[EvidenceItem] = []
    for item in ranked:
        place = (item.phrase_id, item.claim.name, item.line)
        claim = replace(item.claim, target=spelling[item.phrase_id])
        alike.append(replace(item, claim=claim, part=places[place]))
        places[place] += 1
    return alike


def mined(
    rows: Iterable[Mapping[str, Any]],
    corpus: str,
    reliable: Mapping[Phrase, Mapping[str, Any]],
    licence: str,
) -> Iterator[EvidenceItem]:
    """Yield what one corpus has to say for the phrases that are reliable over all.

    Args:
        rows: rows of its table `corpus_counts`.
        corpus: its name.
        reliable: rows of `SELECT_RELIABLE`, with their category and methods.
        licence: of the corpus.
    """
    for row in rows:
        total = reliable.get((row["source"], row["target"]))
        if total is None:
            continue
        claim = Claim(
            source=row["source"],
            target=row["target"],
            origin="mined",
            category=total["category"],
            name=corpus,
            count=total["pair_count"],
            reliability=total["reliability"],
        )
        yield EvidenceItem(
            claim,
            licence,
            methods=total["methods"],
            pair_count=row["pair_count"],
            uses=uses_of(row),
        )


def uses_of(row: Mapping[str, Any]) -> Uses:
    """Read the counts of a row that has them."""
    return Uses(**{name: row[name] for name in Uses.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How the entries of dictionaries are weighed."""

    memory: MemoryConfig
    untrusted: tuple[str, ...]
    """Dictionaries that mined phrases outrank."""


def listed(
    rows: Iterable[Mapping[str, Any]], uses: Mapping[Phrase, Uses], listing: Listing
) -> Iterator[EvidenceItem]:
    """Yield the entries of dictionaries, each with what the training text says of it.

    Args:
        rows: rows of tables `listings`.
        uses: how often each entry is right where its source stands; what is missing does not stand
            anywhere.
        listing: how they are weighed.
    """
    for row in rows:
        phrase = row["source"], row["target"]
        if not all(phrase):
            continue
        counted = uses.get(phrase, Uses())
        trusted = row["dictionary"] not in listing.untrusted
        claim = Claim(
            source=phrase[0],
            target=phrase[1],
            origin="dictionary",
            category=row["category"],
            name=row["dictionary"],
            reliability=reliability(counted, listing.memory.count_by),
            trusted=trusted and not is_contradicted(counted, listing.memory),
        )
        yield EvidenceItem(claim, row["licence"], line=row["line"], part=row["part"], uses=counted)


def looked_up(entry: Mapping[str, Any], *, lowercase: bool) -> dict[str, Any]:
    """Return the row of a table `listings` of a dictionary's entry: its texts as they are looked
    up, of which a side may be empty once it is normalised."""
    source = "".join(normalise(entry["source"]).split())
    return {
        **entry,
        "source": source,
        "target": target_words(entry["target"], lowercase=lowercase),
    }


def decided(
    workspace: Workspace, tables: tuple[ArtifactRef, ...], *, lowercase: bool
) -> list[EvidenceItem]:
    """Read the decisions that stand; they are evidence of the highest rank."""
    rows = [row for ref in tables for row in workspace.read_rows(ref)]
    made = (
        ReviewDecision(
            source="".join(normalise(row["source"]).split()),
            target=target_words(row["target"], lowercase=lowercase),
            verdict=row["verdict"],
            category=row["category"],
            author=row["author"],
            decided=row["decided"],
            reason=row["reason"],
        )
        for row in rows
    )
    return [
        EvidenceItem(
            Claim(
                source=decision.source,
                target=decision.target,
                origin="review",
                category=decision.category,
                name=decision.author,
                rejects=decision.verdict == "reject",
            ),
            licence="",
            methods=(REVIEWED,),
            author=decision.author,
            decided=decision.decided,
            reason=decision.reason,
        )
        for decision in standing(made)
    ]


def target_words(text: str, *, lowercase: bool) -> str:
    """Cut English into words as those of the corpora are cut."""
    target = " ".join(tokenise(normalise(text)))
    return target.lower() if lowercase else target
