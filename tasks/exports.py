"""Files that commands write for others: recorded, so that a withdrawal can name what it does not
reach."""

import logging
from collections.abc import Iterable
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.digests import file_digest
from storage.errors import WorkspaceError
from storage.exports import Export
from storage.ledger import KEY_MARK
from storage.moments import this_moment
from storage.workspace import Workspace
from tasks.pending_records import say

log = logging.getLogger(__name__)

_NAME_DIGITS = 32


def record_export(
    workspace: Workspace,
    path: Path,
    what: str,
    artifacts: Iterable[ArtifactRef],
    *,
    content: Path | None = None,
) -> None:
    """Record a file or folder that was just written from some artifacts.

    Args:
        workspace: whose text the file holds.
        path: the file or folder.
        what: what it is, such as `memory as tbx`.
        artifacts: what it was made from.
        content: of a folder, the file that names the rest of it by digest.
    """
    refs = tuple(dict.fromkeys(artifacts))
    try:
        _record(workspace, str(path.resolve()), what, refs, file_digest(content or path))
    except WorkspaceError as error:  # a workspace that can only be read still exports
        log.warning("%s was written, and could not be recorded: %s", path, error)


def _record(
    workspace: Workspace, path: str, what: str, refs: tuple[ArtifactRef, ...], content: str
) -> None:
    name = workspace.ledger.keyed_hash(f"export\0{path}")
    now = this_moment()
    workspace.exports.keep(name[:_NAME_DIGITS], Export(path, what, now, refs))
    body = {
        "decision": "export",
        "path": name,
        KEY_MARK: workspace.ledger.key_mark(),
        "content": content,
        "what": what,
        "artifacts": [ref.to_json() for ref in refs],
    }
    say(workspace, "decision", body)
