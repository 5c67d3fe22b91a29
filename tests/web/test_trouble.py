"""What goes wrong around a game in a browser: other tabs, servers that go away, links and games that are broken."""

import json
from pathlib import Path
from typing import Any

import pytest

from outplay.ui.web.catalogue import Catalogue

HUMAN = {"name": "human"}
BROKEN = '''
from typing import NamedTuple
from outplay import Board

class Broken(NamedTuple):
    """Counts up; from 2 on there is no text for a move."""
    n: int = 0
    def player(self): return self.n & 1
    def actions(self): return [1, 2] if self.n < 5 else []
    def result(self, step): return Broken(self.n + step)
    def utility(self): return 1
    def action_text(self, step): return f"+{step // (self.n < 2)}"
    def board(self): return Board((str(self.n),))
'''


def test_two_tabs_each_keep_their_game(table: Any) -> None:
    table.begin("tictactoe", HUMAN, {"name": "random"})
    other = table.page.context.new_page()
    other.goto(f"{table.server.url}/#play?game=hexapawn")
    other.wait_for_selector("body[data-ready]")
    table.page.reload()
    table.page.wait_for_selector(".strip:has-text('O · random')")
    table.page.click("nav [data-view=quiz]")
    table.page.wait_for_selector(".quiz input")
    table.page.click("nav [data-view=play]")
    table.page.wait_for_selector(".strip:has-text('O · random')")


def test_a_game_goes_on_when_its_server_comes_back(serve: Any, chromium: Any) -> None:
    context = chromium.new_context()
    with serve(Catalogue()) as server:
        page = server.enter(context)
        page.goto(f"{server.url}/#play?game=tictactoe")
        page.wait_for_selector(".cell.free")
    port = int(server.url.rpartition(":")[2])
    page.locator(".cell[data-at='1,1'] .square").click()
    page.wait_for_selector("#status:has-text('Trying again')")
    with serve(Catalogue(), port=port):
        page.wait_for_selector("#status:has-text('O to move')")
        assert page.url.endswith("moves=4")
    context.close()


def test_a_page_that_is_not_known_any_more_says_so_and_goes_on(table: Any) -> None:
    """As when the server was started anew: its new address, opened in another tab, lets this one in too."""
    table.begin("tictactoe")
    table.page.context.clear_cookies()
    table.click_cell([1, 1])
    table.wait("open the address with the token that the server printed. Trying again")
    table.server.enter(table.page.context).close()
    table.wait("O to move")
    assert table.record["actions"] == [4]
    table.problems.clear()  # the browser notes the refusal


