"""Make one alignment of two directed ones (Och and Ney 2003; Koehn, Och and Marcu 2003, section 3).

Every result keeps the intersection of the two and stays within their union. Links are pairs
`(source index, target index)`, 0-based. This module knows nothing of how the links were found.
"""

from collections.abc import Iterable

from tasks.mining.alignment_config import Heuristic

Link = tuple[int, int]
Links = tuple[Link, ...]
"""Sorted by source index, then target index; no link twice."""

_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrise(forward: Iterable[Link], backward: Iterable[Link], heuristic: Heuristic) -> Links:
    """Join the links of both directions.

    Args:
        forward: links of the model that gives each target word a source word.
        backward: links of the model that gives each source word a target word, also written
            `(source index, target index)`.
        heuristic: how to choose between intersection and union.

    Returns:
        The chosen links, sorted.
    """
    first, second = frozenset(forward), frozenset(backward)
    union = first | second
    if heuristic == "union":
        return tuple(sorted(union))
    chosen = set(first & second)
    if heuristic != "intersection":
        _grow_diag(chosen, union)
        if heuristic == "grow-diag-final":
            _final(chosen, first, both_free=False)
            _final(chosen, second, both_free=False)
        elif heuristic == "grow-diag-final-and":
            _final(chosen, first, both_free=True)
            _final(chosen, second, both_free=True)
    return tuple(sorted(chosen))


def _grow_diag(chosen: set[Link], union: frozenset[Link]) -> None:
    """Add, until none is left, links of the union beside a chosen one that cover a free word.

    Rounds go over the links in sorted order and see what the round itself has added, as in Moses.
    """
    sources, targets = {s for s, _ in chosen}, {t for _, t in chosen}
    in_order = sorted(union)
    grew = True
    while grew:
        grew = False
        for s, t in in_order:
            if (s, t) not in chosen:
                continue
            for ds, dt in _NEIGHBOURS:
                link = s + ds, t + dt
                if link in union and (link[0] not in sources or link[1] not in targets):
                    chosen.add(link)
                    sources.add(link[0])
                    targets.add(link[1])
                    grew = True


def _final(chosen: set[Link], directed: frozenset[Link], *, both_free: bool) -> None:
    """Add links of one direction whose words are still free: both words, or at least one."""
    sources, targets = {s for s, _ in chosen}, {t for _, t in chosen}
    for s, t in sorted(directed):
        free = (s not in sources, t not in targets)
        if all(free) if both_free else any(free):
            chosen.add((s, t))
            sources.add(s)
            targets.add(t)
