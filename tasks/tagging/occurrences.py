"""Where a phrase's target stands in a reference or an output. Whose place it becomes is for callers
to say."""

from collections.abc import Sequence


def leftmost_free(target: list[str], words: list[str], taken: Sequence[bool]) -> int:
    """Return where the target first stands on words of which none is taken, or -1.

    Args:
        target: words of the target; an empty one stands nowhere.
        words: words of the sentence, cased and tokenised like the target.
        taken: for each word of the sentence whether it is somebody's already.
    """
    if not target:
        return -1
    length = len(target)
    for start in range(len(words) - length + 1):
        free = words[start] == target[0] and not any(taken[start : start + length])
        if free and words[start : start + length] == target:
            return start
    return -1
