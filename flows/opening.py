"""Open what questions need: settings, workspace and snapshot, without the code of any step."""

from pathlib import Path

from flows.settings import Settings, load_settings
from storage.errors import InputError
from storage.memory import Snapshot
from storage.workspace import Workspace, existing_workspace


def open_settings(settings_file: Path) -> tuple[Settings, Workspace]:
    """Read a settings file and open its workspace, which must be there.

    Raises:
        ConfigError: the settings make no sense.
        WorkspaceError: there is no workspace yet.
    """
    settings = load_settings(settings_file)
    return settings, existing_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )


def workspace_of(settings_file: Path) -> Workspace:
    """Open the workspace of a settings file."""
    return open_settings(settings_file)[1]


def snapshot_of(workspace: Workspace, as_of: str | None) -> Snapshot:
    """Return the current snapshot, or that of a date or of the beginning of an id.

    Raises:
        InputError: nothing was published yet, or there is no such snapshot.
    """
    if as_of is not None:
        return workspace.memory.as_of(as_of)
    head = workspace.memory.head()
    if head is None:
        raise InputError("The phrase memory is empty. Run `phrasenet refresh` first.")
    return head
