"""Run the benchmarks named on the command line, or all."""

import os
import platform
import sys

from benchmarks import (
    audit_speed,
    commands,
    dictionaries,
    faults,
    guard,
    mined_terms,
    mining,
    phrase_matching,
    place_dictionaries,
    places,
    readers,
    refresh,
    reports,
    rule_accuracy,
    rules_speed,
    statistical,
    texts,
    training,
)
from benchmarks.measuring import say

BENCHMARKS = {
    "audit": audit_speed.run,
    "commands": commands.run,
    "dictionaries": dictionaries.run,
    "guard": guard.run,
    "faults": faults.run,
    "matching": phrase_matching.run,
    "mining": mining.run,
    "mined-terms": mined_terms.run,
    "places": places.run,
    "places-dev": places.run_developed,
    "place-dictionaries": place_dictionaries.run,
    "readers": readers.run,
    "refresh": refresh.run,
    "reports": reports.run,
    "rules-accuracy": rule_accuracy.run,
    "rules-accuracy-dev": rule_accuracy.run_developed,
    "rules-speed": rules_speed.run,
    "statistical": statistical.run,
    "texts": texts.run,
    "training": training.run,
}


def main(names: list[str]) -> int:
    """Run the benchmarks; returns the exit code."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        say(f"No benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}.")
        return 2
    say(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    for name in names or BENCHMARKS:
        say(f"\n{name}")
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
