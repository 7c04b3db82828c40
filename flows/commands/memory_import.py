"""`phrasenet memory import`: a glossary that people agreed on, taken in as their decisions."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.memory_export import FORMATS, form_of
from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "import",
        "take in a glossary that people agreed on; it outranks dictionaries and mining",
        "phrasenet memory import terms.tbx --author 'Terms group' --reason 'list of May'",
    )
    parser.add_argument("file", metavar="FILE", help="the glossary; its ending says the form")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="tsv: with a header; pairs: two columns without one; moses: a phrase table",
    )
    parser.add_argument("--author", help="who vouches for it (your login name)")
    parser.add_argument("--reason", default="", help="why")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    import getpass

    from flows.opening import workspace_of
    from tasks.memory_import import import_glossary

    path = Path(options.file)
    author = options.author or getpass.getuser()
    accepted, aside = import_glossary(
        workspace_of(Path(options.config)),
        path,
        options.format or form_of(path),
        author,
        options.reason,
    )
    if options.json:
        emit_json({"file": str(path), "accepted": accepted, "set_aside": aside, "author": author})
        return 0
    beside = f"; {aside:,} records hold no pair" if aside else ""
    emit(f"{path}: {accepted:,} phrases accepted by {author}{beside}. The next refresh obeys.")
    return 0
