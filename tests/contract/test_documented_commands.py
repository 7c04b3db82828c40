"""Every command that the documentation shows is one that the command line takes."""

import re
import shlex
from collections.abc import Iterator

import pytest

from flows.cli import build_parser
from tests.support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_INLINE = re.compile(r"`(phrasenet [^`]+)`")


def documented() -> Iterator[str]:
    """Yield each shown command once, from `phrasenet` to the end of its part of a pipeline."""
    found: dict[str, None] = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        lines = [line for block in _BLOCK.findall(text) for line in block.splitlines()]
        for line in [*lines, *_INLINE.findall(text)]:
            for part in line.split("|"):
                command = part.split("#")[0].split(">")[0].strip()
                match = re.match(r"(?:[./\w]*/)?phrasenet (.+)", command)
                if match:
                    found[match[1].strip()] = None
    yield from found


@pytest.mark.parametrize("command", list(documented()))
def test_a_documented_command_is_taken(command: str) -> None:
    arguments = shlex.split(command.replace("...", "x"))
    if arguments[-1] != "--help":
        assert build_parser().parse_args(arguments).execute


def test_there_are_commands_in_the_documentation() -> None:
    assert len(list(documented())) >= 12
