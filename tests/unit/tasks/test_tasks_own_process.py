"""Work in a process of its own: its result, its errors, its progress, its death."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.own_process import (
    LostProcess,
    ask_all_to_stop,
    in_own_process,
    stop_signals_reach_children,
    stoppable,
)
from tasks.progress import Progress, listen, track
from tasks.step import is_passing


def pid_and_sum(*numbers: int) -> tuple[int, int]:
    return os.getpid(), sum(numbers)


def complain(text: str) -> None:
    raise InputError(text)


def die() -> None:
    os._exit(9)


def slowly() -> int:
    def steps() -> Iterator[int]:
        for number in range(3):
            time.sleep(1.2)
            yield number

    return sum(track(steps(), total=3, unit="steps"))


def test_the_result_comes_from_another_process() -> None:
    pid, total = in_own_process("adding", pid_and_sum, 1, 2, 3)
    assert total == 6
    assert pid != os.getpid()


def test_an_error_arrives_as_it_was_raised() -> None:
    with pytest.raises(InputError, match="line 7"):
        in_own_process("complaining", complain, "line 7 is broken")


def test_a_lost_process_is_a_passing_fault() -> None:
    with pytest.raises(LostProcess) as caught:
        in_own_process("dying", die)
    assert is_passing(caught.value)


def test_progress_is_told_here() -> None:
    told: list[Progress] = []
    listen("outer", (told.append,))
    try:
        assert in_own_process("slow work", slowly) == 3
    finally:
        listen("", ())
    assert told
    assert told[-1].label == "slow work"
    assert told[-1].unit == "steps"


def bring_to_safety(place: str) -> None:
    with stoppable() as asked:
        Path(place).with_suffix(".ready").touch()
        while not asked():
            time.sleep(0.02)
    Path(place).touch()
    raise KeyboardInterrupt


def sleep_on(place: str) -> None:
    Path(place).with_suffix(".ready").touch()
    time.sleep(100)


def warn() -> None:
    logging.getLogger("tasks.anything").warning("%d things", 3)


@pytest.mark.parametrize("work", [bring_to_safety, sleep_on])
def test_work_that_is_asked_to_stop_ends_and_is_not_tried_again(
    work: Callable[[str], None], tmp_path: Path
) -> None:
    def ask() -> None:
        while not (tmp_path / "safe.ready").exists():
            time.sleep(0.02)
        ask_all_to_stop()

    threading.Thread(target=ask).start()
    with pytest.raises(KeyboardInterrupt):
        in_own_process("working", work, str(tmp_path / "safe"))
    assert (tmp_path / "safe").exists() == (work is bring_to_safety)


def test_a_signal_reaches_the_children_of_other_threads(tmp_path: Path) -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            in_own_process("working", bring_to_safety, str(tmp_path / "safe"))
        except KeyboardInterrupt as error:
            caught.append(error)

    thread, obeyed = threading.Thread(target=work), threading.Event()
    thread.start()
    while not (tmp_path / "safe.ready").exists():
        time.sleep(0.02)
    before = signal.signal(signal.SIGTERM, lambda *_: obeyed.set())
    try:
        with stop_signals_reach_children():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    thread.join()
    assert obeyed.is_set()
    assert len(caught) == 1
    assert (tmp_path / "safe").exists()


def test_what_the_other_process_logs_is_logged_here(caplog: pytest.LogCaptureFixture) -> None:
    in_own_process("warning", warn)
    assert ("tasks.anything", logging.WARNING, "3 things") in caplog.record_tuples
