"""Compiling loops: it works where nothing can be kept, and is never loaded for what needs none."""

import subprocess
import sys
from typing import Any

import numba
import pytest

from tasks.compiled import jit
from tests.support import ROOT


def double(number: int) -> int:
    return 2 * number


def test_a_loop_is_compiled_where_no_folder_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = numba.njit

    def refused(function: Any, *, cache: bool = False) -> Any:
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available")
        return plain(function)

    monkeypatch.setattr(numba, "njit", refused)
    assert jit.compiled(double)(21) == 42


def test_the_code_that_is_kept_belongs_to_the_source_of_all_loops() -> None:
    made: Any = jit.compiled(double)
    assert made._cache._cache_file._source_stamp == jit._source_stamp(__name__)
    assert made(21) == 42


def test_matching_single_sentences_loads_no_compiler() -> None:
    ask = (
        "import sys; from tasks.tagging.matcher import Matcher;"
        "assert Matcher([(['面'], 0)]).find(['牛肉', '面']) == [(1, 2, 0)];"
        "import tasks.mining.candidates, tasks.linked, tasks.mine;"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", ask], cwd=ROOT, check=False).returncode == 0
