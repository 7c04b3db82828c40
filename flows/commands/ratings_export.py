"""`phrasenet ratings export`: a blinded worksheet, from an evaluation or from anybody's files."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    input_lines,
    zero_or_more,
)

Record = Callable[[Path], None]
"""Records the worksheet that was written, if it holds text of a workspace."""

_SENTENCES = 200
_MOST = 100_000


def add(group: Any) -> None:
    """Add the command to the group `ratings`."""
    parser = add_command(
        group,
        "export",
        "write a worksheet: a page to rate in (.html), or a sheet (.csv, .xlsx)",
        "phrasenet ratings export rate.html",
    )
    parser.add_argument("file", metavar="FILE", help="the worksheet; its ending says the form")
    parser.add_argument("--testset", metavar="NAME", help="the test set (the first one)")
    parser.add_argument("--baseline", metavar="SYSTEM", help="one side (the first baseline)")
    parser.add_argument("--system", metavar="SYSTEM", help="the other side (that of [model])")
    parser.add_argument(
        "--outputs",
        nargs=2,
        metavar=("BASELINE", "SYSTEM"),
        help="two files with one translation a line, instead of an evaluation; needs --source",
    )
    parser.add_argument("--source", metavar="FILE", help="the sentences that they translate")
    parser.add_argument("--ref", metavar="FILE", help="references to show, with --outputs")
    parser.add_argument(
        "--with-reference", action="store_true", help="show the references of the test set"
    )
    parser.add_argument(
        "-n",
        type=count_up_to(_MOST),
        default=_SENTENCES,
        metavar="COUNT",
        help=f"sentences to draw ({_SENTENCES})",
    )
    parser.add_argument(
        "--seed", type=zero_or_more, default=1, help="draws sentences and sides; 0 or more (1)"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from storage.errors import InputError

    path = Path(options.file)
    if path.suffix.lower() not in (".html", ".csv", ".xlsx"):
        raise InputError(f"{path}: expected a name that ends with .html, .csv or .xlsx.")
    _refuse_mixture(options)
    key, items, kept, record = _of_files(options) if options.outputs else _of_evaluation(options)
    _write(path, items, key.worksheet)
    record(path)
    names = key.compared
    answer = {"file": str(path), "worksheet": key.worksheet, "sentences": len(items), "key": kept}
    if options.json:
        emit_json(answer | {"baseline": names.baseline, "system": names.system})
        return 0
    emit(
        f"{path}: {len(items):,} sentences, {names.system} against {names.baseline}, sides mixed. "
        f"The key is in {kept}; give raters the worksheet only."
    )
    if options.outputs:
        emit(f"Add up what they return with `phrasenet ratings show FILE... --key {kept}`.")
    else:
        emit("Take in what they return with `phrasenet ratings import FILE...`.")
    return 0


def _refuse_mixture(options: argparse.Namespace) -> None:
    """Files and an evaluation are two ways to say what is compared."""
    from storage.errors import InputError

    if options.outputs and not options.source:
        raise InputError("--outputs needs --source FILE: raters judge against the source.")
    if options.outputs and (options.testset or options.baseline or options.system):
        raise InputError(
            "--outputs compares files; --testset, --baseline and --system choose from an "
            "evaluation. Give one or the other."
        )
    if not options.outputs and (options.source or options.ref):
        raise InputError("--source and --ref belong to --outputs BASELINE SYSTEM.")


def _of_evaluation(options: argparse.Namespace) -> tuple[Any, list[Any], str, Record]:
    from functools import partial

    from flows.results import current_outputs
    from storage.errors import InputError
    from tasks.exports import record_export
    from tasks.rating.worksheet import Compared
    from tasks.ratings import new_worksheet, pairs_of_outputs

    found = current_outputs(Path(options.config), options.testset)
    baseline = options.baseline or next(iter(found.settings.evaluation.baselines), "")
    system = options.system or found.settings.model.system
    for name in (baseline, system):
        if name not in found.translations:
            known = ", ".join(found.translations)
            raise InputError(
                f"there is no system {name!r} in this evaluation; it has: {known}. Choose two "
                "with --baseline and --system, or name a baseline in [evaluation] baselines."
            )
    if baseline == system:
        raise InputError(f"both sides are {system}; choose two with --baseline and --system.")
    refs = found.translations[baseline], found.translations[system]
    pairs = pairs_of_outputs(
        found.workspace, found.lines, refs, with_reference=options.with_reference
    )
    digests = refs[0].digest, refs[1].digest
    compared = Compared(found.testset, baseline, system, *digests)
    key, items = new_worksheet(
        found.workspace, pairs, compared, num_sentences=options.n, seed=options.seed
    )
    shown = [found.lines, *refs]
    record = partial(record_export, found.workspace, what="ratings worksheet", artifacts=shown)
    return key, items, str(found.workspace.root), record


def _of_files(options: argparse.Namespace) -> tuple[Any, list[Any], str, Record]:
    from storage.errors import InputError
    from tasks.rating.worksheet import Compared, OutputPair, draw_worksheet
    from tasks.readers.rating_key import key_path, write_key

    files = [options.source, *options.outputs, *([options.ref] if options.ref else [])]
    texts = [list(input_lines(file)) for file in files]
    for file, lines in zip(files[1:], texts[1:], strict=True):
        if len(lines) != len(texts[0]):
            raise InputError(
                f"{file} has {len(lines):,} lines but {files[0]} has {len(texts[0]):,}; "
                "expected the same sentences in the same order."
            )
    source, baseline, system = texts[:3]
    references = texts[3] if options.ref else [""] * len(source)
    pairs = [
        OutputPair(
            sentence_id=str(number),
            source=source[number - 1],
            baseline=baseline[number - 1],
            system=system[number - 1],
            reference=references[number - 1],
        )
        for number in range(1, len(source) + 1)
    ]
    compared = Compared(options.source, *options.outputs)
    key, items = draw_worksheet(pairs, compared, num_sentences=options.n, seed=options.seed)
    kept = key_path(Path(options.file))
    write_key(kept, key)
    return key, items, str(kept), lambda path: None


def _write(path: Path, items: list[Any], worksheet: str) -> None:
    from storage.files import write_bytes
    from tasks.rating.rating_page import rating_page
    from tasks.readers.rating_files import write_sheet

    if path.suffix.lower() == ".html":
        write_bytes(path, rating_page(items, worksheet).encode("utf-8", "replace"))
    else:
        write_sheet(path, items, worksheet)
