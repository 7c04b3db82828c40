"""A real headless browser for the tests of pages; skipped with a reason where there is none."""

import shutil
import subprocess
from pathlib import Path

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
)


def browser_path() -> str | None:
    """Return the path of a browser, or None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_browser() -> str:
    """Return the path of a browser; skip the test where there is none."""
    browser = browser_path()
    if browser is None:
        pytest.skip(f"no headless browser; one of {', '.join(BROWSERS)} would be used")
    return browser


def rendered(page: Path, folder: Path, *, width: int) -> str:
    """Return the page's DOM after its scripts ran; fail on any message of the console.

    Args:
        page: an HTML file.
        folder: for the browser's profile.
        width: of the window, in pixels.
    """
    command = [
        find_browser(),
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},800",
        "--dump-dom",
        page.resolve().as_uri(),
    ]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    said = [line for line in answer.stderr.splitlines() if "CONSOLE" in line]
    assert said == []
    return answer.stdout
