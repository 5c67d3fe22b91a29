"""Analysis, search trees and the quiz in a real browser."""

import json
from typing import Any

import pytest

from tests.web.conftest import opened

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"


def test_analysis_runs_and_stops(table: Any) -> None:
    table.begin("connect4")
    page = table.page
    page.click("[data-do=analyse]")
    page.wait_for_selector(".figures:text-matches('depth [0-9]+ .* nodes/s')")
    page.wait_for_selector(".lines li >> nth=2")
    assert page.locator(".value-bar").is_visible()
    assert page.locator(".arrow").count() >= 1
    page.click("[data-do=analyse]")
    stopped = page.locator(".figures").inner_text()
    page.wait_for_timeout(500)
    assert page.locator(".figures").inner_text() == stopped


def test_compiled_code_is_played_and_analysed(compiling: Any, chromium: Any) -> None:
    """The same page before a server that compiles."""
    compiling.prepare("tictactoe", "engine")
    with opened(compiling, chromium) as table:
        table.begin("tictactoe", {"name": "human"}, {"name": "engine", "depth": 9})
        table.click_cell([1, 1])
        table.moved(1)
        assert table.record["actions"][1] in (0, 2, 6, 8)  # all others lose
        table.page.click("[data-do=analyse]")
        table.page.wait_for_selector(".figures:has-text('done')")
        table.page.wait_for_selector(".lines li:has-text('draw')")


def test_a_closed_tab_stops_its_search(table: Any) -> None:
    table.begin("connect4")
    table.page.click("[data-do=analyse]")
    table.page.wait_for_selector(".lines li")
    table.page.goto("about:blank")
    table.open("#quiz")  # answers at once: no worker is kept busy by the page that is gone
    table.page.wait_for_selector(".quiz input")


def test_why_not_a_move_and_the_graph_of_a_game(table: Any, ask: Any) -> None:
    game = {"game": "tictactoe", "actions": [4, 1, 0]}
    assert not ask("position", **game)["over"]
    table.begin("tictactoe", actions=game["actions"], cursor=3)
    page = table.page
    page.click("[data-tab=analyse]")
    page.locator("select[aria-label=Move]").select_option(label="b3")
    page.click("[data-do=why]")
    page.wait_for_selector(".reply:has-text('b3, then c3: X wins')")
    page.click("[data-do=review]")
    page.wait_for_selector(".plot .dot >> nth=3", state="attached")
    assert page.locator(".plot .dot").count() == 4


def test_evaluation_terms_are_shown(table: Any) -> None:
    explained = [
        game["id"] for game in table.server.client.get("/api/catalogue").json()["games"] if game["explains"]
    ]
    assert "checkers" in explained
    table.begin("checkers", start="B:W18,K30:B1,5,6")
    table.page.click("[data-tab=analyse]")
    table.page.click("[data-do=analyse]")
    table.page.wait_for_selector(".terms h3:has-text('Evaluation')")
    assert table.page.locator(".term .bar").count() >= 1


def test_an_evaluation_that_is_no_sum_is_not_told_as_one(ask: Any) -> None:
    """Backgammon's is cut off at the largest stake: what its weights share out is not what it says."""
    assert ask("explain", game="backgammon") == {"value": None, "terms": []}


# --- trees ----------------------------------------------------------------------------------------------


def test_a_tree_is_stepped_to_the_end_and_back(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}&step=0")
    page = table.page
    page.wait_for_selector(".tree .node")
    words = page.locator(".step-words")
    assert words.inner_text().startswith("Step 0 of 34.")
    for step in range(1, 35):
        page.click("[data-do=on]")
        assert words.inner_text().startswith(f"Step {step} of 34.")
    assert words.inner_text() == "Step 34 of 34. The root returns 3."
    assert (
        page.locator(".tree-title")
        .inner_text()
        .startswith("alphabeta: 11 nodes visited, 7 leaves, 1 cutoff, 2 branches")
    )
    table.until("document.querySelectorAll('.node.pruned').length === 2")
    for step in range(33, -1, -1):
        page.click("[data-do=back]")
        assert words.inner_text().startswith(f"Step {step} of 34.")
    table.until("document.querySelectorAll('.node.done, .node.pruned').length === 0")


