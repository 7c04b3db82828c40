"""Which pairs repeat others, one after the other in the order of the corpora."""

from collections.abc import Iterable, Mapping
from typing import Any


def repeats(verdicts: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the first pair like it for each fit pair that is not the first."""
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for row in sorted(verdicts, key=lambda row: (row["corpus"], row["position"], row["pair_id"])):
        if row["reason"] or not row["repeat_key"]:
            continue
        if row["repeat_key"] in first:
            found[row["pair_id"]] = first[row["repeat_key"]]
        else:
            first[row["repeat_key"]] = row["pair_id"]
    return found
