"""Names that people mistype."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return ` Did you mean 'X'?` with the nearest known name, or nothing if none is near.

    Args:
        name: what somebody wrote.
        known: the names that there are.
        cutoff: how near, from 0 (anything) to 1 (the same).
    """
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f" Did you mean {near[0]!r}?" if near else ""
