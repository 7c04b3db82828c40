"""`phrasenet segment`: one sentence a line in, its words separated by blanks out."""

import argparse
from typing import Any

from flows.commands.options import add_command, add_input, emit, input_lines


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "segment",
        "cut sentences into words, the rules' spans kept apart",
        "echo 他出生于2016年9月4日 | phrasenet segment --lang zh",
    )
    add_input(parser)
    parser.add_argument(
        "--lang", choices=("zh", "en"), default="zh", help="language of the text (zh)"
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.prepare import chinese_words
    from tasks.recipe import WordRecipe
    from tasks.text.english import tokenise
    from tasks.text.script import normalise

    for text in input_lines(options.file):
        plain = normalise(text)
        words = tokenise(plain) if options.lang == "en" else chinese_words(plain, WordRecipe())[0]
        emit(" ".join(words))
    return 0
