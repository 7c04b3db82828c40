"""`phrasenet segment`: one sentence a line in, its words separated by blanks out."""

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
        "segment",
        "cut sentences into words, the rules' spans kept apart",
        "echo 他出生于2016年9月4日 | phrasenet segment --lang zh",
    )
    add_input(parser)
    parser.add_argument(
        "--lang", choices=("zh", "en"), default="zh", help="language of the text (zh)"
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.recipe import WordRecipe
    from tasks.text.lexicon import Lexicon
    from tasks.text.script import normalise
    from tasks.word_maker import WordMaker

    maker = WordMaker(WordRecipe(lowercase=False), Lexicon())
    for text in input_lines(options.file):
        is_english = options.lang == "en"
        words = maker.english(normalise(text)) if is_english else maker.chinese(text).words
        if options.json:
            emit_json({"text": text, "words": words})
        else:
            emit(" ".join(words))
    return 0
