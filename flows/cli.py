"""The command line `phrasenet`: the tree of commands, and how errors are told.

Commands are imported for their arguments only; torch, Prefect and Arrow come in where a command
needs them, so that `--help` answers at once. Exit codes: 0 success, 1 a defect, 2 a user's mistake,
130 Ctrl-C.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

COMMANDS = (
    "demo",
    "init",
    "run",
    "status",
    "corpus",
    "translate",
    "rules",
    "segment",
    "tag",
    "align",
    "score",
    "memory",
    "models",
    "audit",
)
"""Modules of `flows/commands`, in the order of the help."""

EXIT_DEFECT = 1
EXIT_MISTAKE = 2
EXIT_INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole tree of commands."""
    parser = argparse.ArgumentParser(
        prog="phrasenet",
        description="Mine a Chinese-English phrase memory, train models that use it, and say where "
        "every phrase, model and output came from.",
        epilog="Start with `phrasenet demo`, or `phrasenet init DIR` for your own texts.",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"flows.commands.{name}").add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = build_parser().parse_args(arguments)
    try:
        code = options.execute(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nInterrupted. What was finished is kept; run again to go on.", file=sys.stderr)  # noqa: T201
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if options.debug:
            raise
        return _tell(error)
    return int(code or 0)


def _tell(error: Exception) -> int:
    """Print an error without its traceback and return the exit code for it."""
    from storage.errors import PhrasenetError

    if isinstance(error, PhrasenetError):
        print(f"phrasenet: {error}", file=sys.stderr)  # noqa: T201
        return EXIT_MISTAKE
    print(  # noqa: T201
        f"phrasenet: a defect, not your mistake: {type(error).__name__}: {error}\n"
        "Run the same command with `phrasenet --debug ...` and report what it prints.",
        file=sys.stderr,
    )
    return EXIT_DEFECT


if __name__ == "__main__":
    sys.exit(main())
