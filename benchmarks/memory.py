"""What the phrase memory of a workspace offers to its test sets, and how much of it is right.

`python -m benchmarks.memory -c laws.toml` prints the page as Markdown: the phrases by category,
origin and method; the share of offered phrases that stand in the reference, by origin, category,
method and reliability; and the curve of coverage against reliability. The curve begins at
`memory.min_reliability`: refresh a copy with 0.5 to see all of it. `--draw SEED` prints instead
some phrases of each origin and category, drawn by chance, for somebody to judge. No sentence is
printed.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.measuring import say
from flows.settings import Settings, load_settings
from flows.workspaces import current_testset
from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.phrasebook import Phrasebook
from tasks.tag import tagged_row
from tasks.tagging.matcher import Matcher

BAND = 0.05
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.76, 0.77, 0.78, 0.79, 0.8, 0.82, 0.85, 0.9, 0.95)
NUM_DRAWN = 30
"""Phrases of each origin and category that are drawn; of a kind with fewer, all."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One offered phrase of a test sentence."""

    origin: str
    category: str
    methods: tuple[str, ...]
    reliability: float | None
    """None where nobody counted it by itself: what a rule saw."""
    is_found: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """A snapshot, and who proposed each of its mined phrases."""

    workspace: Workspace
    settings: Settings
    snapshot: Snapshot
    methods: Mapping[str, tuple[str, ...]]

    def book(self, least: float = 0.0) -> Phrasebook:
        """Return the phrasebook of the phrases that are reliable enough."""
        whole = Phrasebook.of(self.workspace, self.snapshot.tables, self.settings.memory)
        kept = [
            place
            for place, row in enumerate(whole.phrases)
            if row["origin"] != "mined" or row["reliability"] >= least
        ]
        phrases = [whole.phrases[place] for place in kept]
        return Phrasebook(
            whole.config,
            phrases,
            Matcher(([row["source"]], place) for place, row in enumerate(phrases)),
            [whole.evidence[place] for place in kept],
            whole.rules,
        )


