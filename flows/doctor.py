"""What `phrasenet doctor` looks at: the machine, the programs, the workspace, the server.

Nothing is changed, and nothing is fetched; the only thing that may be asked is the Prefect server
that the user named, for two seconds.
"""

import os
import shutil
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from flows.machine import Finding, machine_findings
from flows.settings import DEFAULT_FILE, Settings, load_settings
from model.device_names import kind_of
from storage.errors import PhrasenetError
from storage.lease import LEASE, holder_of
from storage.secret_urls import without_secrets
from storage.workspace import Workspace, existing_workspace

_SERVER_SECONDS = 2.0
_GIB = 1 << 30
_LEAST_DISK_GIB, _USUAL_DISK_GIB = 1.0, 10.0


def examine(settings_file: Path) -> Iterator[Finding]:
    """Yield what was found, one subject after the other; no error of one hides the others."""
    yield from machine_findings()
    yield _prefect_server()
    settings, found = _settings(settings_file)
    yield found
    folder = settings.workspace_path if settings is not None else Path.cwd()
    yield _disk(folder)
    if settings is not None:
        yield from _devices(settings)
        yield from _workspace(settings)


def _settings(path: Path) -> tuple[Settings | None, Finding]:
    if not path.exists() and path == Path(DEFAULT_FILE):
        detail = f"there is no {DEFAULT_FILE} here; name yours with -c FILE to have it checked"
        return None, Finding("settings", "note", detail, "phrasenet init DIR")
    try:
        return load_settings(path), Finding("settings", "ok", str(path))
    except PhrasenetError as error:
        return None, Finding("settings", "lacking", str(error), f"mend {path}")


def _devices(settings: Settings) -> Iterator[Finding]:
    """Yield the devices that the settings name and that are not here."""
    if all(kind_of(name) == "cpu" for name in (settings.training.device, settings.decoding.device)):
        return
    from flows.devices import missing_devices

    for setting, problem in missing_devices(settings).items():
        known = "Results that were computed elsewhere can be used all the same."
        yield Finding(setting, "note", f"{problem} {known}")


def _disk(folder: Path) -> Finding:
    place = next(path for path in (folder, *folder.parents) if path.exists())
    usage = shutil.disk_usage(place)
    free = usage.free / _GIB
    detail = f"{free:,.1f} GiB of {usage.total / _GIB:,.1f} GiB are free at {place}"
    if free < _LEAST_DISK_GIB:
        return Finding("disk", "lacking", detail, "phrasenet maintain, or free some space")
    if free < _USUAL_DISK_GIB:
        more = f"{detail}; a corpus of a million pairs needs about {_USUAL_DISK_GIB:.0f}"
        return Finding("disk", "note", more, "phrasenet maintain --dry-run")
    return Finding("disk", "ok", detail)


def _prefect_server() -> Finding:
    url = os.environ.get("PREFECT_API_URL", "")
    if not url:
        detail = "a private one is started for each run (PREFECT_API_URL is not set)"
        return Finding("prefect server", "ok", detail)
    shown = without_secrets(url)
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=_SERVER_SECONDS) as answer:
            healthy = answer.status == 200
    except (OSError, ValueError):
        healthy = False
    if healthy:
        return Finding("prefect server", "ok", f"{shown} answers")
    return Finding(
        "prefect server",
        "lacking",
        f"nothing answers at PREFECT_API_URL, {shown}",
        "prefect server start, or unset PREFECT_API_URL to use a private one",
    )


def _workspace(settings: Settings) -> Iterator[Finding]:
    try:
        workspace = existing_workspace(
            settings.workspace_path, settings.execution.engine, settings.workspace.remote
        )
    except PhrasenetError as error:
        there = settings.workspace_path.exists()
        state: Literal["lacking", "note"] = "lacking" if there else "note"
        yield Finding("workspace", state, str(error), f"phrasenet run -c {settings.file}")
        return
    yield Finding("workspace", "ok", str(workspace.root))
    for subject, look, remedy in _LOOKS:
        try:
            problem = next(iter(look(workspace)), None)
        except PhrasenetError as error:
            problem = str(error)
        if problem is None:
            yield Finding(subject, "ok", _WELL[subject](workspace))
        else:
            state = "note" if subject == "lease" else "lacking"
            yield Finding(subject, state, problem, remedy)


def _rights(workspace: Workspace) -> Iterator[str]:
    folders = ("warehouse", "ledger", "memory", "models", "cache")
    for folder in (workspace.root, *(workspace.root / name for name in folders)):
        if folder.exists() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield f"{folder} cannot be written to by this user"


def _lease(workspace: Workspace) -> Iterator[str]:
    holder = holder_of(workspace.root)
    if holder:
        yield f"{LEASE}: {holder}"


def _head(workspace: Workspace) -> Iterator[str]:
    head = workspace.memory.head()
    refs = (*head.tables, head.evidence) if head is not None else ()
    yield from filter(None, map(workspace.why_broken, refs))


def _production(workspace: Workspace) -> Iterator[str]:
    current = workspace.production.current()
    if current is not None:
        broken = workspace.why_broken(workspace.registry.find(current).ref)
        if broken is not None:
            yield broken


_Look = Callable[[Workspace], Iterator[str]]
_LOOKS: tuple[tuple[str, _Look, str], ...] = (
    ("rights", _rights, "chown or chmod the workspace, or use another one"),
    ("lease", _lease, "wait until it has finished, or give --wait SECONDS"),
    ("ledger", lambda workspace: workspace.ledger.problems(), "phrasenet audit verify"),
    ("memory", _head, "phrasenet refresh"),
    ("production", _production, "phrasenet models rollback --reason TEXT"),
)
_WELL: Mapping[str, Callable[[Workspace], str]] = {
    "rights": lambda _: "all folders can be written to",
    "lease": lambda _: "nobody writes to the workspace now",
    "ledger": lambda _: "every record follows from the one before",
    "memory": lambda workspace: _published(workspace),
    "production": lambda workspace: _promoted(workspace),
}


def _published(workspace: Workspace) -> str:
    head = workspace.memory.head()
    if head is None:
        return "nothing was published yet"
    return f"the current snapshot {head.snapshot_id[:12]} is whole"


def _promoted(workspace: Workspace) -> str:
    current = workspace.production.current()
    return f"model {current[:12]} is whole" if current else "no model is in production"
