"""A model in a folder of its own, which translates anywhere without the workspace that made it.

The folder holds the artifacts as a workspace does (the model, and the phrases of a snapshot), files
for people (card, licences, attribution), and `phrasenet-model.json`, which names everything with
its digest. It is written whole or not at all, and nothing in it is believed before it was checked.
"""

import hashlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef, artifact_folder, why_broken
from storage.errors import InputError
from storage.files import explained, fsync_folder, write_flushed
from storage.ledger import canonical_json
from storage.plain_json import UNREADABLE
from storage.workspace import Workspace

MARKER = "phrasenet-model.json"
FORMAT = 1
_KINDS = ("model", "phrases", "rule_counts")
_DIGEST = re.compile(r"[0-9a-f]{32}")
_ID = re.compile(r"[0-9a-f]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """What an export holds beside its files."""

    system: str
    model: ArtifactRef
    memory: tuple[ArtifactRef, ...]
    """Tables of the snapshot that tagging reads; none if no memory was published."""
    settings: Mapping[str, Any]
    """How sentences are tagged and translated: `memory` and `decoding`, as plain JSON."""
    about: Mapping[str, Any]
    """Where it comes from: snapshot, training, time."""

    @property
    def refs(self) -> tuple[ArtifactRef, ...]:
        """Return all artifacts of the folder."""
        return (self.model, *self.memory)


def write_export(
    target: Path, workspace: Workspace, exported: ExportedModel, files: Mapping[str, bytes]
) -> None:
    """Write an export to a folder that is absent or empty.

    Args:
        target: the folder.
        workspace: where the artifacts are.
        exported: what to write.
        files: texts for people, by name.

    Raises:
        InputError: the folder is in use, or lies in the workspace.
        WorkspaceError: the disk is full or cannot be written.
    """
    _must_be_free(target, workspace.root)
    partial = target.parent / f".{target.name}.{uuid.uuid4().hex[:8]}.partial"
    with explained("write", target):
        try:
            partial.mkdir(parents=True)
            for ref in exported.refs:
                place = artifact_folder(partial, ref)
                shutil.copytree(workspace.folder_of(ref), place)
            for name, data in files.items():
                write_flushed(partial / name, data)
            write_flushed(partial / MARKER, _marker(exported, files))
            if target.exists():
                target.rmdir()
            os.replace(partial, target)
            fsync_folder(target.parent)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _must_be_free(target: Path, root: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target} is there already and not empty. Name a new folder.")
    if target.resolve().is_relative_to(root.resolve()):
        raise InputError(
            f"{target} lies in the workspace {root}. Name a folder outside: an export is a copy "
            "to be taken elsewhere."
        )


def _marker(exported: ExportedModel, files: Mapping[str, bytes]) -> bytes:
    value = {
        "format": FORMAT,
        "system": exported.system,
        "model": exported.model.to_json(),
        "memory": [ref.to_json() for ref in exported.memory],
        "settings": dict(exported.settings),
        "about": dict(exported.about),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    return (
        json.dumps({**value, "seal": _seal(value)}, indent=1, ensure_ascii=False).encode() + b"\n"
    )


def _seal(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(dict(value))).hexdigest()


def read_export(folder: Path) -> ExportedModel:
    """Read an export and check every byte of it.

    Raises:
        InputError: the folder is no export, is of a newer format, or was changed.
    """
    exported, files, is_sealed = _described(folder)
    problem = next(_problems(folder, exported, files), None)
    if problem is not None or not is_sealed:
        raise InputError(
            f"The exported model in {folder} is damaged: {problem or f'{MARKER} was changed'}. "
            "Copy the folder again from where it was exported, or export it anew with "
            "`phrasenet models export`."
        )
    return exported


def _described(folder: Path) -> tuple[ExportedModel, Mapping[str, str], bool]:
    """Read what a folder says of itself, its files by digest, and whether that is unchanged."""
    try:
        value = json.loads((folder / MARKER).read_bytes())
        found = value["format"]
        if type(found) is int and found > FORMAT:
            raise InputError(
                f"The exported model in {folder} has format {found}, and this phrasenet knows "
                f"formats up to {FORMAT}. Update phrasenet."
            )
        exported = ExportedModel(
            str(value["system"]),
            _ref(value["model"], "model"),
            tuple(_ref(item) for item in value["memory"]),
            dict(value["settings"]),
            dict(value["about"]),
        )
        files = {str(name): str(digest) for name, digest in value["files"].items()}
        return exported, files, value.pop("seal", "") == _seal(value)
    except InputError:
        raise
    except UNREADABLE as error:
        raise InputError(
            f"{folder} is no exported model: there is no readable {MARKER} in it "
            f"({type(error).__name__}). Name a folder that `phrasenet models export` wrote."
        ) from error


def _ref(value: Mapping[str, Any], *kinds: str) -> ArtifactRef:
    """Read a reference of a file that anybody may have written: it must stay in its folder."""
    ref = ArtifactRef(str(value["kind"]), str(value["digest"]), int(value["rows"]))
    if ref.kind not in (kinds or _KINDS) or not _DIGEST.fullmatch(ref.digest):
        raise ValueError("no reference to an artifact of an export")
    return ref


def _problems(folder: Path, exported: ExportedModel, files: Mapping[str, str]) -> Iterator[str]:
    yield from filter(None, (why_broken(folder, ref) for ref in exported.refs))
    yield from _changed_files(folder, files)


def _changed_files(folder: Path, files: Mapping[str, str]) -> Iterator[str]:
    for name, digest in files.items():
        path = folder / name
        if not _NAME.fullmatch(name):
            yield f"{MARKER} names the file {name!r}"
        elif not path.is_file():
            yield f"{name} is missing"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{name} was changed"


def is_export(name: str) -> bool:
    """Say whether a name is that of a folder, and not the beginning of a model's id."""
    path = Path(name)
    is_folder = path.is_dir() and not _ID.fullmatch(name)
    return os.sep in name or is_folder or (path / MARKER).is_file()


def only_exports(names: Sequence[str]) -> bool:
    """Say whether all names are folders (true) or none is (false).

    Raises:
        InputError: some are and some are not.
    """
    folders = [name for name in names if is_export(name)]
    if folders and len(folders) < len(names):
        other = next(name for name in names if name not in folders)
        raise InputError(
            f"{folders[0]} is a folder and {other!r} the id of a model. Models that translate "
            "together must all be folders, or all be in the workspace."
        )
    return bool(folders)
