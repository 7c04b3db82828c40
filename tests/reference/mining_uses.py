"""How often phrases are right where their source stands, counted slowly and obviously."""

from collections.abc import Sequence

from tasks.mining.uses import CountedPair, Phrase, Uses


def uses_plainly(pairs: Sequence[CountedPair], phrase: Phrase) -> Uses:
    """Do what `count_uses` does, for one phrase; the pairs may stand in any order."""
    by_document: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for document, source, target in pairs:
        occurrences = _times(phrase[0], source)
        if occurrences:
            found = min(occurrences, _runs(phrase[1].split(), list(target)))
            by_document.setdefault(document, []).append((found, occurrences))
    sums = [
        (sum(found for found, _ in held), sum(number for _, number in held))
        for held in by_document.values()
    ]
    return Uses(
        found=sum(found for found, _ in sums),
        occurrences=sum(occurrences for _, occurrences in sums),
        found_documents=sum(found > occurrences / 2 for found, occurrences in sums),
        documents=len(sums),
    )


def _times(text: str, words: Sequence[str]) -> int:
    """Count the runs of words that make up a text."""
    return sum(
        "".join(words[start:end]) == text
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
    )


def _runs(wanted: list[str], words: list[str]) -> int:
    """Count how often words stand in a row, each word counted in one row only."""
    found = start = 0
    while start + len(wanted) <= len(words):
        if words[start : start + len(wanted)] == wanted:
            found += 1
            start += len(wanted)
        else:
            start += 1
    return found
