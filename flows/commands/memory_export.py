"""`phrasenet memory export`: the memory as a glossary of another tool."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)

FORMATS = ("tsv", "pairs", "moses", "json", "tbx")


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "export",
        "write the phrases that are offered as a glossary of another tool",
        "phrasenet memory export terms.tbx",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the glossary; its ending (.tsv .json .tbx) says the form; with .gz it is packed",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="pairs: two columns, for OpusTrainer and Eole; moses: a phrase table",
    )
    parser.add_argument(
        "--as-of", metavar="SNAPSHOT|DATE", help="an earlier snapshot, or that of a date"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    import gzip

    from flows.inference import word_maker
    from flows.opening import open_settings, snapshot_of
    from storage.files import write_bytes
    from tasks import memory_export
    from tasks.exports import record_export

    path = Path(options.file)
    form = options.format or form_of(path)
    settings, workspace = open_settings(Path(options.config))
    snapshot = snapshot_of(workspace, options.as_of)
    maker = word_maker(settings, workspace)
    entries = list(memory_export.agreed_entries(workspace, snapshot, maker))
    name = f"phrasenet {snapshot.snapshot_id}"
    text = "".join(f"{line}\n" for line in memory_export.FORMATS[form](entries, name))
    data = text.encode("utf-8", "replace")
    write_bytes(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    record_export(workspace, path, f"memory as {form}", [snapshot.phrases])
    if options.json:
        emit_json({"file": str(path), "format": form, "phrases": len(entries)})
    else:
        emit(f"{path}: {len(entries):,} phrases as {form}.")
    return 0


def form_of(path: Path) -> str:
    """Tell the form by the ending of the file.

    Raises:
        InputError: the ending says nothing.
    """
    from storage.errors import InputError

    suffixes = [suffix.lstrip(".").lower() for suffix in path.suffixes if suffix != ".gz"]
    if suffixes and suffixes[-1] in ("tsv", "json", "tbx"):
        return suffixes[-1]
    raise InputError(
        f"{path}: the ending does not say which form is wanted; expected .tsv, .json or .tbx. "
        f"Name one with --format {'|'.join(FORMATS)}."
    )
