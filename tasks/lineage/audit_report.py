"""The page of a daily audit: what was checked, in a form that a person reads in a minute.

It holds ids, counts and names of files and sources, no sentence, so that it may be kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_FINDINGS = 20
"""Findings and notes of a check that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    looked_at: str
    """What it was, with its number, such as `87 artifacts`."""
    findings: tuple[str, ...] = ()
    """What is wrong, a sentence each."""
    notes: tuple[str, ...] = ()
    """What a person should know, though nothing is wrong."""


def findings_of(checks: Sequence[Check]) -> list[str]:
    """Return all that is wrong."""
    return [finding for check in checks for finding in check.findings]


def audit_report(checks: Sequence[Check], *, time: str, ledger: str) -> str:
    """Return the page as Markdown.

    Args:
        checks: what was looked at, most important first.
        time: when.
        ledger: digest of the newest record.
    """
    return "\n".join([*_head(checks, time, ledger), *_table(checks), *_details(checks)]) + "\n"


def _head(checks: Sequence[Check], time: str, ledger: str) -> Iterator[str]:
    number = len(findings_of(checks))
    yield "# Audit: " + ("all is well" if not number else f"{number:,} findings")
    yield ""
    yield f"{time}, ledger `{ledger}`"
    yield ""


def _table(checks: Sequence[Check]) -> Iterator[str]:
    yield "| Check | Looked at | Result |"
    yield "| --- | --- | --- |"
    for check in checks:
        result = f"**{len(check.findings):,} findings**" if check.findings else "fine"
        yield f"| {check.name} | {check.looked_at} | {result} |"


def _details(checks: Sequence[Check]) -> Iterator[str]:
    for title, field in (("Findings", "findings"), ("Notes", "notes")):
        listed = [check for check in checks if getattr(check, field)]
        if listed:
            yield ""
            yield f"## {title}"
        for check in listed:
            yield ""
            yield f"{check.name}:"
            yield ""
            yield from _listed(getattr(check, field))


def _listed(lines: Sequence[str]) -> Iterator[str]:
    for line in lines[:MOST_FINDINGS]:
        yield f"- {' '.join(line.split())}"
    if len(lines) > MOST_FINDINGS:
        yield f"- and {len(lines) - MOST_FINDINGS:,} more"
