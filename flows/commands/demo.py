"""`phrasenet demo`: everything on the built-in sample, ending with a report to open."""

import argparse
import sys
from pathlib import Path
from typing import Any

from flows.commands.options import add_command, emit


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "demo",
        "run everything on the built-in synthetic sample and end with a report",
        "phrasenet demo",
    )
    parser.add_argument(
        "--dir", default="phrasenet-demo", metavar="DIR", help="folder to work in (phrasenet-demo)"
    )
    parser.add_argument(
        "--texts-only",
        action="store_true",
        help="write the sample and its settings, and run nothing",
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.commands.run import run_flow
    from flows.demo import closing, write_demo
    from flows.terminal import Terminal

    terminal = Terminal(sys.stderr)
    settings_file = write_demo(Path(options.dir))
    if options.texts_only:
        terminal.say(f"Wrote {settings_file} and the sample below {options.dir}/data")
        return 0
    terminal.say(
        "The demo mines a phrase memory from a synthetic sample, trains two systems and "
        "compares them.\n"
        f"Folder {options.dir}; a few minutes on two processors. Ctrl-C is safe: run it again "
        "to go on."
    )
    summary = run_flow("run", settings_file, name_report=False)
    for line in closing(settings_file, str(summary["report"])):
        emit(line)
    return 0
