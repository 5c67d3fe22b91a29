"""The trace: golden ones of the lectures' exercises, the tree of the events, text and SVG."""

import math
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import WIN, GameError
from outplay.games import ConnectFour, Hexapawn, Pig, TicTacToe
from outplay.games.tree import best_first_tree, random_tree, tree, worst_first_tree
from outplay.limits import Limits
from outplay.search import SEARCHES
from outplay.search.textbook import alphabeta, minimax
from outplay.search.textbook.deepening import Run
from outplay.search.trace import trace as trace_module
from outplay.search.trace.record import record_search
from outplay.search.trace.trace import Event, Trace
from outplay.search.trace.tree import Node
from outplay.ui import treetext
from outplay.ui.layout import tidy
from outplay.ui.tree import svg, text
from outplay.variants import variant

GOLDEN = Path(__file__).parent.parent / "golden"
TEXTBOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


def pruned_leaves(root: Node) -> list[float | None]:
    return [node.static for _, node in root.walk() if node.pruned and not node.children]


# --- golden traces: `outplay trace GAME --json` wrote them, the header says of what ---------------------


@pytest.mark.lanes
@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.jsonl")), ids=lambda file: file.stem)
def test_golden(file: Path) -> None:
    golden = file.read_text(encoding="utf-8")
    kept = Trace.from_json_lines(golden)
    trace = record_search(kept.start, kept.search, kept.depth)
    assert trace == kept
    assert "\n".join(trace.json_lines()) + "\n" == golden
    assert text(trace, "utf-8") + "\n" == file.with_suffix(".txt").read_text(encoding="utf-8")


# --- the lectures' exercises ----------------------------------------------------------------------------


@pytest.mark.lanes
@pytest.mark.parametrize("search", ("alphabeta", "alphabeta-hard"))
@pytest.mark.parametrize(
    ("exercise", "value", "pruned"),
    (
        (TEXTBOOK, 3, [4, 6]),
        ("[[5, 9], [2, 8]]", 5, [8]),
        ("[[2, 7], [1, 8]]", 2, [8]),
        ("[[[5, 0], [6, 1]], [[3, 2], [4, 7]]]", 5, [1, 4, 7]),
    ),
)
def test_exercises(exercise: str, value: float, pruned: list[float], search: str) -> None:
    root = record_search(tree(exercise), search).tree()
    assert root.value == value
    assert pruned_leaves(root) == pruned
    assert [node.value for node in root.line()] == [value] * 3 if exercise[2] == "[" else [value] * 2


@pytest.mark.lanes
def test_one_more_ply_changes_the_choice() -> None:
    exercise = tree("[[2[20], 7[1]], [1[9], 8[8]]]")
    shallow, deep = record_search(exercise, depth=2).tree(), record_search(exercise).tree()
    assert (shallow.value, shallow.line()[0].name) == (2, "a1")
    assert (deep.value, deep.line()[0].name) == (8, "a2")


@pytest.mark.lanes
def test_chance() -> None:
    root = record_search(tree("chance[1/2: 8, 1/3: 24, 1/6: -12]")).tree()
    assert root.value == pytest.approx(10)
    assert root.line() == ()
    assert [child.probability for child in root.children] == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    airport = record_search(tree("chance[0.25: 20, 0.5: 30, 0.25: 60]")).tree()
    assert airport.value == 35


@pytest.mark.lanes
@pytest.mark.parametrize(("branching", "depth"), [(3, 3), (2, 5), (3, 4), (4, 3), (1, 4), (5, 1)])
def test_best_and_worst_order(branching: int, depth: int) -> None:
    """Knuth & Moore 1975: b^ceil(d/2) + b^floor(d/2) - 1 leaves at best, all of them at worst."""
    best = record_search(best_first_tree(branching, depth)).tree().work()
    assert best.leaves == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    assert best.pruned_leaves == branching**depth - best.leaves
    worst = record_search(worst_first_tree(branching, depth)).tree().work()
    assert (worst.leaves, worst.pruned) == (branching**depth, 0)


# --- the tree of the events -----------------------------------------------------------------------------


@pytest.mark.lanes
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["minimax", "alphabeta", "alphabeta-hard"]))
def test_the_tree_is_what_the_search_did(seed: int, alternate: bool, search: str) -> None:
    start = random_tree(seed, depth=4, branching=3, low=-3, high=3, alternate=alternate)
    trace = record_search(start, search)
    root = trace.tree()
    analysis = Run(start, SEARCHES[search]).deepen(Limits())
    assert root.value == analysis.value
    assert tuple(node.action for node in root.line()) == analysis.line
    assert root.work().nodes == analysis.nodes == sum(event.kind == "enter" for event in trace.events)
    assert Trace.from_json_lines("\n".join(trace.json_lines())) == trace
    for _, node in root.walk():
        truth = minimax.value(node.state)
        assert node.lower <= truth <= node.upper
        if not node.pruned:
            assert node.value in (node.lower, node.upper)
            assert {"=": node.value == truth, "<=": node.value >= truth, ">=": node.value <= truth}[
                node.bound
            ]
            assert [child.action for child in node.children] == list(node.state.actions())
            assert bool(node.cutoff) == any(child.pruned for child in node.children)


