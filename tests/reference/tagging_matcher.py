"""Find phrases by trying every range of words: the judge of `tasks/tagging/matcher.py`."""

from collections.abc import Iterable, Sequence


def find_plainly(
    phrases: Iterable[tuple[Sequence[str], int]], words: Sequence[str]
) -> list[tuple[int, int, int]]:
    """Return (start, end, index) of every phrase that is the words `[start, end)`, joined."""
    return sorted(
        (start, end, index)
        for phrase, index in phrases
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if "".join(words[start:end]) == "".join(phrase)
    )
