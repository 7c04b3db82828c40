"""The one tree of errors that users may see; each says what, where, what was expected and what to
do.

`model` cannot import this room, so its configs raise `ValueError`; the settings loader and the
steps turn those into `ConfigError` (see docs/adr/0006-errors.md).
"""


class PhrasenetError(Exception):
    """Base of every error that is the user's to mend; the command line exits with 2."""


class InputError(PhrasenetError):
    """A file that the user gave is not what it should be."""


class ConfigError(PhrasenetError):
    """A setting is unknown, has the wrong type or makes no sense."""


class WorkspaceError(PhrasenetError):
    """The workspace cannot be read or written: missing, read-only, full or of another schema."""


class WorkspaceBusy(WorkspaceError):
    """Another process holds the lease of the workspace."""


class MissingArtifact(WorkspaceError):
    """An artifact that a record points to is gone or damaged."""
