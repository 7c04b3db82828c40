"""Tag and print single lines of text, outside of any flow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.phrasebook import MemoryTables, Phrasebook
from tasks.recipe import WordRecipe
from tasks.tag import tagged_row
from tasks.tagging.slots import Candidate
from tasks.text.detokenise import detokenise
from tasks.text.truecase import Casing, PhraseSpan, restore_case
from tasks.text.units import slot_of_each_word
from tasks.word_maker import WordMaker


@dataclass(frozen=True, slots=True)
class LineTagger:
    """Finds the phrases of a snapshot, and what the rules see, in lines of text."""

    book: Phrasebook
    config: MemoryConfig
    maker: WordMaker

    @staticmethod
    def of(
        workspace: Workspace,
        memory: MemoryTables,
        config: MemoryConfig,
        maker: WordMaker,
    ) -> "LineTagger":
        """Load the tables of a snapshot; without any, only the rules speak."""
        return LineTagger(Phrasebook.of(workspace, memory, config), config, maker)

    def tag(self, text: str) -> dict[str, Any]:
        """Return the row of a `tagged` table for a line."""
        row, candidates = self.candidates(text)
        return tagged_row(row, candidates, self.config)

    def candidates(self, text: str) -> tuple[dict[str, Any], list[Candidate]]:
        """Return the words of a line, and everything that could be offered to it."""
        made = self.maker.chinese(text)
        row = {
            "pair_id": "",
            "source_words": made.words,
            "target_words": [],
            "rules": made.rules,
        }
        return row, self.book.candidates(row)


def casing_of(files: Mapping[str, bytes]) -> Casing | None:
    """Return how a model's words are written, or None if the model makes them in their case."""
    return Casing.of_model(files) if WordRecipe.of_model(files).lowercase else None


def printed(row: Mapping[str, Any], casing: Casing | None) -> str:
    """Return a row of a `translations` table as English text for people.

    Args:
        row: the row.
        casing: how words are written; None where the model's words have their case already.
    """
    if casing is None:
        return detokenise(row["words"])
    return detokenise(restore_case(row["words"], casing, list(_phrase_spans(row))))


def _phrase_spans(row: Mapping[str, Any]) -> Iterator[PhraseSpan]:
    """Yield the phrases that search emitted, on output words; a phrase begins at its first step."""
    categories = {slot["slot"]: slot["category"] for slot in row["slots"]}
    lengths = {slot["slot"]: len(slot["target"].split()) for slot in row["slots"]}
    slots = slot_of_each_word(row["words"], row["steps"])
    at = 0
    while at < len(slots):
        end = min(at + lengths.get(slots[at], 1), len(slots))
        if slots[at] in categories:
            yield PhraseSpan(at, end, categories[slots[at]])
        at = end
