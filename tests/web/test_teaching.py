"""What the page teaches with: small boards in trees, trees made by clicking, the next step foretold, two orders of
moves, depth by depth, the horizon, and what was answered in a quiz."""

import csv
import io
import json
from typing import Any

import pytest

AIMA = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
STEP = "document.querySelector('.step-words').textContent"


# --- trees that are typed in ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "change", "after"),
    [
        ([0, 1], {"change": "value", "value": 99}, "[[3, 99, 8], [2, 4, 6], [14, 5, 2]]"),
        ([0], {"change": "add"}, "[[3, 12, 8, 0], [2, 4, 6], [14, 5, 2]]"),
        ([0, 0], {"change": "add"}, "[[[3, 0], 12, 8], [2, 4, 6], [14, 5, 2]]"),
        ([2], {"change": "remove"}, "[[3, 12, 8], [2, 4, 6]]"),
        ([0], {"change": "kind", "kind": "max"}, "[max[3, 12, 8], [2, 4, 6], [14, 5, 2]]"),
        (
            [1],
            {"change": "kind", "kind": "chance"},
            "[[3, 12, 8], chance[1/3: 2, 1/3: 4, 1/3: 6], [14, 5, 2]]",
        ),
    ],
)
def test_a_node_is_changed(ask: Any, path: list[int], change: Any, after: str) -> None:
    found = ask("typed", text=AIMA, path=path, **change)
    assert found == {"game": "chancetree" if "chance" in after else "tree", "start": after}


def test_probabilities_keep_their_sum(ask: Any) -> None:
    """A child more, another probability, a child less: the others share the rest."""
    text = ask("typed", text="chance[1/2: 8, 1/2: 24]", path=[], change="add")["start"]
    assert text == "chance[1/3: 8, 1/3: 24, 1/3: 0]"
    text = ask("typed", text=text, path=[2], change="probability", value=0.5)["start"]
    assert text == "chance[1/4: 8, 1/4: 24, 1/2: 0]"
    assert ask("typed", text=text, path=[2], change="remove")["start"] == "chance[1/2: 8, 1/2: 24]"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"path": [], "change": "remove"}, "the root cannot be removed"),
        ({"path": [7], "change": "add"}, "there is no such node in this tree"),
        ({"path": [0, 0], "change": "kind", "kind": "max"}, "a leaf has no player: give it a child first"),
        ({"path": [0], "change": "probability", "value": 2}, "a probability must be between 0 and 1"),
    ],
)
def test_what_cannot_be_changed_is_told(server: Any, asked: Any, says: str) -> None:
    answer = server.client.post("/api/typed", json={"text": AIMA, **asked})
    assert answer.status_code == 422 and answer.json()["error"] == says


@pytest.mark.parametrize("order", ["best", "worst", "mirror"])
def test_another_order_has_the_same_value(ask: Any, order: str) -> None:
    for asked in (
        {"game": "tree", "start": AIMA, "search": "alphabeta-hard"},
        {"game": "tree", "start": "[B[3, 12], C[max[2, 4], 1]]", "search": "alphabeta"},
        {"game": "chancetree", "start": "[chance[0.5: [2, 4], 0.5: 7], 4]", "search": "expectiminimax"},
        {"game": "tictactoe", "start": "XO./.X./..O x", "search": "alphabeta", "depth": 2},
        {"game": "pig", "search": "expectiminimax", "depth": 3},
    ):
        plain, other = ask("tree", **asked), ask("tree", order=order, **asked)
        assert other["nodes"][0]["value"] == plain["nodes"][0]["value"]
        assert other["start"] == plain["start"]


def test_moves_keep_their_names_in_another_order(ask: Any) -> None:
    found = ask("tree", game="tree", start=AIMA, search="minimax", order="mirror")
    named = [(node["name"], node["action"]) for node in found["nodes"][1:]]
    below = [("b3", "2"), ("b2", "1"), ("b1", "0")]
    assert named == [("a3", "2"), *below, ("a2", "1"), *below, ("a1", "0"), *below]


