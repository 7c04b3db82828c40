"""Reads what people said of the translations that a report shows."""

from collections.abc import Mapping, Sequence

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.rating.agreement import standing_ratings
from tasks.rating.shown import ShownOutputs, ShownRatings, shown_ratings

_MEASURES = ["sentence_id", "gate", "source_length"]


def read_ratings(
    workspace: Workspace,
    ratings: Sequence[ArtifactRef],
    results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]],
) -> ShownRatings:
    """Read ratings and set those of other translations apart.

    Args:
        workspace: where the tables are.
        ratings: all tables of ratings, oldest first.
        results: by test set and system the tables of an evaluation, by name.
    """
    rows = standing_ratings(row for ref in ratings for row in workspace.read_rows(ref))
    rated = {(row["testset"], row["system"]) for row in rows}
    outputs = {
        (testset, system): ShownOutputs(
            refs["translations"].digest,
            {row["sentence_id"]: row for row in workspace.read_rows(refs["sentences"], _MEASURES)}
            if (testset, system) in rated and "sentences" in refs
            else {},
        )
        for testset, systems in results.items()
        for system, refs in systems.items()
    }
    return shown_ratings(rows, outputs)
