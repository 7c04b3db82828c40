"""The phrase memory written for other tools."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.exchange.entries import Aligned, GlossaryEntry
from tasks.exchange.structured import json_lines, tbx_lines
from tasks.exchange.tables import moses_lines, pair_lines, tsv_lines
from tasks.lexical_scores import LexicalScores, lexical_scores
from tasks.word_maker import WordMaker

AGREED = "SELECT * FROM phrases WHERE state = 'active' ORDER BY source, phrase_id"

FORMATS: Mapping[str, Callable[[Iterable[GlossaryEntry], str], Iterator[str]]] = {
    "tsv": lambda entries, name: tsv_lines(entries),
    "pairs": lambda entries, name: pair_lines(entries),
    "moses": lambda entries, name: moses_lines(entries),
    "json": lambda entries, name: json_lines(entries, name=name),
    "tbx": lambda entries, name: tbx_lines(entries, name=name),
}
"""What each form is called, and its lines; `name` says what the glossary is."""


def agreed_entries(
    workspace: Workspace, snapshot: Snapshot, maker: WordMaker
) -> Iterator[GlossaryEntry]:
    """Yield the active phrases of a snapshot, sorted by source.

    Args:
        workspace: where the tables are.
        snapshot: whose phrases.
        maker: makes words of a source.
    """
    scores = lexical_scores(workspace, snapshot)
    for row in workspace.query(AGREED, {"phrases": snapshot.phrases}):
        yield GlossaryEntry(
            phrase_id=row["phrase_id"],
            source=row["source"],
            source_words=tuple(maker.chinese(row["source"]).words),
            target=row["target"],
            category=row["category"],
            origin=row["origin"],
            reliability=row["reliability"],
            pair_count=row["pair_count"],
            source_count=row["source_count"],
            target_count=row["target_count"],
            note=row["note"],
            aligned=_aligned(scores.get(row["phrase_id"])),
        )


def _aligned(scores: LexicalScores | None) -> Aligned | None:
    if scores is None:
        return None
    return Aligned(
        source_words=scores.source_words,
        target_words=scores.target_words,
        links=scores.links,
        forward=scores.forward,
        inverse=scores.inverse,
    )
