"""Steps of the system `smt-moses`: a user's own Moses, run as programs, never imported.

Words, links and test sets are ours, so that a comparison measures the decoder; the rest is Moses as
it comes: `train-model.perl` from its fourth step on, `lmplz`, `mert-moses.pl`, `moses`. Moses tunes
without a fixed seed, so its model is stored and cannot be made again.
"""

import logging
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.linked import read_linked
from tasks.mining.extraction import LinkedPair
from tasks.smt.config import MOSES
from tasks.smt.moses_text import link_line, moses_line, moses_words
from tasks.smt_references import references_of
from tasks.smt_translate import translation_row
from tasks.step import step

log = logging.getLogger(__name__)

PROGRAMS = ("train-model.perl", "lmplz", "mert-moses.pl", "mert", "moses")
_FOLDER = "@FOLDER@"
"""Stands in stored settings for the folder in which they are used."""
_INI = "moses.ini"
_REORDERING, _ALIGNMENT = "msd-bidirectional-fe", "grow-diag-final-and"

Dev = tuple[tuple[ArtifactRef, ArtifactRef], ...]


def find_programs() -> dict[str, str]:
    """Return where the programs of Moses are.

    Raises:
        InputError: one is not on PATH.
    """
    found = {name: shutil.which(name) for name in PROGRAMS}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        raise InputError(
            f"{MOSES} needs a Moses of your own, and {', '.join(missing)} cannot be found. Build "
            "it (https://github.com/moses-smt/mosesdecoder) with KenLM's lmplz and add the folders "
            "of these programs to PATH, or compare with `smt`, which needs none."
        )
    return {name: place for name, place in found.items() if place is not None}


@step(writes=("moses",), name="moses-train")
def moses_train(
    workspace: Workspace,
    *,
    pairs: tuple[ArtifactRef, ...],
    links: tuple[ArtifactRef, ...],
    dev: Dev,
    lowercase: bool,
) -> ArtifactRef:
    """Train Moses on the linked pairs of all shards, and tune it on the development sets.

    Raises:
        InputError: a program is missing or fails, or there is nothing to learn from.
    """
    programs = find_programs()
    linked = [
        pair
        for shard, its_links in zip(pairs, links, strict=True)
        for pair in read_linked(workspace, shard, its_links)
        if pair[0] and pair[1] and pair[2]
    ]
    if not linked:
        raise InputError("No training sentence has links; there is nothing to learn for Moses.")
    with workspace.scratch() as folder:
        _write_corpus(folder, linked)
        _train(programs, folder)
        if _write_dev(workspace, folder, dev, lowercase):
            _tune(programs, folder)
        files = _model_files(folder)
    return workspace.write_bundle("moses", files, reproducibility="none")


def _write_corpus(folder: Path, linked: Sequence[LinkedPair]) -> None:
    (folder / "model").mkdir()
    _write(folder / "corpus.zh", (moses_line(source) for source, _, _ in linked))
    _write(folder / "corpus.en", (moses_line(target) for _, target, _ in linked))
    _write(folder / "model" / f"aligned.{_ALIGNMENT}", (link_line(found) for _, _, found in linked))


