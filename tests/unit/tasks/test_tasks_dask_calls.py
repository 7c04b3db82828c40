"""Shards on a Dask cluster: what is decided without one. `tests/integration` has real workers."""

import sys
from typing import Any

import pytest

from storage.errors import ConfigError, WorkspaceError
from tasks import dask_calls
from tasks.dask_calls import Cluster, _arguments, _result, is_straggler
from tasks.execution import ExecutionConfig, is_of_this_machine


@pytest.mark.parametrize(
    ("running", "finished", "expected"),
    [
        (1000.0, [], False),  # nothing to compare with
        (59.0, [1.0, 1.0], False),  # short shards may wait a minute
        (61.0, [1.0, 1.0], True),
        (200.0, [100.0, 90.0, 110.0], False),
        (301.0, [100.0, 90.0, 110.0], True),
        (301.0, [100.0, 100.0, 5000.0], True),  # another straggler does not hide it
    ],
)
def test_a_straggler_runs_three_times_as_long_as_half_of_the_others(
    running: float, finished: list[float], expected: bool
) -> None:
    assert is_straggler(running, finished) is expected


def test_options_of_a_cluster_are_read_as_toml_and_else_as_text() -> None:
    options = ("queue=cpu", "cores=8", "memory = 16GB", "nanny=false", 'extra=["--x=1"]')
    config = ExecutionConfig(
        runner="dask", workers=3, cluster="dask_jobqueue.SLURMCluster", cluster_options=options
    )
    made = _arguments(config)
    assert made["cluster_class"] == "dask_jobqueue.SLURMCluster"
    assert made["cluster_kwargs"] == {
        "n_workers": 3,
        "queue": "cpu",
        "cores": 8,
        "memory": "16GB",
        "nanny": False,
        "extra": ["--x=1"],
    }


def test_a_cluster_of_this_machine_listens_to_this_machine_only() -> None:
    made = _arguments(ExecutionConfig(runner="dask"))["cluster_kwargs"]
    assert made["host"] == "127.0.0.1"
    assert made["dashboard_address"] is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"runner": "ray"}, 'expected "local" or "dask"'),
        ({"address": "tcp://a:1"}, 'has no effect while execution.runner is "local"'),
        ({"cluster_options": ("a=1",)}, "cluster_options has no effect"),
        (
            {"runner": "dask", "address": "tcp://a:1", "cluster_options": ("a=1",)},
            "there already",
        ),
        ({"runner": "dask", "cluster_options": ("cores",)}, 'expected "name=value"'),
        ({"runner": "dask", "cluster_options": ("a b=1",)}, 'expected "name=value"'),
        ({"wait_for_workers": -1.0}, "must be 0 or more"),
    ],
)
def test_settings_without_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ExecutionConfig(**settings)


def test_without_dask_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("prefect_dask", "prefect_dask.task_runners"):
        monkeypatch.setitem(sys.modules, name, None)
    with (
        Cluster(ExecutionConfig(runner="dask")) as cluster,
        pytest.raises(ConfigError, match=r"pip install 'phrasenet\[dask\]'"),
    ):
        cluster.runner()


@pytest.mark.parametrize(
    "settings", [{"address": "tcp://10.0.0.5:8786"}, {"cluster": "dask_jobqueue.SLURMCluster"}]
)
def test_workers_elsewhere_need_a_server_that_they_reach(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = ExecutionConfig(runner="dask", **settings)
    # A command that starts a private server sets the variable, too.
    for url in ("", "http://127.0.0.1:46795/api"):
        monkeypatch.setenv("PREFECT_API_URL", url)
        with pytest.raises(ConfigError, match="set PREFECT_API_URL"):
            dask_calls._check_api(config)
    monkeypatch.setenv("PREFECT_API_URL", "http://10.0.0.2:4200/api")
    dask_calls._check_api(config)


class KilledWorker(Exception):
    """Named like Dask's."""


class _Future:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def result(self) -> Any:
        raise self._error


class _Call:
    label = "mine laws 3/4"


def test_a_shard_that_kills_its_workers_is_told_by_name() -> None:
    call: Any = _Call()
    with pytest.raises(WorkspaceError, match=r"mine laws 3/4: every worker .* execution.shards"):
        _result(call, _Future(KilledWorker("gone")))
    with pytest.raises(OSError, match="disk"):
        _result(call, _Future(OSError("disk")))


@pytest.mark.parametrize(
    ("address", "is_here"),
    [
        ("tcp://127.0.0.1:8786", True),
        ("127.0.0.2:8786", True),
        ("tls://localhost:8786", True),
        ("LOCALHOST:8786", True),
        ("http://[::1]:4200/api", True),
        ("http://my-localhost.example:4200/api", False),
        ("tcp://localhost.example:8786", False),
        ("http://other:4200/127.0.0.1", False),
        ("tcp://10.127.0.0.1:8786", False),
        ("tcp://10.0.0.5:8786", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_only_a_host_of_the_loopback_is_this_machine(address: str, is_here: bool) -> None:
    assert is_of_this_machine(address) is is_here
