"""`phrasenet tag`: the phrases that are offered to each line."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_input,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    input_lines,
)

SLOT_FIELDS = ("slot", "start", "end", "source", "target", "category", "origin", "phrase_id")


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "tag",
        "show the slots of each sentence: remembered phrases and what the rules see",
        "phrasenet tag -c laws.toml sentences.zh",
    )
    add_input(parser)
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.inference import open_tagger

    tagger = open_tagger(Path(options.config))
    for text in input_lines(options.file):
        row = tagger.tag(text)
        slots = [{name: slot[name] for name in SLOT_FIELDS} for slot in row["slots"]]
        if options.json:
            emit_json({"text": text, "words": row["source_words"], "slots": slots})
            continue
        emit(" ".join(row["source_words"]))
        for slot in slots:
            emit(
                f"  {slot['slot']}  {slot['source']}\t{slot['target']}\t"
                f"{slot['category']}, {slot['origin']}"
            )
    return 0