def test_the_best_order_prunes_most(ask: Any) -> None:
    """Of 9 leaves alpha-beta looks at 5, the least that can be (Knuth & Moore 1975), or at all of them."""
    leaves = {
        order: ask("tree", game="tree", start=AIMA, search="alphabeta", order=order)["work"]["leaves"]
        for order in ("", "best", "worst")
    }
    assert leaves == {"": 7, "best": 5, "worst": 9}


def test_a_game_prunes_most_in_its_best_order(ask: Any) -> None:
    """The same six plies of tic-tac-toe."""
    asked = {"game": "tictactoe", "start": "XO./.X./..O x", "search": "alphabeta"}
    found = {order: ask("tree", order=order, **asked) for order in ("", "best", "worst")}
    assert {order: one["work"]["nodes"] for order, one in found.items()} == {"": 68, "best": 53, "worst": 186}
    cutoffs = {order: sum("cut" in node for node in one["nodes"]) for order, one in found.items()}
    assert cutoffs == {"": 17, "best": 19, "worst": 14}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"search": "engine"}, "engine chooses its moves itself: another order is for textbook searches"),
        (
            {"search": "alphabeta"},
            "only trees of at most 20,000 nodes can be reordered: choose a smaller depth",
        ),
    ],
)
def test_what_has_no_other_order_is_told(server: Any, asked: Any, says: str) -> None:
    answer = server.client.post("/api/tree", json={"game": "tictactoe", "order": "best", **asked})
    assert answer.status_code == 422 and answer.json()["error"] == says


def test_made_by_clicking(table: Any) -> None:
    table.open("#tree")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=make]")
    table.until("document.querySelector('#tree-start').value === '[[3, 5], [2, 9]]'")
    page.click("[data-do=add-child]")  # of the root
    table.until("document.querySelector('#tree-start').value === '[[3, 5], [2, 9], 0]'")
    page.locator(".tree .node.leaf", has_text="9").locator(".shape").click()
    page.fill("[data-do=leaf-value]", "-4")
    page.press("[data-do=leaf-value]", "Enter")
    table.until("document.querySelector('#tree-start').value === '[[3, 5], [2, -4], 0]'")
    page.locator(".tree .node.MIN .shape").first.click()
    page.select_option("[data-do=node-kind]", "chance")
    table.until("document.querySelector('#tree-start').value === '[chance[1/2: 3, 1/2: 5], [2, -4], 0]'")
    table.until("document.querySelector('#tree-search').value === 'expectiminimax'")
    page.wait_for_selector(".tree .node.chance")


def test_a_large_tree_is_left_to_the_compiler(server: Any) -> None:
    """It is tried without, found to be large, and handed on: the page hears only of its end."""
    with server.connect() as live:
        for depth in (2, 5):  # 82 and 18,730 positions
            live.send(
                json.dumps(
                    {"type": "grow", "id": depth, "game": "tictactoe", "search": "alphabeta", "depth": depth}
                )
            )
            said = json.loads(live.recv(timeout=30))
            assert (said["type"], said["id"], said["tree"]["nodes"][0]["up"]) == ("done", depth, -1)


# --- looking at them ------------------------------------------------------------------------------------


def test_nodes_are_small_boards(table: Any) -> None:
    table.open("#tree?game=tictactoe&search=alphabeta&start=XO./.X./..O x&depth=1")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=boards]")
    page.wait_for_selector(".tree .node svg.board")
    assert page.locator(".tree .node svg.board").count() == page.locator(".tree .node").count() == 6
    page.click("[data-do=last]")
    with page.expect_download() as found:
        page.click("[data-do=svg]")
    assert found.value.path().read_text(encoding="utf-8").count('class="board') == 6
    page.click("[data-do=boards]")
    page.wait_for_selector(".tree .node svg.board", state="detached")


