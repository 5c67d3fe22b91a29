"""Servers on ports of their own, and Debian's Chromium to look at them with; one of each for all tests.

What the page shows and the server says does not depend on the compiler: `server` runs everything as plain Python, so
that no test waits for a game to be compiled. `compiling` compiles, as the server of a user does.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import httpx
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

import outplay
from outplay.ui.web.app import application
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.server import configured, listen

TOKEN = "a-word-that-only-the-tests-know"
HERE = Path(__file__).parent
PATIENCE = 30  # seconds for whatever a test waits for: nothing has to be compiled for it
COMPILED = 300  # seconds to compile a small game, on a busy machine
NIM = str(HERE.parents[1] / "examples" / "nim.py")
BREAK = str(HERE / "breakthrough.py")
HUMAN = {"name": "human"}
# O takes a corner and is lost: every edge draws. Few cells are free, so that plain Python proves it on any machine.
LOST: dict[str, Any] = {"start": "X../.O./..X o", "actions": [0, 8, 5, 7], "cursor": 4}
KUHN = str(HERE.parents[1] / "examples" / "kuhn.py")
STILL = """async (parts) => {
  const read = () => JSON.stringify([...document.querySelectorAll(parts)].map((one) => one.getBoundingClientRect()));
  for (let was = '', same = 0, frames = 0; same < 4 && frames < 900; frames += 1) {
    await new Promise(requestAnimationFrame);
    const now = read();
    same = now === was ? same + 1 : 0;
    was = now;
  }
}"""
RESIGN = """() => {
  const button = document.querySelector('[data-do=resign]');
  button.click();
  const asked = button.textContent;
  button.click();
  return asked;
}"""
KEEP = "game => [localStorage, sessionStorage].forEach(place => place.setItem('outplay.game', game))"


class Running(NamedTuple):
    """A server that answers."""

    url: str
    client: httpx.Client
    token: str = TOKEN

    @property
    def address(self) -> str:
        return f"{self.url}/?token={self.token}"

    def ask(self, what: str, **body: Any) -> Any:
        answer = self.client.post(f"/api/{what}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def connect(self, **options: Any) -> ClientConnection:
        """A page's socket."""
        cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())}
        headers = cookies | options.pop("additional_headers", {})
        url = self.url.replace("http", "ws") + "/api/live"
        return connect(url, max_size=None, additional_headers=headers, **options)

    def prepare(self, game: str, search: str) -> None:
        """Let a search of a game be compiled, and wait for it."""
        with self.connect() as live:
            live.send(json.dumps({"type": "prepare", "id": 1, "game": game, "seat": {"name": search}}))
            while (said := json.loads(live.recv(timeout=COMPILED)))["type"] != "done":
                assert said["type"] != "error", said

    def enter(self, context: Any) -> Any:
        """Let a browser's context in; a page of it."""
        page = context.new_page()
        page.goto(self.address)
        page.goto("about:blank")
        return page


