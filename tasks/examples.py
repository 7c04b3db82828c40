"""Turn tagged sentences into the numbered examples that a model takes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tasks.tagging.slots import single

if TYPE_CHECKING:
    from model.batches import Example
    from model.vocabulary import Vocabulary


def taken_slots(row: Mapping[str, Any], candidates: int) -> Sequence[Mapping[str, Any]]:
    """Return the slots of a tagged sentence that a model takes; the numbers of an example's phrases
    are places in this list.

    Args:
        row: row of a `tagged` table.
        candidates: most candidate translations of a source phrase that the model takes.
    """
    slots: Sequence[Mapping[str, Any]] = row["slots"]
    return single(slots) if candidates == 1 else slots


def examples_from(
    rows: Iterable[Mapping[str, Any]],
    source: "Vocabulary",
    target: "Vocabulary",
    *,
    with_reference: bool,
    candidates: int = 1,
) -> "list[Example]":
    """Number the words and slots of tagged sentences.

    Args:
        rows: rows of a `tagged` table.
        source: words that the model knows on the source side.
        target: the same for the target side.
        with_reference: whether to take the reference along, as training needs it and translation
            must not.
        candidates: most candidate translations of a source phrase that the model takes.
    """
    from model.batches import Example, SlotIds

    return [
        Example(
            source.encode(row["source_words"]),
            target.encode(row["target_words"] if with_reference else []),
            tuple(
                SlotIds(
                    slot["start"],
                    slot["end"],
                    tuple(int(word) for word in target.encode(slot["target"].split())),
                    slot["target_start"] if with_reference else -1,
                )
                for slot in taken_slots(row, candidates)
            ),
        )
        for row in rows
    ]
