"""COMET (Rei et al. 2020) by its own command, where a person has it and a model file at hand.

COMET 2 wants numpy 1, which nothing here runs with, so it lives in an environment of its own and
its command `comet-score` is called. Nothing is downloaded: the checkpoint is a file of this
machine, and the libraries below are told to stay offline.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from storage.errors import InputError
from tasks.metrics.bleu import References, Score, checked_references

COMMAND = "comet-score"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def comet_score(
    sources: Sequence[str], hypotheses: Sequence[str], references: References, checkpoint: Path
) -> Score:
    """Score translations with a COMET model against the first set of references.

    Args:
        sources: source text of each sentence.
        hypotheses: translation of each sentence.
        references: one or more sets of references; the first must be complete.
        checkpoint: the file of the model, which ends with `.ckpt`.

    Raises:
        InputError: COMET or the model is not there, the texts do not fit together, or COMET failed.
    """
    command = _command()
    if not checkpoint.is_file() or checkpoint.suffix != ".ckpt":
        raise InputError(
            f"--comet {checkpoint}: expected the file of a COMET model, such as "
            "wmt22-comet-da/checkpoints/model.ckpt. Bring the model; nothing is fetched here."
        )
    first = checked_references(hypotheses, references)[0]
    if len(sources) != len(hypotheses) or None in first:
        raise InputError(
            f"COMET: {len(hypotheses)} translations, {len(sources)} sources and "
            f"{sum(text is not None for text in first)} first references; it needs all three of "
            "each sentence. Complete the files."
        )
    texts = {"src": sources, "mt": hypotheses, "ref": [text or "" for text in first]}
    with tempfile.TemporaryDirectory() as folder:
        values = _run(command, texts, checkpoint, Path(folder))
    made = f"model:{checkpoint.parent.parent.name or checkpoint.stem}|{checkpoint.name}"
    return Score("COMET", sum(values) / len(values), f"{made}|ref:first of {len(references)}")


def _command() -> str:
    found = shutil.which(COMMAND)
    if found is None:
        raise InputError(
            f"--comet: the command {COMMAND} is not on PATH. Make an environment for it, since it "
            "wants an older numpy: `python -m venv comet && comet/bin/pip install unbabel-comet`, "
            "and put comet/bin on PATH."
        )
    return found


def _run(
    command: str, texts: dict[str, Sequence[str]], checkpoint: Path, folder: Path
) -> list[float]:
    for name, lines in texts.items():
        whole = (" ".join(line.split()) for line in lines)
        (folder / name).write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
    answer = folder / "answer.json"
    files = ("-s", folder / "src", "-t", folder / "mt", "-r", folder / "ref")
    how = ("--model", checkpoint.resolve(), "--gpus", "0", "--quiet", "--only_system")
    done = subprocess.run(
        [command, *map(str, files), *map(str, how), "--to_json", str(answer)],
        env=os.environ | _OFFLINE,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not answer.exists():
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise InputError(
            f"{COMMAND} failed ({done.returncode}): {' '.join(said)[:300]}. Try it by itself."
        )
    (segments,) = json.loads(answer.read_text(encoding="utf-8")).values()
    return [float(segment["COMET"]) for segment in segments]
