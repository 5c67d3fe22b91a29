"""Games played in a real browser, as people play them."""

import random
from typing import Any

import pytest

from outplay.games import TABLE

HUMAN = {"name": "human"}
GAMES = [entry.name for entry in TABLE if "tree" not in entry.name]
MACHINE = {"name": "engine", "depth": 2}
ODD = {"pig": {"name": "expectiminimax", "depth": 2}, "go": {"name": "uct", "nodes": 30}}
SMALL = {"go": "go:size=5"}  # a game that would take long in full size
LATE = {"pig": "85 80 1 +0", "backgammon": "qAEAADUAAAAAAA X"}  # and those that are all waiting for dice


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_against_the_machine(table: Any, name: str) -> None:
    """Every shipped game, by clicks, with a reload in the middle; nothing is lost by it."""
    rng = random.Random(5)
    table.begin(SMALL.get(name, name), HUMAN, ODD.get(name, MACHINE), start=LATE.get(name, ""))
    for turn in range(120):
        position = table.settled()
        if position["over"]:
            break
        if turn == 3:
            before = table.record
            table.page.reload()
            table.page.wait_for_selector("body[data-ready]")
            assert table.record == before
            table.wait("to move")
        table.play(rng.choice(position["legal"]))
    else:
        pytest.fail("the game does not end")
    assert turn >= 1
    table.page.wait_for_selector("#status:text-matches('wins|draw')")
    assert table.page.locator(".moves .move").count() == len(table.record["actions"])


def test_a_users_game_without_a_board_is_played_by_buttons(table: Any) -> None:
    table.begin("nim", HUMAN, {"name": "engine", "depth": 3})
    while not (position := table.settled())["over"]:
        table.play(position["legal"][-1])
    table.wait("wins")


def test_a_users_game_with_a_board_is_clicked(table: Any) -> None:
    """Where its pieces go is told by its boards alone."""
    table.begin("breakthrough", HUMAN, {"name": "engine", "nodes": 200})
    assert all(len(move["path"]) == 2 for move in table.position()["legal"])
    for _ in range(30):
        position = table.settled()
        if position["over"]:
            break
        table.play(position["legal"][0])
    table.wait("wins")


def test_dragging_shows_targets_and_moves(table: Any) -> None:
    table.begin("chess")
    box = {at: table.square(at) for at in ("6,4", "4,4")}
    centre = {at: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for at, b in box.items()}
    table.page.mouse.move(*centre["6,4"])
    table.page.mouse.down()
    assert table.page.locator(".target").count() == 2
    table.page.mouse.move(*centre["4,4"], steps=5)
    table.page.mouse.up()
    table.wait("Black to move")
    assert table.page.locator(".moves .move").all_inner_texts() == ["e4"]
    assert table.page.locator(".cell.last").count() == 2


