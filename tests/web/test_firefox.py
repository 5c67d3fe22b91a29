"""The main views in Firefox, played as a person plays; nothing goes wrong in its console."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web import firefox

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
ENTER = "\ue007"
KEEP = "(game) => [localStorage, sessionStorage].forEach((place) => place.setItem('outplay.game', game))"
HUMAN = {"name": "human"}
MADE = "(count) => (location.hash.split('moves=')[1] || '').split('.').filter(Boolean).length >= count"
BOXES = """(parts) => parts.map((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
})"""


@pytest.fixture(scope="module")
def browser(server: Any) -> Iterator[firefox.Tab]:
    program = firefox.installed()
    if program is None:
        pytest.skip("no Firefox here: `make system` installs Debian's")
    with firefox.started(program) as found:
        found.resize(1280, 860)
        found.goto(server.address)
        yield found


@pytest.fixture
def tab(browser: firefox.Tab) -> Iterator[firefox.Tab]:
    browser.problems.clear()
    yield browser
    assert browser.evaluate("() => 1") == 1  # whatever was said before has been heard by now
    assert browser.problems == []


def show(tab: firefox.Tab, server: Any, view: str) -> None:
    tab.goto("about:blank")
    tab.goto(f"{server.url}/{view}")
    tab.wait("body[data-ready]")


def begin(tab: firefox.Tab, server: Any, game: str, *seats: Any, **more: Any) -> None:
    """A game with these players, as if it had been left and come back to."""
    kept = {
        "id": game,
        "start": "",
        "seats": seats or (HUMAN, HUMAN),
        "clock": "",
        "left": None,
        "ended": None,
    }
    kept |= {"actions": [], "cursor": 0, "seed": 1, "flipped": False} | more
    tab.goto(f"{server.url}/icon.svg")
    tab.evaluate(KEEP, json.dumps(kept))
    show(tab, server, "#play")
    tab.wait(".board-frame svg.board")


def cell(row: int, column: int) -> str:
    return f".cell[data-at='{row},{column}'] .square"


def test_the_first_sight(tab: firefox.Tab, server: Any) -> None:
    show(tab, server, "#home")
    tab.wait("[data-game=othello] svg.board .piece")
    tab.click("[data-game=tictactoe]")
    tab.wait("#status", "X to move")


def test_a_game_by_clicks(tab: firefox.Tab, server: Any) -> None:
    begin(tab, server, "tictactoe", HUMAN, {"name": "random"})
    for turn in range(5):
        tab.wait("#status", "X to move|wins|draw")
        if tab.evaluate("() => /wins|draw/.test(document.querySelector('#status').textContent)"):
            break
        tab.click(".cell.free .square")
        tab.until(MADE, 2 * turn + 1)
    tab.wait(".result", "wins|draw")
    tab.click("[data-do=rematch]")
    tab.wait(".strip[data-side='0']", "X · random")


def test_a_move_by_drag_and_one_that_is_typed(tab: firefox.Tab, server: Any) -> None:
    begin(tab, server, "chess")
    tab.drag(cell(6, 4), cell(4, 4))
    tab.wait("#status", "Black to move")
    assert tab.evaluate("() => document.querySelector('.piece[data-at=\"4,4\"]').classList.contains('pawn')")
    tab.click("#type")
    tab.press(f"e7e5{ENTER}")
    tab.wait("#status", "White to move")
    assert tab.evaluate(
        "() => [...document.querySelectorAll('.moves .move')].map((one) => one.textContent)"
    ) == [
        "e4",
        "e5",
    ]


def test_an_analysis_in_sight(tab: firefox.Tab, server: Any) -> None:
    begin(tab, server, "connect4")
    tab.click("[data-do=analyse]")
    tab.wait(".figures", r"depth \d+ .* nodes/s")
    tab.wait(".lines li:nth-child(3)")
    tab.wait(".arrow")
    parts = [".board-frame svg", ".value-bar", ".lines li", ".moves", ".strip[data-side='1']", ".steps"]
    for part, (left, top, right, bottom) in zip(parts, tab.evaluate(BOXES, parts), strict=True):
        assert 0 <= left < right <= 1281 and 0 <= top < bottom <= 861, part
    tab.click("[data-tab=tree]")
    tab.wait(".living .branch")
    tab.click("[data-do=analyse]")


def test_a_tree_step_by_step(tab: firefox.Tab, server: Any) -> None:
    show(tab, server, f"#tree?game=tree&search=alphabeta&start={AIMA}&step=0")
    tab.wait(".tree .node")
    tab.click("[data-do=cut-on]")
    tab.wait(".step-words", "Cutoff at a2: β 2 ≤ α 3, with α from the root")
    tab.click("[data-node='5'] .shape")
    tab.wait(".tree-info dd", "β 2 ≤ α 3, with α from the root")
    show(tab, server, "#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=20&step=60")
    tab.wait(".tree .node")
    tab.wait(".tree-title", "20 nodes in the tree|iteration")


def test_a_quiz(tab: firefox.Tab, server: Any) -> None:
    show(tab, server, f"#quiz?kind=alphabeta&tree={AIMA}")
    for node, value in ((0, "3"), (1, "3"), (5, "2"), (9, "2")):
        tab.click(f"[data-value='{node}']")
        tab.press(value + ENTER)
    for leaf in (7, 8):
        tab.click(f"[data-leaf='{leaf}']")
    tab.wait(".verdict", "Solved")
    tab.click("[data-do=reveal]")
    tab.wait(".quiz-page .tree .node")
