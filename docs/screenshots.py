"""The pictures of the page in docs/img: `make screenshots`. The tests run this too, into a folder of their own."""

import html
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
        context.set_default_timeout(300_000)  # the first one of a game waits for the compiler
        page = context.new_page()
        page.goto(address)
        show(page, url)
        page.mouse.move(1, 1)
        page.evaluate("scrollTo(0, 0)")
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
    for game in ("chess", "othello", "connect4", "go", "checkers", "backgammon"):
        page.wait_for_selector(f"[data-game={game}] svg.board")
    page.wait_for_selector(".self-node.pruned")


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
    page.goto(f"{url}/#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=12&step=62")
    page.wait_for_selector(".tree .node")
    page.click("[data-do=fit]")
    page.locator("[data-node='0'] .shape").click()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.click("[data-do=fit]")
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


def editor(page: Page, url: str) -> None:
    page.goto(
        f"{url}/#edit?game=chess&start=r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    )
    page.wait_for_selector(".editor .piece")
    page.click(".swatch[aria-label='black knight']")


def horizon(page: Page, url: str) -> None:
    where = "game=checkers&start=W:W26,27:B13,20&search=alphabeta&with=engine&on=quiescence&depth=1&step=99"
    page.goto(f"{url}/#tree?{where}")
    page.wait_for_selector(".horizon", state="attached")
    page.click("[data-do=boards]")
    page.wait_for_selector(".node.beyond svg.board")
    page.wait_for_timeout(300)


def phone(page: Page, url: str) -> None:
    board(page, url, "connect4", "4 4 4 3 5 3", seats=[HUMAN, {"name": "engine", "level": 5}])


SCENES: dict[str, tuple[Any, Any, Any]] = {
    "home": ({"width": 1180, "height": 940}, "light", home),
    "play": ({"width": 1180, "height": 800}, "light", play),
    "analysis": ({"width": 1180, "height": 800}, "dark", analysis),
    "tree": ({"width": 1180, "height": 800}, "light", tree),
    "horizon": ({"width": 1180, "height": 800}, "light", horizon),
    "editor": ({"width": 1180, "height": 800}, "light", editor),
    "uct": ({"width": 1180, "height": 760}, "dark", uct),
    "quiz": ({"width": 1180, "height": 640}, "light", quiz),
    "phone": ({"width": 390, "height": 780}, "light", phone),
}


# --- something that moves ------------------------------------------------------------------------------

BEAT = 0.7  # seconds a step
REST = 4  # beats at the end
HIDE = "@keyframes f{0%{visibility:visible}%PART%%{visibility:hidden}100%{visibility:hidden}}"


def animate(address: str, browser: Any, folder: Path) -> Path:
    """Alpha-beta step by step as one SVG that plays by itself; still, at its end, where no motion is wanted."""
    context = browser.new_context(viewport={"width": 900, "height": 800}, color_scheme="light")
    page = context.new_page()
    page.goto(address)
    url = address.partition("/?")[0]
    page.goto(f"{url}/#tree?game=tree&search=alphabeta&start={TREE}&step=0")
    page.wait_for_selector(".tree .node")
    box = page.locator("svg.tree").bounding_box()
    frames = []
    for step in range(int(page.locator(".tree-controls input[type=range]").get_attribute("max")) + 1):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        words = page.locator(".step-words").inner_text().partition(". ")[2]
        frames.append((page.evaluate(WORLD), words))
        if step == 0:
            page.evaluate("document.querySelector('.tree-controls [data-do=on]').focus()")
        page.keyboard.press("ArrowRight")
    context.close()
    made = folder / "alphabeta.svg"
    made.write_text(moving(frames, int(box["width"]), int(box["height"])), encoding="utf-8")
    return made


WORLD = """() => {
  const world = document.querySelector('svg.tree .world').cloneNode(true);
  world.querySelectorAll('title').forEach((one) => one.remove());
  return world.outerHTML;
}"""


def moving(frames: list[tuple[str, str]], width: int, height: int) -> str:
    """Pictures one after the other."""
    beats = len(frames) + REST
    css = (Path(__file__).parents[1] / "src/outplay/ui/web/static/tree.css").read_text(encoding="utf-8")
    style = css.partition(".tree-page,")[0].replace("&", "&amp;").replace("<", "&lt;")
    parts = []
    for number, (drawn, words) in enumerate(frames):
        last = number == len(frames) - 1
        beat = f"animation-delay:{BEAT * number:.1f}s" + (";animation-name:l" if last else "")
        text = f'<text x="16" y="{height - 14}" font-size="17">{html.escape(words)}</text>'
        parts.append(f'<g class="f{" last" if last else ""}" style="{beat}">{drawn}{text}</g>')
    hide, stay = (HIDE.replace("%PART%", f"{100 * part / beats:.3f}") for part in (1, 1 + REST))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width} {height}" data-drawn="near">'
        f"<style>{style}{hide}{stay.replace('@keyframes f', '@keyframes l')}"
        f".f{{visibility:hidden;animation:f {BEAT * beats:.1f}s step-end infinite}}"
        f"@media(prefers-reduced-motion:reduce){{.f{{animation:none}}.last{{visibility:visible}}}}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>{"".join(parts)}</svg>'
    )


def main() -> None:
    listener = listen("127.0.0.1", 0)
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(configured(application(Catalogue(), [host], TOKEN)))
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    serving.start()
    while not server.started:
        time.sleep(0.05)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for picture in take(f"http://{host}/?token={TOKEN}", browser, IMAGES):
            print(picture, f"{picture.stat().st_size:,} bytes", file=sys.stderr)
        picture = animate(f"http://{host}/?token={TOKEN}", browser, IMAGES)
        print(picture, f"{picture.stat().st_size:,} bytes", file=sys.stderr)
        browser.close()
    server.should_exit = True
    serving.join(10)


if __name__ == "__main__":
    main()
