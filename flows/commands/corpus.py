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
    zero_or_more,
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
            parser.add_argument("--reason", help="only what was dropped for this reason")
        if execute is not _stats:
            _add_choice(parser)
        add_json_option(parser)
        parser.set_defaults(execute=execute)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", metavar="NAME", help="only pairs of this corpus")
    parser.add_argument(
        "-n",
        "--limit",
        type=count_up_to(1_000_000),
        default=20,
        metavar="COUNT",
        help="how many to show (20)",
    )
    parser.add_argument(
        "--seed",
        type=zero_or_more,
        default=1,
        metavar="NUMBER",
        help="another number shows others (1)",
    )


def _stats(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import corpus_stats

    rows = corpus_stats(*current_pairs(Path(options.config)))
    if options.json:
        for row in rows:
            emit_json(row)
        return 0
    name, outcome = (
        max(len(title), *(len(row[title]) for row in rows)) for title in ("corpus", "outcome")
    )
    emit(f"{'corpus':{name}} {'outcome':{outcome}} {'pairs':>12}")
    for row in rows:
        emit(f"{row['corpus']:{name}} {row['outcome']:{outcome}} {row['pairs']:12,}")
    return 0


def _dropped(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import Wanted, corpus_stats, dropped_pairs

    workspace, tables = current_pairs(Path(options.config))
    wanted = Wanted(
        reason=options.reason, corpus=options.corpus, limit=options.limit, seed=options.seed
    )
    _check_names(corpus_stats(workspace, tables), options.corpus, options.reason)
    return _show(dropped_pairs(workspace, tables, wanted), options.json)


def _sample(options: argparse.Namespace) -> int:
    from flows.workspaces import current_pairs
    from tasks.corpus_queries import Wanted, corpus_stats, kept_pairs

    workspace, tables = current_pairs(Path(options.config))
    others = {other.name for other in tables.others}
    stats = [row for row in corpus_stats(workspace, tables) if row["corpus"] not in others]
    _check_names(stats, options.corpus, None)
    wanted = Wanted(corpus=options.corpus, limit=options.limit, seed=options.seed)
    return _show(kept_pairs(workspace, tables, wanted), options.json)


def _check_names(stats: list[dict[str, Any]], corpus: str | None, reason: str | None) -> None:
    """Refuse a corpus that does not exist, and a reason that nothing was dropped for.

    Raises:
        InputError: names those that there are.
    """
    from storage.errors import InputError

    corpora = sorted({row["corpus"] for row in stats})
    if corpus is not None and corpus not in corpora:
        raise InputError(f"--corpus {corpus}: no such corpus; there are {', '.join(corpora)}.")
    reasons = sorted({row["outcome"].split(": ")[1] for row in stats if ": " in row["outcome"]})
    if reason is not None and reason not in reasons:
        raise InputError(
            f"--reason {reason}: nothing was dropped for this reason; "
            f"the reasons that occur are: {', '.join(reasons) or 'none'}."
        )


def _show(rows: list[dict[str, Any]], as_json: bool) -> int:
    if not rows:
        warn("no such pairs; `phrasenet corpus stats` shows what there is")
    for row in rows:
        if as_json:
            emit_json(row)
            continue
        emit(f"{row['corpus']}, {_place(row)}, line {row['line']}{_why(row)}")
        for text in (row["source"], row["target"]):
            if text:
                emit(f"  {text}")
    return 0


def _place(row: dict[str, Any]) -> str:
    """Name the document of a pair, or else the file."""
    return f"document {row['document']}" if row["document"] else f"file {row['file'] or '-'}"


def _why(row: dict[str, Any]) -> str:
    if "reason" not in row:
        return ""
    return f"  [{row['reason']}: {row['detail']}]" if row["detail"] else f"  [{row['reason']}]"
