"""One flow run started from the command line: who is told, and that no record of it is lost."""

import json
import logging
import signal
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from flows import driver
from flows.evaluate import evaluate_flow
from flows.experiment import experiment_flow
from flows.lost_server import drop_undelivered, loss_told, unsent_logs_untold
from flows.maintain import maintain_flow
from flows.private_server import is_healthy
from flows.refresh_memory import refresh_phrase_memory
from flows.retrain import retrain_flow
from flows.whole import run_flow
from tasks.observer import Observer

log = logging.getLogger(__name__)

DRAIN_TIMEOUT_SECONDS = 60
_POLL_SECONDS = 0.2
_ENDED = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
_FLOWS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "run": run_flow,
    "refresh": refresh_phrase_memory,
    "retrain": retrain_flow,
    "evaluate": evaluate_flow,
    "experiment": experiment_flow,
}


def run_in_session(
    name: str, observer: Observer, url: str, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Run a flow whose driver already holds the lease, and wait until its server knows all of
    it.

    Args:
        name: the command's name of the flow.
        observer: who is told.
        url: of the API.
        parameters: of the flow.
    """
    driver.observer.set(observer)
    driver.lease_is_held.set(True)
    asked_to_stop = _watch_for_interrupts()
    driver.stop.set(asked_to_stop)
    with unsent_logs_untold():
        try:
            with loss_told(url):
                summary = _FLOWS[name](**parameters)
        finally:
            _hand_over()
    asked_to_stop()
    task_runs = summary["computed"] + summary["reused"] + summary.get("cells", 0)
    _wait_for_records(url, summary["flow_run"], task_runs)
    return summary


def maintain_in_session(settings_file: str, *, dry_run: bool) -> dict[str, Any]:
    """Run the flow `maintain`, whose caller holds the lease."""
    driver.lease_is_held.set(True)
    try:
        summary: dict[str, Any] = maintain_flow(settings_file=settings_file, dry_run=dry_run)
    finally:
        _hand_over()
    return summary


def _watch_for_interrupts() -> Callable[[], None]:
    """Remember Ctrl-C and SIGTERM, since the exception can get lost in a callback of a library.

    Returns:
        A function that raises `KeyboardInterrupt` if there was one.
    """
    asked = threading.Event()

    def remember(number: int, frame: object) -> None:
        asked.set()
        raise KeyboardInterrupt

    def stop() -> None:
        if asked.is_set():
            raise KeyboardInterrupt

    for asking in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asking, remember)
    return stop


def _hand_over() -> None:
    """Send Prefect's pending logs and events while its server is still there to take them."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker
    from prefect.settings import PREFECT_API_URL

    if not is_healthy(str(PREFECT_API_URL.value())):
        drop_undelivered()
    APILogWorker.drain_all(timeout=DRAIN_TIMEOUT_SECONDS)
    EventsWorker.drain_all(timeout=DRAIN_TIMEOUT_SECONDS)


def _wait_for_records(url: str, flow_run: str, expected: int) -> None:
    """Wait until all task runs of a flow run are recorded: events arrive after the tasks end."""
    deadline = time.monotonic() + DRAIN_TIMEOUT_SECONDS
    question = {
        "flow_runs": {"id": {"any_": [flow_run]}},
        "task_runs": {"state": {"type": {"any_": list(_ENDED)}}},
    }
    while time.monotonic() < deadline:
        if _ask(f"{url}/task_runs/count", question) >= expected:
            return
        time.sleep(_POLL_SECONDS)
    log.warning("Prefect's server has not recorded all %d task runs of %s", expected, flow_run)


def _ask(url: str, question: dict[str, Any]) -> int:
    request = urllib.request.Request(
        url, json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return int(json.load(answer))
