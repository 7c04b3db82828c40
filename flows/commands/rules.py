"""`phrasenet rules`: dates, numbers and quantities of each line with their English."""

import argparse
from typing import Any

from flows.commands.options import (
    add_command,
    add_input,
    add_json_option,
    emit,
    emit_json,
    input_lines,
)


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "rules",
        "find dates, times, numbers and quantities, and translate or abstain",
        "echo 二〇〇三年三月二十日 | phrasenet rules",
    )
    add_input(parser)
    parser.add_argument(
        "--region",
        choices=("mainland", "hongkong", "taiwan"),
        default="unknown",
        help="where the text comes from; decides what differs, such as which dollar 元 is",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.rules.grammar import find
    from tasks.rules.style import RuleStyle

    style = RuleStyle(region=options.region)
    for text in input_lines(options.file):
        matches = find(text, style)
        if options.json:
            fields = ("start", "end", "source", "target", "category", "rule")
            found = [{name: getattr(match, name) for name in fields} for match in matches]
            emit_json({"text": text, "matches": found})
        else:
            emit(text)
            for match in matches:
                emit(f"  {match.source}\t{match.target}\t{match.category}\t{match.rule}")
    return 0
