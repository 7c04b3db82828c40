"""Work in a process of its own: its result, its errors, its progress, its death."""

import os
from collections.abc import Iterator

import pytest

from storage.errors import InputError
from tasks.own_process import LostProcess, in_own_process
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
        import time

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