@contextlib.contextmanager
def running(catalogue: Catalogue, port: int = 0, **options: Any) -> Iterator[Running]:
    listener = listen("127.0.0.1", port)
    port = listener.getsockname()[1]
    app = application(catalogue, [f"127.0.0.1:{port}"], TOKEN, **options)
    server = uvicorn.Server(configured(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        client.get(f"/?token={TOKEN}")
        yield Running(f"http://127.0.0.1:{port}", client)
    server.should_exit = True
    thread.join(10)


@contextlib.contextmanager
def commanded(*arguments: str, **environment: str) -> Iterator[Running]:
    """The server that `outplay web` starts, in a process of its own."""
    command = [sys.executable, "-m", "outplay", "web", *arguments, "--port", "0"]
    here = os.environ | {"PYTHONPATH": str(Path(outplay.__file__).parents[1])} | environment
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
            assert found, line
            with httpx.Client(base_url=found[1], timeout=PATIENCE) as client:
                client.get(found[0])
                yield Running(found[1], client, found[2])
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture
def serve() -> Any:
    """Start another server: `with serve(Catalogue(), workers=1) as server`."""
    return running


@pytest.fixture
def command() -> Any:
    """Start one by the command: `with command("game.txt", OUTPLAY_JIT="0") as server`."""
    return commanded


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """It compiles nothing."""
    with commanded(NIM, KUHN, BREAK, OUTPLAY_JIT="0") as found:
        yield found


@pytest.fixture(scope="session")
def compiling() -> Iterator[Running]:
    """One that compiles; a test lets it do so first: `compiling.prepare("tictactoe", "engine")`."""
    with commanded(OUTPLAY_JIT="1") as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium here: `make system` installs Debian's")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Table:
    """An open page with the game on it, played as a person plays: by clicks and keys."""

    def __init__(self, server: Running, page: Any) -> None:
        self.server, self.page = server, page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        page.on("response", lambda answer: self.problems.append(answer.url) if answer.status >= 400 else None)

    def open(self, where: str = "") -> "Table":
        self.page.goto(f"{self.server.url}/{where}")
        self.page.wait_for_selector("body[data-ready]")
        return self

    def begin(self, game: str, first: Any = HUMAN, second: Any = HUMAN, **more: Any) -> "Table":
        """A game with these players, as if it had been left and come back to."""
        kept = {"id": game, "start": "", "seats": [first, second], "clock": "", "left": None, "ended": None}
        kept |= {"actions": [], "cursor": 0, "seed": 1, "flipped": False} | more
        kept["actions"] = [str(action) for action in kept["actions"]]
        self.page.goto(f"{self.server.url}/icon.svg")  # a page that is left keeps its game
        self.page.evaluate(KEEP, json.dumps(kept))
        self.page.goto("about:blank")
        return self.open("#play")

    @property
    def record(self) -> dict[str, Any]:
        """The game in the address."""
        parts = parse_qs(self.page.url.partition("?")[2])
        moves = parts.get("moves", [""])[0]
        actions = [int(move) for move in moves.split(".") if move]
        return {"game": parts["game"][0], "start": parts.get("start", [""])[0], "actions": actions}

    def position(self) -> Any:
        return self.server.ask("position", **self.record)

    def wait(self, text: str, where: str = "#status", seconds: float = PATIENCE) -> None:
        self.page.wait_for_selector(f"{where}:has-text('{text}')", timeout=1000 * seconds)

    def until(self, script: str, seconds: float = PATIENCE) -> None:
        """Wait for an expression to be true; the page's policy forbids Playwright to do so inside it."""
        deadline = time.monotonic() + seconds
        while not self.page.evaluate(script):
            assert time.monotonic() < deadline, script
            self.page.wait_for_timeout(20)

    def lies_still(self, *parts: str) -> None:
        """Wait until all such elements have stayed where they are for some frames."""
        self.page.evaluate(STILL, ", ".join(parts))

    def resign(self) -> None:
        """Press the button twice: it asks first, for a moment."""
        assert self.page.evaluate(RESIGN) == "Sure?"

    def box(self, what: str) -> dict[str, float]:
        """Where the first such element lies, once it is there: a board may just be being drawn anew."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.page.locator(what).first.bounding_box()) is None:
            assert time.monotonic() < deadline, what
            self.page.wait_for_timeout(20)
        place: dict[str, float] = found
        return place

    def square(self, at: str) -> dict[str, float]:
        """Where a square of the board lies: "6,4" is its row and column."""
        return self.box(f".cell[data-at='{at}'] .square")

    def click_cell(self, at: list[int]) -> None:
        box = self.square(f"{at[0]},{at[1]}")
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def play(self, move: Any) -> None:
        """Make a move of the position: by clicking its cells, or its button where it has none."""
        before = len(self.record["actions"])
        if move["path"]:
            for at in move["path"]:
                self.click_cell(at)
            chooser = self.page.locator(".chooser button", has_text=move["text"])
            if chooser.count():
                chooser.first.click()
        else:
            self.page.get_by_role("group", name="Moves").get_by_role(
                "button", name=move["text"], exact=True
            ).click()
        self.moved(before)

    def moved(self, before: int) -> None:
        """Wait until more moves than before stand in the address."""
        self.until(f"(location.hash.split('moves=')[1] || '').split('.').filter(Boolean).length > {before}")

    def settled(self, sides: tuple[int, ...] = (0,)) -> Any:
        """The position when one of these sides is to move at last, or the game is over."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if re.search("to move|wins|draw", self.page.locator("#status").inner_text()):
                position = self.position()
                if position["over"] or position["player"] in sides:
                    return position
            self.page.wait_for_timeout(15)
        raise AssertionError(f"nobody moves: {self.record}, {self.page.locator('#status').inner_text()}")


@contextlib.contextmanager
def opened(server: Running, chromium: Any, **options: Any) -> Iterator[Table]:
    """A table in a browser of its own, whose page does nothing wrong until it is left."""
    context = chromium.new_context(**options)
    context.set_default_timeout(1000 * PATIENCE)
    found = Table(server, server.enter(context))
    yield found
    context.close()
    assert not found.problems


@pytest.fixture
def table(server: Running, chromium: Any) -> Iterator[Table]:
    with opened(server, chromium, viewport={"width": 1280, "height": 860}) as found:
        yield found


@pytest.fixture
def phone(server: Running, chromium: Any) -> Iterator[Table]:
    size = {"width": 375, "height": 667}
    with opened(
        server, chromium, viewport=size, has_touch=True, is_mobile=True, device_scale_factor=2
    ) as found:
        yield found


@pytest.fixture(scope="session")
def ask(server: Running) -> Callable[..., Any]:
    return server.ask
