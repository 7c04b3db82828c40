"""What would be known of phrases without the sentence pair that is tagged, and without its copies.

Otherwise training always finds its answer in the memory and a test never does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.extraction import LinkedPair
from tasks.mining.rule_uses import rules_in_pair
from tasks.mining.selection import PairCounts
from tasks.mining.uses import (
    DocumentKey,
    Held,
    Phrase,
    UseCounter,
    Uses,
    by_document,
    document_key,
    in_batches,
    is_named,
    without_copies,
)
from tasks.mining.verification import Evidence
from tasks.tagging.matcher import Match

K = TypeVar("K")

_REPEATED = """
repeated AS (
    SELECT source, target FROM pairs SEMI JOIN here USING (source, target)
    GROUP BY source, target HAVING COUNT(*) > 1
)
"""
COPIES = f"""
WITH {_REPEATED}
SELECT
    source, target, corpus, document, CASE WHEN document = '' THEN pair_id ELSE '' END AS pair_id,
    COUNT(*) AS copies
FROM pairs SEMI JOIN repeated USING (source, target)
GROUP BY ALL
ORDER BY ALL
"""
"""In which documents the normalised pairs of a shard, `here`, stand that the training text,
`pairs`, holds more than once."""
PAIRS_OF_DOCUMENTS = f"""
WITH {_REPEATED}, wanted AS (
    SELECT corpus, document FROM here
    UNION
    SELECT corpus, document FROM pairs SEMI JOIN repeated USING (source, target)
)
SELECT corpus, document, pair_id, source_words, target_words, rules
FROM pairs SEMI JOIN wanted USING (corpus, document)
WHERE document <> ''
ORDER BY corpus, document, pair_id
"""
"""The pairs of the documents that hold pairs of the shard `here`, or copies of them."""

Copies = Sequence[tuple[DocumentKey, int]]
"""The documents that hold a pair, and how often."""
Tables = Mapping[str, ArtifactRef | Sequence[ArtifactRef]]
Row = Mapping[str, Any]


class LeaveOneOut:
    """Takes sentence pairs of one shard out of the counts of phrases and rules."""

    def __init__(
        self,
        workspace: Workspace,
        tables: Tables,
        phrases: Sequence[Phrase],
        configs: tuple[MemoryConfig, ExtractionConfig],
    ) -> None:
        """Count the uses in the documents of a shard.

        Args:
            workspace: where the tables are.
            tables: `here`, the pairs of the shard, and `pairs`, those of all shards.
            phrases: what may be offered.
            configs: how phrases were mined.
        """
        self._phrases = phrases
        self._counter = UseCounter(phrases)
        self._memory, self._extraction = configs
        self._copies: dict[tuple[str, str], Copies] = {
            key: [(_document_of(row), row["copies"]) for row in rows]
            for key, rows in groupby(
                workspace.query(COPIES, tables), lambda row: (row["source"], row["target"])
            )
        }
        held = self._uses_in_each(workspace.stream(PAIRS_OF_DOCUMENTS, tables))
        self._held: dict[DocumentKey, dict[Any, Held]] = dict(by_document(held))

    def _uses_in_each(self, rows: Iterable[Row]) -> Iterator[tuple[DocumentKey, dict[Any, Held]]]:
        """Count phrases, by their place, and rules, by `RuleKey`, in each pair."""
        for batch in in_batches(rows):
            words = [(row["source_words"], row["target_words"]) for row in batch]
            for row, held in zip(batch, self._counter.in_pairs(words), strict=True):
                yield (
                    _document_of(row),
                    {**rules_in_pair(row["rules"], row["target_words"]), **held},
                )

    def copies_of(self, row: Row) -> Copies:
        """Return the documents that hold a pair, itself included."""
        return self._copies.get((row["source"], row["target"]), [(_document_of(row), 1)])

    def evidence_left(
        self, pair: tuple[Row, LinkedPair, Iterable[Match]], whole: Mapping[int, Evidence]
    ) -> dict[int, Evidence]:
        """Return what is left of the evidence for phrases without a pair and its copies.

        Args:
            pair: the pair, its words and links, and the phrases that stand in it.
            whole: all evidence, by the place of the phrase; each phrase stands in the pair.
        """
        row, linked, found = pair
        uses = self.uses_left(row, {place: known.uses for place, known in whole.items()}, found)
        own = count_phrases([linked], self._extraction, max_words=self._memory.max_words)
        number = sum(count for _, count in self.copies_of(row))
        left: dict[int, Evidence] = {}
        for place, evidence in whole.items():
            phrase = source, target = self._phrases[place]
            counts = own.pairs[phrase], own.sources[source], own.targets[target]
            minus = PairCounts(*(number * count for count in counts))
            left[place] = Evidence(evidence.extracted.minus(minus), uses[place])
        return left

    def uses_left(
        self, row: Row, whole: Mapping[K, Uses], found: Iterable[Match] = ()
    ) -> dict[K, Uses]:
        """Return what is left of the uses of what stands in a pair, without it and its copies.

        Args:
            row: the pair.
            whole: all uses, of rules that saw something in the pair or of phrases that stand in it.
            found: where these phrases stand.
        """
        own: dict[Any, Held] = dict(rules_in_pair(row["rules"], row["target_words"]))
        own.update(self._counter.held(found, row["target_words"]))
        copies = self.copies_of(row)
        return {
            key: without_copies(
                uses,
                own[key],
                [(self._held_in(document, key, own[key]), number) for document, number in copies],
            )
            for key, uses in whole.items()
        }

    def _held_in(self, document: DocumentKey, key: Any, own: Held) -> Held:
        return self._held[document][key] if is_named(document) else own


def _document_of(row: Row) -> DocumentKey:
    return document_key(row["corpus"], row["document"], row["pair_id"])
