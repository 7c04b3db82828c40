"""Shared runs of words found the slow way: every run of one side against every run of the other."""

from collections.abc import Sequence


def shares_a_run(words: Sequence[str], other: Sequence[str], length: int) -> bool:
    """Say whether two word sequences have `length` words in a row in common."""
    runs = {tuple(other[at : at + length]) for at in range(len(other) - length + 1)}
    return any(tuple(words[at : at + length]) in runs for at in range(len(words) - length + 1))
