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
    from flows.queries import corpus_stats

    rows = corpus_stats(Path(options.config))
    if options.json:
        for row in rows:
            emit_json(row)
        return 0
    emit(f"{'corpus':20} {'outcome':22} {'pairs':>12}")
    for row in rows:
        emit(f"{row['corpus']:20} {row['outcome']:22} {row['pairs']:12,}")
    return 0


def _dropped(options: argparse.Namespace) -> int:
    from flows.queries import dropped_pairs

    return _show(dropped_pairs(Path(options.config), options.reason, options.n), options.json)


def _sample(options: argparse.Namespace) -> int:
    from flows.queries import kept_pairs

    return _show(kept_pairs(Path(options.config), options.n), options.json)


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
