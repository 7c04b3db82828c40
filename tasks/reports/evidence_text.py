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
        return (
            f"mined from {row['provider']}: the Chinese stood {row['occurrences']} times, "
            f"{row['found']} of them with this English opposite ({row['licence']})"
        )
    return f"{row['origin']} {row['provider']}, line {row['line']} ({row['licence']})"
