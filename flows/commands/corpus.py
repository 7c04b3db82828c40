"""`phrasenet corpus`: what came in, what was dropped and why."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_group,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    warn,
)


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(commands, "corpus", "what came in, what was dropped and why", "stats")
    for name, help_text, execute in (
        ("stats", "count the pairs that were read, kept and dropped, by corpus and reason", _stats),
        ("dropped", "show dropped pairs with their reasons", _dropped),
        ("sample", "show some of the pairs that were kept", _sample),
    ):
        parser = add_command(group, name, help_text, f"phrasenet corpus {name} -c laws.toml")
        add_settings_option(parser)
        if execute is _dropped:
            parser.add_argument("--reason", help="only pairs dropped for this reason")
        if execute is not _stats:
            parser.add_argument(
                "-n",
                type=count_up_to(1_000_000),
                default=20,
                metavar="COUNT",
                help="how many to show (20)",
            )
        add_json_option(parser)
        parser.set_defaults(execute=execute)


def _stats(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import corpus_stats

    workspace, cleaned = current_pairs(Path(options.config))
    rows = corpus_stats(workspace, cleaned.pairs, cleaned.dropped)
    if options.json:
        for row in rows:
            emit_json(row)
        return 0
    emit(f"{'corpus':20} {'outcome':28} {'pairs':>12}")
    for row in rows:
        emit(f"{row['corpus']:20} {row['outcome']:28} {row['pairs']:12,}")
    return 0


def _dropped(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import dropped_pairs

    workspace, cleaned = current_pairs(Path(options.config))
    rows = dropped_pairs(workspace, cleaned.dropped, cleaned.raw, options.reason, options.n)
    return _show(rows, options.json)


def _sample(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import kept_pairs

    workspace, cleaned = current_pairs(Path(options.config))
    return _show(kept_pairs(workspace, cleaned.pairs, cleaned.raw, options.n), options.json)


def _show(rows: list[dict[str, Any]], as_json: bool) -> int:
    if not rows:
        warn("no such pairs; `phrasenet corpus stats` shows what there is")
    for row in rows:
        if as_json:
            emit_json(row)
            continue
        reason = f"  [{row['reason']}]" if "reason" in row else ""
        emit(f"{row['corpus']}, document {row['document'] or '-'}, line {row['line']}{reason}")
        emit(f"  {row['source']}")
        emit(f"  {row['target']}")
    return 0
