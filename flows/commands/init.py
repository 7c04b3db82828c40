"""`phrasenet init DIR`: a commented settings file to begin with."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import add_command, emit, program

_TEMPLATE = """\
# Settings of phrasenet. Paths are relative to this file; docs/settings.md explains every key.

[workspace]
path = "workspace"                      # everything that is made; delete it to begin anew

[[corpus]]                              # sentence pairs to learn from; repeat for more corpora
name = "mine"
format = "parallel"                     # two files, one sentence a line
source = "data/train.zh"                # .gz .zst .xz .bz2 are read as they are
target = "data/train.en"
licence = "unknown"                     # an SPDX id or a text, such as "CC-BY-4.0"
allow_unknown_licence = true            # remove this once you know the licence

# [[corpus]]                            # or one file with tab-separated columns
# name = "table"
# format = "tsv"
# path = "data/train.tsv"
# columns = ["source", "target", "document"]
# licence = "CC-BY-4.0"

# [[dictionary]]                        # phrases whose translation somebody vouches for
# name = "terms"
# path = "data/terms.tsv"               # Chinese, tab, English
# licence = "CC-BY-4.0"

# [[testset]]                           # sentences to translate and score
# name = "test"
# source = "data/test.zh"
# references = ["data/test.en"]
# role = "test"                         # or "dev": chooses the best model

[memory]
min_count = 3                           # fewest times that a mined phrase was seen
min_reliability = 0.8                   # smallest share of places where a phrase is right

[model]
system = "phrasenet-gate"               # trained beside the baselines of [evaluation]
embedding = 128
hidden = 256
initial_values = "scaled"               # "paper" for the papers' own sizes (620 and 1000)
source_vocabulary = 8000
target_vocabulary = 8000

[training]
epochs = 10

# [promotion]                           # a new model goes into production if nothing got worse
# automatic = true

[execution]
shards = 1                              # parts of each corpus; more for large ones
"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "init",
        "write a commented settings file and a folder for data",
        "phrasenet init news",
    )
    parser.add_argument("dir", metavar="DIR", help="folder to make")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from storage.errors import InputError
    from storage.files import explained, write_bytes

    folder = Path(options.dir)
    settings = folder / "phrasenet.toml"
    if settings.exists():
        raise InputError(f"{settings} exists already. Edit it, or give another folder.")
    try:
        with explained("create", folder):
            (folder / "data").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder}: the folder cannot be made: {error.strerror}. Name another one."
        ) from error
    write_bytes(settings, _TEMPLATE.encode())
    emit(f"Wrote {settings}.")
    emit(f"Put your texts into {folder / 'data'} (train.zh and train.en), edit the file, then run:")
    emit(f"  {program()} run -c {settings}")
    return 0