@pytest.mark.lanes
def test_the_tree_of_a_cutoff() -> None:
    root = record_search(tree(TEXTBOOK)).tree()
    _, cut, last = root.children
    assert (cut.alpha, cut.beta, cut.value, cut.bound) == (3, math.inf, 2, "<=")
    assert cut.cutoff == (3, 2)
    assert [child.pruned for child in cut.children] == [False, True, True]
    assert (last.value, last.bound, last.cutoff) == (2, "=", None)
    assert root.work() == (11, 7, 2, 2)


def test_large_branches_are_not_followed() -> None:
    root = record_search(best_first_tree(4, 5)).tree()
    work = root.work()
    assert work.pruned_leaves is None
    assert all(not node.children for _, node in root.walk() if node.pruned)


@pytest.mark.lanes
def test_a_game_with_int_scores() -> None:
    start = TicTacToe.parse("xox/ox./o.. x")
    trace = record_search(start)
    root = trace.tree()
    assert (root.value, type(root.value)) == (1, int)
    assert {type(event.value) for event in trace.events} <= {int, type(None)}
    assert (root.alpha, root.beta) == (-math.inf, math.inf)
    assert (root.lower, root.upper) == (1, 1)


@pytest.mark.lanes
def test_outcomes_beside_evaluations() -> None:
    trace = record_search(TicTacToe.parse("xox/ox./o.. x"), depth=2)
    root = trace.tree()
    assert root.value == alphabeta.value(trace.start, depth=2) == WIN
    assert text(trace, "utf-8").splitlines()[-1].startswith("value won, line c1")
    assert [node.static for _, node in root.walk() if node.pruned] == [-1]


def test_a_leaf_alone() -> None:
    trace = record_search(tree("7"))
    assert [event.kind for event in trace.events] == ["enter", "leaf"]
    assert trace.tree().work() == (1, 1, 0, 0)
    assert text(trace, "utf-8").splitlines()[-1] == "value 7; 1 node, 1 leaf"
    assert "value 7" in svg(trace)


def test_games_are_named() -> None:
    assert record_search(ConnectFour(), depth=1).game == "connect4"
    assert record_search(variant(Hexapawn, WIDTH=4)(), depth=1).game == "hexapawn:width=4"
    assert record_search(ConnectFour(), depth=1, game="c4").game == "c4"


class Countdown(NamedTuple):
    """Take one or two; who takes the last wins."""

    left: int = 3
    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        return range(1, min(self.left, 2) + 1)

    def result(self, taken):
        return Countdown(self.left - taken, self.ply + 1)

    def utility(self):
        return 2 * (self.ply & 1) - 1


def test_a_class_of_ones_own() -> None:
    trace = record_search(Countdown())
    assert trace.game == f"{__file__}:Countdown"
    written = "\n".join(trace.json_lines())
    assert Trace.from_json_lines(written, Countdown) == trace
    assert trace.tree().value == -1
    with pytest.raises(GameError, match="has no evaluate"):
        record_search(Countdown(), depth=2)


# --- what is refused ------------------------------------------------------------------------------------


def test_too_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = record_search(best_first_tree(3, 5))
    monkeypatch.setattr(trace_module, "FIRST_EVENTS", 8)
    assert record_search(best_first_tree(3, 5)) == whole  # the array grows
    events = len(whole.events)
    assert record_search(best_first_tree(3, 5), most=events) == whole
    with pytest.raises(ValueError, match=f"more than {events - 1} events: trace it to a smaller depth"):
        record_search(best_first_tree(3, 5), most=events - 1)


def test_searches_that_do_not_fit() -> None:
    with pytest.raises(GameError, match="use expectiminimax"):
        record_search(Pig(), "alphabeta")
    with pytest.raises(ValueError, match="unknown search"):
        record_search(TicTacToe(), "alfabeta")
    with pytest.raises(ValueError, match="depth must be a positive number"):
        record_search(TicTacToe(), depth=0)


HEADER = '{"game": "tree", "start": "[[3, 4], 2]", "search": "alphabeta", "depth": null}'