def main() -> None:
    """Print the page for the workspace of a settings file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-c", dest="config", type=Path, default=Path("phrasenet.toml"))
    parser.add_argument("--draw", dest="seed", type=int)
    options = parser.parse_args()
    settings = load_settings(options.config)
    tests = {}
    for item in settings.testsets:
        workspace, _, tests[item.name] = current_testset(options.config, item.name)
    snapshot = workspace.memory.head()
    assert snapshot is not None, "refresh the memory first"
    memory = memory_of(workspace, settings, snapshot)
    if options.seed is None:
        print_page(memory, tests)
    else:
        print_drawn(memory, Random(options.seed))


def print_drawn(memory: Memory, random: Random) -> None:
    """Print some of the phrases of each origin and category that may be offered."""
    kinds: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in memory.book().phrases:
        phrase = row["source"], row["target"]
        kinds.setdefault((row["category"], row["origin"]), []).append(phrase)
    for kind, phrases in sorted(kinds.items()):
        say(
            f"### {', '.join(kind)}: {len(phrases):,} phrases\n\n| source | target |\n| --- | --- |"
        )
        for source, target in random.sample(sorted(phrases), min(NUM_DRAWN, len(phrases))):
            say(f"| {source} | {target} |")
        say("")


def memory_of(workspace: Workspace, settings: Settings, snapshot: Snapshot) -> Memory:
    """Read who proposed the mined phrases of a snapshot."""
    methods = {
        row["phrase_id"]: tuple(row["methods"])
        for row in workspace.read_rows(snapshot.evidence)
        if row["origin"] == "mined"
    }
    return Memory(workspace, settings, snapshot, methods)


def print_page(memory: Memory, tests: Mapping[str, ArtifactRef]) -> None:
    """Print all tables for the test sets, given as their words."""
    say("## Phrases\n")
    _print_phrases(memory)
    rows = {name: list(memory.workspace.read_rows(ref)) for name, ref in tests.items()}
    everything = [row for test in rows.values() for row in test]
    offered = list(offers(memory, everything, memory.book()))
    say(f"\n## Offered to {len(everything):,} sentences of {', '.join(tests)}\n")
    for title, key in (
        ("origin", lambda item: [item.origin]),
        ("category", lambda item: [item.category]),
        ("method", lambda item: item.methods),
        ("reliability", lambda item: [_band(item.reliability)]),
    ):
        _print_shares(title, offered, key, len(everything))
    say("\n## Coverage against reliability\n")
    heading = ["mined from", "mined phrases", *rows, "all"]
    say(f"| {' | '.join(heading)} |\n|{' --- |' * len(heading)}")
    for level in LEVELS:
        if level >= memory.settings.memory.min_reliability - 1e-9:
            say(f"| {level:.2f} | {_curve_row(memory, list(rows.values()), level)} |")


def _print_phrases(memory: Memory) -> None:
    counts: Counter[tuple[str, str, str]] = Counter()
    by_method: Counter[str] = Counter()
    for row in memory.workspace.read_rows(memory.snapshot.phrases):
        counts[row["category"], row["origin"], row["state"]] += 1
        if row["state"] == "active" and row["origin"] == "mined":
            by_method[" + ".join(memory.methods[row["phrase_id"]])] += 1
    say("| category | origin | state | phrases |\n| --- | --- | --- | --- |")
    for key, number in sorted(counts.items()):
        say(f"| {' | '.join(key)} | {number:,} |")
    say("\n| methods of mined phrases | phrases |\n| --- | --- |")
    for name, number in by_method.most_common():
        say(f"| {name} | {number:,} |")


def offers(
    memory: Memory, rows: Iterable[Mapping[str, Any]], book: Phrasebook
) -> Iterator[Offered]:
    """Yield what some of its phrases offer to sentences whose references are known."""
    known = {row["phrase_id"]: row["reliability"] for row in book.phrases}
    for row in rows:
        for slot in tagged_row(row, book.candidates(row), book.config)["slots"]:
            is_rule = slot["origin"] == "rule"
            methods = memory.methods.get(slot["phrase_id"], ()) if not is_rule else ()
            yield Offered(
                slot["origin"],
                slot["category"],
                methods or (slot["origin"],),
                None if is_rule else known[slot["phrase_id"]],
                slot["target_start"] >= 0,
            )


def _band(reliability: float | None) -> str:
    if reliability is None:
        return "rules"
    start = int(reliability / BAND + 1e-9) * BAND
    return f"{start:.2f} to {start + BAND:.2f}"


def _print_shares(title: str, offered: Sequence[Offered], key: Any, sentences: int) -> None:
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for item in offered:
        for name in key(item):
            total[name] += 1
            found[name] += item.is_found
    say(f"| {title} | offered | a sentence | found |\n| --- | --- | --- | --- |")
    for name in sorted(total):
        share = found[name] / total[name]
        say(f"| {name} | {total[name]:,} | {total[name] / sentences:.3f} | {share:.1%} |")
    right = sum(item.is_found for item in offered)
    all_share = right / max(1, len(offered))
    say(f"| all | {len(offered):,} | {len(offered) / sentences:.3f} | {all_share:.1%} |\n")


def _curve_row(memory: Memory, tests: Sequence[Sequence[Mapping[str, Any]]], level: float) -> str:
    """Return how many mined phrases are that reliable, and the shares in each test set and all."""
    book = memory.book(level)
    mined = sum(row["origin"] == "mined" for row in book.phrases)
    counts = [_found(memory, book, test) for test in tests]
    cells = [_share(*numbers) for numbers in [*counts, map(sum, zip(*counts, strict=True))]]
    return " | ".join([f"{mined:,}", *cells])


def _found(
    memory: Memory, book: Phrasebook, rows: Sequence[Mapping[str, Any]]
) -> tuple[int, int, int]:
    """Return how many phrases are offered and found, and the number of sentences."""
    offered = list(offers(memory, rows, book))
    return len(offered), sum(item.is_found for item in offered), len(rows)


def _share(offered: int, found: int, sentences: int) -> str:
    return f"{offered / sentences:.3f} at {found / max(1, offered):.1%}"


if __name__ == "__main__":
    main()
