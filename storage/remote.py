"""Files on S3, or on a server that speaks its protocol, as streams of bytes.

Credentials, region and endpoint come from the environment: `AWS_ACCESS_KEY_ID`,
`AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION` or `AWS_DEFAULT_REGION`, and
`AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` for a server other than Amazon's. Nothing here writes.
"""

import hashlib
import io
import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from storage.digests import DIGEST_LENGTH
from storage.errors import InputError
from storage.secret_urls import without_secrets

if TYPE_CHECKING:
    from pyarrow import fs

SCHEME = "s3://"
CONNECT_SECONDS = 10.0
_ENVIRONMENT = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
)


def is_remote(name: str) -> bool:
    """Say whether a name is that of a file on S3."""
    return name.startswith(SCHEME)


def open_stream(name: str) -> io.RawIOBase:
    """Open a file on S3 for reading from its beginning.

    Raises:
        FileNotFoundError: there is no such file.
        OSError: the server cannot be reached or refuses.
    """
    return _Raw(_filesystem().open_input_stream(_key(name)))


def open_random(name: str) -> Any:
    """Open a file on S3 for reading at any place, for formats with a table of contents."""
    return _filesystem().open_input_file(_key(name))


def remote_digest(name: str) -> str:
    """Return a digest that changes with the content of a file on S3, without reading it.

    It is made of the size and the entity tag, which the server changes with every new content.

    Raises:
        InputError: the file is not there, or the server cannot be asked.
    """
    try:
        with _filesystem().open_input_file(_key(name)) as file:
            facts = {key: _text(value) for key, value in file.metadata().items()}
            size = file.size()
    except FileNotFoundError:
        raise InputError(
            f"{name}: no such file. Check the bucket and the key; the endpoint is {_endpoint()}."
        ) from None
    except OSError as error:
        raise InputError(
            f"{name}: cannot be read from {_endpoint()}: {_first_sentence(error)}. Set "
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_ENDPOINT_URL for a "
            "server other than Amazon's."
        ) from None
    tag = facts.get("ETag") or facts.get("Last-Modified", "")
    return hashlib.sha256(f"{tag}\0{size}".encode()).hexdigest()[:DIGEST_LENGTH]


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _first_sentence(error: OSError) -> str:
    return without_secrets(str(error).splitlines()[0].rstrip("."))


def _key(name: str) -> str:
    bucket, _, key = name.removeprefix(SCHEME).partition("/")
    if not bucket or not key:
        raise InputError(f"{name}: expected s3://BUCKET/KEY. Mend the path.")
    return f"{bucket}/{key}"


def _endpoint() -> str:
    given = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    return without_secrets(given or "Amazon S3")


def _filesystem() -> "fs.S3FileSystem":
    return _connected(tuple(os.environ.get(name, "") for name in _ENVIRONMENT))


@lru_cache(maxsize=4)
def _connected(environment: tuple[str, ...]) -> "fs.S3FileSystem":
    from pyarrow import fs  # slow to import, and most workspaces need none of it

    said = dict(zip(_ENVIRONMENT, environment, strict=True))
    endpoint = said["AWS_ENDPOINT_URL_S3"] or said["AWS_ENDPOINT_URL"]
    options: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS}
    if endpoint:
        options["scheme"], _, options["endpoint_override"] = endpoint.rstrip("/").rpartition("://")
        options["scheme"] = options["scheme"] or "https"
    region = said["AWS_REGION"] or said["AWS_DEFAULT_REGION"]
    if region or endpoint:
        options["region"] = region or "us-east-1"
    return fs.S3FileSystem(**options)


class _Raw(io.RawIOBase):
    """A stream of Arrow as one of Python."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._stream.read(len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
