"""A process whose wall clock jumps while it runs, as when a machine's clock is set."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_name("jumping_clock.c")


@dataclass(frozen=True)
class JumpingClock:
    """Gives processes a clock that may jump."""

    library: Path

    @classmethod
    def build(cls, folder: Path) -> "JumpingClock":
        """Compile what processes are given; skip the test where there is no compiler."""
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler; Debian's package `gcc` is used")
        library = folder / "jumping_clock.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, _SOURCE], check=True)
        return cls(library)

    def variables(self, jump: Path) -> dict[str, str]:
        """Return the environment of a process whose clock jumps once a file is there."""
        return {"LD_PRELOAD": str(self.library), "PHRASENET_CLOCK_JUMP": str(jump)}


def jump_by(jump: Path, days: float) -> None:
    """Let the clock of the processes with this file jump, at once."""
    waiting = jump.with_suffix(".partial")
    waiting.write_text(str(round(days * 24 * 3600)), "utf-8")
    waiting.replace(jump)