def test_promotion_asks_which(table: Any) -> None:
    table.begin("chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    table.click_cell([1, 0])
    table.click_cell([0, 0])
    table.page.get_by_role("button", name="a8=R", exact=True).click()
    table.wait("Black to move")
    assert table.page.locator(".moves .move").all_inner_texts() == ["a8=R"]


def test_check_is_marked(table: Any) -> None:
    table.begin("chess", start="4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    assert table.page.locator(".cell.mark").get_attribute("data-at") == "0,4"
    table.begin(
        "chess", start="rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    )  # mate, on a dark square
    fills = [
        table.page.locator(f".cell[data-at='{at}'] .square").evaluate(
            "square => getComputedStyle(square).fill"
        )
        for at in ("7,4", "7,2")
    ]
    assert fills[0] != fills[1]


def test_undo_redo_steps_flip_hint_and_resign(table: Any) -> None:
    table.begin("tictactoe", HUMAN, {"name": "engine", "depth": 3})
    table.click_cell([1, 1])
    table.moved(1)
    table.settled()
    page = table.page
    page.click("[data-do=undo]")
    table.until("document.querySelectorAll('.board-frame .piece').length === 0")
    table.wait("X to move")
    page.click("[data-do=redo]")
    page.wait_for_selector(".piece >> nth=1")
    page.click("[data-do=back]")
    table.until("document.querySelectorAll('.piece').length === 1")
    page.click("[data-do=last]")
    table.until("document.querySelectorAll('.piece').length === 2")
    first = table.box(".cell")
    page.click("[data-do=flip]")
    table.until(f"document.querySelector('.cell').getBoundingClientRect().x > {first['x'] + 10}")
    page.click("[data-do=hint]")
    table.wait("hint:")
    page.wait_for_selector(".arrow")
    table.resign()
    table.wait("O wins")
    assert page.locator("[data-do=resign]").is_disabled()


def test_clocks_run_and_end_the_game(table: Any) -> None:
    table.begin("tictactoe", clock="60+0", left=[1500, 60000])
    assert table.page.locator(".clock").all_inner_texts()[0] == "1:00"
    table.wait("ran out of time")


def test_moves_can_be_typed(table: Any) -> None:
    table.begin("chess")
    for move in ("e4", "e5", "Nf3"):
        table.page.fill("#type", move)
        table.page.press("#type", "Enter")
        table.page.wait_for_selector(f".moves .move:has-text('{move}')")
    table.page.fill("#type", "Qh5")
    table.page.press("#type", "Enter")
    table.page.wait_for_selector("#toast:has-text('Qh5 is not a move here')")


def test_phone(phone: Any) -> None:
    """Everything fits on a small screen, and a finger plays."""
    phone.begin("connect4", HUMAN, {"name": "engine", "depth": 2})
    page = phone.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".cell[data-at='5,3']").tap()
    phone.moved(1)
    assert len(phone.record["actions"]) == 2
    for view in ("tree", "quiz"):
        page.goto(f"{phone.server.url}/#{view}")
        page.wait_for_selector(".tree .node, .quiz input")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_finger_drags(phone: Any) -> None:
    """The browser does not take the gesture for itself, wherever on the board it begins."""
    phone.begin("chess")
    page = phone.page
    touch = page.context.new_cdp_session(page)
    for number, (leave, reach) in enumerate((("7,6", "5,5"), ("1,4", "3,4"))):
        (x1, y1), (x2, y2) = (
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            for box in (phone.square(leave), phone.square(reach))
        )
        for step in range(9):
            at = {"x": x1 + step * (x2 - x1) / 8, "y": y1 + step * (y2 - y1) / 8}
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        phone.moved(number)
    assert page.locator(".moves .move").all_inner_texts() == ["Nf3", "e5"]


@pytest.mark.parametrize("at", [[6, 4], [7, 6]])
def test_the_chosen_square_is_seen(table: Any, at: list[int]) -> None:
    """A light one and a dark one."""
    table.begin("chess")
    fill = f"getComputedStyle(document.querySelector(\".cell[data-at='{at[0]},{at[1]}'] .square\")).fill"
    before = table.page.evaluate(fill)
    table.click_cell(at)
    assert table.page.evaluate(fill) != before


def test_new_game_with_players_size_and_clock(table: Any) -> None:
    table.begin("tictactoe")
    page = table.page
    page.click("[data-do=new]")
    page.locator("dialog select").first.select_option("hexapawn")
    for summary in page.locator("dialog form > details > summary").all():
        summary.click()
    page.fill("dialog input[name=width]", "4")
    page.select_option("dialog [data-seat='1']", "random")
    page.get_by_role("button", name="Start", exact=True).click()
    table.wait("White to move")
    assert table.record["game"] == "hexapawn:width=4"
    assert page.locator(".cell").count() == 12
    assert "random" in page.locator(".strip[data-side='1']").inner_text()


def test_link_text_and_back(table: Any) -> None:
    table.begin("chess")
    page = table.page
    for number, (leave, reach) in enumerate((([6, 4], [4, 4]), ([1, 4], [3, 4]))):
        table.click_cell(leave)
        table.click_cell(reach)
        table.moved(number)
    page.wait_for_selector(".moves .move >> nth=1")
    page.click("[data-tab=share]")
    page.click("[data-do=pgn]")
    table.until("document.querySelector('.share textarea').value.includes('1. e4 e5 *')")
    pgn = page.locator(".share textarea").input_value()
    page.click("[data-do=write]")
    table.until("document.querySelector('.share textarea').value.startsWith('game: chess')")
    record = page.locator(".share textarea").input_value()
    page.click("[data-do=link]")
    link = page.locator(".share textarea").input_value()
    for text, moves in ((pgn, 2), (record, 2), ("8/8/8/8/8/8/k7/2K5 w - - 0 1", 0)):
        page.fill(".share textarea", text)
        page.click("[data-do=read]")
        page.wait_for_selector("[data-tab=moves][aria-selected=true]")  # the game that was read is shown
        table.until(f"document.querySelectorAll('.moves .move').length === {moves}")
        page.click("[data-tab=share]")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".moves .move >> nth=1")
    assert page.locator(".moves .move").all_inner_texts() == ["e4", "e5"]


def test_dice_are_drawn(table: Any) -> None:
    table.begin("pig", HUMAN, HUMAN)
    table.page.get_by_role("button", name="roll").click()
    table.page.wait_for_selector(".die")
    assert table.page.locator(".die").get_attribute("aria-label") in {f"die: {n}" for n in range(1, 7)}


def test_nothing_is_asked_of_anybody_else(table: Any) -> None:
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.begin("connect4", HUMAN, {"name": "engine", "depth": 2})
    table.click_cell([5, 3])
    table.settled()
    own = (table.server.url, table.server.url.replace("http", "ws"), "about:", "data:", "blob:")
    assert asked and all(url.startswith(own) for url in asked)
