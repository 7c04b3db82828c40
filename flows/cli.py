"""The command line `phrasenet`: the tree of commands, and how errors are told.

Commands are imported for their arguments only; torch, Prefect and Arrow come in where a command
needs them, so that `--help` answers at once. Exit codes: 0 success, 1 a defect, 2 a user's mistake,
130 Ctrl-C.
"""

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

COMMANDS = (
    "demo",
    "init",
    "run",
    "status",
    "accept-unchanged",
    "experiment",
    "corpus",
    "translate",
    "rules",
    "segment",
    "tag",
    "align",
    "score",
    "compare",
    "ratings",
    "memory",
    "models",
    "audit",
    "doctor",
    "maintain",
    "deploy",
    "join",
)
"""Modules of `flows/commands`, in the order of the help."""

EXIT_DEFECT = 1
EXIT_MISTAKE = 2
EXIT_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """Says why a name is missing that an option before it took for one of its own."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong."""
        greedy = [action.option_strings[-1] for action in self._actions
                  if action.option_strings and action.nargs == "+"]  # fmt: skip
        if "are required" in message and greedy and greedy[-1] not in message:
            message += f". {greedy[-1]} takes all names that follow it: give the others before it"
        super().error(message)


class _Version(argparse.Action):
    """Looks up the version only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **keywords: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **keywords)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        from importlib.metadata import version

        parser.exit(message=f"phrasenet {version('phrasenet')}\n")


def build_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the whole tree of commands, or of those that are named."""
    parser = _Parser(
        prog="phrasenet",
        description="Mine a Chinese-English phrase memory, train models that use it, and say where "
        "every phrase, model and output came from.",
        epilog="Start with `phrasenet demo`, or `phrasenet init DIR` for your own texts.",
    )
    parser.add_argument("--version", action=_Version, help="show the version")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        importlib.import_module(f"flows.commands.{name.replace('-', '_')}").add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    _speak_utf8()
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = build_parser(_named(given)).parse_args(given)
    try:
        _refuse_broken_text(options)
        code = options.execute(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nInterrupted. What was finished is kept; run again to go on.", file=sys.stderr)  # noqa: T201
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        _drop_output()
        return 0
    except Exception as error:
        if options.debug:
            raise
        return _tell(error)
    return int(code or 0)


def _named(arguments: Sequence[str]) -> Sequence[str]:
    """Return the one command that is asked for, so that the others need not be imported; all of
    them if it is none of them."""
    first = next((word for word in arguments if word != "--debug"), "")
    return (first,) if first in COMMANDS else COMMANDS


def _was_removed(name: str) -> bool:
    """Say whether a file that is missing may be the user's: no program, and none of our own."""
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    rooms = [os.path.join(beside, room) for room in ("flows", "tasks", "model", "storage")]
    own = (*rooms, sys.prefix, sys.base_prefix)
    return os.sep in name and not any(name.startswith(root + os.sep) for root in own)


def _drop_output() -> None:
    """Send what is still buffered nowhere, or Python would fail on it once more at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says: what we print is Chinese, and files hold UTF-8."""
    if sys.stdout is None:
        # Somebody closed it; what would be printed goes nowhere.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _refuse_broken_text(options: argparse.Namespace) -> None:
    """Refuse arguments whose bytes are no text.

    Raises:
        InputError: names the argument.
    """
    from storage.errors import InputError

    for name, value in vars(options).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and any("\ud800" <= letter <= "\udfff" for letter in text):
                raise InputError(f"The argument {name} holds bytes that are not UTF-8. Mend it.")


def _tell(error: Exception) -> int:
    """Print an error without its traceback and return the exit code for it."""
    from storage.errors import PhrasenetError
    from storage.secret_urls import without_secrets

    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO):
        _drop_output()
        print(f"phrasenet: the output cannot be written: {error.strerror}.", file=sys.stderr)  # noqa: T201
        return EXIT_MISTAKE
    if isinstance(error, FileNotFoundError) and _was_removed(str(error.filename or "")):
        gone = without_secrets(str(error.filename))
        print(  # noqa: T201
            f"phrasenet: {gone} is not there any more: something was removed while the command "
            "ran. Run it again: what is missing is made anew.",
            file=sys.stderr,
        )
        return EXIT_MISTAKE
    if isinstance(error, PhrasenetError):
        print(f"phrasenet: {without_secrets(str(error))}", file=sys.stderr)  # noqa: T201
        return EXIT_MISTAKE
    print(  # noqa: T201
        f"phrasenet: a defect, not your mistake: {type(error).__name__}: "
        f"{without_secrets(str(error))}\n"
        "Run the same command with `phrasenet --debug ...` and report what it prints.",
        file=sys.stderr,
    )
    return EXIT_DEFECT


if __name__ == "__main__":
    sys.exit(main())