@pytest.mark.parametrize(
    ("lines", "complaint"),
    (
        ("", "begins with a header"),
        ('{"event": "enter"}', "begins with a header"),
        ("value 3", "line 1 of the trace is not JSON"),
        ("[3]", "line 1 of the trace is not a JSON object"),
        (HEADER + '\n{"event": "leave"}', "not an event of a trace"),
        (HEADER + '\n{"event": "leaf"}', "not an event of a trace"),
        (HEADER + '\n{"event": "enter", "alpha": "x"}', "not a number in a trace: 'x'"),
        (HEADER + '\n{"event": "leaf", "value": 3}', "event 1 of the trace, leaf, cannot come here"),
        (HEADER + '\n{"event": "enter"}', "ends in the middle"),
        (HEADER + '\n{"event": "enter"}\n{"event": "action", "action": 2}', "2 is not a legal action"),
        (
            HEADER + '\n{"event": "enter"}\n{"event": "enter"}',
            "event 2 of the trace, enter, cannot come here",
        ),
    ),
)
def test_what_is_no_trace(lines: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Trace.from_json_lines(lines)


# --- text -----------------------------------------------------------------------------------------------


def test_text_in_ascii() -> None:
    shown = text(record_search(tree("[[3, Ä=12], [2, 4]]")), "ascii")
    assert shown.splitlines() == [
        "alphabeta: [[3, ?=12], [2, 4]]",
        "MAX [-inf, inf] = 3",
        "|== a1 MIN [-inf, inf] = 3",
        "|   |== b1 leaf [-inf, inf] = 3",
        "|   `-- ? leaf [-inf, 3] = 12",
        "`-- a2 MIN [3, inf] <= 2  cut: beta 2 <= alpha 3",
        "    |-- b1 leaf [3, inf] = 2",
        "    `.. b2 x leaf 4",
        "value 3, line a1 b1; 6 nodes, 3 of 4 leaves, 1 branch pruned",
    ]


def test_text_of_a_large_tree_shows_its_upper_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(treetext, "MAX_LINES", 20)
    shown = text(record_search(worst_first_tree(3, 3)), "utf-8").splitlines()
    assert len(shown) == 1 + 13 + 1
    assert sum(line.endswith("… 3 more") for line in shown) == 9


# --- SVG ------------------------------------------------------------------------------------------------

NS = {"svg": "http://www.w3.org/2000/svg"}


def groups(picture: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    """The shapes (not lines and labels) that belong to all the classes."""
    found = picture.iterfind(".//svg:g", NS)
    return [
        g
        for g in found
        if {*classes} <= {*g.get("class", "").split()} and g.find("svg:title", NS) is not None
    ]


def test_svg() -> None:
    picture = ElementTree.fromstring(svg(record_search(tree(TEXTBOOK))))
    assert (len(groups(picture, "MAX")), len(groups(picture, "MIN")), len(groups(picture, "leaf"))) == (
        1,
        3,
        9,
    )
    assert [g.findtext(".//svg:text", "", NS) for g in groups(picture, "pruned")] == ["4", "6"]
    assert [g.findtext("svg:title", "", NS) for g in groups(picture, "principal")] == [
        "▲ MAX [-∞, ∞] = 3",
        "a1 ▽ MIN [-∞, ∞] = 3",
        "b1 □ [-∞, ∞] = 3",
    ]
    assert picture.findtext("svg:title", "", NS) == f"alphabeta on tree: {TEXTBOOK}"
    assert picture.findtext("svg:desc", "", NS).startswith("value 3, line a1 b1")
    assert "β 2 ≤ α 3" in "".join(picture.itertext())


def test_svg_escapes_what_a_game_says() -> None:
    class Sly(NamedTuple):
        done: int = 0

        def player(self):
            return 0

        def actions(self):
            return range(1 - self.done)

        def result(self, action):
            return Sly(1)

        def utility(self):
            return 1

        def action_text(self, action):
            return "<script>&\"'"

        def __str__(self):
            return "]]> & <b>"

    picture = svg(record_search(Sly()))
    assert "<script>" not in picture and "<b>" not in picture
    assert "<script>&\"'" in "".join(ElementTree.fromstring(picture).itertext())


def test_svg_of_a_tree_that_is_too_large() -> None:
    with pytest.raises(
        ValueError, match=r"nodes, too many to draw \(at most 3,000\): search to a smaller depth"
    ):
        svg(record_search(worst_first_tree(3, 7)))


@given(st.integers(0, 1000))
def test_layout(seed: int) -> None:
    """Nothing overlaps, leaves are in order, parents stand in the middle of their children."""
    root = record_search(random_tree(seed), "minimax").tree()
    nodes = [node for _, node in root.walk()]
    number = {id(node): i for i, node in enumerate(nodes)}
    children = [[number[id(child)] for child in node.children] for node in nodes]
    widths = [(3.0 + i % 5, 2.0 + i % 7) for i in range(len(nodes))]
    places = tidy(children, widths, 1.0)
    assert min(x - width[0] for x, width in zip(places, widths, strict=True)) == pytest.approx(0)
    for i, below in enumerate(children):
        if below:
            assert places[i] == pytest.approx((places[below[0]] + places[below[-1]]) / 2)
    levels: dict[int, list[int]] = {}
    for i, (ply, _) in enumerate(root.walk()):
        levels.setdefault(ply, []).append(i)
    for level in levels.values():
        for left, right in zip(level, level[1:], strict=False):
            assert places[left] + widths[left][1] + 1.0 <= places[right] - widths[right][0] + 1e-9


def test_an_event_says_only_what_it_has_to_say() -> None:
    windowless = record_search(tree("[1, 2]"), "minimax").events
    assert windowless[:3] == (Event("enter"), Event("action", 0), Event("enter"))
    cut = next(event for event in record_search(tree("[[1], [1, 2]]")).events if event.kind == "cutoff")
    assert cut == Event("cutoff", 0, 1.0, 1.0, 1.0)
