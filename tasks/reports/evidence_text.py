"""One piece of evidence of a phrase in words."""

from collections.abc import Mapping
from typing import Any


def evidence_text(row: Mapping[str, Any]) -> str:
    """Say in one line what speaks for, or against, a phrase."""
    if row["origin"] == "review":
        said = "rejected" if row["rejects"] else "accepted"
        why = f": {row['reason']}" if row["reason"] else ""
        return f"{said} by {row['author']} on {row['decided'][:10]}{why}"
    if row["origin"] == "mined":
        return f"mined from {row['provider']}: {uses_text(row)} ({row['licence']})"
    said = f"{row['origin']} {row['provider']}, line {row['line']} ({row['licence']})"
    return f"{said}; in the training text {uses_text(row)}" if row["occurrences"] else said


def uses_text(row: Mapping[str, Any]) -> str:
    """Say how often a phrase is right where its source stands, by place and by document."""
    times = f"the Chinese stood {_times(row['occurrences'], 'time')}"
    places = f"{row['found']} of them with this English opposite"
    if not row["documents"]:
        return f"{times}, {places}"
    mostly = f"mostly so in {row['found_documents']} of {_times(row['documents'], 'document')}"
    return f"{times}, {places}, {mostly}"


def lexical_text(scores: Mapping[str, Any]) -> str:
    """Say in one line what the links inside of a mined phrase say; `LexicalScores` as a mapping."""
    links = " ".join(f"{source}-{target}" for source, target in scores["links"])
    return (
        f"lexical weights {scores['forward']:.3g} of the English given the Chinese, "
        f"{scores['inverse']:.3g} the other way (links {links}); significance "
        f"{scores['significance']:.1f}: {scores['sentences']:,} of "
        f"{scores['total_sentences']:,} sentence pairs hold both sides, "
        f"{scores['source_sentences']:,} the Chinese, {scores['target_sentences']:,} the English"
    )


def _times(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
