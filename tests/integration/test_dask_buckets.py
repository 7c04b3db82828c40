"""Shards on Dask workers that do not see the driver's folder: the workspace is in a bucket."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import fs

from storage.mirror import mirror_of
from tests.integration.commands import TIMEOUT_SECONDS, environment, free_port
from tests.integration.dask_site import Worker, cluster
from tests.integration.s3_server import REGION, credentials, s3_server
from tests.support import ROOT, assert_whole, copy_tiny, edit, refresh_directly

pytest.importorskip("prefect_dask", reason="pip install -e '.[dask]' brings prefect-dask")
pytestmark = [pytest.mark.server, pytest.mark.slow]

BUCKET = "lent"
COMMAND = """
import sys
from flows.cli import main
from tasks.dask_calls import Cluster
Cluster.sees_this_machine = False  # the workers of this test are on this machine after all
sys.exit(main(sys.argv[1:]))
"""
STOPS_ONCE = """
import os, time
from storage import mirror

whole = globals().get("whole", mirror.Mirror._send_artifact)  # Dask may load this twice


def stops_once(self, path, holder):
    if "/links/" not in path:
        return whole(self, path, holder)
    try:
        with open(os.environ["STOP_MARK"], "x") as mark:
            mark.write(str(os.getpid()))
    except FileExistsError:
        return whole(self, path, holder)
    part = next(p for p in sorted((self.root / path).iterdir()) if p.name != mirror.MANIFEST)
    self._store.put(f"{path}/{part.name}", part.read_bytes()[:10])
    time.sleep(3600)


mirror.Mirror._send_artifact = stops_once
"""
"""Preloaded by workers: the first that sends links stops when a part of them is half sent."""


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with s3_server() as endpoint, pytest.MonkeyPatch.context() as patch:
        for name, value in credentials(endpoint).items():
            patch.setenv(name, value)
        fs.S3FileSystem(
            endpoint_override=endpoint.removeprefix("http://"),
            scheme="http",
            region=REGION,
            allow_bucket_creation=True,
        ).create_dir(BUCKET)
        yield credentials(endpoint)


def project(folder: Path, name: str, address: str = "") -> Path:
    """Return the settings of a project whose workspace is in the bucket."""
    settings = copy_tiny(folder / name) / "phrasenet.toml"
    edit(settings, 'path = "workspace"', f'path = "s3://{BUCKET}/{folder.name}"')
    if address:
        edit(settings, "shards = 2", f'shards = 3\nrunner = "dask"\naddress = "{address}"')
    return settings


def refresh(settings: Path, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", COMMAND, "refresh", "-c", str(settings)],
        env=environment(PYTHONPATH=str(ROOT), **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


def lenders(folder: Path, number: int, **variables: str) -> list[Worker]:
    """Return workers with folders of their own, which hold nothing of the project."""
    made = []
    (folder / "preload.py").write_text(STOPS_ONCE)
    for name in map(str, range(number)):
        (folder / name).mkdir()
        options = ("--local-directory", str(folder / name), "--preload", str(folder / "preload.py"))
        made.append(Worker(folder / name, options, variables))
    return made


def kill_who_stopped(mark: Path) -> None:
    while not mark.exists() or not mark.read_text():
        time.sleep(0.05)
    os.kill(int(mark.read_text()), signal.SIGKILL)


def test_workers_elsewhere_give_the_same_memory_though_one_is_killed(
    server: dict[str, str], tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    workers = lenders(tmp_path, 2, **server, STOP_MARK=str(mark))
    with cluster(tmp_path, *workers) as address:
        settings = project(tmp_path, "driver", address)
        threading.Thread(target=kill_who_stopped, args=(mark,), daemon=True).start()
        done = refresh(settings, server)
    assert done.returncode == 0, done.stderr
    assert mark.exists(), "no worker sent links"
    _, here, _ = refresh_directly(copy_tiny(tmp_path / "local") / "phrasenet.toml")

    edit(settings, f'runner = "dask"\naddress = "{address}"', "")
    workspace, there, run = refresh_directly(settings)
    assert there.snapshot == here.snapshot
    assert run.counts["computed"] == 0
    # Another machine finds all that the workers sent, and nothing is left over.
    joined, found, run = refresh_directly(project(tmp_path, "second"))
    assert found.snapshot == here.snapshot
    assert [ref.rows for ref in found.links] == [ref.rows for ref in here.links]
    mirror = mirror_of(joined.root)
    assert mirror is not None
    assert not mirror.arrived
    for path in mirror.seen.artifacts:
        assert mirror.fetch(path), path
    assert_whole(joined.root)
    assert_whole(workspace.root)


def test_a_worker_without_access_is_told_by_name(server: dict[str, str], tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    workers = lenders(tmp_path, 1, **server | {"AWS_ENDPOINT_URL": nowhere})
    with cluster(tmp_path, *workers) as address:
        done = refresh(project(tmp_path, "driver", address), server)
    assert done.returncode == 2
    assert done.stderr.count("phrasenet: ") == 1
    assert "Traceback" not in done.stderr
    assert "phrasenet: Dask worker tcp://127.0.0.1:" in done.stderr
    assert f"The workspace s3://{BUCKET}/{tmp_path.name} cannot be read or written" in done.stderr
