"""One question of a person, for which many small queries run: they share a connection."""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import replace

from storage.engine import Connection
from storage.workspace import Workspace


@contextlib.contextmanager
def asking(workspace: Workspace) -> Iterator[Workspace]:
    """Give a workspace whose queries share one connection, since to open one takes longer than
    most of them; streams and what is written keep their own.

    It may be used by one thread only.
    """
    temporary = workspace.root / "tmp" / uuid.uuid4().hex
    with contextlib.closing(Connection(workspace.engine, temporary)) as connection:
        yield replace(workspace, connection=connection)
