"""What this machine brings with it: Python, packages, processors, memory, optional programs."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["ok", "note", "lacking"]

LOCK = Path(__file__).parent.parent / "requirements.lock"
_MEMORY_INFO = Path("/proc/meminfo")
_LEAST_PYTHON = (3, 11)
_LEAST_MEMORY_GIB = 2.0
_PIN = re.compile(r"([A-Za-z0-9._-]+)==([^\s;]+)")
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")
_OPTIONAL: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "eflomal",
        ("eflomal-align", "eflomal"),
        'only alignment.engine = "eflomal" needs it',
        "pip install 'phrasenet[eflomal]'",
    ),
    (
        "browser",
        ("chromium", "chromium-browser", "google-chrome"),
        "only tests of pages need it",
        "apt-get install chromium",
    ),
    ("git", ("git",), "only work on phrasenet itself needs it", "apt-get install git"),
)
"""Subject, programs of which one is enough, what needs it, and how to get it."""
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
_CHINESE_FONT = re.compile(r"cjk|wqy|han|song|hei|ming|uming|ukai|droidsansfallback", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one subject."""

    subject: str
    state: State
    """`lacking` is something that is needed; `note` is worth knowing."""
    detail: str
    remedy: str = ""
    """The command that mends it."""


def machine_findings() -> Iterator[Finding]:
    """Yield what was found of the machine itself."""
    yield _python()
    yield from _packages()
    yield _processors()
    yield _memory()
    for subject, programs, need, remedy in _OPTIONAL:
        found = next(filter(None, map(shutil.which, programs)), None)
        if found is None:
            yield Finding(subject, "note", f"not installed; {need}", remedy)
        else:
            yield Finding(subject, "ok", found)
    yield _fonts()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _LEAST_PYTHON:
        return Finding("python", "lacking", version, "make setup PYTHON=python3.12")
    return Finding("python", "ok", f"{version}, {sys.executable}")


def _packages() -> Iterator[Finding]:
    """Compare what is installed with what is needed, and with the versions that are tested."""
    needed = _needed()
    missing = [name for name in needed if _version(name) is None]
    if missing:
        yield Finding("packages", "lacking", f"not installed: {', '.join(missing)}", "make setup")
    else:
        yield Finding("packages", "ok", f"all {len(needed)} that are needed are installed")
    pinned = dict(_PIN.findall(LOCK.read_text("utf-8"))) if LOCK.is_file() else {}
    found = {name: _version(name) for name in pinned}
    other = [
        f"{name} {found[name]} (tested: {version})"
        for name, version in pinned.items()
        if found[name] is not None and str(found[name]).partition("+")[0] != version
    ]
    if other:
        remedy = f"pip install -r {LOCK.name} -e ."
        yield Finding("versions", "note", "not those of the lock file: " + ", ".join(other), remedy)
    elif pinned:
        yield Finding("versions", "ok", "those of the lock file")


def _needed() -> list[str]:
    """Return the distributions that phrasenet itself asks for, without its extras."""
    try:
        asked = importlib.metadata.requires("phrasenet") or []
    except importlib.metadata.PackageNotFoundError:
        return ["phrasenet"]
    names = (_REQUIREMENT.match(text) for text in asked if "extra ==" not in text)
    return [match.group() for match in names if match]


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processors() -> Finding:
    cores = len(os.sched_getaffinity(0))
    if importlib.util.find_spec("torch") is None:
        return Finding("processors", "lacking", "torch is not installed", "make setup")
    try:
        from model.machine import devices

        seen = devices()
    except (ImportError, OSError) as error:
        first = str(error).splitlines()[0]
        return Finding("processors", "lacking", f"torch cannot be loaded: {first}", "make setup")
    threads = f"{cores} cores, torch uses {seen.threads} threads"
    if seen.gpus:
        return Finding("processors", "ok", f"{threads}; GPU: {', '.join(seen.gpus)}")
    if any(Path("/dev").glob("nvidia[0-9]*")):
        return Finding(
            "processors",
            "note",
            f"{threads}; there is a GPU that torch cannot use",
            "make setup PIP_ARGS=... with a CUDA build of torch, and a driver that fits it",
        )
    return Finding("processors", "ok", f"{threads}; no GPU")


def _memory() -> Finding:
    try:
        lines = _MEMORY_INFO.read_text("utf-8").splitlines()
    except OSError:
        return Finding("memory", "note", "this system does not say how much memory is free")
    kib = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
    total, free = (kib.get(name, 0) / (1 << 20) for name in ("MemTotal", "MemAvailable"))
    detail = f"{free:,.1f} GiB of {total:,.1f} GiB are free"
    if free < _LEAST_MEMORY_GIB:
        remedy = "end other programs, or lower execution.query_memory and execution.workers"
        return Finding("memory", "note", detail, remedy)
    return Finding("memory", "ok", detail)


def _fonts() -> Finding:
    for folder in _FONTS:
        for path in Path(folder).expanduser().rglob("*.[to]t[fc]"):
            if _CHINESE_FONT.search(path.name):
                return Finding("fonts", "ok", f"Chinese: {path.name}")
    return Finding(
        "fonts",
        "note",
        "no Chinese font; only screenshots of pages on this machine need one",
        "apt-get install fonts-noto-cjk",
    )
