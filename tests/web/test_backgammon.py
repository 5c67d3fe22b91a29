"""Backgammon on the page: plays by clicks, the cube, dice and pips on the board, matches as text."""

from typing import Any

START = "4HPwATDgc/ABMA"


def test_a_play_checker_by_checker(table: Any) -> None:
    """8/5 6/5 by four clicks; the list of plays shrinks on the way."""
    table.begin("backgammon", start=f"{START} X 31")
    table.wait("to move")
    buttons = table.page.get_by_role("group", name="Moves").get_by_role("button")
    assert buttons.count() == 16
    assert table.page.locator(".board .die").count() == 2
    table.click_cell([8, 4])  # any cell of point 8
    table.click_cell([10, 8])  # point 5
    assert sorted(buttons.all_inner_texts()) == ["24/23 8/5", "8/4", "8/5 6/5", "8/7 8/5"]
    table.click_cell([10, 7])
    table.click_cell([9, 8])
    table.moved(0)
    assert table.page.locator(".moves .move").first.inner_text().startswith("8/5 6/5")
    assert table.page.locator(".piece.max[data-at='9,8']").count() == 1


def test_a_play_by_the_list_and_begun_anew(table: Any) -> None:
    table.begin("backgammon", start=f"{START} X 31")
    table.wait("to move")
    buttons = table.page.get_by_role("group", name="Moves").get_by_role("button")
    table.click_cell([0, 12])  # point 24
    table.click_cell([0, 8])  # point 20, by both dice
    table.moved(0)
    assert table.page.locator(".moves .move").first.inner_text().startswith("24/20")
    table.begin("backgammon", start=f"{START} X 31")
    table.wait("to move")
    table.click_cell([10, 7])
    table.click_cell([10, 8])
    assert buttons.count() < 16
    table.page.locator(".cell[data-at='10,7']").focus()
    table.page.keyboard.press("Escape")
    assert buttons.count() == 16


def test_dice_stand_before_their_play(table: Any, ask: Any) -> None:
    """A row holds a roll and a play of each side."""
    actions: list[str] = []
    for _ in range(7):
        found = ask("position", game="backgammon", actions=actions)
        more = found["legal"][0]["action"] if found["player"] >= 0 else None
        actions.append(more or ask("roll", game="backgammon", actions=actions, seed=4)["action"])
    table.begin("backgammon", actions=actions, cursor=len(actions))
    table.page.wait_for_selector(".moves .move >> nth=6")
    sides = table.page.locator(".moves li").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('.move')].map((move) => Number(move.dataset.side)))"
    )
    played = [side for row in sides for side in row]
    assert played[::2] == [-1] * 4 and all(row[0] == -1 and len(row) <= 4 for row in sides)
    assert all(row[1::2] in ([0, 1], [0], [1], []) for row in sides)


def test_bearing_off_by_a_second_click(table: Any) -> None:
    """Two checkers on the ace point each: both go off."""
    table.begin("backgammon", start="AwAAGAAAAAAAAA X 61")
    table.wait("to move")
    legal = table.position()["legal"]
    assert [move["text"] for move in legal] == ["1/off(2)"], legal
    for _ in range(2):
        table.click_cell([10, 12])
        table.click_cell([10, 12])
    table.moved(0)
    table.wait("wins")


def test_doubling(table: Any) -> None:
    """The cube lies in the middle, is offered, and goes to the side that takes it."""
    table.begin("backgammon:cube=64", start=f"{START} X")
    table.wait("to move")
    moves = table.page.get_by_role("group", name="Moves")
    moves.get_by_role("button", name="double").click()
    table.page.wait_for_selector(".board .cube.offered:has-text('2')")
    moves.get_by_role("button", name="beaver").wait_for()
    moves.get_by_role("button", name="take").click()
    table.page.wait_for_selector(".board .cube:not(.offered):has-text('2')")
    assert table.page.locator(".board .count", has_text="167 pips").count() == 2
    assert "cube 2, Black's" in table.position()["note"]


def test_matches_and_xgids_as_text(ask: Any) -> None:
    board = "-b----E-C---eE---c-e----B-"
    found = ask("read", text=f"XGID={board}:0:0:1:31:2:1:0:5:10", game="backgammon")
    assert found["game"] == "backgammon:match=5" and found["start"] == f"{START} X 31 score 2-1"
    mat = " 3 point match\n\n Game 1\n a : 0             b : 0\n  1) 31: 8/5 6/5\n"
    read = ask("read", text=mat, game="chess")
    assert read["game"] == "backgammon:match=3" and len(read["actions"]) == 2
    for form, begin in (("mat", " 3 point match"), ("sgf", "(;FF[4]GM[6]")):
        asked = {
            "game": read["game"],
            "start": "",
            "actions": [int(a) for a in read["actions"]],
            "form": form,
        }
        assert ask("write", **asked)["text"].startswith(begin)
    texts = ask("write", **asked | {"form": "ids"})["text"].split("\n")
    assert texts == ["sGfwATDgc/ABMA:cAlgAAAAAAAE", "XGID=-b----E-C---eE---b-db---B-:0:0:1:00:0:0:0:3:6"]
