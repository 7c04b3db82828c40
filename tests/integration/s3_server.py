"""A server on this machine that speaks the protocol of S3, for the tests of this folder."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pyarrow import fs

from tests.integration.commands import free_port

START_SECONDS = 60
REGION = "eu-west-1"


@contextmanager
def s3_server() -> Iterator[str]:
    """Start a server on a free port of the loopback interface; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url, server)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=START_SECONDS)


@contextmanager
def s3_bucket(name: str) -> Iterator[None]:
    """Start a server that has a bucket, to which the environment leads."""
    with s3_server() as endpoint, pytest.MonkeyPatch.context() as patch:
        for variable, value in credentials(endpoint).items():
            patch.setenv(variable, value)
        patch.delenv("AWS_ENDPOINT_URL_S3", raising=False)
        fs.S3FileSystem(
            endpoint_override=endpoint.removeprefix("http://"),
            scheme="http",
            region=REGION,
            allow_bucket_creation=True,
        ).create_dir(name)
        yield


def credentials(endpoint: str) -> dict[str, str]:
    """Return the variables that lead to the server."""
    return {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": endpoint,
    }


def _wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server ended at once"
        try:
            with urllib.request.urlopen(f"{url}/moto-api/", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"no server at {url} after {START_SECONDS} s")
