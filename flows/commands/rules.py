"""`phrasenet rules`: dates, numbers and quantities of each line, or each line as one name."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_input,
    add_json_option,
    emit,
    emit_json,
    input_lines,
)

if TYPE_CHECKING:
    from storage.records import RuleMatch
    from tasks.rules.style import RuleStyle

Finder = Callable[[str, "RuleStyle"], "list[RuleMatch]"]


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
        "--render",
        choices=("person", "place"),
        help="read each line as one whole name of a person, or of a place or organisation",
    )
    parser.add_argument(
        "--region",
        choices=("mainland", "hongkong", "taiwan"),
        default="unknown",
        help="where the text comes from; decides how names are spelled and which dollar 元 is; "
        "without it only well-known persons are rendered, since spellings differ",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.rules.style import RuleStyle

    style = RuleStyle(region=options.region)
    find = _finder(options.render)
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


def _finder(render: str | None) -> Finder:
    """Return what finds the matches of a line: the grammar, or the reader of one whole name."""
    if render is None:
        from tasks.rules.grammar import find

        return find
    read = _reader(render)

    def find_whole(text: str, style: "RuleStyle") -> "list[RuleMatch]":
        match = read(text, style)
        return [match] if match else []

    return find_whole


def _reader(render: str) -> "Callable[[str, RuleStyle], RuleMatch | None]":
    if render == "person":
        from tasks.rules.names import read_person

        return read_person
    from tasks.rules.places import read_place

    return read_place