def test_a_cutoff_says_why_and_a_node_shows_its_board(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}&step=0")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=cut-on]")
    text = page.locator(".step-words").inner_text()
    assert "Cutoff at a2: β 2 ≤ α 3, with α from the root" in text
    page.click("[data-node='5'] .shape")
    page.wait_for_selector(".tree-info dd:has-text('β 2 ≤ α 3, with α from the root')")
    page.wait_for_selector(".tree-board:has-text('MIN to move')")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".tree-info h2:has-text('a2 b1')")


def test_two_searches_side_by_side_and_playing(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&with=minimax&start={AIMA}&step=0")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.locator("select[aria-label=Speed]").select_option("40")
    page.click("[data-do=run]")
    page.wait_for_selector(".step-words:has-text('Step 38 of 38')")
    titles = page.locator(".tree-title").all_inner_texts()
    assert titles[0].startswith("alphabeta: 11 nodes") and titles[1].startswith("minimax: 13 nodes")


def test_a_large_tree_stays_usable(table: Any) -> None:
    """Over ten thousand nodes: folded at first, unfolded at once, stepped without delay."""
    table.open("#tree?game=tictactoe&search=minimax&depth=5")
    page = table.page
    page.wait_for_selector(".tree .node")
    assert page.locator(".tree .node").count() < 300
    page.click("[data-do=expand]")
    page.wait_for_selector(".tree[data-drawn=far]")
    page.click("[data-do=last]")
    assert "18,730 nodes visited" in page.locator(".tree-title").inner_text()
    frame = page.evaluate(
        "async () => { const t = performance.now(); document.querySelector('[data-do=zoom-in]').click();"
        "await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);"
        "return performance.now() - t; }"
    )
    assert frame > 0


def test_uct_is_watched_iteration_by_iteration(table: Any) -> None:
    table.open("#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=20&step=0")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=cut-on]")
    page.wait_for_selector(".tree-title:has-text('uct: iteration 1 of 20, 2 nodes')")
    assert "Back-up at the root: N 1, Q" in page.locator(".step-words").inner_text()
    page.click("[data-do=last]")
    page.click("[data-node='0'] .shape")
    page.wait_for_selector(".tree-info dd:has-text('20')")
    texts = page.locator(".tree .window").all_text_contents()
    assert any(text.startswith("Q ") for text in texts) and any(text.startswith("U ") for text in texts)


def test_the_engines_tree(table: Any) -> None:
    table.open("#tree?game=tictactoe&search=engine&start=XO./.X./..O x&depth=4")
    table.page.wait_for_selector(".tree-title:has-text('engine:')")
    table.page.click("[data-do=first]")
    for _ in range(5):
        table.page.click("[data-do=on]")
    assert "Step 5 of" in table.page.locator(".step-words").inner_text()
    table.page.fill("#tree-on", "nonsense")
    table.page.click("[data-do=grow]")
    table.page.wait_for_selector("#toast:has-text('unknown switch')")
    table.problems.clear()  # the browser notes the refusal


def test_trees_are_saved_for_slides(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=last]")
    with page.expect_download() as svg:
        page.click("[data-do=svg]")
    text = svg.value.path().read_text()
    assert text.startswith("<svg") and "β 2 ≤ α 3" in text and "<style>" in text
    with page.expect_download() as png:
        page.click("[data-do=png]")
    assert png.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_position_on_the_board_is_searched(table: Any) -> None:
    table.begin("tictactoe", actions=[4, 0, 8, 2, 1], cursor=5)
    table.page.click("nav [data-view=tree]")
    table.page.wait_for_selector(".tree .node")
    table.page.click("[data-do=from-board]")
    table.page.wait_for_selector(".tree-title:has-text('nodes visited')")
    table.until("location.hash.includes('moves=4.0.8.2.1')")
    table.page.click("[data-node='0'] .shape")
    table.page.wait_for_selector(".tree-board svg.board")


# --- quiz -----------------------------------------------------------------------------------------------


def fill(page: Any, selector: str, text: str) -> None:
    page.fill(selector, text)
    page.press(selector, "Enter")


