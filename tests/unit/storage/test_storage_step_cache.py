"""The cache of steps: entries come back, and two processes with one key compute once."""

import subprocess
import sys
from pathlib import Path

import pytest

from storage.step_cache import CacheEntry, StepCache

ENTRY = CacheEntry({"step": "mine", "seconds": 1.5}, [{"artifact": {"kind": "pairs"}}])

COMPUTE_ONCE = """
import sys, time
from pathlib import Path
from storage.step_cache import CacheEntry, StepCache
cache = StepCache(Path(sys.argv[1]))
with cache.locked("mine", "key"):
    if cache.get("mine", "key") is None:
        time.sleep(0.3)
        cache.put("mine", "key", CacheEntry({}, []))
        print("computed")
"""


def test_an_entry_comes_back(tmp_path: Path) -> None:
    cache = StepCache(tmp_path)
    assert cache.get("mine", "key") is None
    cache.put("mine", "key", ENTRY)
    assert cache.get("mine", "key") == ENTRY
    assert cache.get("mine", "other") is None
    assert cache.get("other", "key") is None


@pytest.mark.parametrize("damage", [b"", b"[]", b"{}", b"null", b"\xff\xfe"])
def test_an_entry_that_cannot_be_read_is_none(tmp_path: Path, damage: bytes) -> None:
    cache = StepCache(tmp_path)
    cache.put("mine", "key", ENTRY)
    (tmp_path / "cache" / "mine" / "key.json").write_bytes(damage)
    assert cache.get("mine", "key") is None


def test_processes_with_the_same_key_compute_once(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", COMPUTE_ONCE, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert "".join(outputs) == "computed\n"
