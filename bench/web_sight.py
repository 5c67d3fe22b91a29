"""What somebody at the page sees, and when: the first paint, a board that can be clicked, a piece that is put down.

Chromium says by its own clock when it painted first and when the first cell could be clicked. Its protocol makes the
network slow: every answer comes 400 ms later, and all of them at 1.6 Mbit/s together. A first visit opens the address
that the server printed, in a browser that knows nothing of it: the token costs an answer of its own. A dragged piece is
looked at in every frame after it is let go, until the server has confirmed the move.
"""

import contextlib
import shutil
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.measure import Row, left_out

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
PATIENCE = 30_000  # milliseconds for whatever the browser waits for
WATCH = """(() => {
  const look = () => { if (document.querySelector('.cell.free')) window.usable ??= performance.now(); };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
})()"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()"
FOLLOW = """([from, to]) => { // of every frame after the piece is let go: where it is
  window.frames = [];
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [start, goal] = [from, to].map((at) => middle(document.querySelector(`.cell[data-at="${at}"] .square`)));
  const away = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const look = () => {
    const places = [...document.querySelectorAll('.board-frame .piece')].map(middle);
    window.frames.push([places.some((one) => away(one, goal) < 12), places.some((one) => away(one, start) < 12)]);
    if (window.frames.length < 600) requestAnimationFrame(look);
  };
  addEventListener('pointerup', () => requestAnimationFrame(look), { once: true, capture: true });
}"""


class Sight(NamedTuple):
    """Milliseconds from the address to what is seen."""

    painted: float
    usable: float


def in_the_browser(address: str, turns: int) -> Iterator[Row]:
    """The address carries the token."""
    work = "page: what a browser shows"
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        yield left_out(work, "", "there is no Chromium")
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        yield left_out(work, "", error)
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield from _loads(browser, address, turns)
        yield from _drag(browser, address)
        browser.close()


@contextlib.contextmanager
def _visitor(browser: Any, address: str = "") -> Iterator[tuple[Any, Any]]:
    """A page of a browser, which was at the address before, and the protocol to slow it down."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(WATCH)
    if address:
        page.goto(f"{address}#play?game=tictactoe")
        page.wait_for_selector(".cell.free")
        page.goto("about:blank")
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    yield page, protocol
    context.close()


def _loads(browser: Any, address: str, turns: int) -> Iterator[Row]:
    def seen(slow: bool, cached: bool) -> Sight:
        with _visitor(browser, address if cached else "") as (page, protocol):
            if slow:
                protocol.send("Network.emulateNetworkConditions", SLOW)
            known = f"{address.partition('/?')[0]}/"
            page.goto(f"{known if cached else address}#play?game=tictactoe")
            page.wait_for_selector(".cell.free")
            return Sight(page.evaluate(PAINTED), page.evaluate("window.usable"))

    for words, slow, cached, (paint, use) in (
        ("local, files cached", False, True, (0.5, 1.0)),
        ("400 ms, 1.6 Mbit/s, files cached", True, True, (3.0, 3.0)),
        ("400 ms, 1.6 Mbit/s, first visit", True, False, (3.0, 3.0)),
    ):
        all_ = [seen(slow, cached) for _ in range(turns)]
        for what, times, bound in (
            ("first paint", [one.painted for one in all_], paint),
            ("a board that can be clicked", [one.usable for one in all_], use),
        ):
            seconds = statistics.median(times) / 1000
            yield Row(f"page: {what}, {words}", "", "", "", seconds, "s", bound, at_most=True)


def _drag(browser: Any, address: str) -> Iterator[Row]:
    """A piece dragged while the server is far away."""
    with _visitor(browser, address) as (page, protocol):
        page.goto(f"{address.partition('/?')[0]}/#play?game=hexapawn")
        page.wait_for_selector(".cell.free")
        protocol.send("Network.emulateNetworkConditions", SLOW)
        boxes = [
            page.locator(f".cell[data-at='{at}'] .square").bounding_box(timeout=PATIENCE)
            for at in ("2,0", "1,0")
        ]
        start, goal = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
        page.evaluate(FOLLOW, ["2,0", "1,0"])
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*goal, steps=6)
        page.mouse.up()
        page.wait_for_selector("#status:has-text('Black to move')")
        page.wait_for_timeout(300)
        frames = page.evaluate("window.frames")
    shown = next((number + 1 for number, (there, _) in enumerate(frames) if there), len(frames))
    back = sum(not there or here for there, here in frames[shown - 1 :])
    ours = f"{len(frames)} frames"
    work = "page: a dragged piece, 400 ms"
    yield Row(f"{work}: frames until it is shown", "", ours, "", shown, "", 1, at_most=True)
    yield Row(f"{work}: frames in which it is back", "", ours, "", back, "", 0, at_most=True)
