"""`phrasenet --help` answers at once: nothing heavy is imported for it."""

import json
import subprocess
import sys

import pytest

from tests.support import ROOT

HEAVY = (
    "torch", "prefect", "pyarrow", "duckdb", "numpy", "numba", "jieba", "rjieba", "thot",
    "matplotlib",
)  # fmt: skip
ASK = """
import json, sys
from flows.cli import main
try:
    main({arguments!r})
except SystemExit as stop:
    assert stop.code == 0
print(json.dumps([name for name in {heavy!r} if name in sys.modules]), file=sys.stderr)
"""


def ask(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ASK.format(arguments=list(arguments), heavy=HEAVY)
    return subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("memory", "--help")])
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    done = ask(*arguments)
    assert "usage: phrasenet" in done.stdout
    assert json.loads(done.stderr) == []


def test_every_command_has_help_with_an_example() -> None:
    import argparse

    from flows.cli import build_parser

    def leaves(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
        groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        below = [
            leaf for group in groups for item in group.choices.values() for leaf in leaves(item)
        ]
        return below or [parser]

    found = leaves(build_parser())
    assert len(found) > 10
    for parser in found:
        assert parser.description, parser.prog
        assert (parser.epilog or "").startswith("Example: "), parser.prog
