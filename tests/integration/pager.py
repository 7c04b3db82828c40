"""Something on loopback that takes notifications, as a chat or a pager would."""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.integration.prefect_site import Site, wait_until

PATIENCE_SECONDS = 120


@dataclass
class Pager:
    """What was told, oldest first."""

    address: str
    bodies: list[str] = field(default_factory=list)

    def wait_for(self, words: str) -> str:
        """Return the first notification with these words, once it is there."""

        def found() -> list[str]:
            return [body for body in self.bodies if words in body]

        wait_until(lambda: bool(found()), f"{words!r} among {self.bodies}", PATIENCE_SECONDS)
        return found()[0]


@contextlib.contextmanager
def listening() -> Iterator[Pager]:
    """Give a pager on a free port."""
    pager = Pager("")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            pager.bodies.append(self.rfile.read(length).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    pager.address = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield pager
    finally:
        server.shutdown()
        server.server_close()


def make_webhook(site: Site, address: str) -> None:
    """Make the block `webhook/pager`, as a person does in the UI."""
    kind = site.ask("/block_types/slug/webhook")
    schemas = site.ask("/block_schemas/filter", {"block_schemas": None})
    [schema] = [item for item in schemas if item["block_type_id"] == kind["id"]][:1]
    body = {
        "name": "pager",
        "data": {"url": address, "method": "POST"},
        "block_type_id": kind["id"],
        "block_schema_id": schema["id"],
    }
    site.ask("/block_documents/", body)