def test_two_orders_side_by_side(table: Any) -> None:
    table.open(f"#tree?game=tree&search=alphabeta&with=alphabeta/best&start={AIMA}&step=99")
    table.page.wait_for_selector(".tree-place >> nth=1")
    titles = table.page.locator(".tree-title").all_inner_texts()
    assert titles[0].startswith("alphabeta: 11 nodes") and titles[1].startswith(
        "alphabeta, the best move first: 9 nodes"
    )
    table.open("#tree?game=tictactoe&search=alphabeta&with=alphabeta/both&start=XO./.X./..O x&step=999")
    table.wait("the best move last", ".tree-title")
    titles = table.page.locator(".tree-title").all_inner_texts()
    assert titles[0].startswith("alphabeta, the best move first: 53 nodes")
    assert titles[1].startswith("alphabeta, the best move last: 186 nodes")
    table.page.click("[data-do=fit]")
    table.page.locator(".tree-place").first.locator(".node.MIN .shape").first.click()
    table.page.wait_for_selector(".tree-board svg.board")


def test_depth_by_depth(table: Any) -> None:
    """The table tells each depth; at the end of one the next begins."""
    table.open("#tree?game=tictactoe&search=alphabeta&start=XO./.X./..O x&deepening=1&depth=3")
    page = table.page
    page.wait_for_selector(".depths td")
    assert page.locator(".depths button").all_inner_texts() == ["depth 1", "depth 2", "depth 3"]
    page.click("[data-do=last]")
    page.click("[data-do=on]")
    page.wait_for_selector(".depths tr[aria-current] [data-depth='2']")
    assert page.evaluate(STEP).startswith("Step 0 of")
    page.click("[data-do=back]")
    page.wait_for_selector(".depths tr[aria-current] [data-depth='1']")
    page.click("[data-depth='3']")
    page.wait_for_selector(".depths tr[aria-current] [data-depth='3']")


def test_quiescence_says_where_it_begins(ask: Any) -> None:
    """White would stand pat at -6, from MAX's side, were his man not taken."""
    asked = {"game": "checkers", "start": "W:W26,27:B13,20", "search": "engine", "on": "none +quiescence"}
    found = ask("tree", depth=1, **asked)
    told = [(found["nodes"][step[1]]["name"], step[4]) for step in found["steps"] if step[0] == "quiescence"]
    assert told == [("27-24", "−6")]
    assert [node["name"] for node in found["nodes"] if "pat" in node] == ["27-24"]


def test_the_horizon_is_drawn(table: Any) -> None:
    """Alpha-beta to one ply gives a man away; quiescence sees below the line that he is taken."""
    table.open(
        "#tree?game=checkers&start=W:W26,27:B13,20&search=alphabeta&with=engine&on=quiescence&depth=1&step=999"
    )
    page = table.page
    page.wait_for_selector(".horizon", state="attached")
    best = [
        view.locator("text.action.principal").first.text_content()
        for view in page.locator(".tree-place").all()
    ]
    assert best == ["27-24", "26-22"]
    assert page.locator(".tree-place").nth(1).locator(".node.beyond").count() == 1
    page.locator(".node.beyond .shape").click()
    table.wait("beyond it: 27-24 was not quiet", ".tree-info")


CROWDED = """() => { // labels that touch others of their tree, and values that are wider than what they stand in
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  for (const tree of document.querySelectorAll('svg.tree')) {
    const labels = [...tree.querySelectorAll('text.action, text.window[text-anchor]')].map(box);
    labels.forEach((one, i) => labels.slice(i + 1).forEach((other) => {
      const apart = Math.max(one.left - other.right, other.left - one.right);
      if (apart < 2 && one.top < other.bottom && other.top < one.bottom) found.push('labels');
    }));
    for (const node of tree.querySelectorAll('.node:has(path.shape)')) {
      const [shape, value] = [box(node.querySelector('.shape')), box(node.querySelector('.value'))];
      if (value.width > 0.64 * shape.width) found.push(node.querySelector('.value').textContent);
    }
  }
  return found;
}"""


def test_names_and_values_of_a_tree_have_their_room(table: Any) -> None:
    """The names of the best moves, in bold, too, and bounds of three digits."""
    table.open(
        "#tree?game=checkers&start=W:W26,27:B13,20&search=alphabeta&with=engine&on=quiescence&depth=1&step=999"
    )
    table.page.wait_for_selector(".horizon", state="attached")
    table.wait("≥125", ".tree .value")
    assert table.page.evaluate(CROWDED) == []
    table.open("#tree?game=tree&search=alphabeta&start=[[-12,39,-45,-46],[-81,-20]]&step=99")
    table.wait("[−∞, −12]", ".tree .window")
    assert table.page.evaluate(CROWDED) == []