def _write(file: Path, lines: Iterable[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8", "surrogatepass", "\n")


def _train(programs: dict[str, str], folder: Path) -> None:
    model = folder / "lm.arpa"
    order = ["-o", "4", "--discount_fallback", "-T", str(folder / "lm")]
    _run([programs["lmplz"], *order, "--text", str(folder / "corpus.en"), "--arpa", str(model)])
    _run(
        [
            programs["train-model.perl"],
            *("-root-dir", str(folder), "-corpus", str(folder / "corpus"), "-f", "zh", "-e", "en"),
            *("-alignment", _ALIGNMENT, "-reordering", _REORDERING, "-first-step", "4"),
            *("-lm", f"0:4:{model}:8"),
        ]
    )


def _write_dev(workspace: Workspace, folder: Path, dev: Dev, lowercase: bool) -> bool:
    """Write the development sets; False if there is none."""
    sources: list[str] = []
    references: list[list[str]] = []
    for words, lines in dev:
        known = references_of(workspace, lines, lowercase)
        for row in workspace.read_rows(words, ["pair_id", "source_words"]):
            if row["source_words"]:
                sources.append(moses_line(row["source_words"]))
                references.append([moses_line(each) for each in known[row["pair_id"]]])
    if not sources:
        return False
    _write(folder / "dev.zh", sources)
    for number in range(max(map(len, references))):
        texts = (each[min(number, len(each) - 1)] for each in references)
        _write(folder / f"dev.en{number}", texts)
    return True


def _tune(programs: dict[str, str], folder: Path) -> None:
    """Tune by `mert-moses.pl`, and take its settings in the place of those of the training."""
    tuned = folder / "tuned"
    _run(
        [
            programs["mert-moses.pl"],
            *(str(folder / "dev.zh"), str(folder / "dev.en"), programs["moses"]),
            str(folder / "model" / _INI),
            *("--mertdir", str(Path(programs["mert"]).parent), "--working-dir", str(tuned)),
        ]
    )
    shutil.copy(tuned / _INI, folder / "model" / _INI)


def _model_files(folder: Path) -> dict[str, bytes]:
    """Read the settings and the files that they name."""
    settings = (folder / "model" / _INI).read_text("utf-8")
    files = {}
    for file in sorted(folder.rglob("*"), reverse=True):
        named = str(file)
        if named not in settings:
            named = named.removesuffix(".gz")  # Moses finds a packed file under its plain name
        if file.is_file() and file.name != _INI and named in settings:
            flat = file.relative_to(folder).as_posix().replace("/", "+")
            files[flat] = file.read_bytes()
            suffix = str(file).removeprefix(named)
            settings = settings.replace(named, f"{_FOLDER}/{flat.removesuffix(suffix)}")
    files[_INI] = settings.replace(str(folder), _FOLDER).encode()
    return files


@step(writes=("translations",), name="moses-translate")
def moses_translate(
    workspace: Workspace, *, model: ArtifactRef, tagged: ArtifactRef
) -> ArtifactRef:
    """Translate the sentences of a tagged table with a Moses model.

    Raises:
        InputError: a program is missing or fails, or leaves out sentences.
    """
    rows = list(workspace.read_rows(tagged))
    asked = [row for row in rows if row["source_words"]]
    found = iter(_decoded(workspace, model, [row["source_words"] for row in asked]))
    return workspace.write_rows(
        "translations",
        (
            translation_row(row, _decisions(next(found) if row["source_words"] else []), 0.0)
            for row in rows
        ),
        reproducibility="none",
    )


def _decisions(words: Sequence[str]) -> list[dict[str, object]]:
    """Say of each word what Moses tells, which is nothing but the word."""
    return [
        {"word": word, "mode": "word", "slot": -1, "probability": 1.0, "attended": 0}
        for word in words
    ]


def _decoded(
    workspace: Workspace, model: ArtifactRef, sentences: Sequence[Sequence[str]]
) -> list[list[str]]:
    if not sentences:
        return []
    moses = find_programs()["moses"]
    with workspace.scratch() as folder:
        for name, data in workspace.read_bundle(model).items():
            (folder / name).write_bytes(data)
        settings = (folder / _INI).read_text("utf-8").replace(_FOLDER, str(folder))
        (folder / _INI).write_text(settings, "utf-8")
        text = "".join(f"{moses_line(words)}\n" for words in sentences)
        output = _run([moses, "-f", str(folder / _INI)], text)
    lines = output.split("\n")[:-1]
    if len(lines) != len(sentences):
        raise InputError(
            f"moses wrote {len(lines)} lines for {len(sentences)} sentences; expected one line for "
            "each. Run it by hand to see what it says."
        )
    return [moses_words(line) for line in lines]


def _run(command: list[str], text: str = "") -> str:
    """Run a program and return what it writes.

    Raises:
        InputError: it fails.
    """
    name = Path(command[0]).name
    log.info("running %s", name)
    done = subprocess.run(
        command,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(
            f"{name} failed with exit code {done.returncode}: {last[:200]}. Check that your Moses "
            "works by itself and that its temporary folder has space left."
        )
    return done.stdout
