"""Places in running text, slowly: every start, the longest name first."""

from collections.abc import Collection


def longest_names(text: str, names: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans of the leftmost and longest names, without overlaps."""
    spans, start = [], 0
    while start < len(text):
        lengths = [len(name) for name in names if text.startswith(name, start)]
        if lengths:
            spans.append((start, start + max(lengths)))
        start += max(lengths, default=1)
    return spans
