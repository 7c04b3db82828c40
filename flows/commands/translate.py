"""`phrasenet translate`: lines of Chinese in, lines of English out."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_input,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    named_as_given,
    warn,
)
from flows.commands.tag import SLOT_FIELDS

if TYPE_CHECKING:
    from flows.inference import OpenTranslator
    from model.config import DecodingConfig
    from tasks.decoding import Translated
    from tasks.metrics.values_kept import SourceValue
    from tasks.required import Demand

_MOST_TRANSLATIONS = 1000
_MOST_PROCESSES = 1024


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
    _add_models(parser)
    _add_form(parser)
    _add_search(parser)
    parser.add_argument(
        "--record",
        action=argparse.BooleanOptionalAction,
        help="keep the translations in the workspace, so that an audit reaches them (as "
        "workspace.record_translations says)",
    )
    parser.set_defaults(execute=_execute)


def _add_models(parser: argparse.ArgumentParser) -> None:
    """Add what says which models translate."""
    parser.add_argument(
        "--model",
        metavar="ID",
        action="append",
        default=[],
        help="beginning of a model's id, or a folder that `phrasenet models export` wrote (the "
        "model in production, or else the newest of the system in the settings); given several "
        "times, the models decide together",
    )
    parser.add_argument(
        "--average",
        action="store_true",
        help="average the weights of the models instead of letting them decide together",
    )


def _add_form(parser: argparse.ArgumentParser) -> None:
    """Add what says how translations are printed, and what is said beside them."""
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print JSON as with --json, with more: each word with its mode and probability, each "
        "slot with its use",
    )
    add_json_option(parser)
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


def _add_search(parser: argparse.ArgumentParser) -> None:
    """Add what says which translations are searched for, and where."""
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
        "its score, separated by ' ||| '; in JSON as `n_best`, with --explain with attention and "
        "gates",
    )
    parser.add_argument(
        "--device",
        metavar="auto|cpu|cuda|cuda:N",
        help="where translations are searched for (as decoding.device says)",
    )
    parser.add_argument(
        "--processes",
        type=count_up_to(_MOST_PROCESSES),
        default=1,
        metavar="N",
        help="translate with N processes side by side, each with the models in its memory (1)",
    )


def _execute(options: argparse.Namespace) -> int:
    from flows.inference import open_translator
    from tasks.required import Tally, Wanted, read_wanted

    given = {"decoding.device": "--device"} if options.device is not None else {}
    with named_as_given(given):
        opened = open_translator(
            Path(options.config), options.model, partial(_change, options), averaged=options.average
        )
    for warning in opened.warnings:
        warn(warning)
    lowercase = opened.casing is not None
    wanted = read_wanted(options.require, lowercase=lowercase) if options.require else None
    # Without phrase memory nothing is produced in phrase mode: there, words that appear are enough.
    phrase_mode = opened.models.translators[0].config.slots > 0
    enough = ("produced",) if phrase_mode else ("produced", "appeared")
    tally = Tally(wanted or Wanted())
    number = 0
    keeps = _keeps(options, opened)
    rows: list[dict[str, Any]] = []
    try:
        for demands, found in _translated(options, opened, wanted):
            for (text, demand), translated in zip(demands, found, strict=True):
                _tell_refused(number, demand, translated)
                tally.add(demand, translated.row["uses"], enough)
                _print(options, opened, (number, text), demand, translated)
                if keeps:
                    rows.append(translated.row)
                number += 1
            sys.stdout.flush()
    finally:
        # What was printed is kept, even if the next line makes no sense.
        _record(opened, rows)
    if wanted is not None:
        for line in tally.lines():
            warn(line)
    return 0


def _keeps(options: argparse.Namespace, opened: "OpenTranslator") -> bool:
    """Say whether the command line or the settings ask for a record of what is translated."""
    if opened.asked is not None:
        return opened.records if options.record is None else bool(options.record)
    if options.record:
        warn("nothing is recorded: exported models belong to no workspace")
    return False


def _record(opened: "OpenTranslator", rows: list[dict[str, Any]]) -> None:
    from tasks.recorded import record_translations

    if not rows or opened.asked is None:
        return
    batch, is_recorded = record_translations(opened.workspace, opened.asked, rows)
    later = "" if is_recorded else "; the ledger is in use and takes it in with the next run"
    warn(f"{len(rows):,} translations are kept as {batch}:00000000 and following{later}")


def _change(options: argparse.Namespace, decoding: "DecodingConfig") -> "DecodingConfig":
    """Change the settings of decoding as the options say: a beam holds what is printed."""
    if options.device is not None:
        decoding = replace(decoding, device=options.device)
    if not options.n_best:
        return decoding
    if decoding.method == "sample":
        return replace(decoding, samples=options.n_best)
    return replace(decoding, beam=max(options.n_best, decoding.beam))


def _translated(
    options: argparse.Namespace, opened: "OpenTranslator", wanted: Any
) -> "Iterator[tuple[list[tuple[str, Demand]], list[Translated]]]":
    """Yield lines and what was found for them, a batch at a time."""
    from flows.commands.bursts import input_bursts
    from flows.translating import Batch, batched, translating

    size, processes = opened.models.decoding.batch_size, options.processes
    with translating(opened, processes, averaged=options.average) as translate:
        for lines in input_bursts(options.file, size * processes):
            batches = (
                Batch(texts, [_demand(opened, text, wanted) for text in texts])
                for texts in batched(lines, size)
            )
            for batch, found in translate(batches):
                yield list(zip(batch.texts, batch.demands, strict=True)), found


def _demand(opened: "OpenTranslator", text: str, wanted: Any) -> "Demand":
    """Tag a line; with what is wanted, say what its translation must hold."""
    from tasks.required import Demand, demand

    if wanted is None:
        return Demand(opened.tagger.tag(text), frozenset())
    return demand(opened.tagger, text, wanted)


def _tell_refused(number: int, demand: "Demand", translated: "Translated") -> None:
    """Say which required phrases of a line cannot be had, and why."""
    slots = {slot["slot"]: slot for slot in demand.row["slots"]}
    for source, reason in demand.refused:
        warn(f"line {number + 1}: {source} is not required: {reason}")
    for slot, reason in sorted(translated.impossible.items()):
        phrase = f"{slots[slot]['source']} = {slots[slot]['target']}"
        warn(f"line {number + 1}: {phrase} is not required: {reason}")


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
    if options.explain or options.json:
        answer = _answer(text, row, translation)
        if options.explain:
            answer |= _explained(row, values)
        if options.require:
            answer["required"] = sorted(translated.required)
        if options.n_best:
            answer["n_best"] = n_best(
                opened.models, translated, options.n_best, opened.casing, records=options.explain
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


def _answer(text: str, row: dict[str, Any], translation: str) -> dict[str, Any]:
    """Return what programs read of a translation."""
    return {
        "source": text,
        "words": row["words"],
        "translation": translation,
        "score": row["score"],
    }


def _explained(row: dict[str, Any], values: "Sequence[SourceValue]") -> dict[str, Any]:
    """Return how a translation came about."""
    return {
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
