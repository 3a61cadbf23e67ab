"""A real browser for tests: chromium without a window, driven over its debugging pipe with the standard library alone."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import queue
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_PATIENCE = 30  # seconds until a silent browser is a failed test


def find() -> str | None:
    """The browser of this machine, if there is one."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


class Browser:
    """One browser process; messages to it end with a zero byte, and so do its answers."""

    def __init__(self, command: str, profile: Path) -> None:
        theirs, self._write = os.pipe()
        self._read, ours = os.pipe()
        # The browser reads from descriptor 3 and writes to descriptor 4; copies far above cannot be in the way of that.
        reading, writing = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs, ours))
        self._process = os.posix_spawn(
            command,
            [command, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, reading, 3),
                (os.POSIX_SPAWN_DUP2, writing, 4),
            ],
        )
        for end in (theirs, ours, reading, writing):
            os.close(end)
        self._number = 0
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.events: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._receive, daemon=True)
        self._reader.start()

    def _receive(self) -> None:
        buffer = b""
        while chunk := os.read(self._read, 1 << 16):
            *whole, buffer = (buffer + chunk).split(b"\0")
            for message in whole:
                self._messages.put(json.loads(message))
        self._messages.put({"closed": True})

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method of the debugging protocol; events that come meanwhile are kept."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode("utf-8") + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]  # type: ignore[no-any-return]

    def wait_for(self, method: str, session: str) -> None:
        """Wait for an event that has not come yet, or take it from those that have."""
        while not any(event.get("method") == method and event.get("sessionId") == session for event in self.events):
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        message = self._messages.get(timeout=_PATIENCE)
        assert "closed" not in message, "the browser has ended"
        return message

    @contextlib.contextmanager
    def page(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> Iterator[Page]:
        """A new page that notes what it requests and complains about."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        page.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        try:
            yield page
        finally:
            self.call("Target.closeTarget", targetId=target)

    def close(self) -> None:
        self.call("Browser.close")
        os.waitpid(self._process, 0)
        self._reader.join(_PATIENCE)
        os.close(self._write)
        os.close(self._read)


class Page:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def open(self, address: str) -> None:
        """Go to an address and wait until the page is there and drawn."""
        self._load("Page.navigate", url=address)

    def reload(self) -> None:
        self._load("Page.reload")

    def _load(self, method: str, **parameters: Any) -> None:
        events = self._browser.events
        events[:] = [event for event in events if event.get("method") != "Page.loadEventFired"]
        self.call(method, **parameters)
        self._browser.wait_for("Page.loadEventFired", self._session)
        self.frames(2)

    def frames(self, number: int) -> None:
        """Wait until the page has been drawn this many times."""
        self.run(
            f"new Promise(done => {{ let n = {number};"
            " (function wait() { n-- ? requestAnimationFrame(wait) : done(); })(); })"
        )

    def run(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def key(self, key: str) -> None:
        """Press and release a key, as a person would."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector: str) -> None:
        """Click into the middle of an element, wherever the page has it."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{find}.scrollIntoView({{block: 'center'}})")
        x, y = self.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({find}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Enter text where the focus is."""
        self.call("Input.insertText", text=text)

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def screenshot(self, file: Path, *, whole: bool = False) -> None:
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(picture["data"]))

    def requests(self) -> list[str]:
        """The address of everything that the page has asked for."""
        return [event["params"]["request"]["url"] for event in self._of("Network.requestWillBeSent")]

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, uncaught exceptions and what the browser itself logged."""
        said = [
            str(event["params"]["args"])
            for event in self._of("Runtime.consoleAPICalled")
            if event["params"]["type"] in ("error", "warning", "assert")
        ]
        thrown = [str(event["params"]["exceptionDetails"]) for event in self._of("Runtime.exceptionThrown")]
        logged = [str(event["params"]["entry"]) for event in self._of("Log.entryAdded")]
        return said + thrown + logged

    def _of(self, method: str) -> list[dict[str, Any]]:
        self.run("0")  # its answer comes after every event so far
        return [
            event
            for event in self._browser.events
            if event.get("method") == method and event.get("sessionId") == self._session
        ]
