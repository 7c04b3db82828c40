"""Make `docs/report`: the report of the demo, model cards, attribution, and pictures of the page.

`make sample-report` runs the demo in build/phrasenet-demo first. Pictures need a headless Chromium;
without one they stay as they are.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import say
from tests.integration.browser import browser_path
from tests.integration.tab import Tab, browsing

TARGET = Path(__file__).parent.parent / "docs" / "report"
_READY = "performance.getEntriesByName('ready').length > 0"
_PICTURES = (
    ("overview", 1200, 900, "light", ""),
    ("sentence", 1200, 1150, "light", "changed"),
    ("sentence-dark", 1200, 1150, "dark", "changed"),
    ("phone", 420, 900, "dark", "changed"),
)
"""Name, width and height in pixels, scheme, and the order in which a sentence is opened."""


def make(project: Path) -> None:
    """Run the demo in a folder and copy what it reports."""
    _phrasenet("demo", "--dir", str(project))
    report = _report_of(project / "phrasenet.toml")
    for old in TARGET.glob("model-card-*"):
        old.unlink()
    for path in report.parent.iterdir():
        if path.suffix in (".html", ".md"):
            shutil.copy(path, TARGET / path.name)
    if browser_path() is None:
        say("No browser: the pictures stay as they are.")
        return
    with tempfile.TemporaryDirectory() as folder, browsing(Path(folder)) as browser:
        for name, width, height, scheme, order in _PICTURES:
            page = TARGET / report.name
            with browser.opened(page, width=width, height=height, scheme=scheme) as tab:
                tab.call("Emulation.setScrollbarsHidden", hidden=True)
                tab.until(_READY)
                if order:
                    _open_first(tab, order)
                tab.picture(TARGET / f"{name}.png")


def _report_of(settings_file: Path) -> Path:
    """Return where the report lies; everything is up to date, so this computes nothing."""
    answer = _phrasenet("run", "-c", str(settings_file), "--json")
    return Path(json.loads(answer)["report"])


def _phrasenet(*arguments: str) -> str:
    """Run the command line in a process of its own, as a person does; returns what it printed."""
    command = [sys.executable, "-m", "flows.cli", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _open_first(tab: Tab, order: str) -> None:
    tab.click(f"label:has(#order-{order})")
    tab.click("details.sentence summary")
    tab.until("document.querySelectorAll('.map svg').length > 0")
    tab.ask("document.getElementById('controls').scrollIntoView({ behavior: 'instant' })")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sample_report", description=__doc__)
    parser.add_argument("--dir", default="build/phrasenet-demo", help="folder of the demo")
    TARGET.mkdir(parents=True, exist_ok=True)
    make(Path(parser.parse_args().dir))


if __name__ == "__main__":
    main()
