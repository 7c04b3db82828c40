"""`phrasenet memory diff`: what changed between two snapshots, and which sentences notice it."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
)

_MARKS = {"added": "+", "removed": "-", "changed": "~", "recounted": "="}


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "diff",
        "show what changed between two snapshots, and the sentences that are tagged differently",
        "phrasenet memory diff 2026-11-01 3fa9 --on dev",
    )
    parser.add_argument("before", metavar="BEFORE", help="beginning of a snapshot's id, or a date")
    parser.add_argument(
        "after", metavar="AFTER", nargs="?", help="the same; the current snapshot if left out"
    )
    parser.add_argument(
        "--on", metavar="TESTSET", help="show the sentences of a test set that change instead"
    )
    parser.add_argument(
        "--recounted", action="store_true", help="show phrases of which only the counts changed"
    )
    parser.add_argument(
        "-n", type=count_up_to(1_000_000_000), metavar="COUNT", help="show at most so many"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.opening import snapshot_of, workspace_of

    workspace = workspace_of(Path(options.config))
    before = snapshot_of(workspace, options.before)
    after = snapshot_of(workspace, options.after)
    if options.on is not None:
        return _sentences(options, before, after)
    return _phrases(options, workspace, before, after)


def _phrases(options: argparse.Namespace, workspace: Any, before: Any, after: Any) -> int:
    from tasks.memory_diff import changed_phrases

    rows = changed_phrases(workspace, before, after)
    counts = {name: sum(row["change"] == name for row in rows) for name in _MARKS}
    shown = [row for row in rows if options.recounted or row["change"] != "recounted"]
    if options.json:
        for row in shown[: options.n]:
            emit_json(row)
        return 0
    summary = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    emit(f"{before.snapshot_id[:12]} -> {after.snapshot_id[:12]}: {summary}")
    for row in shown[: options.n]:
        _print_phrase(row)
    if options.n is not None and len(shown) > options.n:
        emit(f"... and {len(shown) - options.n:,} more")
    return 0


def _print_phrase(row: dict[str, Any]) -> None:
    """Print one change with the evidence that came or went."""
    from tasks.reports.evidence_text import evidence_text

    targets = [side["target"] for side in (row["before"], row["after"]) if side]
    became = f"  (now {row['now']})" if row["now"] and not row["after"] else ""
    emit(f"{_MARKS[row['change']]} {row['source']}\t{' -> '.join(dict.fromkeys(targets))}{became}")
    for item in row["evidence"]:
        emit(f"    {'no longer' if item['change'] == 'gone' else 'new'}: {evidence_text(item)}")


def _sentences(options: argparse.Namespace, before: Any, after: Any) -> int:
    from flows.workspaces import current_testset
    from tasks.memory_diff import changed_sentences

    workspace, settings, words = current_testset(Path(options.config), options.on)
    number = 0
    for number, row in enumerate(
        changed_sentences(workspace, words, before, after, settings.memory), start=1
    ):
        if options.n is not None and number > options.n:
            continue
        if options.json:
            emit_json(row)
        else:
            _print_sentence(row)
    if not options.json:
        emit(f"{number:,} of {words.rows:,} sentences of {options.on} are offered something else.")
    return 0


def _print_sentence(row: dict[str, Any]) -> None:
    emit(f"{row['sentence_id']}  {''.join(row['source_words'])}")
    for mark, slots in (("-", row["before"]), ("+", row["after"])):
        for slot in slots:
            emit(
                f"  {mark} {slot['source']}\t{slot['target']}\t{slot['origin']} {slot['provider']}"
            )
