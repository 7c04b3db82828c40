"""`phrasenet translate`: lines of Chinese in, lines of English out."""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_input,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    input_lines,
    warn,
)
from flows.commands.tag import SLOT_FIELDS

if TYPE_CHECKING:
    from flows.inference import OpenTranslator
    from tasks.decoding import Translated
    from tasks.metrics.values_kept import SourceValue
    from tasks.required import Demand

_MOST_TRANSLATIONS = 1000


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
        action="append",
        default=[],
        help="beginning of a model's id (the newest model of the system in the settings); given "
        "several times, the models decide together",
    )
    parser.add_argument(
        "--average",
        action="store_true",
        help="average the weights of the models instead of letting them decide together",
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
    parser.add_argument(
        "--require",
        metavar="all|FILE",
        help="make every translation hold all phrases that are offered, or those of a file: one "
        "phrase a line, Chinese, or Chinese, a tab and English",
    )
    parser.add_argument(
        "--n-best",
        type=count_up_to(_MOST_TRANSLATIONS),
        metavar="N",
        help="print the N best translations of each line: its number from 0, the translation and "
        "its score, separated by ' ||| '; with --explain as `n_best`, with attention and gates",
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.inference import open_translator
    from tasks.required import read_wanted

    opened = open_translator(
        Path(options.config), options.model, _changes(options), averaged=options.average
    )
    for warning in opened.warnings:
        warn(warning)
    lowercase = opened.casing is not None
    wanted = read_wanted(options.require, lowercase=lowercase) if options.require else None
    # Without phrase memory nothing is produced in phrase mode: there, words that appear are enough.
    phrase_mode = opened.models.translators[0].config.slots > 0
    enough = ("produced",) if phrase_mode else ("produced", "appeared")
    counts = [0, 0]
    number = 0
    for demands, found in _translated(options, opened, wanted):
        for (text, demand), translated in zip(demands, found, strict=True):
            _tell_refused(number, demand, translated)
            _count(counts, demand, translated, enough)
            _print(options, opened, (number, text), demand, translated)
            number += 1
        sys.stdout.flush()
    if wanted is not None:
        warn(f"required {counts[0]}, produced {counts[1]}")
    return 0


def _changes(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of decoding that the options change: a beam holds what is printed."""
    from flows.workspaces import open_settings

    if not options.n_best:
        return {}
    settings, _ = open_settings(Path(options.config))
    if settings.decoding.method == "sample":
        return {"samples": options.n_best}
    return {"beam": max(options.n_best, settings.decoding.beam)}


def _translated(
    options: argparse.Namespace, opened: "OpenTranslator", wanted: Any
) -> "Iterator[tuple[list[tuple[str, Demand]], list[Translated]]]":
    """Yield lines and what was found for them, a batch at a time."""
    from tasks.decoding import translate_rows
    from tasks.required import Demand, demand

    lines = input_lines(options.file)
    # A person who types wants an answer after each line.
    size = 1 if options.file == "-" and sys.stdin.isatty() else opened.models.decoding.batch_size
    while texts := list(itertools.islice(lines, size)):
        demands = [
            demand(opened.tagger, text, wanted)
            if wanted is not None
            else Demand(opened.tagger.tag(text), frozenset())
            for text in texts
        ]
        rows = [item.row for item in demands]
        required = [item.slots for item in demands]
        found = list(translate_rows(opened.models, rows, required))
        yield list(zip(texts, demands, strict=True)), found


def _tell_refused(number: int, demand: "Demand", translated: "Translated") -> None:
    """Say which required phrases of a line cannot be had, and why."""
    slots = {slot["slot"]: slot for slot in demand.row["slots"]}
    for source, reason in demand.refused:
        warn(f"line {number + 1}: {source} is not required: {reason}")
    for slot, reason in sorted(translated.impossible.items()):
        phrase = f"{slots[slot]['source']} = {slots[slot]['target']}"
        warn(f"line {number + 1}: {phrase} is not required: {reason}")


def _count(
    counts: list[int], demand: "Demand", translated: "Translated", enough: tuple[str, ...]
) -> None:
    """Add up how many source phrases were to be required, and of how many a translation came."""
    held: dict[tuple[int, int], list[str]] = {}
    for slot, use in zip(demand.row["slots"], translated.row["uses"], strict=True):
        if slot["slot"] in demand.slots:
            held.setdefault((slot["start"], slot["end"]), []).append(use)
    counts[0] += len(held) + len(demand.refused)
    counts[1] += sum(any(use in enough for use in uses) for uses in held.values())


def _print(
    options: argparse.Namespace,
    opened: "OpenTranslator",
    line: tuple[int, str],
    demand: "Demand",
    translated: "Translated",
) -> None:
    from tasks.lines import printed
    from tasks.metrics.values_kept import source_values
    from tasks.n_best import n_best

    number, text = line
    row = translated.row
    translation = " ".join(row["words"]) if options.tokens else printed(row, opened.casing)
    values = source_values(text, translation, opened.tagger.maker.style)
    if options.explain:
        answer = _explained(text, row, translation, values)
        if options.require:
            answer["required"] = sorted(translated.required)
        if options.n_best:
            answer["n_best"] = n_best(
                opened.models, translated, options.n_best, opened.casing, records=True
            )
        emit_json(answer)
    elif options.n_best:
        for item in n_best(opened.models, translated, options.n_best, opened.casing, records=False):
            emit(f"{number} ||| {item['translation']} ||| {item['score']:.6f}")
    else:
        emit(translation)
    if not options.no_warnings:
        _warn_of_lost(number + 1, values)


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
