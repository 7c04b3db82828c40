"""Work in several processes: results in order, the first error, and nothing left behind."""

import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.errors import InputError
from tasks import usage
from tasks.side_by_side import side_by_side


def busy(number: int, pause: float) -> tuple[int, int]:
    """Return the number and the process, after a while."""
    started = time.process_time()
    while time.process_time() < started + pause:
        pass
    return number, os.getpid()


def stay(begun: Path) -> None:
    """Say that the work began; it never ends."""
    begun.touch()
    time.sleep(600)


def touch(path: Path) -> Path:
    """End at once."""
    path.touch()
    return path


def fail(number: int) -> int:
    """Fail, the earlier the number the later."""
    time.sleep(0.2 * (3 - number))
    raise InputError(f"bad {number}")


def test_results_come_in_order_and_what_they_took_is_counted() -> None:
    started = usage.start()
    with side_by_side(2) as each:
        found = list(each(busy, [(number, 0.05 * (4 - number)) for number in range(4)]))
    assert [number for number, _ in found] == [0, 1, 2, 3]
    assert os.getpid() not in {process for _, process in found}
    assert usage.usage_since(started).processor_seconds >= 0.5
    with side_by_side(1) as each:
        assert list(each(busy, [(7, 0.0)])) == [(7, os.getpid())]


def test_of_several_errors_the_first_in_order_is_told() -> None:
    with pytest.raises(InputError, match="bad 0"), side_by_side(2) as each:
        list(each(fail, [(0,), (1,), (2,)]))


def test_when_the_work_is_given_up_its_processes_end(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    before = multiprocessing.active_children()
    with pytest.raises(KeyboardInterrupt):
        interrupted(begun)
    assert multiprocessing.active_children() == before


def interrupted(begun: Path) -> None:
    """Start work that never ends, and be interrupted."""
    with side_by_side(2) as each:
        next(each(either, [(touch, begun.with_name("a")), (stay, begun)]))
        while not begun.exists():
            time.sleep(0.05)
        raise KeyboardInterrupt


def either(function: Callable[[Path], Any], path: Path) -> Any:
    """Call one of the functions above."""
    return function(path)