def test_a_game_that_fails_stays_where_it_was(serve: Any, chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    context = chromium.new_context()
    with serve(Catalogue([str(tmp_path / "broken.py")])) as server:
        page = server.enter(context)
        page.goto(f"{server.url}/#play?game=broken")
        page.get_by_role("button", name="+1", exact=True).click()
        page.wait_for_selector(".moves .move")
        page.get_by_role("button", name="+2", exact=True).click()
        page.wait_for_selector("#toast:has-text('ZeroDivisionError')")
        assert page.url.endswith("#play?game=broken&moves=1")
        page.wait_for_selector(".piece:has-text('1')")
        context.close()


TIRED = """
from pathlib import Path
asked = Path(__file__).with_name("asked")
def play(record, limits):
    if not asked.exists():
        asked.touch()
        raise ValueError("not today")
    return record.legal()[0]
"""


def test_a_machine_that_fails_is_asked_again(serve: Any, chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "tired.py").write_text(TIRED)
    context = chromium.new_context()
    with serve(Catalogue([str(tmp_path / "tired.py")])) as server:
        page = server.enter(context)
        page.goto(f"{server.url}/#play?game=tictactoe&with=human_tired")
        page.locator(".cell.free[data-at='1,1'] .square").click()
        page.wait_for_selector("#toast:has-text('not today')")
        page.click("[data-do=again]")
        page.wait_for_selector(".moves .move >> nth=1")
        assert not page.locator("#toast").is_visible()
        context.close()


@pytest.mark.parametrize(
    ("link", "line"),
    [
        ("play?game=nope", "There is no game called nope here"),
        ("play?game=tictactoe&moves=4.4", "move 2: action 4 is not legal"),
        ("play?game=tictactoe&moves=zz", "an action must be a 64-bit integer"),
        ("play?game=tictactoe&moves=~" + 48 * "A", "sealed move does not fit"),
        ("play?game=hexapawn:width=99", "WIDTH must be"),
        ("play?game=chess&start=8/8 w", "not a chess position"),
        ("tree?game=nope", "There is no game called nope here"),
        ("tree?game=tictactoe&depth=2&search=nope", "There is no search nope"),
        ("tree?game=tree&start=[[[", "expected a number or a bracket"),
        ("quiz?kind=nope", "A quiz has no kind nope"),
        ("quiz?tree=5", "the game is over there"),
    ],
)
def test_broken_links_are_told_in_a_line(table: Any, link: str, line: str) -> None:
    table.open(f"#{link}")
    table.wait(line, "#toast")
    if link.startswith("play"):
        table.page.wait_for_selector(".cell.free, .moves-as-buttons button")  # something that can be played
    table.problems.clear()  # the browser notes the refusal


def test_chance_does_not_wipe_away_what_went_wrong(table: Any) -> None:
    """The dice are thrown at once, before anybody can have read it."""
    table.open("#play?game=backgammon&moves=999999")
    table.wait("move 1: action 999999 is not legal", "#toast")
    table.page.wait_for_selector(".board .die")
    table.page.wait_for_selector(".moves-as-buttons button")
    assert table.page.locator("#toast").is_visible()
    table.problems.clear()  # the browser notes the refusal


@pytest.mark.parametrize("link", ["tree?game=nope", "quiz?kind=nope", "play?game=nope"])
def test_what_went_wrong_stays_until_one_goes_on(table: Any, link: str) -> None:
    """However slow the machine: nobody misses it, and nobody has to wait for its end."""
    table.page.clock.install()
    table.open(f"#{link}")
    table.wait("nope", "#toast")
    table.page.clock.fast_forward(60_000)
    assert table.page.locator("#toast").is_visible()
    table.page.keyboard.press("Tab")
    assert not table.page.locator("#toast").is_visible()


def test_what_went_wrong_can_be_clicked_away(table: Any) -> None:
    table.page.add_init_script("window.setTimeout = () => 0")  # the time to read it never ends
    table.open("#tree?game=nope")
    table.wait("nope", "#toast")
    table.page.keyboard.press("Tab")
    assert table.page.locator("#toast").is_visible()
    table.page.click("#toast")
    assert not table.page.locator("#toast").is_visible()


@pytest.mark.parametrize(
    "text", ["8/8/8 w - - 0 1", "1. e4 Ke2", '[FEN "8/8 w"]\n\n1. e4', "game: chess\n\ne5"]
)
def test_what_cannot_be_read_is_said_in_a_line(table: Any, text: str) -> None:
    table.begin("chess")
    page = table.page
    page.click("[data-tab=share]")
    page.fill(".share textarea", text)
    page.click("[data-do=read]")
    page.wait_for_selector("#toast", timeout=20_000)
    assert "\n" not in page.locator("#toast").inner_text()
    assert page.locator(".moves .move").count() == 0
    table.problems.clear()


def test_undo_takes_back_a_flag_a_resignation_and_no_machines_move(table: Any) -> None:
    table.begin("tictactoe", clock="60+0", left=[300, 60000], times=[[49900, 60000]])
    page = table.page
    table.wait("ran out of time")
    page.click("[data-do=undo]")
    table.wait("X to move")
    assert page.locator(".strip[data-side='0'] .clock").inner_text().startswith("0:4")
    table.resign()
    table.wait("X resigns: O wins")
    page.click("[data-do=undo]")
    table.wait("X to move")
    table.begin("tictactoe", {"name": "random"}, HUMAN)
    table.wait("O to move")
    assert page.locator("[data-do=undo]").is_disabled()


def test_nobody_resigns_a_game_that_is_only_looked_at(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0, 8], cursor=3)
    page = table.page
    table.wait("O to move")
    assert page.locator("[data-do=resign]").is_enabled()
    page.keyboard.press("ArrowLeft")
    table.wait("X to move")
    assert page.locator("[data-do=resign]").is_disabled()
    table.click_cell([0, 1])  # beside the game
    table.wait("O to move")
    assert page.locator("[data-do=resign]").is_disabled()


def test_buttons_keep_the_keyboard(table: Any) -> None:
    """Who rolls by keys need not look for the buttons again after every roll."""
    table.begin("pig", seed=5)
    page = table.page
    page.get_by_role("button", name="roll").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".die")
    table.until("document.activeElement.closest('.moves-as-buttons') !== null")


def test_the_skip_link_stays_in_its_view(table: Any) -> None:
    table.open("#quiz")
    table.page.wait_for_selector(".quiz input")
    table.page.locator(".skip").focus()
    table.page.keyboard.press("Enter")
    assert table.page.evaluate("document.activeElement.matches('.quiz input')")
    assert "#quiz" in table.page.url


def test_a_plot_belongs_to_its_game(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 1, 0], cursor=3)
    page = table.page
    page.click("[data-tab=analyse]")
    page.click("[data-do=review]")
    page.wait_for_selector(".plot .dot >> nth=3", state="attached")
    page.click("[data-do=undo]")
    table.wait("X to move")
    table.click_cell([0, 2])  # another move: nothing is known of it
    table.until("document.querySelectorAll('.plot .dot').length === 3")
    page.goto(f"{table.server.url}/#play?new=hexapawn")
    table.wait("White to move")
    assert not page.locator(".plot").is_visible()


def test_what_is_announced(table: Any) -> None:
    """Who cannot see hears every move, whose turn it is, and how the game ends."""
    table.begin("tictactoe", actions=[0, 3, 1, 4], cursor=4)
    table.click_cell([2, 2])
    table.wait("X: c1. X wins.", "#live")
    names = table.page.locator(".board [role=button]").evaluate_all("cells => cells.map(c => c.ariaLabel)")
    assert len(names) == 9 and json.dumps(names).count("cross") == 3
