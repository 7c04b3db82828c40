"""All phrase pairs of a linked sentence pair, straight from the definition and slow."""

from collections.abc import Iterable


def extract_phrases_plainly(
    num_source: int,
    num_target: int,
    links: Iterable[tuple[int, int]],
    *,
    max_words: int,
    unaligned_edges: bool = True,
) -> set[tuple[int, int, int, int]]:
    """Try every pair of spans and keep those that at least one link joins and no link leaves."""
    linked = set(links)
    found = set()
    for s1, s2 in _spans(num_source, max_words):
        for t1, t2 in _spans(num_target, max_words):
            inside = {(s, t) for s, t in linked if s1 <= s < s2 and t1 <= t < t2}
            touching = {(s, t) for s, t in linked if s1 <= s < s2 or t1 <= t < t2}
            if inside and inside == touching:
                tight = {s1, s2 - 1} <= {s for s, _ in inside} and {t1, t2 - 1} <= {
                    t for _, t in inside
                }
                if unaligned_edges or tight:
                    found.add((s1, s2, t1, t2))
    return found


def _spans(length: int, max_words: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(length) for b in range(a + 1, min(length, a + max_words) + 1)]
