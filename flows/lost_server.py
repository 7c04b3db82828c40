"""A Prefect server that is lost while a flow runs: what is said, and what is not waited for.

Steps need no server, so a run comes to its end without one; only Prefect does not hear of it. Its
client asks again for a minute. What it could not deliver until then would be tried again for
seconds an event, for many minutes in all, before the process may end.
"""

import contextlib
import logging
from collections.abc import Iterator

import httpx

from storage.errors import PhrasenetError, WorkspaceError
from storage.secret_urls import without_secrets


@contextlib.contextmanager
def unsent_logs_untold() -> Iterator[None]:
    """Say nothing of lines of the log that could not be sent: no news for the terminal."""
    before = logging.raiseExceptions
    logging.raiseExceptions = False
    try:
        yield
    finally:
        logging.raiseExceptions = before


@contextlib.contextmanager
def loss_told(url: str) -> Iterator[None]:
    """Tell that the server was lost; what went wrong in the flow itself is told in its place.

    Args:
        url: of the API.

    Raises:
        WorkspaceError: the server was lost.
    """
    try:
        yield
    except httpx.TransportError as error:
        own = _own_error(error)
        if own is not None:
            raise own from None
        raise WorkspaceError(
            f"The Prefect server at {without_secrets(url)} was lost during the run "
            f"({type(error).__name__}), so Prefect does not know how it ended. What was finished "
            "is kept: run the same command again, and only what is left runs. A server of your own "
            "has to be started before."
        ) from error


def _own_error(error: BaseException) -> PhrasenetError | None:
    """Return the error of the flow that Prefect could not report."""
    context = error.__context__
    while context is not None and not isinstance(context, PhrasenetError):
        context = context.__context__
    return context


def drop_undelivered() -> None:
    """Forget logs and events that nobody is there to take, so that the process may end."""
    from prefect.events.worker import EventsWorker

    # Of all services; Prefect has no public way to end one without its queue.
    for service in tuple(EventsWorker._instances.values()):  # type: ignore[misc]
        if service._task is not None and service._loop is not None:
            service._loop.call_soon_threadsafe(service._task.cancel)
