"""Ask the public list of known weaknesses about the pinned dependencies: `make audit-dependencies`.

pip-audit alone says "No known vulnerabilities found", and exits with 0, where the list could not be
asked about a single package, as behind a mirror that has files but no list. Here that is an error.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import say

NONE_KNOWN, SOME_KNOWN, NOT_ASKED = 0, 1, 2
"""Exit codes."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What pip-audit found."""

    asked: int
    """Packages that the list was asked about."""
    skipped: Sequence[str]
    """Packages that it was not asked about, with the reason."""
    known: Sequence[str]
    """One line for each known weakness."""

    @property
    def code(self) -> int:
        """Return the exit code."""
        if self.known:
            return SOME_KNOWN
        return NOT_ASKED if self.skipped or not self.asked else NONE_KNOWN


def read_answer(report: Mapping[str, Any]) -> Answer:
    """Read the report of `pip-audit --format json`."""
    found = report["dependencies"]
    asked = [item for item in found if "vulns" in item]
    return Answer(
        len(asked),
        [
            f"{item['name']}: {item.get('skip_reason', 'no reason')}"
            for item in found
            if "vulns" not in item
        ],
        [_line(item, vuln) for item in asked for vuln in item["vulns"]],
    )


def _line(item: Mapping[str, Any], vuln: Mapping[str, Any]) -> str:
    names = ", ".join([vuln["id"], *vuln.get("aliases", [])])
    mended = ", ".join(vuln.get("fix_versions", [])) or "no version yet"
    return f"{item['name']} {item['version']}: {names}; mended in {mended}"


def sentences(answer: Answer) -> list[str]:
    """Return what a person has to know, line by line."""
    lines = [f"Asked about {answer.asked} packages, {len(answer.known)} known weaknesses."]
    lines += [f"  {line}" for line in answer.known]
    if answer.known:
        lines.append("Raise the pins in pyproject.toml, then `make lock`; SECURITY.md says more.")
    if answer.skipped or not answer.asked:
        lines.append(
            f"NOT ASKED about {len(answer.skipped)} packages, so nothing is known of them:"
        )
        lines += [f"  {line}" for line in answer.skipped[:_SHOWN]]
        if len(answer.skipped) > _SHOWN:
            lines.append(f"  and {len(answer.skipped) - _SHOWN} more")
        lines.append(
            "The list is the JSON API of pypi.org; a mirror may have none. Run this where it is "
            "reached."
        )
    return lines


def main(pip_audit: str, requirements: Path) -> int:
    """Ask about every pin of a file; returns the exit code."""
    command = [pip_audit, "--requirement", str(requirements), "--no-deps", "--disable-pip"]
    done = subprocess.run(
        [*command, "--format", "json", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        answer = read_answer(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError):
        said = done.stderr.strip().splitlines() or ["nothing"]
        say(f"pip-audit gave no report; it ended with {done.returncode} and said: {said[-1]}")
        say("NOT ASKED about any package. It needs the network: the JSON API of pypi.org.")
        return NOT_ASKED
    for line in sentences(answer):
        say(line)
    return answer.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
