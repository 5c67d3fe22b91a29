"""How the page looks: colours, boards and pieces to choose from, which a reload remembers."""

from typing import Any

import pytest

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
SQUARE = "getComputedStyle(document.querySelector('.cell.dark .square')).fill"
KNIGHT = "document.querySelector('.board-frame .piece.knight').innerHTML"


def choose(table: Any, name: str, value: str) -> None:
    """Open the dialog, choose and close it."""
    table.page.click("#look")
    table.page.locator(f"dialog input[name={name}][value={value}]").check(force=True)
    table.page.wait_for_selector(f"dialog .one-look:has(:checked):has([data-sample={value}])")
    table.page.click("dialog .primary")


def reload(table: Any) -> None:
    table.page.reload()
    table.page.wait_for_selector("body[data-ready]")
    table.page.wait_for_selector(".board-frame .piece")


def test_light_dark_and_high_contrast(table: Any) -> None:
    table.begin("chess")
    page = table.page
    light = page.evaluate(BACKGROUND)
    choose(table, "colours", "dark")
    dark = page.evaluate(BACKGROUND)
    assert dark != light
    reload(table)
    assert page.evaluate(BACKGROUND) == dark
    choose(table, "colours", "contrast")
    soft = "getComputedStyle(document.querySelector('.strip')).color"
    strong = page.evaluate(soft)
    choose(table, "colours", "light")
    assert page.evaluate(BACKGROUND) == light and page.evaluate(soft) != strong


def test_boards(table: Any) -> None:
    """Six, all different; the last one is remembered."""
    table.begin("chess")
    names = ["meadow", "walnut", "harbour", "slate", "dusk", "print"]
    squares = []
    for name in names:
        choose(table, "board", name)
        squares.append(table.page.evaluate(SQUARE))
    assert len(set(squares)) == len(names)
    reload(table)
    assert table.page.evaluate(SQUARE) == squares[-1]


@pytest.mark.parametrize("name", ["cut", "letters"])
def test_pieces(table: Any, name: str) -> None:
    """Every piece is drawn anew, wherever boards are; what the server draws comes back."""
    table.begin("chess")
    carved = table.page.evaluate(KNIGHT)
    choose(table, "pieces", name)
    table.until(f"{KNIGHT} !== {carved!r}")
    drawn = table.page.evaluate(KNIGHT)
    reload(table)
    assert table.page.evaluate(KNIGHT) == drawn
    assert table.page.locator(".board-frame .piece").count() == 32
    table.click_cell([6, 4])
    table.click_cell([4, 4])
    table.wait("Black to move")
    table.page.click("[data-tab=share]")
    with table.page.expect_download() as saved:
        table.page.click("[data-do=picture-svg]")
    assert drawn.partition(">")[0].split(' d="')[-1] in saved.value.path().read_text()
    choose(table, "pieces", "carved")
    table.until(f"{KNIGHT} === {carved!r}")


def test_a_promotion_wears_the_set(table: Any) -> None:
    table.begin("chess", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    choose(table, "pieces", "letters")
    table.click_cell([1, 0])
    table.click_cell([0, 0])
    table.page.wait_for_selector(".chooser .initial")
    assert table.page.locator(".chooser .initial").all_text_contents() == ["Q", "R", "B", "N"]


def test_nonsense_in_the_storage_is_passed_over(table: Any) -> None:
    table.begin("chess")
    usual = table.page.evaluate(SQUARE)
    for text in ("{", '{"board": "constructor", "pieces": 7, "colours": null}'):
        table.page.evaluate("text => localStorage.setItem('outplay.look', text)", text)
        reload(table)
        assert table.page.evaluate(SQUARE) == usual