def test_quiz_right_and_wrong_and_why(table: Any) -> None:
    table.open(f"#quiz?kind=alphabeta&tree={AIMA}")
    page = table.page
    page.wait_for_selector(".quiz input")
    fill(page, "[data-value='5']", "4")
    page.wait_for_selector(".verdict:has-text('Wrong')")
    page.click("[data-do=show-why]")
    page.wait_for_selector(".step-words:has-text('a2 returns at most 2')")
    fill(page, "[data-value='5']", "2")
    page.wait_for_selector(".verdict:has-text('Right')")
    page.click("[data-leaf='2']")
    page.wait_for_selector(".verdict:has-text('this leaf is visited')")
    page.click("[data-leaf='2']")
    for leaf in (7, 8):
        page.click(f"[data-leaf='{leaf}']")
    page.wait_for_selector(".verdict:has-text('never visited: β 2 ≤ α 3')")
    for node, value in ((1, "3"), (9, "2"), (0, "3")):
        fill(page, f"[data-value='{node}']", value)
    page.wait_for_selector(".verdict:has-text('Solved')")
    assert page.locator(".wrong").count() == 0


def test_quiz_windows_and_infinity(table: Any) -> None:
    table.open(f"#quiz?kind=windows&tree={AIMA}")
    page = table.page
    page.wait_for_selector(".quiz input")
    for field, value in (("0 alpha", "-inf"), ("0 beta", "∞"), ("5 alpha", "3"), ("5 beta", "inf")):
        fill(page, f"[data-window='{field}']", value)
        page.wait_for_selector(f"[data-window='{field}'].right")
    fill(page, "[data-window='9 alpha']", "2")
    page.wait_for_selector(".verdict:has-text('Wrong: alpha is the best value for MAX')")


def test_a_seed_repeats_its_quiz(table: Any, ask: Any) -> None:
    body = {"seed": 7, "depth": 3, "branching": 3, "chance": False}
    assert ask("quiz", **body) == ask("quiz", **body) != ask("quiz", **body | {"seed": 8})
    for kind in ("minimax", "alphabeta", "expectiminimax"):
        table.open(f"#quiz?kind={kind}&seed=7&depth=3&branching=3")
        table.page.reload()
        table.page.wait_for_selector(".quiz input")
    solution = ask("tree", **ask("quiz", **body), search="minimax")
    table.open("#quiz?kind=minimax&seed=7&depth=3&branching=3")
    table.page.reload()
    table.page.wait_for_selector(".quiz input")
    for number, node in enumerate(solution["nodes"]):
        if node["who"] != "leaf":
            fill(table.page, f"[data-value='{number}']", node["value"])
    table.page.wait_for_selector(".verdict:has-text('Solved')")


def test_the_catalogue_is_json(server: Any) -> None:
    assert json.loads(server.client.get("/api/catalogue").text)["first"] == "breakthrough"


def test_a_tree_opens_at_its_first_step_and_can_be_read(table: Any) -> None:
    """Labels of a real search are not smaller than nine pixels, and none is cut off at the edge of a small tree."""
    table.open("#tree?game=tictactoe&search=alphabeta&start=XO./.X./..O x&depth=2")
    page = table.page
    page.wait_for_selector(".tree .node")
    assert page.locator(".step-words").inner_text().startswith("Step 0 of")
    sizes = page.evaluate(
        "[...document.querySelectorAll('.tree text')].filter((one) => one.textContent.trim())"
        ".map((one) => one.getBoundingClientRect().height)"
    )
    assert sizes and min(sizes) >= 9
    table.open("#tree?game=tree&search=alphabeta&start=[[3,12,8],[2,4,6],[14,5,2]]")
    table.until("document.querySelectorAll('.tree .node').length === 13")
    assert page.evaluate(
        "[...document.querySelectorAll('.tree text')].filter((one) => one.textContent.trim()).every((one) => {"
        "const [box, edge] = [one, one.closest('svg')].map((each) => each.getBoundingClientRect());"
        "return box.left >= edge.left && box.right <= edge.right && box.top >= edge.top"
        " && box.bottom <= edge.bottom; })"
    )


def test_no_square_is_left_blue_by_a_click(table: Any) -> None:
    table.begin("tictactoe")
    table.click_cell([1, 1])
    table.wait("O to move")
    assert table.page.locator(".cell:focus-visible").count() == 0


def test_parameters_are_named_in_words(table: Any) -> None:
    table.begin("go")
    table.page.click("[data-do=new]")
    table.page.click("dialog form > details summary")
    names = table.page.locator("dialog .field > span").all_text_contents()
    assert "Board size" in names and not {"half", "limit", "suicide", "size"} & set(names)
    table.page.keyboard.press("Escape")


