"""Arguments and output that several commands share."""

import argparse
import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

_MOST = (1 << 63) - 1


def add_command(commands: Any, name: str, help_text: str, example: str) -> argparse.ArgumentParser:
    """Add a command with one line of help and an example."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog=f"Example: {example}",
    )
    return parser


def add_group(commands: Any, name: str, help_text: str, example: str) -> Any:
    """Add a command that only holds other commands; returns where these are added."""
    parser = commands.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog=f"Example: phrasenet {name} {example}",
    )
    return parser.add_subparsers(dest=f"{name}_command", metavar="COMMAND", required=True)


def add_settings_option(parser: argparse.ArgumentParser) -> None:
    """Add `-c FILE`."""
    parser.add_argument(
        "-c",
        "--config",
        default="phrasenet.toml",
        metavar="FILE",
        help="settings file (phrasenet.toml)",
    )


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument(
        "--json", action="store_true", help="print JSON for programs, one object a line"
    )


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the FILE that may be standard input."""
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="one sentence a line; standard input if left out or -; .gz .zst .xz .bz2 are read too",
    )


def add_scoring_options(parser: argparse.ArgumentParser) -> None:
    """Add the references, and how both sides are read."""
    parser.add_argument(
        "--ref",
        dest="references",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="references, line by line the same sentences; an empty line where one is missing",
    )
    parser.add_argument("--cased", action="store_true", help="score upper and lower case as well")
    parser.add_argument(
        "--words", action="store_true", help="the text is split into words already; do not tokenise"
    )


def input_lines(file: str) -> Iterator[str]:
    """Yield the lines of a file or of standard input as they come."""
    from storage.errors import InputError
    from tasks.readers.lines import decode_line, read_lines

    if not file:
        raise InputError(
            "The name of the input file is empty. Name a file, or - for standard input."
        )
    if file != "-":
        for _, text in read_lines(Path(file)):
            yield text
        return
    if sys.stdin is None:
        raise InputError("There is no standard input. Name a file.")
    for number, line in enumerate(sys.stdin.buffer, start=1):
        yield decode_line(line, "standard input", number)


def program() -> str:
    """Return what a person has to type to call this program: its path if PATH does not find it."""
    called = Path(sys.argv[0])
    if called.name != "phrasenet" or shutil.which("phrasenet") is not None:
        return "phrasenet"
    return os.path.relpath(called)


def warn(text: str) -> None:
    """Print a line to standard error: something that a person should know beside the answer."""
    sys.stderr.write(f"phrasenet: {text}\n")


def count_up_to(most: int) -> Callable[[str], int]:
    """Return a type of argument: a whole number from 1 to `most`."""

    def parse(text: str) -> int:
        number = whole_number(text)
        if not 1 <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between 1 and {most}")
        return number

    return parse


def whole_number(text: str) -> int:
    """Parse an argument that is a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def zero_or_more(text: str) -> int:
    """Parse an argument that is a whole number from 0 to what 63 bits hold."""
    number = whole_number(text)
    if not 0 <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {_MOST}")
    return number


def stated_reason(text: str) -> str:
    """Parse an argument that a record keeps for those who ask why."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; say why")
    return text


def seconds(text: str) -> float:
    """Parse an argument that is a time: 0 or more."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time of 0 or more seconds")
    return value


@contextlib.contextmanager
def named_as_given(options: Mapping[str, str]) -> Iterator[None]:
    """Let errors about settings name the options that stood in their place.

    Args:
        options: the setting and the option, such as `decoding.device` and `--device`, of each
            option that was given.
    """
    from storage.errors import PhrasenetError

    try:
        yield
    except PhrasenetError as error:
        text = str(error)
        for setting, option in options.items():
            text = re.sub(rf"(?<![\w.]){re.escape(setting)}\b", option, text)
        raise type(error)(text) from error


def emit(text: str) -> None:
    """Print a line to standard output."""
    sys.stdout.write(text + "\n")


def emit_json(value: Any) -> None:
    """Print one JSON object as one line, at once, so that a stream stays a stream."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
