"""Debian's Firefox, driven over WebDriver BiDi, which it speaks by itself: no driver is in between."""

import contextlib
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
PATIENCE = 30  # seconds for whatever is waited for
STARTING = 60  # seconds for the browser
QUIET = {  # it asks nobody anything, and offers nothing
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
CENTRE = """(selector) => {
  const found = document.querySelector(selector);
  found?.scrollIntoView({ block: 'nearest' });
  const box = found?.getBoundingClientRect();
  return box?.width ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null;
}"""
SEEN = """(selector, text) => [...document.querySelectorAll(selector)].some((one) =>
  one.checkVisibility() && new RegExp(text).test(one.textContent))"""


def installed() -> str | None:
    """Where it is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """Its one tab: what a person does in it, and what goes wrong meanwhile."""

    def __init__(self, live: ClientConnection) -> None:
        self.live = live
        self.numbers = itertools.count(1)
        self.problems: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded", "network.responseCompleted"])
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **parameters: Any) -> Any:
        """One command of the protocol; events that come in between are noted."""
        number = next(self.numbers)
        self.live.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            said = json.loads(self.live.recv(timeout=PATIENCE))
            if said.get("id") == number:
                assert said["type"] == "success", said
                return said["result"]
            self.note(said)

    def note(self, said: Any) -> None:
        told = said.get("params", {})
        if said.get("method") == "log.entryAdded" and told["level"] == "error":
            self.problems.append(str(told["text"]))
        if said.get("method") == "network.responseCompleted" and told["response"]["status"] >= 400:
            self.problems.append(f"{told['response']['status']} {told['request']['url']}")

    def resize(self, width: int, height: int) -> None:
        self.ask(
            "browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}
        )

    def goto(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, function: str, *given: Any) -> Any:
        """What a function of the page's language gives for some values, all of them as JSON."""
        called = f"async () => JSON.stringify((await ({function})(...{json.dumps(given)})) ?? null)"
        said = self.ask(
            "script.callFunction",
            functionDeclaration=called,
            target={"context": self.context},
            awaitPromise=True,
            userActivation=False,
        )
        assert said["type"] == "success", said["exceptionDetails"]["text"]
        return json.loads(said["result"]["value"])

    def until(self, function: str, *given: Any) -> Any:
        """Wait for something true."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.evaluate(function, *given)):
            assert time.monotonic() < deadline, (function, given, self.problems)
            time.sleep(0.03)
        return found

    def wait(self, selector: str, text: str = "") -> None:
        """Wait until something that can be seen has such a text."""
        self.until(SEEN, selector, text)

    def act(self, kind: str, *steps: Any, **more: Any) -> None:
        device = {"type": kind, "id": kind, "actions": list(steps), **more}
        self.ask("input.performActions", context=self.context, actions=[device])

    def drag(self, selector: str, *to: str) -> None:
        """Press the mouse on something, and let it go there; on the same thing it is a click."""
        places = [self.until(CENTRE, one) for one in (selector, *to)]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 60} for x, y in places]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self.act("pointer", moves[0], down, *moves[1:], up, parameters={"pointerType": "mouse"})

    click = drag

    def press(self, keys: str) -> None:
        """Some keys, one after the other: letters, or the protocol's signs for the others."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.act("key", *steps)

    def picture(self) -> str:
        """What is seen, as a PNG in base 64."""
        return str(self.ask("browsingContext.captureScreenshot", context=self.context)["data"])


@contextlib.contextmanager
def started(program: str) -> Iterator[Tab]:
    """A Firefox of our own, with a profile that goes when it does."""
    with tempfile.TemporaryDirectory(prefix="outplay-firefox-") as folder:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in QUIET.items())
        Path(folder, "user.js").write_text("".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                with connect(address(process) + "/session", max_size=None) as live:
                    yield Tab(live)
            finally:
                process.terminate()
                process.wait(STARTING)


def address(process: subprocess.Popen[str]) -> str:
    """Where it listens, by its own words."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
            return found[1]
    raise RuntimeError("Firefox ended before it listened")
