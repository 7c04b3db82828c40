"""Hand OpenLineage events to a file or to a server, through the official client."""

from collections.abc import Iterable
from pathlib import Path

from openlineage.client.client import OpenLineageClient
from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.transport.http import HttpConfig, HttpTransport

from storage.errors import InputError
from storage.files import explained, write_bytes
from storage.openlineage import Event
from storage.secret_urls import without_secrets

TIMEOUT_SECONDS = 10.0


def write_events(events: Iterable[Event], path: Path) -> int:
    """Write events to a file, one JSON object a line, replacing what was there; returns how many.

    Raises:
        WorkspaceError: the file cannot be written.
    """
    write_bytes(path, b"")
    client = OpenLineageClient(
        transport=FileTransport(FileConfig(log_file_path=str(path), append=True))
    )
    number = 0
    with explained("write", path):
        for event in events:
            client.emit(event)
            number += 1
    return number


def send_events(events: Iterable[Event], url: str) -> int:
    """Send events to a server that speaks OpenLineage; returns how many it took.

    Args:
        events: in their order.
        url: of the server, without the endpoint.

    Raises:
        InputError: it does not answer, or refuses an event; those before it were taken.
    """
    if not url.startswith(("http://", "https://")):
        raise InputError(
            f"{without_secrets(url)}: expected the address of a server, such as http://localhost:5000."
        )
    config = HttpConfig(url=url, timeout=TIMEOUT_SECONDS, retry={"total": 0})
    client = OpenLineageClient(transport=HttpTransport(config))
    number = 0
    for event in events:
        try:
            client.emit(event)
        except Exception as error:  # the client lets through what its HTTP library raises
            raise InputError(
                f"{without_secrets(url)} took {number:,} events and then failed: "
                f"{type(error).__name__}. Check the address, and go on with --since after what it "
                "has."
            ) from error
        number += 1
    return number