# --- nothing is cut off ---------------------------------------------------------------------------------

LARGE = ((820, 1180), (1440, 900), (2560, 1440))
TALLER = "document.documentElement.scrollHeight - innerHeight"


@pytest.mark.parametrize(("width", "height"), LARGE)
def test_a_tree_takes_what_the_others_leave(table: Any, width: int, height: int) -> None:
    """However many lines the form and the counters have, the buttons below the tree are on the screen."""
    table.page.set_viewport_size({"width": width, "height": height})
    table.open("#tree?game=tree&search=alphabeta&with=minimax&start=[[3,12,8],[2,4,6],[14,5,2]]&step=24")
    table.page.wait_for_selector(".tree .node")
    assert table.page.evaluate(TALLER) == 0
    assert table.box("svg.tree")["height"] > 300


@pytest.mark.parametrize("width", [840, 1440, 2560])
def test_a_link_to_a_step_shows_the_node_where_the_search_is(table: Any, width: int) -> None:
    table.page.set_viewport_size({"width": width, "height": 1000})
    table.open("#tree?game=tictactoe&search=alphabeta&start=XO./.X./..O x&step=40")
    table.page.wait_for_selector(".tree .node.current")
    table.lies_still(".tree .node .shape")
    node = table.box(".tree .node.current .shape")
    place = table.box("svg.tree")
    assert place["x"] < node["x"] and node["x"] + node["width"] < place["x"] + place["width"]


INSIDE = """([frame, part]) => [...document.querySelectorAll(frame)].every((one) => {
  const edge = one.getBoundingClientRect();
  return [...one.querySelectorAll(part)].every((each) => {
    const box = each.getBoundingClientRect();
    return !box.width || (box.left >= edge.left - 0.5 && box.right <= edge.right + 0.5);
  });
})"""  # whether nothing that is seen is cut off at the sides


@pytest.mark.parametrize("width", [840, 1440, 2560])
def test_two_trees_side_by_side_are_both_seen_whole(table: Any, width: int) -> None:
    table.page.set_viewport_size({"width": width, "height": 900})
    table.open(f"#tree?game=tree&search=alphabeta&with=minimax&start={AIMA}&step=22")
    table.until("document.querySelectorAll('.tree .node').length === 26")
    table.lies_still(".tree .node .shape")
    assert table.page.evaluate(INSIDE, ["svg.tree", ".node .shape"])


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
@pytest.mark.parametrize("kind", ["minimax", "windows"])
def test_the_usual_quiz_is_seen_whole_on_a_phone(table: Any, width: int, height: int, kind: str) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.open(f"#quiz?kind={kind}&tree={AIMA}")
    table.page.wait_for_selector(".quiz input")
    assert table.page.evaluate(INSIDE, [".quiz-scroll", "input, .leaf"])


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), *LARGE])
def test_the_step_that_shows_why_is_seen_whole(table: Any, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.open(f"#quiz?kind=windows&tree={AIMA}")
    fill(table.page, "[data-value='5']", "4")
    table.page.click("[data-do=show-why]")
    table.page.wait_for_selector(".quiz-page .tree .node.current")
    table.lies_still(".quiz-page .tree .node .shape")
    inside = table.page.evaluate(
        """() => { const edge = document.querySelector('.quiz-page svg.tree').getBoundingClientRect();
        return [...document.querySelectorAll('.quiz-page .tree .node .shape')].every((one) => {
          const box = one.getBoundingClientRect();
          return box.top >= edge.top && box.bottom <= edge.bottom && box.left >= edge.left && box.right <= edge.right;
        }); }"""
    )
    assert inside


@pytest.mark.parametrize(("width", "height"), LARGE)
def test_a_quizs_fields_do_not_meet(table: Any, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.open("#quiz?kind=windows&depth=4&branching=3&seed=3")
    table.page.wait_for_selector(".quiz input")
    table.lies_still(".quiz input")
    boxes = table.page.locator(".quiz input, .quiz .leaf").evaluate_all(
        "all => all.map((one) => { const b = one.getBoundingClientRect();"
        " return [b.left, b.top, b.right, b.bottom]; })"
    )
    assert not any(
        a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
        for n, a in enumerate(boxes)
        for b in boxes[:n]
    )


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (844, 390)])
@pytest.mark.parametrize("game", ["othello", "backgammon", "chess"])
def test_a_game_begins_on_a_phone(table: Any, width: int, height: int, game: str) -> None:
    """Nothing is half seen: what steps through a game comes with its first move."""
    table.page.set_viewport_size({"width": width, "height": height})
    start = "4HPwATDgc/ABMA X 31" if game == "backgammon" else ""
    table.begin(game, start=start)
    table.page.wait_for_selector(".advice p")
    place = table.box(".panel")
    for name in ("[data-do=back]", "[data-do=new]"):
        part = table.page.locator(name)
        if part.is_visible():
            box = table.box(name)
            assert box["y"] + box["height"] <= min(height, place["y"] + place["height"])


