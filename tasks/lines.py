"""Tag and translate single lines of text, outside of any flow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.prepare import chinese_words
from tasks.recipe import WordRecipe
from tasks.tag import Phrasebook, phrasebook, rule_candidates, tagged_row
from tasks.text.script import normalise
from tasks.translate import translate_rows


@dataclass(frozen=True, slots=True)
class LineTagger:
    """Finds the phrases of a snapshot, and what the rules see, in lines of text."""

    book: Phrasebook
    config: MemoryConfig
    recipe: WordRecipe

    @staticmethod
    def of(
        workspace: Workspace,
        phrases: ArtifactRef | None,
        config: MemoryConfig,
        recipe: WordRecipe,
    ) -> "LineTagger":
        """Load the phrases of a snapshot; without one, only the rules speak."""
        book = phrasebook(workspace, phrases, config) if phrases else Phrasebook.empty()
        return LineTagger(book, config, recipe)

    def tag(self, text: str) -> dict[str, Any]:
        """Return the row of a `tagged` table for a line."""
        words, rules = chinese_words(normalise(text), self.recipe)
        row = {"pair_id": "", "source_words": words, "target_words": [], "rules": rules}
        candidates = [*rule_candidates(row, self.config), *self.book.candidates(words)]
        return tagged_row(row, candidates, self.config)


def translate_lines(
    tagger: LineTagger,
    files: Mapping[str, bytes],
    texts: Sequence[str],
    decoding: DecodingConfig,
) -> Iterator[dict[str, Any]]:
    """Yield the row of a `translations` table for each line."""
    yield from translate_rows(files, [tagger.tag(text) for text in texts], decoding)