# --- foretelling ----------------------------------------------------------------------------------------


def test_the_next_step_is_foretold(table: Any) -> None:
    """On AIMA's tree: go on, go on, return 3; then after 2 the rest is cut off."""
    table.open(f"#tree?game=tree&search=alphabeta&start={AIMA}")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=predict]")

    def answer(name: str, verdict: str) -> None:
        page.click("[data-do=on]")
        page.wait_for_selector(".predict:not([hidden])")
        page.click(f"[data-answer='{name}']")
        table.wait(verdict, ".step-words")

    answer("Try b2", "Right: At a1: try b2")
    answer("Cut off the rest", "Wrong: At a1: try b3")
    page.click("[data-do=on]")
    page.fill("[data-answer=value]", "3")
    page.press("[data-answer=value]", "Enter")
    table.wait("Right: a1 returns 3", ".step-words")
    answer("Try a2", "Right")
    answer("Cut off the rest", "Right: Cutoff at a2")
    table.wait("4 of 5 predicted", ".tree-controls")


def test_uct_is_foretold(table: Any) -> None:
    table.open("#tree?game=tictactoe&search=uct&start=XO./.X./..O x&iterations=8")
    page = table.page
    page.wait_for_selector(".tree .node")
    page.click("[data-do=predict]")
    page.click("[data-do=on]")
    table.wait("which child has the greatest upper confidence bound?", ".predict")
    assert page.locator(".predict button").count() == 5


# --- the quiz -------------------------------------------------------------------------------------------


def test_results_are_saved(table: Any) -> None:
    """Every try is a line of a table, also those before a reload."""
    table.open("#quiz?kind=minimax&tree=[[3,12],[2,4]]")
    page = table.page
    page.fill("[data-value='1']", "12")
    page.press("[data-value='1']", "Enter")
    table.wait("Wrong", ".verdict")
    page.reload()
    page.fill("[data-value='1']", "3")
    page.press("[data-value='1']", "Enter")
    table.wait("Right", ".verdict")
    with page.expect_download() as found:
        page.click("[data-do=results]")
    rows = list(csv.DictReader(io.StringIO(found.value.path().read_text(encoding="utf-8"))))
    assert [(row["answer"], row["verdict"]) for row in rows] == [("12", "wrong"), ("3", "right")]
    assert {row["quiz"] for row in rows} == {"quiz?kind=minimax&tree=%5B%5B3%2C12%5D%2C%5B2%2C4%5D%5D"}


DEEP = "[chance[1/3: [{0}], 2/3: [{0}]], chance[1/3: [{0}], 2/3: [{0}]]]".format(
    "chance[1/2: [2, 4], 1/2: [7, 4]], chance[1/4: [6, 0], 3/4: [5, -2]]"
)


@pytest.mark.parametrize(
    ("view", "texts"),
    [
        ("quiz?kind=expectiminimax&depth=4&branching=4&seed=3", ".quiz text"),
        (f"tree?game=chancetree&search=expectiminimax&start={DEEP}&step=400", ".tree text"),
    ],
)
def test_names_of_a_chance_tree_do_not_meet(table: Any, view: str, texts: str) -> None:
    """Probabilities stand alone, and no two texts overlap."""
    table.open(f"#{view}")
    page = table.page
    page.wait_for_selector(texts)
    table.lies_still(texts)
    boxes = page.locator(texts).evaluate_all(
        "all => all.filter((one) => one.textContent.trim()).map((one) => {"
        " const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"
    )
    assert len(boxes) > 20
    meet = [
        (a, b)
        for n, a in enumerate(boxes)
        for b in boxes[:n]
        if a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
    ]
    assert meet == []
    assert any("1/3" in text for text in page.locator(texts).all_text_contents())
