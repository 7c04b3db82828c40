"""Run `eflomal`, a separate program under the GPL, as a process of its own (Ostling and Tiedemann
2016). Nothing of it is imported.

It samples without a seed, so its links cannot be made again. What it learned is kept as its file of
priors, with which new pairs are linked without training again.
"""

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from storage.errors import InputError
from tasks.mining.alignment import align, fit_pairs, why_unaligned
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.symmetrise import Link, Links, symmetrise
from tasks.mining.word_table import WordPair, Words

log = logging.getLogger(__name__)

PRIORS = "priors"
_UNUSUAL_SPACE = "\u2581"
"""Stands for white space inside a word, which would end it."""


def train_priors(pairs: Sequence[WordPair], config: AlignmentConfig) -> bytes:
    """Link pairs with `eflomal` and return the priors that it makes of the links.

    Raises:
        InputError: the program is not installed or fails, or no pair can be aligned.
    """
    fit = fit_pairs(pairs, config)
    with _folder() as folder:
        texts = _write_texts(folder, fit)
        files = _align(texts, folder, with_priors=False)
        _read_links(files, len(fit))
        priors = folder / PRIORS
        links = ["-f", str(files[0]), "-r", str(files[1])]
        _run("eflomal-makepriors", [*texts, *links, "-p", str(priors)])
        return priors.read_bytes()


def link_pairs(pairs: Sequence[WordPair], priors: bytes, config: AlignmentConfig) -> list[Links]:
    """Link pairs with priors that were learned before.

    Returns:
        One tuple of links for each pair, `()` where it has an empty or too long side.

    Raises:
        InputError: the program is not installed or fails.
    """
    return _link_fit(pairs, priors, config)


def _link_fit(
    pairs: Sequence[WordPair], priors: bytes | None, config: AlignmentConfig
) -> list[Links]:
    fit = [i for i, (s, t) in enumerate(pairs) if why_unaligned(s, t, config) is None]
    found: list[Links] = [()] * len(pairs)
    if not fit:
        return found
    with _folder() as folder:
        if priors is not None:
            (folder / PRIORS).write_bytes(priors)
        texts = _write_texts(folder, [pairs[i] for i in fit])
        forward, backward = _read_links(_align(texts, folder, priors is not None), len(fit))
    for i, one, other in zip(fit, forward, backward, strict=True):
        found[i] = symmetrise(one, other, config.heuristic)
    return found


def align_once(pairs: Sequence[WordPair], config: AlignmentConfig) -> list[Links]:
    """Train any engine on pairs and link them, and keep no model.

    Returns:
        One tuple of links for each pair, `()` where it has an empty or too long side.

    Raises:
        InputError: no pair can be aligned; for `eflomal`, see `train_priors`.
    """
    if config.engine != "eflomal":
        return align(pairs, config)
    fit_pairs(pairs, config)
    return _link_fit(pairs, None, config)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Give a folder for the files that the program reads and writes."""
    with tempfile.TemporaryDirectory(prefix="phrasenet-eflomal-") as name:
        yield Path(name)


def _write_texts(folder: Path, pairs: Sequence[WordPair]) -> list[str]:
    """Write both sides, one sentence a line, and return the options that name them."""
    options = []
    for side, (name, flag) in enumerate((("source", "-s"), ("target", "-t"))):
        file = folder / name
        file.write_text("".join(f"{_line(pair[side])}\n" for pair in pairs), "utf-8")
        options += [flag, str(file)]
    return options


def _line(words: Words) -> str:
    """Write words so that as many are read: none is empty or holds white space."""
    return " ".join(_UNUSUAL_SPACE.join(word.split()) or _UNUSUAL_SPACE for word in words)


def _align(texts: list[str], folder: Path, with_priors: bool) -> tuple[Path, Path]:
    files = folder / "forward", folder / "backward"
    given = ["-p", str(folder / PRIORS)] if with_priors else []
    options = [*texts, "-f", str(files[0]), "-r", str(files[1]), "--overwrite", *given]
    _run("eflomal-align", options)
    return files


def _read_links(files: tuple[Path, Path], lines: int) -> tuple[list[list[Link]], list[list[Link]]]:
    """Read the links of both directions, both written `(source index, target index)`."""
    found = []
    for file in files:
        read = [
            [(int(s), int(t)) for s, _, t in (link.partition("-") for link in line.split())]
            for line in file.read_text("utf-8").splitlines()
        ]
        if len(read) != lines:
            raise InputError(
                f"eflomal wrote links for {len(read)} of {lines} pairs; expected one line "
                "for each. Check that its temporary folder has space left, and run again."
            )
        found.append(read)
    return found[0], found[1]


def _run(program: str, options: list[str]) -> None:
    """Run one of the programs; its parts find each other beside it.

    Raises:
        InputError: it is not installed, or it fails.
    """
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = shutil.which(program, path=beside)
    if command is None:
        raise InputError(
            f'alignment.engine is "eflomal", but the program {program} is not installed. '
            "Install it with `pip install eflomal` (GPL, compiled in about a minute), "
            "or choose another engine."
        )
    path = os.pathsep.join([str(Path(command).parent), beside])
    log.info("running %s", program)
    done = subprocess.run(
        [command, *options],
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(
            f"{program} failed with exit code {done.returncode}: {last[:200]}. "
            "Check that its temporary folder has space left, or choose another alignment.engine."
        )
