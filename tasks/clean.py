"""Steps that set aside, with a reason, the pairs that are unfit for training.

What is measured is stored first (`quality`) and limits are applied afterwards (`judge`), so that a
changed limit looks at no text again. Which pair of several copies is kept (`repeats`) depends on
all shards, and on the order of none; then each shard is cleaned by itself (`clean`).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from storage.datasets import ArtifactRef
from storage.numbered import Numbered
from storage.workspace import Workspace
from tasks.changed_ids import WITH_IDS, changed_ids
from tasks.continued import write_continued
from tasks.progress import track
from tasks.rules.style import RuleStyle
from tasks.step import Before, step
from tasks.text.clean import detail_of, why_drop
from tasks.text.config import TextConfig
from tasks.text.english import tokenise
from tasks.text.overlap import HeldOutIndex, HeldOutText
from tasks.text.quality import measure
from tasks.text.script import normalise

log = logging.getLogger(__name__)

PLACE = ("pair_id", "corpus", "document", "position")
_READ = ["pair_id", "source", "target", "source_words", "target_words"]

REPEATED_PAIRS = """
WITH fit AS (
    SELECT * FROM verdicts WHERE reason = '' AND repeat_key <> ''
), alike AS (
    SELECT * FROM fit
    WHERE HASH(repeat_key) IN (
        SELECT HASH(repeat_key) FROM fit GROUP BY HASH(repeat_key) HAVING COUNT(*) > 1
    )
), first AS (
    SELECT repeat_key, MIN({'corpus': corpus, 'position': position, 'pair_id': pair_id}) AS place
    FROM alike GROUP BY repeat_key
)
SELECT table_number, alike.pair_id, first.place.pair_id AS first_id
FROM alike JOIN first USING (repeat_key)
WHERE alike.pair_id <> first.place.pair_id
ORDER BY table_number, alike.pair_id
"""
"""All but the first of the fit pairs that are alike, by the shard they are of. Most keys stand
once: of those only a hash is held, and a few too many that share one are looked at."""

DROPPED_PAIRS = """
SELECT
    here.pair_id, here.corpus, here.document, here.position,
    CASE WHEN reason = '' THEN 'duplicate' ELSE reason END AS reason,
    CASE WHEN reason = '' THEN 'of ' || repeats.first_id ELSE detail END AS detail
