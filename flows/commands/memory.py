"""`phrasenet memory`: look into the phrase memory and its history."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flows.commands import (
    memory_browse,
    memory_diff,
    memory_export,
    memory_import,
    memory_review,
)
from flows.commands.options import (
    add_command,
    add_group,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    warn,
)


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(commands, "memory", "look into the phrase memory and its history", "stats")
    for name, help_text, example, execute in (
        ("lookup", "show what the memory holds for a phrase", "lookup 中央银行", _lookup),
        ("stats", "count the phrases by category, origin and state", "stats", _stats),
        ("history", "list the snapshots that were current, oldest first", "history", _history),
        ("rollback", "make an earlier snapshot the current one", "rollback 3fa9", _rollback),
    ):
        parser = add_command(group, name, help_text, f"phrasenet memory {example}")
        if execute is _lookup:
            parser.add_argument(
                "phrase", metavar="PHRASE", help="Chinese, or the beginning of an id"
            )
        if execute is _rollback:
            parser.add_argument(
                "snapshot", metavar="SNAPSHOT", help="beginning of a snapshot's id, or a date"
            )
            parser.add_argument("--reason", default="rollback", help="why, for the history")
        elif execute is not _history:
            parser.add_argument(
                "--as-of",
                metavar="SNAPSHOT|DATE",
                help="an earlier snapshot, or that of a date, instead of the current one",
            )
        add_settings_option(parser)
        add_json_option(parser)
        parser.set_defaults(execute=execute)
    memory_diff.add(group)
    memory_review.add(group)
    memory_browse.add(group)
    memory_export.add(group)
    memory_import.add(group)


def _lookup(options: argparse.Namespace) -> int:
    from flows.opening import open_settings, snapshot_of
    from storage.errors import InputError
    from tasks.memory_queries import lookup
    from tasks.phrasebook import is_offered_phrase

    if not options.phrase.strip():
        raise InputError(
            "The phrase to look up is empty. Name a phrase, or the beginning of an id."
        )
    settings, workspace = open_settings(Path(options.config))
    found = lookup(workspace, snapshot_of(workspace, options.as_of), options.phrase)
    if not found:
        raise InputError(
            f"The memory holds nothing for {options.phrase}, and no phrase's id begins so. "
            "`phrasenet memory browse` shows all that it holds; dates, numbers and the like are "
            "found by rules: ask `phrasenet rules`."
        )
    for row in found:
        row["offered"] = is_offered_phrase(row, settings.memory)
    if options.json:
        for row in found:
            emit_json(row)
        return 0
    for row in found:
        _emit_phrase(row)
    return 0


def _emit_phrase(row: Mapping[str, Any]) -> None:
    from tasks.reports.evidence_text import evidence_text, lexical_text

    emit(f"{row['source']}\t{row['target']}")
    emit(
        f"  {row['category']}, {row['origin']}, {row['state']}, "
        f"reliability {row['reliability']:.2f}, "
        f"{'offered' if row['offered'] else 'not offered'}, id {row['phrase_id']}"
    )
    for evidence in row["evidence"]:
        emit(f"  because: {evidence_text(evidence)}")
    if row["lexical"] is not None:
        emit(f"  {lexical_text(row['lexical'])}")


def _stats(options: argparse.Namespace) -> int:
    from flows.opening import snapshot_of, workspace_of
    from tasks.memory_queries import stats

    workspace = workspace_of(Path(options.config))
    rows = stats(workspace, snapshot_of(workspace, options.as_of))
    if options.json:
        for row in rows:
            emit_json(row)
        return 0
    emit(
        f"{'category':14} {'origin':12} {'state':10} {'phrases':>10} "
        f"{'right of places':>22} {'of documents':>18}"
    )
    for row in rows:
        places = f"{row['found']:,}/{row['occurrences']:,}"
        documents = f"{row['found_documents']:,}/{row['documents']:,}"
        emit(
            f"{row['category']:14} {row['origin']:12} {row['state']:10} {row['phrases']:10,} "
            f"{places:>22} {documents:>18}"
        )
    return 0


def _history(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from storage.moments import shown

    entries = workspace_of(Path(options.config)).memory.history()
    if not entries:
        warn("nothing was published yet; run `phrasenet refresh`")
    for entry in entries:
        if options.json:
            emit_json({"snapshot": entry.snapshot_id, "time": entry.time, "reason": entry.reason})
        else:
            emit(f"{entry.snapshot_id[:12]}  {shown(entry.time)}  {entry.reason}")
    return 0


def _rollback(options: argparse.Namespace) -> int:
    from flows.opening import snapshot_of, workspace_of
    from tasks.memory_queries import rollback

    workspace = workspace_of(Path(options.config))
    snapshot = snapshot_of(workspace, options.snapshot)
    already = snapshot == workspace.memory.head()
    rollback(workspace, snapshot, options.reason)
    snapshot_id = snapshot.snapshot_id
    if options.json:
        emit_json({"snapshot": snapshot_id})
    else:
        now = "was and is" if already else "is now"
        emit(f"The current snapshot {now} {snapshot_id[:12]}.")
    return 0
