"""What may be offered to a sentence: the phrases of a snapshot, and what the rules see."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.claims import uses_of
from tasks.mining.config import MemoryConfig
from tasks.mining.rule_uses import RuleKey, keyed_rules
from tasks.mining.selection import PairCounts
from tasks.mining.uses import Uses
from tasks.mining.verification import Evidence, is_contradicted, is_rule_contradicted
from tasks.tagging.matcher import Match, Matcher
from tasks.tagging.slots import Candidate

MemoryTables = tuple[ArtifactRef, ...]
"""The phrases of a snapshot and, where somebody counted them, the uses of the rules."""


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """What may be offered, ready to be looked up."""

    config: MemoryConfig
    phrases: Sequence[Mapping[str, Any]]
    matcher: Matcher
    evidence: Sequence[Evidence]
    """Counts of each phrase over the whole training text."""
    rules: Mapping[RuleKey, Uses]
    """Counts of what the rules saw in the whole training text."""

    @staticmethod
    def of(workspace: Workspace, memory: MemoryTables, config: MemoryConfig) -> "Phrasebook":
        """Load the active phrases of the wanted categories that the text does not contradict.

        Args:
            workspace: where the tables are.
            memory: `Snapshot.tables`; without any, only the rules speak.
            config: what is wanted.
        """
        wanted, evidence = [], []
        for row in workspace.read_rows(memory[0]) if memory else ():
            known = _evidence(row)
            if is_offered_phrase(row, config):
                wanted.append(row)
                evidence.append(known)
        counted = workspace.read_rows(memory[1]) if memory[1:] else ()
        return Phrasebook(
            config,
            wanted,
            Matcher(([row["source"]], index) for index, row in enumerate(wanted)),
            evidence,
            {(row["rule"], row["shape"]): uses_of(row) for row in counted},
        )

    @staticmethod
    def empty(config: MemoryConfig) -> "Phrasebook":
        """Return a phrasebook without phrases: only the rules speak."""
        return Phrasebook(config, [], Matcher([]), [], {})

    def candidates(self, row: Mapping[str, Any]) -> list[Candidate]:
        """Return everything that could be offered to a sentence."""
        return self.candidates_of(row, self.matcher.find(row["source_words"]))

    def candidates_of(self, row: Mapping[str, Any], found: Iterable[Match]) -> list[Candidate]:
        """Return everything that could be offered to a sentence in which phrases were found."""
        rules = [rule for rule, _ in self.rule_matches(row)]
        return [*map(rule_candidate, rules), *map(self.candidate, found)]

    def rule_matches(self, row: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], RuleKey]]:
        """Yield what the rules saw in a sentence, of the wanted categories, and by which key it is
        counted, as far as the training text does not speak against it.
        """
        return (
            (rule, key)
            for rule, key in keyed_rules(row["rules"])
            if rule["category"] in self.config.categories
            and not is_rule_contradicted(self.rules.get(key, Uses()), self.config)
        )

    def candidate(self, match: Match) -> Candidate:
        """Return what a match offers."""
        phrase = self.phrases[match.phrase]
        return Candidate(
            start=match.start,
            end=match.end,
            source=phrase["source"],
            target=phrase["target"],
            category=phrase["category"],
            origin=phrase["origin"],
            phrase_id=phrase["phrase_id"],
            provider=phrase["provider"],
            score=phrase["reliability"],
        )


def rule_candidate(rule: Mapping[str, Any]) -> Candidate:
    """Return what a rule offers; such phrases are never in memory beforehand."""
    return Candidate(
        start=rule["start"],
        end=rule["end"],
        source=rule["source"],
        target=rule["target"],
        category=rule["category"],
        origin="rule",
        phrase_id=phrase_id(rule["source"], rule["target"]),
        provider=rule["rule"],
    )


def is_offered_phrase(row: Mapping[str, Any], config: MemoryConfig) -> bool:
    """Say whether a phrase of the memory is offered where its source stands.

    Where several translations of a source phrase may be offered, those in conflict are, too.
    """
    states = ("active", "conflict") if config.phrase_candidates > 1 else ("active",)
    is_held = row["origin"] != "dictionary" or not is_contradicted(uses_of(row), config)
    return row["state"] in states and row["category"] in config.categories and is_held


def _evidence(row: Mapping[str, Any]) -> Evidence:
    extracted = PairCounts(row["pair_count"], row["source_count"], row["target_count"])
    return Evidence(extracted, uses_of(row))
