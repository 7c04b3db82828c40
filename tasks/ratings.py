"""Worksheets made from what is in a workspace, and the ratings that come back."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.moments import this_moment
from storage.workspace import Workspace
from tasks.rating.agreement import standing_ratings
from tasks.rating.returned import (
    Rating,
    rated_items,
    rater_of,
    rating_rows,
)
from tasks.rating.worksheet import Compared, Item, Key, OutputPair, draw_worksheet
from tasks.readers.rating_files import read_returned
from tasks.text.detokenise import detokenise


def pairs_of_outputs(
    workspace: Workspace,
    lines: ArtifactRef,
    outputs: tuple[ArtifactRef, ArtifactRef],
    *,
    with_reference: bool,
) -> list[OutputPair]:
    """Join the translations of a baseline and of a system with the sentences of their test set."""
    baseline, system = (
        {row["sentence_id"]: detokenise(row["words"]) for row in workspace.read_rows(ref)}
        for ref in outputs
    )
    return [
        OutputPair(
            sentence_id=row["sentence_id"],
            source=row["source"],
            baseline=baseline[row["sentence_id"]],
            system=system[row["sentence_id"]],
            reference=" / ".join(row["references"]) if with_reference else "",
        )
        for row in workspace.read_rows(lines)
    ]


def new_worksheet(
    workspace: Workspace,
    pairs: Sequence[OutputPair],
    compared: Compared,
    *,
    num_sentences: int,
    seed: int,
) -> tuple[Key, list[Item]]:
    """Draw a worksheet and keep its key in the workspace; the same one is kept once."""
    key, items = draw_worksheet(pairs, compared, num_sentences=num_sentences, seed=seed)
    with workspace.lease():
        table = workspace.write_rows("worksheets", key.rows())
        if table not in workspace.worksheets.tables():
            workspace.worksheets.append(table)
    return key, items


def take_in(workspace: Workspace, files: Sequence[Path], rater: str) -> dict[str, int]:
    """Keep what raters returned; nothing is kept if one file makes no sense.

    Args:
        workspace: that made the worksheets.
        files: what was returned.
        rater: who, for files that do not say.

    Returns:
        How many items each rater rated.

    Raises:
        InputError: a file is no returned worksheet, is of a worksheet of another workspace, says
            not whose it is, or holds no answer.
    """
    keys = _keys(workspace)
    now = this_moment()
    read = [_read(path, rater, keys) for path in files]
    rows: list[dict[str, Any]] = []
    counts: dict[str, int] = {}
    for name, key, ratings in read:
        rows += rating_rows(ratings, key, rater=name, rated=now)
        counts[name] = counts.get(name, 0) + len(ratings)
    with workspace.lease():
        table = workspace.write_rows("ratings", _once(rows))
        entry = workspace.ratings.append(table)
        body = {"decision": "ratings", "sequence": entry.sequence, "table": table.to_json()}
        workspace.ledger.append("decision", body | {"items": sum(counts.values())})
    return counts


def kept_ratings(workspace: Workspace) -> list[Any]:
    """Return the rows of all ratings that stand."""
    rows = (row for ref in workspace.ratings.tables() for row in workspace.read_rows(ref))
    return standing_ratings(rows)


def _keys(workspace: Workspace) -> dict[str, Key]:
    keys = (Key.of_rows(list(workspace.read_rows(ref))) for ref in workspace.worksheets.tables())
    return {key.worksheet: key for key in keys}


def _read(path: Path, rater: str, keys: Mapping[str, Key]) -> tuple[str, Key, list[Rating]]:
    returned = read_returned(path)
    key = keys.get(returned.worksheet)
    if key is None:
        raise InputError(
            f"{path}: its worksheet {returned.worksheet!r} was not made in this workspace. Read it "
            "with the settings file that it was exported with."
        )
    return rater_of(returned, rater), key, rated_items(returned, key)


def _once(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the last of two files in which one rater rates one item."""
    return list({(row["worksheet"], row["number"], row["rater"]): row for row in rows}.values())
