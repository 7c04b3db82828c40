"""Turn tagged sentences into the numbered examples that a model takes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.batches import Example
    from model.vocabulary import Vocabulary


def examples_from(
    rows: Iterable[Mapping[str, Any]],
    source: "Vocabulary",
    target: "Vocabulary",
    *,
    with_reference: bool,
) -> "list[Example]":
    """Number the words and slots of tagged sentences.

    Args:
        rows: rows of a `tagged` table.
        source: words that the model knows on the source side.
        target: the same for the target side.
        with_reference: whether to take the reference along, as training needs it and translation
        must
            not.
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
                for slot in row["slots"]
            ),
        )
        for row in rows
    ]