FROM here LEFT JOIN repeats USING (pair_id)
WHERE reason <> '' OR repeats.pair_id IS NOT NULL
ORDER BY here.pair_id
"""
"""Pairs with a reason, and those that repeat another one and have none."""

KEPT_PAIRS = "SELECT words.* FROM words ANTI JOIN dropped USING (pair_id) ORDER BY pair_id"

REASONS = "SELECT reason, COUNT(*) AS pairs FROM dropped GROUP BY reason ORDER BY reason"


KNOWN_QUALITY = """
SELECT before.* REPLACE (raw.position AS position)
FROM before JOIN raw USING (pair_id) ANTI JOIN made USING (pair_id)
"""
"""What was measured of the pairs that are not measured anew."""


@step(writes=("quality",), libraries=("duckdb",), continues=("shard",))
def quality(
    workspace: Workspace,
    *,
    shard: tuple[ArtifactRef, ArtifactRef],
    held_out: tuple[tuple[ArtifactRef, ArtifactRef], ...],
    overlap_words: int,
    style: RuleStyle,
    before: Before | None = None,
) -> ArtifactRef:
    """Measure the pairs of one shard.

    Args:
        workspace: the workspace.
        shard: the pairs as they were read, and the same pairs with their words.
        held_out: the lines and the words of each dev and test set.
        overlap_words: how long a run of words is that a pair may not share with a test set.
        style: where the Chinese comes from, for its numbers and dates.
        before: an earlier call, of whose pairs many may be the same.
    """
    index = HeldOutIndex(
        (text for lines, cut in held_out for text in held_out_texts(workspace, lines, cut)),
        overlap_words,
    )
    raw, words = shard
    if before is None:
        read = zip(workspace.read_rows(raw), workspace.read_rows(words, _READ), strict=True)
        rows = (_measured(was, cut, index, style) for was, cut in read)
        return workspace.write_rows("quality", track(rows, total=raw.rows, unit="pairs"))
    ids = changed_ids(workspace, words, before.inputs["shard"][1])
    changed = zip(
        *(workspace.stream(WITH_IDS.format(table="t"), {"t": ref}, {"ids": ids}) for ref in shard),
        strict=True,
    )
    rows = (_measured(was, cut, index, style) for was, cut in changed)
    tables = {"raw": raw, "before": before.result}
    return write_continued(workspace, "quality", tables, KNOWN_QUALITY, rows)


def held_out_texts(
    workspace: Workspace, lines: ArtifactRef, words: ArtifactRef
) -> Iterator[HeldOutText]:
    """Yield the source and all references of each line of a test set."""
    cut = workspace.read_rows(words, ["pair_id", "source", "source_words"])
    for line, row in zip(workspace.read_rows(lines), cut, strict=True):
        assert line["sentence_id"] == row["pair_id"], "words were made of other lines"
        place = line["testset"], line["sentence_id"]
        yield HeldOutText(*place, "source", row["source"], row["source_words"])
        for number, text in enumerate(line["references"], start=1):
            english = normalise(text)
            yield HeldOutText(*place, f"reference {number}", english, tokenise(english))


def _measured(
    raw: Mapping[str, Any], row: Mapping[str, Any], held_out: HeldOutIndex, style: RuleStyle
) -> dict[str, Any]:
    assert raw["pair_id"] == row["pair_id"], "words were made of other pairs"
    return {
        **{name: raw[name] for name in PLACE},
        **measure(
            (raw["source"], raw["target"]),
            (row["source"], row["target"]),
            (row["source_words"], row["target_words"]),
            held_out,
            style,
        ),
    }


@step(writes=("verdicts",))
def judge(workspace: Workspace, *, quality: ArtifactRef, config: TextConfig) -> ArtifactRef:
    """Apply the limits to what was measured of one shard; an empty reason means fit."""
    return workspace.write_rows("verdicts", _verdicts(workspace.read_rows(quality), config))


def _verdicts(rows: Iterable[Mapping[str, Any]], config: TextConfig) -> Iterator[dict[str, Any]]:
    for row in rows:
        reason = why_drop(row, config)
        yield {
            **{name: row[name] for name in PLACE},
            "reason": reason or "",
            "detail": detail_of(row, reason) if reason else "",
            "repeat_key": "" if config.duplicates == "keep" else row[f"{config.duplicates}_key"],
        }


@step(writes=("repeats",), libraries=("duckdb",))
def repeats(workspace: Workspace, *, verdicts: tuple[ArtifactRef, ...]) -> tuple[ArtifactRef, ...]:
    """Find the fit pairs that repeat one before them, in one look at the verdicts of all shards.

    Returns:
        A table for each shard, so that a shard is cleaned again only if its own repeats changed.
    """
    found = workspace.stream(REPEATED_PAIRS, {"verdicts": Numbered(verdicts)})
    none = workspace.write_rows("repeats", ())
    made = {
        number: workspace.write_rows("repeats", rows)
        for number, rows in groupby(found, key=itemgetter("table_number"))
    }
    log.info("%d pairs repeat others", sum(ref.rows for ref in made.values()))
    return tuple(made.get(number, none) for number in range(len(verdicts)))


@step(writes=("pairs", "dropped"), libraries=("duckdb",))
def clean(
    workspace: Workspace,
    *,
    words: ArtifactRef,
    verdicts: ArtifactRef,
    repeated: ArtifactRef,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Keep the pairs of one shard that are fit for training and repeat no other.

    Args:
        workspace: the workspace.
        words: the pairs of a shard.
        verdicts: what is to be said against them.
        repeated: those of them that repeat others.

    Returns:
        The pairs that are kept, and the others with their reasons; together they are all.
    """
    tables = {"here": verdicts, "repeats": repeated}
    dropped = workspace.write_query("dropped", DROPPED_PAIRS, tables)
    pairs = workspace.write_query("pairs", KEPT_PAIRS, {"words": words, "dropped": dropped})
    assert pairs.rows + dropped.rows == words.rows, "a pair is neither kept nor dropped"
    log_dropped(workspace, words.rows, dropped)
    return pairs, dropped


def log_dropped(workspace: Workspace, read: int, dropped: ArtifactRef) -> None:
    """Log how many pairs were kept, and how many dropped for each reason."""
    rows = workspace.query(REASONS, {"dropped": dropped})
    counts = {row["reason"]: row["pairs"] for row in rows}
    log.info("kept %d of %d: %s", read - dropped.rows, read, counts)
