"""The pictures of the page in docs/img: `make screenshots`. The tests run this too, into a folder of their own."""

import json
import secrets
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Page, sync_playwright

from outplay.ui.web.app import application
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.server import configured, listen

IMAGES = Path(__file__).parent / "img"
TOKEN = secrets.token_urlsafe()
HUMAN = {"name": "human"}
KEEP = "game => [localStorage, sessionStorage].forEach(place => place.setItem('outplay.game', game))"
RUY = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"
TREE = "[[3,12,8],[2,4,6],[14,5,2]]"


def take(address: str, browser: Any, folder: Path) -> list[Path]:
    """Every picture, each from a fresh page; the address is the one with the token."""
    folder.mkdir(parents=True, exist_ok=True)
    url = address.partition("/?")[0]
    made = []
    for name, (size, scheme, show) in SCENES.items():
        context = browser.new_context(viewport=size, color_scheme=scheme)
        context.set_default_timeout(60_000)  # the first one of a game waits for the compiler
        page = context.new_page()
        page.goto(address)
        show(page, url)
        page.mouse.move(1, 1)
        made.append(folder / f"{name}.png")
        page.screenshot(path=made[-1])
        context.close()
    return made


def board(page: Page, url: str, game: str, moves: str = "", **more: Any) -> None:
    """The page with a game on it."""
    from outplay.gamefile import open_game

    actions = [str(action) for action in open_game(game, moves=moves).actions]
    kept = {"id": game, "start": "", "seats": [HUMAN, HUMAN], "clock": "", "left": None, "ended": None}
    kept |= {"actions": actions, "cursor": len(actions), "seed": 1, "flipped": False} | more
    page.goto(f"{url}/icon.svg")
    page.evaluate(KEEP, json.dumps(kept))
    page.goto(f"{url}/#play")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector(".board")


def play(page: Page, url: str) -> None:
    board(page, url, "chess", RUY, seats=[HUMAN, {"name": "engine", "level": 6}])
    page.locator(".piece[data-at='7,5']").click()
    page.wait_for_selector(".target")


def home(page: Page, url: str) -> None:
    page.goto(f"{url}/#home")
    for game in ("tictactoe", "connect4", "othello", "checkers", "chess", "go", "kalah"):
        page.wait_for_selector(f"[data-game={game}] svg.board")


def analysis(page: Page, url: str) -> None:
    board(page, url, "checkers", "11-15 23-19 8-11 22-17 9-13 17-14 10x17 21x14")
    page.click("[data-tab=analyse]")
    page.click("[data-do=review]")
    page.wait_for_selector(".verdicts td")
    page.click("[data-tab=moves]")
    page.click("[data-do=analyse]")
    page.wait_for_selector(".figures:text-matches('depth ([6-9]|[1-9][0-9])')")
    page.wait_for_selector(".lines li >> nth=2")


def tree(page: Page, url: str) -> None:
    page.goto(f"{url}/#tree?game=tree&search=alphabeta&with=minimax&start={TREE}&step=0")
    page.wait_for_selector(".tree .node")
    for _ in range(24):
        page.click("[data-do=on]")
    page.wait_for_timeout(200)


def uct(page: Page, url: str) -> None:
    page.goto(f"{url}/#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=30&step=120")
    page.wait_for_selector(".tree .node")
    page.locator(".tree .node.MIN .shape").first.click()  # one of those in sight
    page.wait_for_selector(".tree-board svg")


def quiz(page: Page, url: str) -> None:
    page.goto(f"{url}/#quiz?kind=windows&tree={TREE}")
    page.wait_for_selector(".quiz input")
    for field, value in (
        ("[data-value='1']", "3"), ("[data-window='1 alpha']", "-inf"), ("[data-window='1 beta']", "inf"),
        ("[data-window='5 alpha']", "3"), ("[data-window='5 beta']", "inf"), ("[data-value='5']", "4"),
    ):  # fmt: skip
        page.fill(field, value)
        page.press(field, "Enter")
    page.click("[data-leaf='7']")
    page.wait_for_selector(".verdict:has-text('Right')")


def phone(page: Page, url: str) -> None:
    board(page, url, "connect4", "4 4 4 3 5 3", seats=[HUMAN, {"name": "engine", "level": 5}])


SCENES: dict[str, tuple[Any, Any, Any]] = {
    "home": ({"width": 1180, "height": 800}, "light", home),
    "play": ({"width": 1180, "height": 800}, "light", play),
    "analysis": ({"width": 1180, "height": 800}, "dark", analysis),
    "tree": ({"width": 1180, "height": 800}, "light", tree),
    "uct": ({"width": 1180, "height": 760}, "dark", uct),
    "quiz": ({"width": 1180, "height": 640}, "light", quiz),
    "phone": ({"width": 390, "height": 780}, "light", phone),
}


def main() -> None:
    listener = listen("127.0.0.1", 0)
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(configured(application(Catalogue(), [host], TOKEN)))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for picture in take(f"http://{host}/?token={TOKEN}", browser, IMAGES):
            print(picture, f"{picture.stat().st_size:,} bytes", file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    main()
