"""`docs/auditing.md`: an auditor's questions, each with a command and what it really answers.

`phrasenet demo DIR`, then `python -m benchmarks.auditing_page DIR > docs/auditing.md`. A source is
withdrawn from a copy of DIR, which stays as it is.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from flows.opening import workspace_of
from storage.registry import ModelEntry

PHRASE = "世界杯"
DICTIONARY = "names"
MOST_LINES = 24
"""Longer answers are cut, and say so."""

_INTRODUCTION = """# Auditing

Questions that an auditor asks, each with the command that answers it. The answers are those
of the built-in sample after `phrasenet demo`; long ones are cut. Ids are beginnings of digests: any
unambiguous beginning will do. Every command takes `--json` for programs.
How long they take on a large memory: [results/auditing.md](results/auditing.md).

What everything rests on: the *ledger*, one small record for each step that ran or was reused, each
publication of a memory, each decision of a person, chained by digests. It holds ids, digests and
settings, never a sentence. Tables, models and reports are written once and named by their content
([ADR 1](adr/0001-write-once-storage.md), [ADR 3](adr/0003-lineage-outside-prefect.md)).
"""


_MODEL = """\
`phrasenet audit explain MODEL` says it on one screen: the training, the snapshot of the memory,
every source with its licence and the digests of its files, the code, the libraries and all
settings. MODEL is the beginning of its id, or a system, for its newest model.

"""
_WITHIN = """
It may also be a file, a document, a line or a phrase. Then the answer begins with the tables in
which it stands, and leaves out what was made without it: for a phrase, the sentences that were not
offered it.

```sh
phrasenet audit impact corpus.tsv
phrasenet audit impact laws:act-17
phrasenet audit impact laws:laws.tsv:778
phrasenet audit impact 世界杯
```
"""


def auditing_page(folder: Path) -> str:
    """Return the page for a folder in which `phrasenet demo` ran."""
    registry = workspace_of(folder / "phrasenet.toml").registry
    models = {entry.system: entry for entry in registry.entries()}
    return "".join([_INTRODUCTION, *_answers(folder, models)])


def _answers(folder: Path, models: dict[str, ModelEntry]) -> Iterator[str]:
    model, other = (models[name].model_id[:10] for name in ("phrasenet-gate", "rnnsearch"))
    yield "\n## Which data, code and settings made this model?\n\n"
    yield _MODEL
    yield "The chain behind it, level by level; what stands further up is only named.\n\n"
    yield _answer(folder, "audit", "trace", model)
    yield "\nSettings, code and versions of each run stand in the page to click through:\n\n"
    yield _answer(folder, "audit", "export", "lineage.html")
    yield "\nUnder which licences it is, and whether they go together:\n\n"
    yield _answer(folder, "audit", "licences", model)
    yield "\n## What changed between two models?\n\n"
    yield _answer(folder, "audit", "compare", other, model)
    yield "\n## How did this phrase get in, and which outputs did it shape?\n\n"
    yield _answer(folder, "audit", "explain", PHRASE, "-n", "2")
    yield "\nFrom a translated sentence back to the lines and rules behind each slot:\n\n"
    yield _answer(folder, "audit", "trace", "synthetic-test:00000009", "--down")
    yield "\n## What must be rebuilt if a source goes?\n\n"
    yield _answer(folder, "audit", "impact", DICTIONARY)
    yield _WITHIN
    yield from _withdrawal(folder)
    yield from _again(folder)
    yield "\n## Is everything still as it was recorded?\n\n"
    yield _answer(folder, "audit", "verify")
    yield "\nA seal is a root over all that is there. Kept elsewhere, it tells later whether\n"
    yield "anything was taken out or rewritten, even by somebody who rewrote all chains:\n\n"
    yield _answer(folder, "audit", "seal")
    yield "\nOnce a day the flow `audit-lineage` asks all of this, licences and decontamination,\n"
    yield "too, and fails if something is wrong. Its page, on request:\n\n"
    yield _answer(folder, "audit", "verify", "--report")


def _again(folder: Path) -> Iterator[str]:
    yield "\n## Run it again\n\n"
    yield "Results are made again from the inputs that their records name, in a folder of\n"
    yield "their own, and compared row by row: counts on any machine, what a network computed on\n"
    yield "the same kind of machine. A number, a share or `all` draws from everything; trainings\n"
    yield "take their time.\n\n"
    yield _answer(folder, "audit", "verify", "--rebuild", "collect", "--seed", "1")
    yield "\n"
    yield _answer(folder, "audit", "verify", "--rebuild", "translate", "--seed", "1")


def _withdrawal(folder: Path) -> Iterator[str]:
    yield "\n## Take it out, and prove that it is gone\n\n"
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(folder, Path(place) / "demo"))
        asked = ("audit", "withdraw", DICTIONARY, "--reason", "the owner asked for it")
        yield _answer(copy, *asked, "--dry-run")
        yield "\n"
        yield _answer(copy, *asked)
        yield "\n"
        yield _answer(copy, "audit", "verify")


def _answer(folder: Path, *arguments: str) -> str:
    """Run a command and return it with its answer as a block of text."""
    made = subprocess.run(
        [sys.executable, "-m", "flows.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
    )
    lines = made.stdout.replace(str(folder), "demo").rstrip("\n").splitlines()
    return f"```console\n$ phrasenet {_typed(arguments)}\n{_cut(lines)}```\n"


def _environment() -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    return plain | {"PYTHONPATH": str(Path(__file__).parent.parent), "OMP_NUM_THREADS": "1"}


def _typed(arguments: Sequence[str]) -> str:
    return " ".join(
        item if re.fullmatch(r"[\w:./=-]+", item) else shlex.quote(item) for item in arguments
    )


def _cut(lines: Sequence[str]) -> str:
    shown = [*lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... and {len(lines) - MOST_LINES:,} more lines")
    return "".join(f"{line}\n" for line in shown)


if __name__ == "__main__":
    sys.stdout.write(auditing_page(Path(sys.argv[1])))
