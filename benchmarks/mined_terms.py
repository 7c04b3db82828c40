"""What is mined from the built-in sample, against its gold phrases, through the steps of the demo.

`python -m benchmarks mined-terms` prints precision and recall for all reliable phrases and for
those that are terms: over distinct phrases, and over the places where they are offered if nothing
but mined phrases were. Dates, numbers and quantities are not mined, since rules write them; so
recall is also given over the phrases that the rules leave, and with what they write.
"""

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import say
from flows.demo import SEED, write_demo
from flows.driver import step_window
from flows.pipeline import Refreshed, refresh
from flows.settings import load_settings
from storage.workspace import Workspace, open_workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import smoothed
from tasks.run import Run
from tasks.sample.newswire import Sample, generate
from tasks.tagging.matcher import Matcher

Phrases = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What the demo offers, dictionaries apart."""

    mined: Phrases
    ruled: frozenset[tuple[str, str]]
    """Source and target of what rules see in the training text."""


def run() -> None:
    """Print a row for all reliable mined phrases, and one for the terms among them."""
    sample = generate(SEED)
    for fragments in ("keep", "drop"):
        found = _found(fragments)
        say(f"fragments = {fragments!r}: {len(found.mined)} mined phrases")
        say("  distinct: precision {:.3f}, recall {:.3f} of {}".format(*_distinct(sample, found)))
        say("  places:   precision {:.3f}, recall {:.3f} of {}".format(*_places(sample, found)))
        _say_by_category(sample, found)


def _found(fragments: str) -> Found:
    """Refresh the memory of the demo and return what it mined, whatever dictionaries say."""
    with tempfile.TemporaryDirectory() as name:
        file = write_demo(Path(name))
        text = file.read_text() + f'\n[terms]\nfragments = "{fragments}"\n'
        file.write_text(text)
        settings = load_settings(file)
        workspace = open_workspace(settings.workspace_path, settings.execution.engine)
        with workspace.lease():
            refreshed = refresh(Run(workspace, step_window(None, None)), settings)
        return Found(_mined(workspace, refreshed), _ruled(workspace, refreshed))


def _mined(workspace: Workspace, refreshed: Refreshed) -> Phrases:
    evidence = workspace.read_rows(refreshed.snapshot.evidence)
    mined = {row["phrase_id"] for row in evidence if row["origin"] == "mined"}
    return {
        row["source"]: row["target"]
        for row in workspace.read_rows(refreshed.snapshot.phrases)
        if row["phrase_id"] in mined and row["state"] == "active"
    }


def _ruled(workspace: Workspace, refreshed: Refreshed) -> frozenset[tuple[str, str]]:
    return frozenset(
        (span["source"], span["target"])
        for ref in refreshed.pairs
        for row in workspace.read_rows(ref, ["rules"])
        for span in row["rules"]
    )


def _say_by_category(sample: Sample, found: Found) -> None:
    """Print what of the repeated phrases is found, by category and by who has to find it."""
    wanted, right = _repeated(sample), {*found.mined.items()}
    category = {
        (it.source_text, it.target_text): it.category
        for made in sample.train
        for it in made.phrases
    }
    for name in sorted({category[phrase] for phrase in wanted}):
        here = {phrase for phrase in wanted if category[phrase] == name}
        say(f"  {name}: {len(here & right)} mined, {len(here & found.ruled)} ruled, of {len(here)}")
    left = wanted - found.ruled
    say(f"  left by the rules: recall {len(left & right) / len(left):.3f} of {len(left)}")
    both = len(wanted & (right | found.ruled)) / len(wanted)
    say(f"  mined or written by a rule: recall {both:.3f} of {len(wanted)}")


def _repeated(sample: Sample) -> set[tuple[str, str]]:
    """Return the gold phrases that are repeated often enough to be reliable if always right."""
    seen = Counter((it.source_text, it.target_text) for made in sample.train for it in made.phrases)
    least = MemoryConfig().min_reliability
    return {phrase for phrase, count in seen.items() if smoothed(count, count) >= least}


def _distinct(sample: Sample, found: Found) -> tuple[float, float, int]:
    """Return precision and recall over distinct phrases, and how many there were to find."""
    gold = {(it.source_text, it.target_text) for made in sample.train for it in made.phrases}
    right = set(found.mined.items()) & gold
    wanted = _repeated(sample)
    return len(right) / len(found.mined), len(right & wanted) / len(wanted), len(wanted)


def _places(sample: Sample, found: Found) -> tuple[float, float, int]:
    """Return precision and recall over places in the training text, longest phrase first."""
    mined, sources = found.mined, list(found.mined)
    matcher = Matcher(([source], place) for place, source in enumerate(sources))
    wanted = _repeated(sample)
    offered = right = hit = number = 0
    for made in sample.train:
        gold = {
            (it.source.start, it.source.end, it.target_text): (it.source_text, it.target_text)
            for it in made.phrases
        }
        chosen = {
            (start, end, mined[sources[phrase]])
            for start, end, phrase in _longest(matcher.find(made.source_words))
        }
        expected = {place for place, phrase in gold.items() if phrase in wanted}
        offered += len(chosen)
        right += len(chosen & set(gold))
        hit += len(chosen & expected)
        number += len(expected)
    return right / offered, hit / number, number


def _longest(matches: object) -> list[tuple[int, int, int]]:
    """Choose matches that do not overlap, the longest first."""
    chosen: list[tuple[int, int, int]] = []
    for start, end, phrase in sorted(matches, key=lambda m: (m[0] - m[1], m[0])):  # type: ignore[call-overload]
        if all(end <= other[0] or other[1] <= start for other in chosen):
            chosen.append((start, end, phrase))
    return chosen
