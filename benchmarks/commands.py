"""How long a person waits: for the help, and for a run that has nothing to do."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import figure, median_in_turn, wall_seconds

TINY = Path(__file__).parent.parent / "examples" / "tiny"
ROUNDS = 5


def run() -> None:
    """Measure `phrasenet --help`, a first and an unchanged second `phrasenet run`."""
    help_seconds = median_in_turn({"help": lambda: _phrasenet("--help")}, ROUNDS, wall_seconds)
    figure("phrasenet --help (target 0.5)", help_seconds["help"], "s")
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "tiny"
        shutil.copytree(TINY, project, ignore=shutil.ignore_patterns("workspace"))
        settings = str(project / "phrasenet.toml")
        figure("first run, tiny", wall_seconds(lambda: _phrasenet("run", "-c", settings)), "s")
        again = {"again": lambda: _phrasenet("run", "-c", settings)}
        seconds = median_in_turn(again, 3, wall_seconds)["again"]
        figure("unchanged second run, tiny (target 15)", seconds, "s")


def _phrasenet(*arguments: str) -> None:
    command = [sys.executable, "-m", "flows.cli", *arguments]
    subprocess.run(command, check=True, capture_output=True)
