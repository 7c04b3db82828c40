"""What is mined from the built-in sample, against its gold phrases, through the steps of the demo.

`python -m benchmarks mined-terms` prints precision and recall for all reliable phrases and for
those that are terms: over distinct phrases, and over the places where they are offered if nothing
but mined phrases were.
"""

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.measuring import say
from flows.demo import SEED, write_demo
from flows.driver import step_window
from flows.pipeline import refresh
from flows.settings import load_settings
from storage.workspace import open_workspace
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import smoothed
from tasks.run import Run
from tasks.sample.newswire import Sample, generate
from tasks.tagging.matcher import Matcher

Phrases = Mapping[str, str]


def run() -> None:
    """Print a row for all reliable mined phrases, and one for the terms among them."""
    sample = generate(SEED)
    for fragments in ("keep", "drop"):
        mined = _mined(fragments)
        say(f"fragments = {fragments!r}: {len(mined)} mined phrases")
        say("  distinct: precision {:.3f}, recall {:.3f} of {}".format(*_distinct(sample, mined)))
        say("  places:   precision {:.3f}, recall {:.3f} of {}".format(*_places(sample, mined)))


def _mined(fragments: str) -> Phrases:
    """Refresh the memory of the demo and return what it mined, whatever dictionaries say."""
    with tempfile.TemporaryDirectory() as name:
        file = write_demo(Path(name))
        text = file.read_text() + f'\n[terms]\nfragments = "{fragments}"\n'
        file.write_text(text)
        settings = load_settings(file)
        workspace = open_workspace(settings.workspace_path, settings.execution.engine)
        with workspace.lease():
            refreshed = refresh(Run(workspace, step_window(None, None)), settings)
        evidence = workspace.read_rows(refreshed.snapshot.evidence)
        mined = {row["phrase_id"] for row in evidence if row["origin"] == "mined"}
        return {
            row["source"]: row["target"]
            for row in workspace.read_rows(refreshed.snapshot.phrases)
            if row["phrase_id"] in mined and row["state"] == "active"
        }


def _repeated(sample: Sample) -> set[tuple[str, str]]:
    """Return the gold phrases that are repeated often enough to be reliable if always right."""
    seen = Counter((it.source_text, it.target_text) for made in sample.train for it in made.phrases)
    least = MemoryConfig().min_reliability
    return {phrase for phrase, count in seen.items() if smoothed(count, count) >= least}


def _distinct(sample: Sample, mined: Phrases) -> tuple[float, float, int]:
    """Return precision and recall over distinct phrases, and how many there were to find."""
    gold = {(it.source_text, it.target_text) for made in sample.train for it in made.phrases}
    right = set(mined.items()) & gold
    wanted = _repeated(sample)
    return len(right) / len(mined), len(right & wanted) / len(wanted), len(wanted)


def _places(sample: Sample, mined: Phrases) -> tuple[float, float, int]:
    """Return precision and recall over places in the training text, longest phrase first."""
    sources = list(mined)
    matcher = Matcher(([source], place) for place, source in enumerate(sources))
    wanted = _repeated(sample)
    offered = right = found = number = 0
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
        found += len(chosen & expected)
        number += len(expected)
    return right / offered, found / number, number


def _longest(matches: object) -> list[tuple[int, int, int]]:
    """Choose matches that do not overlap, the longest first."""
    chosen: list[tuple[int, int, int]] = []
    for start, end, phrase in sorted(matches, key=lambda m: (m[0] - m[1], m[0])):  # type: ignore[call-overload]
        if all(end <= other[0] or other[1] <= start for other in chosen):
            chosen.append((start, end, phrase))
    return chosen
