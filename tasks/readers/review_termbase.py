"""The termbase in which a terminologist decides: TBX, one concept a source phrase.

Every candidate translation is an admitted term. A person makes the right one preferred, wrong ones
deprecated, or adds a preferred one; what stays admitted is left undecided. A note beside a term, or
in its concept, is the reason.
"""

from collections.abc import Iterator
from pathlib import Path

from storage.errors import InputError
from tasks.readers.review_sheet import SheetDecision
from tasks.readers.tbx import Concept, read_concepts

_WORDS = {"preferred": "accept", "deprecated": "reject"}


def read_termbase(path: Path) -> Iterator[SheetDecision]:
    """Yield what was decided; `row` is the line where the concept begins.

    Raises:
        InputError: the file is no TBX, or prefers two translations of one phrase.
    """
    for concept in read_concepts(path):
        _check_preferred(concept, path)
        for source, status in concept.sources.items():
            if status != "deprecated":
                yield from _decisions(concept, source)


def _decisions(concept: Concept, source: str) -> Iterator[SheetDecision]:
    for target, status in concept.targets.items():
        if status in _WORDS:
            yield SheetDecision(
                row=concept.line,
                word=_WORDS[status],
                source=source,
                target=target,
                replacement="",
                category=concept.category or "term",
                reason=concept.notes.get(target, ""),
            )


def _check_preferred(concept: Concept, path: Path) -> None:
    preferred = [term for term, status in concept.targets.items() if status == "preferred"]
    if len(preferred) > 1:
        raise InputError(
            f"{path}, line {concept.line}: {' and '.join(map(repr, preferred))} are both preferred "
            f"for {' | '.join(concept.sources)}. The memory holds one translation of a phrase; "
            "leave one of them preferred."
        )
