"""A trace in a notebook: its HTML as a browser shows it, with and without its script."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from outplay.games import TicTacToe
from outplay.games.tree import tree
from outplay.search.trace.record import record_search
from outplay.ui import notebook

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"


@pytest.fixture
def cell(chromium: Any) -> Iterator[Any]:
    """A page to put outputs into; whatever it asks of anybody, and whatever goes wrong, is noted and not allowed."""
    context = chromium.new_context(viewport={"width": 900, "height": 700})
    page = context.new_page()
    noted: list[str] = []
    page.on(
        "request", lambda request: noted.append(request.url) if not request.url.startswith("data:") else None
    )
    page.on("pageerror", lambda error: noted.append(str(error)))
    page.on("console", lambda said: noted.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not noted


def test_a_trace_is_stepped_in_a_notebook(cell: Any) -> None:
    trace = record_search(tree(AIMA), "alphabeta")
    cell.set_content(f"<h1>A notebook</h1>{trace._repr_html_()}<hr>{trace._repr_html_()}")
    first = cell.locator("[id^=outplay]").first
    assert not first.locator("img").is_visible()  # the tree stands in its place
    words = first.locator(".step-words")
    assert words.inner_text() == "Step 34 of 34. The root returns 3."
    assert "1 cutoff, 2 branches pruned · minimax would visit 13" in first.locator(".tree-title").inner_text()
    first.locator("[data-do=first]").click()
    for step in range(1, 4):
        first.locator("[data-do=on]").click()
        assert words.inner_text().startswith(f"Step {step} of 34.")
    first.locator("[data-do=cut-on]").click()
    assert "Cutoff at a2: β 2 ≤ α 3, with α from the root" in words.inner_text()
    first.locator("[data-do=cut-on]").click()
    assert words.inner_text().endswith("Cutoff at a3: β 2 ≤ α 3, but no action is left.")
    first.locator("[data-do=back]").click()
    assert first.locator(".node").count() == 13
    assert (
        cell.locator(".step-words").last.inner_text().startswith("Step 34")
    )  # the other output is another tree
    assert cell.locator("h1").evaluate("h => getComputedStyle(h).fontWeight") == "700"  # no style leaks out


def test_uct_is_stepped_in_a_notebook(cell: Any) -> None:
    cell.set_content(record_search(TicTacToe.parse("XO./.X./..O x"), "uct", iterations=12)._repr_html_())
    cell.locator("[data-do=first]").click()
    cell.locator("[data-do=cut-on]").click()
    assert "Back-up at the root: N 1, Q" in cell.locator(".step-words").inner_text()
    cell.locator("[data-do=last]").click()
    assert cell.locator(".tree-title").inner_text().startswith("uct: iteration 12 of 12")


def test_without_scripts_a_picture_stands_there(cell: Any) -> None:
    """As in a notebook that is not trusted, whose HTML is cleaned."""
    trace = record_search(tree(AIMA), "alphabeta")
    cleaned = re.sub(r"<script>.*?</script>", "", trace._repr_html_(), flags=re.DOTALL)
    assert "script" not in cleaned
    cell.set_content(cleaned)
    picture = cell.locator("img")
    assert picture.is_visible() and "value 3, line a1 b1" in picture.get_attribute("alt")
    assert picture.evaluate("image => image.naturalWidth") > 300
    assert "<svg" in trace._repr_svg_()


def test_large_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large for a picture is stepped all the same; what is too large for that is told in a line."""
    trace = record_search(TicTacToe.parse("X../.O./... x"), "minimax")
    assert len(trace.events) > 3 * 5000
    assert trace._repr_svg_() is None
    shown = trace._repr_html_()
    assert "the tree has" in shown and "<script>" in shown and len(shown) < 3_000_000
    monkeypatch.setattr(notebook, "MAX_STEPS", 100)
    assert "<script>" not in trace._repr_html_()


def test_nothing_in_a_tree_ends_the_script() -> None:
    said = {"name": "</script><!-- <b>"}
    assert "<" not in notebook._inline(said) and json.loads(notebook._inline(said)) == said
