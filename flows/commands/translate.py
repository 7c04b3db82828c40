"""`phrasenet translate`: lines of Chinese in, lines of English out."""

import argparse
import itertools
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_input,
    add_settings_option,
    emit,
    emit_json,
    input_lines,
    warn,
)
from flows.commands.tag import SLOT_FIELDS

if TYPE_CHECKING:
    from tasks.metrics.values_kept import SourceValue


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "translate",
        "translate each line with a trained model and the current phrase memory",
        "phrasenet translate -c laws.toml sentences.zh > sentences.en",
    )
    add_input(parser)
    add_settings_option(parser)
    parser.add_argument(
        "--model",
        metavar="ID",
        help="beginning of a model's id (the newest model of the system in the settings)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print JSON: each word with its mode and probability, each slot with its use",
    )
    parser.add_argument(
        "--tokens",
        action="store_true",
        help="print the words as the model made them, separated by blanks, not as text",
    )
    parser.add_argument(
        "--no-warnings",
        action="store_true",
        help="do not say on standard error which dates and numbers are not in the translation",
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.inference import open_translator
    from tasks.lines import casing_of, printed, translate_lines
    from tasks.metrics.values_kept import source_values

    tagger, files, settings = open_translator(Path(options.config), options.model)
    casing, lines = casing_of(files), input_lines(options.file)
    # A person who types wants an answer after each line.
    size = 1 if options.file == "-" and sys.stdin.isatty() else settings.decoding.batch_size
    style = tagger.maker.style
    number = 0
    while texts := list(itertools.islice(lines, size)):
        rows = translate_lines(tagger, files, texts, settings.decoding)
        for text, row in zip(texts, rows, strict=True):
            number += 1
            translation = " ".join(row["words"]) if options.tokens else printed(row, casing)
            values = source_values(text, translation, style)
            if options.explain:
                emit_json(_explained(text, row, translation, values))
            else:
                emit(translation)
            if not options.no_warnings:
                _warn_of_lost(number, values)
        sys.stdout.flush()
    return 0


def _warn_of_lost(number: int, values: "Sequence[SourceValue]") -> None:
    """Name on standard error the values of a line that its translation does not hold."""
    lost = [f"{value.source} ({value.target})" for value in values if not value.kept]
    if lost:
        are = "is" if len(lost) == 1 else "are"
        warn(f"line {number}: {', '.join(lost)} {are} not in the translation")


def _explained(
    text: str, row: dict[str, Any], translation: str, values: "Sequence[SourceValue]"
) -> dict[str, Any]:
    return {
        "source": text,
        "words": row["words"],
        "translation": translation,
        "score": row["score"],
        "steps": [
            {name: item[name] for name in ("word", "mode", "slot", "probability")}
            for item in row["steps"]
        ],
        "slots": [
            {**{name: slot[name] for name in SLOT_FIELDS}, "use": use}
            for slot, use in zip(row["slots"], row["uses"], strict=True)
        ],
        "values": [asdict(value) for value in values],
    }
