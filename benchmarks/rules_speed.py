"""What the rules cost: sentences a second and processor, processor time of the import, memory.

Measured on law texts that stand beside the project, each sentence once and nothing remembered from
a round before; where they are absent, on the Chinese of the built-in sample.
"""

import subprocess
import sys

from benchmarks.measuring import figure, processor_seconds, say
from benchmarks.rule_accuracy import DATA
from tasks.rules import grammar
from tasks.rules.style import RuleStyle
from tasks.sample.newswire import generate

LAWS = DATA / "laws"
ROUNDS = 5
_IMPORT = "import time; import tasks.rules.grammar; print(time.process_time())"
_NOTHING = "import time; print(time.process_time())"
_MEMORY = (
    "import re, sys; from tasks.rules.grammar import find\n"
    "for line in sys.stdin: find(line)\n"
    "status = open('/proc/self/status').read()\n"
    "print(int(re.search(r'VmHWM:\\s+([0-9]+)', status)[1]) / 1024)"
)
"""Linux counts this for one program; `ru_maxrss` would hold what the parent used before it."""


def run() -> None:
    """Print the figures."""
    lines = _lines()
    style = RuleStyle(region="taiwan")
    first = processor_seconds(lambda: _find_all(lines, style))
    seconds = []
    for _ in range(ROUNDS):
        grammar.forget()
        seconds.append(processor_seconds(lambda: _find_all(lines, style)))
    figure(f"first reading of {len(lines):,} lines, patterns compiled", len(lines) / first, "/s")
    figure("reading (target 20,000)", len(lines) / sorted(seconds)[ROUNDS // 2], "sentences/s")
    again = processor_seconds(lambda: _find_all(lines, style))
    figure("reading the same again, regions remembered", len(lines) / again, "sentences/s")
    import_seconds = float(_python(_IMPORT)) - float(_python(_NOTHING))
    figure("import of the grammar, processor time (target 0.3)", import_seconds, "s")
    figure("most memory, all lines (target 300)", float(_python(_MEMORY, "\n".join(lines))), "MB")


def _lines() -> list[str]:
    files = [LAWS / "test.zh", LAWS / "dev.zh"]
    if all(file.exists() for file in files):
        return [line for file in files for line in file.read_text("utf-8").splitlines()]
    say("  ../shared/data/laws is absent: measured on the built-in sample")
    return [pair.source for pair in generate(1).train]


def _find_all(lines: list[str], style: RuleStyle) -> None:
    for line in lines:
        grammar.find(line, style)


def _python(code: str, text: str = "") -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
