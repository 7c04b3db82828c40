"""A tab of a real headless browser that a test clicks, types and looks in (DevTools protocol)."""

import base64
import contextlib
import itertools
import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.integration.browser import FLAGS, find_browser

_PATIENCE_SECONDS = 60


class Tab:
    """One page; every message of the console is kept, and is a fault."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self.said: list[str] = []
        self._events: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._connection.recv(timeout=_PATIENCE_SECONDS))
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method", ""), event.get("params", {})
        self._events.append(method)
        if method == "Runtime.consoleAPICalled":
            self.said.append(str(parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            self.said.append(str(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.said.append(parameters["entry"]["text"])

    def ask(self, expression: str) -> Any:
        """Evaluate an expression in the page, waiting for a promise, and return its value."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, (expression, answer["exceptionDetails"])
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while not self.ask(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Click with the mouse on the middle of the first element that fits."""
        place = self.ask(
            f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: "center", behavior: "instant" }});
            const box = element.getClientRects()[0];
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str) -> None:
        """Press a named key, such as `Enter` or `Tab`."""
        codes = {"Enter": (13, "\r"), "Tab": (9, ""), "ArrowRight": (39, "")}
        code, text = codes[key]
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, selector: str, text: str) -> None:
        """Click on a field and type."""
        self.click(selector)
        self.call("Input.insertText", text=text)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list as a person does, so that its listeners are told."""
        self.ask(
            f"""(() => {{ const list = document.querySelector({json.dumps(selector)});
            list.value = {json.dumps(value)};
            list.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()"""
        )

    def texts(self, selector: str) -> list[str]:
        """Return the text of every element that fits, as a reader sees it."""
        found: list[str] = self.ask(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.innerText)"
        )
        return found

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write a PNG of what is shown, or of the whole page."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))


class Browser:
    """A running browser, which opens pages in tabs of their own."""

    def __init__(self, port: str) -> None:
        self._port = port

    @contextlib.contextmanager
    def opened(
        self, page: Path, *, width: int, height: int = 900, scheme: str = "light"
    ) -> Iterator[Tab]:
        """Open a page and give its tab; at the end, any message of the console is a fault.

        Args:
            page: an HTML file.
            width: of the window, in pixels.
            height: the same.
            scheme: `light` or `dark`, what the reader prefers.
        """
        with self.visited(page.resolve().as_uri(), width, height, scheme) as tab:
            yield tab
            assert tab.said == []

    @contextlib.contextmanager
    def visited(self, url: str, width: int, height: int, scheme: str = "light") -> Iterator[Tab]:
        """Open an address, whose page is another's, so that its messages are no fault of ours."""
        with connect(self._new_tab(), max_size=None, proxy=None) as connection:
            tab = Tab(connection)
            _prepare(tab, width, height, scheme)
            tab.call("Page.navigate", url=url)
            tab.until("document.readyState === 'complete'")
            yield tab
            tab.call("Page.close")

    def _new_tab(self) -> str:
        url = f"http://127.0.0.1:{self._port}/json/new?about:blank"
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(urllib.request.Request(url, method="PUT"), timeout=60) as answer:
            address: str = json.load(answer)["webSocketDebuggerUrl"]
        return address


@contextlib.contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """Run a browser; skip the test where there is none.

    Args:
        folder: for its profile.
    """
    flags = [flag for flag in FLAGS if not flag.startswith("--virtual-time")]
    profile = folder / "browsing"
    process = subprocess.Popen(
        [find_browser(), *flags, "--remote-debugging-port=0", f"--user-data-dir={profile}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Browser(_port(profile))
    finally:
        process.terminate()
        process.wait(timeout=30)


def _port(profile: Path) -> str:
    """Return where the browser listens, once it does."""
    port_file, end = profile / "DevToolsActivePort", time.monotonic() + _PATIENCE_SECONDS
    while not port_file.exists() or not port_file.read_text().strip():
        assert time.monotonic() < end, "the browser never listened"
        time.sleep(0.05)
    return port_file.read_text().split()[0]


def _prepare(tab: Tab, width: int, height: int, scheme: str) -> None:
    for domain in ("Page", "Runtime", "Log"):
        tab.call(f"{domain}.enable")
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=False,
    )
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    tab.call("Emulation.setEmulatedMedia", features=features)