def test_pasting_a_game_does_not_lengthen_the_page(table: Any) -> None:
    table.page.set_viewport_size({"width": 360, "height": 640})
    table.begin("chess")
    table.page.click("[data-tab=share]")
    table.page.wait_for_selector(".share textarea")
    assert table.page.evaluate(TALLER) == 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (860, 700), (1000, 700), (1440, 900)])
def test_no_button_is_wider_than_its_place(table: Any, width: int, height: int) -> None:
    """With a button more, while two machines play."""
    table.page.set_viewport_size({"width": width, "height": height})
    table.begin("tictactoe", {"name": "random"}, {"name": "random"})
    table.page.wait_for_selector(".toolbar [data-do=pause]")
    assert table.page.evaluate(INSIDE, [".toolbar .tool", "span"])
    assert table.page.evaluate(INSIDE, [".panel", ".tool, .tab-heads button, .tab-heads span"])


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_where_buttons_have_no_names_resigning_still_asks(table: Any, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.begin("chess")
    table.page.evaluate("() => { window.setTimeout = () => 0; }")  # the question stays
    resign = table.page.locator("[data-do=resign]")
    resign.click()
    assert resign.get_by_text("Sure?").is_visible()
    colours = resign.evaluate(
        "one => { const style = getComputedStyle(one); return [style.backgroundColor, style.color]; }"
    )
    assert colours[0] != table.page.locator("[data-do=new]").evaluate(
        "one => getComputedStyle(one).backgroundColor"
    )


def test_pips_can_be_read_beside_the_names(table: Any) -> None:
    table.begin("backgammon", start="4HPwATDgc/ABMA X 31")
    table.page.wait_for_selector(".strip[data-side='0']:has-text('167 pips, 0 off')")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (844, 390)])
def test_a_new_game_on_a_phone(table: Any, width: int, height: int) -> None:
    """Every level can be read, and how to begin is on the screen."""
    table.begin("chess", second={"name": "engine", "level": 4})
    table.page.set_viewport_size({"width": width, "height": height})
    table.page.keyboard.press("n")
    start = table.page.locator("dialog .primary")
    start.wait_for()
    room = table.box("dialog")
    box = table.box("dialog .primary")
    assert box["y"] + box["height"] <= min(height, room["y"] + room["height"])
    for name in table.page.locator("dialog .levels .choice span").all():
        assert name.evaluate("one => one.offsetWidth <= one.parentElement.offsetWidth"), name.inner_text()
        found = name.bounding_box()
        assert found["x"] + found["width"] <= room["x"] + room["width"]


def test_what_went_wrong_stays_where_it_was(table: Any) -> None:
    table.open("#tree?game=tree&start=(&search=alphabeta")
    table.page.wait_for_selector("#toast.problem:visible")
    table.page.click("nav a[data-view=quiz]")
    table.page.wait_for_selector(".quiz input")
    assert not table.page.locator("#toast").is_visible()
    table.problems.clear()  # the browser reports the refused request itself


def test_a_newcomer_to_backgammon_is_told_how_to_move(table: Any) -> None:
    table.begin("backgammon", start="4HPwATDgc/ABMA X 31")
    table.page.get_by_text("Click a checker and then its goal").wait_for()


def test_a_tree_with_chance_is_typed_where_trees_are(table: Any) -> None:
    """Nobody has to know that it is a game of its own."""
    table.open("#tree")
    table.page.fill("#tree-start", "[chance[1/2: 3, 1/2: 12], chance[1/3: 1, 2/3: 6]]")
    table.page.press("#tree-start", "Enter")
    table.page.wait_for_selector(".tree .node.chance")
    assert table.page.locator("#tree-game").input_value() == "chancetree"
    assert not table.page.locator("#toast").is_visible()
