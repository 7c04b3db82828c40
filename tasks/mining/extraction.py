"""Cut phrase pairs out of linked sentence pairs (Koehn, Och and Marcu 2003, section 2; Moses
`extract`).

A source span and a target span are a phrase pair if at least one link joins them and no link leads
out of one of them only. Whether a phrase pair is worth remembering is decided in `candidates.py`
and `selection.py`; the slow and obvious form of this module is
`tests/reference/mining_extraction.py`.
"""

from collections.abc import Iterator, Sequence

from tasks.mining.symmetrise import Link

Spans = tuple[int, int, int, int]
"""`(source start, source end, target start, target end)` in words, half-open."""


def extract_phrases(
    num_source: int,
    num_target: int,
    links: Sequence[Link],
    *,
    max_words: int,
    unaligned_edges: bool = True,
) -> Iterator[Spans]:
    """Yield the spans of every phrase pair of one sentence pair, each once, sorted by source span.

    Args:
        num_source: words of the source sentence.
        num_target: words of the target sentence.
        links: `(source index, target index)`, in any order.
        max_words: longest span on either side.
        unaligned_edges: True to count what Moses counts: spans that begin or end with a word
        without
            links are phrase pairs too. False to keep only spans whose four outer words have links;
            then a source span has one target span at most.

    Raises:
        ValueError: a link lies outside the sentences; the links belong to other words.
    """
    outward, inward = _link_masks(num_source, num_target, links)
    for start in range(num_source):
        if not unaligned_edges and not outward[start]:
            continue
        for end, low, high in _consistent_spans(start, outward, inward, max_words):
            if unaligned_edges:
                for spans in _with_unaligned_edges(inward, low, high, max_words):
                    yield start, end, *spans
            elif outward[end - 1]:
                yield start, end, low, high + 1


def _link_masks(
    num_source: int, num_target: int, links: Sequence[Link]
) -> tuple[list[int], list[int]]:
    """Write the links of each source word, and of each target word, as the bits of one integer."""
    outward, inward = [0] * num_source, [0] * num_target
    for s, t in links:
        if not (0 <= s < num_source and 0 <= t < num_target):
            raise ValueError(
                f"link {s}-{t} lies outside a pair of {num_source} and {num_target} words; "
                "links must be made on the same words that phrases are cut from"
            )
        outward[s] |= 1 << t
        inward[t] |= 1 << s
    return outward, inward


def _consistent_spans(
    start: int, outward: list[int], inward: list[int], max_words: int
) -> Iterator[tuple[int, int, int]]:
    """Yield `(source end, first linked target, last linked target)` of the consistent spans from
    `start`.

    Extending the source span only ever widens its target span and what that links back to. So the
    search stops for good when the target span is too long or links back to a word before `start`.
    """
    targets = sources = 0
    low, high = len(inward), -1
    for position in range(start, min(start + max_words, len(outward))):
        linked = outward[position]
        if linked:
            targets |= linked
            first, last = (targets & -targets).bit_length() - 1, targets.bit_length() - 1
            if last - first >= max_words:
                return
            for t in range(first, last + 1):
                if t < low or t > high:
                    sources |= inward[t]
            low, high = first, last
            if sources & ((1 << start) - 1):
                return
        if targets and not sources >> (position + 1):
            yield position + 1, low, high


def _with_unaligned_edges(
    inward: list[int], low: int, high: int, max_words: int
) -> Iterator[tuple[int, int]]:
    """Yield the target spans around `[low, high]` that only add words without links."""
    first = low
    while first >= 0 and high - first < max_words and (first == low or not inward[first]):
        last = high
        while (
            last < len(inward) and last - first < max_words and (last == high or not inward[last])
        ):
            yield first, last + 1
            last += 1
        first -= 1
