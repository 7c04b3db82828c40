"""What a person sees in the terminal while a flow runs: a line a step, and a bar for a long one.

Everything goes to standard error, so that standard output stays free for results.
"""

import contextlib
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.secret_urls import without_secrets
from tasks.arguments import references
from tasks.progress import Progress
from tasks.step import Outcome, StepCall

_LABEL_WIDTH = 38
_ROOMS = ("tasks", "model", "storage")
_BUNDLES = ("model", "report", "aligner", "smt_table", "smt", "moses")
_NOUNS = {
    "raw_pairs": "pairs read",
    "test_lines": "lines read",
    "words": "sentences cut into words",
    "pairs": "pairs kept",
    "links": "pairs linked",
    "pair_counts": "phrase pairs",
    "source_phrases": "source phrases",
    "target_phrases": "target phrases",
    "entries": "dictionary entries",
    "candidates": "likely phrase pairs",
    "listed": "phrases to look up",
    "listings": "entries by source",
    "use_counts": "looked up again",
    "corpus_counts": "phrases counted in a corpus",
    "rule_counts": "shapes of rules' spans",
    "link_counts": "word pairs linked",
    "alignments": "phrases weighed",
    "phrases": "phrases",
    "evidence": "pieces of evidence",
    "tagged": "sentences tagged",
    "vocabulary": "words known",
    "training_log": "lines of log",
    "translations": "sentences translated",
    "records": "records of sentences",
    "quality": "pairs measured",
    "verdicts": "pairs judged",
    "repeats": "repeated pairs",
    "phrase_use": "rows of phrase use",
    "scores": "scores",
    "gold_links": "sentences with gold links",
}
"""What a row of each kind of table is called."""
_LOG_EVERY_SECONDS = 15.0


class Terminal:
    """Tells a person what happens."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._bar_shown = False
        self._last_logged = 0.0

    def say(self, text: str = "") -> None:
        """Print a line."""
        self._clear_bar()
        self._stream.write(without_secrets(text) + "\n")
        self._stream.flush()

    def started(self, call: StepCall[Any]) -> None:
        """Show what is being worked on, where the line can be replaced later."""
        self._last_logged = time.monotonic()
        if self._live:
            self._show_bar(f"{call.label:{_LABEL_WIDTH}} ...")

    def finished(self, call: StepCall[Any], outcome: Outcome[Any]) -> None:
        """Print what became of a call."""
        made = _describe(_unique(references(outcome.result)))
        how = "reused" if outcome.how == "reused" else f"{outcome.record['seconds']:.1f} s"
        note = "  (was damaged, made again)" if outcome.healed else ""
        self.say(f"{call.label:{_LABEL_WIDTH}} {how:>9}  {made}{note}")

    def progress(self, progress: Progress) -> None:
        """Show how far the current step has come."""
        if self._live:
            self._show_bar(_bar(progress))
        elif time.monotonic() - self._last_logged > _LOG_EVERY_SECONDS:
            self._last_logged = time.monotonic()
            self.say(f"  {progress}")

    def said(self, text: str) -> None:
        """Print the line."""
        self.say(text)

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        """Say nothing: plans are told by `phrasenet status`."""

    def held(self, rejected: Snapshot, kept: Snapshot) -> None:
        """Print that a person's rollback stands."""
        self.say(
            f"{'publish':{_LABEL_WIDTH}}      held  snapshot {rejected.snapshot_id[:12]} was "
            f"rolled back by a person; {kept.snapshot_id[:12]} stays"
        )

    def taken(self, call: StepCall[Any], changed: Sequence[str]) -> None:
        """Print that a step before `--from` was taken as it was."""
        note = f", although {changed[0]}" if changed else ""
        self.say(f"{call.label:{_LABEL_WIDTH}}     taken  as it last was{note}")

    def note(self, text: str) -> None:
        """Say it."""
        self.say(text)

    def _show_bar(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()
        self._bar_shown = True

    def _clear_bar(self) -> None:
        if self._bar_shown:
            self._stream.write("\r\x1b[K")
            self._bar_shown = False


class _Warnings(logging.Handler):
    """Says what the rooms warn of."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(logging.WARNING)
        self._terminal = terminal

    def emit(self, record: logging.LogRecord) -> None:
        self._terminal.say(f"  {record.getMessage()}")


@contextlib.contextmanager
def warnings_said(terminal: Terminal) -> Iterator[None]:
    """Let a person see what the rooms warn of, such as a damaged checkpoint."""
    handler = _Warnings(terminal)
    for room in _ROOMS:
        logging.getLogger(room).addHandler(handler)
    try:
        yield
    finally:
        for room in _ROOMS:
            logging.getLogger(room).removeHandler(handler)


def _describe(refs: Sequence[ArtifactRef]) -> str:
    """Say in a few words what a step made: rows of tables by their nouns, bundles by their kind."""
    counts: dict[str, int] = {}
    for ref in refs:
        noun = _NOUNS.get(ref.kind, ref.kind.replace("_", " "))
        counts[noun] = counts.get(noun, 0) + ref.rows
    return ", ".join(
        noun if noun in _BUNDLES else f"{count:,} {noun}" for noun, count in counts.items()
    )


def _bar(progress: Progress) -> str:
    width = 20
    filled = round(progress.share * width)
    return f"[{'#' * filled}{'.' * (width - filled)}] {progress}"


def _unique(refs: Sequence[ArtifactRef]) -> list[ArtifactRef]:
    return list(dict.fromkeys(refs))
