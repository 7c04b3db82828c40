"""Something on loopback that takes notifications, as a chat, a pager or a mail server would."""

import contextlib
import email
import email.policy
import http.server
import socketserver
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
            self.wfile.write(b"ok")  # as Slack does

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


@contextlib.contextmanager
def mailbox() -> Iterator[Pager]:
    """Give a mail server on a free port; a body is a mail's subject, receiver and text."""
    pager = Pager("")

    class Handler(socketserver.StreamRequestHandler):
        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

        def handle(self) -> None:
            self.say("220 here")
            for line in self.rfile:
                command = line[:4].upper()
                if command == b"DATA":
                    self.say("354 go on")
                    pager.bodies.append(_mail(iter(self.rfile.readline, b".\r\n")))
                self.say("221 bye" if command == b"QUIT" else "250 well")

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    # The form of Apprise, the library by which Prefect tells chats and mail servers.
    people = "from=pipeline@example.org&to=oncall@example.org"
    pager.address = f"mailto://127.0.0.1:{server.server_address[1]}?{people}&format=text"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield pager
    finally:
        server.shutdown()
        server.server_close()


def _mail(lines: Iterator[bytes]) -> str:
    """Read a mail as it was sent, where a dot at the beginning of a line is doubled."""
    data = b"".join(line.removeprefix(b".") for line in lines)
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert mail.get_content_type() == "text/plain"
    text = mail.get_content().replace("\r\n", "\n")
    return f"{mail['subject']}\n{mail['to']}\n{text}"


def make_webhook(site: Site, address: str) -> None:
    """Make the block `webhook/pager`, as a person does in the UI."""
    make_block(site, "webhook/pager", {"url": address, "method": "POST"})


def make_block(site: Site, name: str, data: dict[str, Any]) -> None:
    """Make a block, as a person does in the UI.

    Args:
        site: of the server.
        name: type and name, as in `[deployment] notify`.
        data: what it holds.
    """
    slug, _, own = name.partition("/")
    kind = site.ask(f"/block_types/slug/{slug}")
    schemas = site.ask("/block_schemas/filter", {"block_schemas": None})
    [schema] = [item for item in schemas if item["block_type_id"] == kind["id"]][:1]
    body = {
        "name": own,
        "data": data,
        "block_type_id": kind["id"],
        "block_schema_id": schema["id"],
    }
    site.ask("/block_documents/", body)
