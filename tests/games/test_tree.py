"""Typed-in trees: the lectures' examples, the grammar, mistakes in it, and the trees for exercises."""

import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import CHANCE, adopt, kind, parse_action
from outplay.games.tree import (
    ChanceTree,
    Tree,
    best_first_tree,
    random_tree,
    tree,
    uniform_tree,
    worst_first_tree,
)

adopt(Tree)
adopt(ChanceTree)


def value(state: Any, depth: int = 1000) -> float:
    """Expectiminimax in three lines: the definition."""
    if state.terminal():
        return state.utility()
    if depth == 0:
        return state.evaluate()
    below = [value(state.result(a), depth - 1) for a in state.actions()]
    if state.player() == CHANCE:
        return sum(state.probability(a) * v for a, v in zip(state.actions(), below, strict=True))
    return max(below) if state.player() == 0 else min(below)


def leaves_visited(state: Any, alpha: float = float("-inf"), beta: float = float("inf")) -> tuple[float, int]:
    """Alpha-beta: the value, and how many leaves it took."""
    if state.terminal():
        return state.utility(), 1
    best, count = (float("-inf"), 0) if state.player() == 0 else (float("inf"), 0)
    for action in state.actions():
        v, n = leaves_visited(state.result(action), alpha, beta)
        count += n
        if state.player() == 0:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, count


def nodes(state: Any) -> Iterator[Any]:
    yield state
    for action in state.actions():
        yield from nodes(state.result(action))


# --- the lectures' trees ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    (
        ("[[3,12,8],[2,4,6],[14,5,2]]", 3),
        ("[[2,7],[1,8]]", 2),
        ("[[5,9],[2,8]]", 5),
        ("[[[5,0],[6,1]],[[3,2],[4,7]]]", 5),
        ("chance[1/2: 8, 1/3: 24, 1/6: -12]", 10),
        ("min[chance[.25: 20, .5: 30, .25: 60]]", 35),
        ("[chance[1/2: [4, 6], 1/2: 2], 3.5]", 3.5),
    ),
)
def test_values(text: str, expected: float) -> None:
    assert value(tree(text)) == pytest.approx(expected)


def test_alpha_beta_skips_4_and_6() -> None:
    assert leaves_visited(tree("[[3,12,8],[2,4,6],[14,5,2]]")) == (3, 7)
    assert leaves_visited(tree("[[5,9],[2,8]]")) == (5, 3)


def test_one_more_ply_changes_the_choice() -> None:
    """Static values 2 7 1 8, one ply deeper 20 1 9 8."""
    root = tree("[[2[20], 7[1]], [1[9], 8[8]]]")
    shallow = [value(root.result(a), depth=1) for a in root.actions()]
    deep = [value(root.result(a)) for a in root.actions()]
    assert (shallow, deep) == ([2, 1], [1, 8])


def test_kinds() -> None:
    assert type(tree("[1, 2]")) is Tree and type(tree("[chance[1: 2]]")) is ChanceTree
    assert not kind(Tree).chance and kind(Tree).float_scores and kind(ChanceTree).chance


# --- who moves --------------------------------------------------------------------------------------------


def players(text: str) -> list[int]:
    return [state.player() for state in nodes(tree(text)) if not state.terminal()]


def test_players_take_turns() -> None:
    assert players("[[1, [2]], 3]") == [0, 1, 0]
    assert players("min[[1, [2]], 3]") == [1, 0, 1]


def test_chance_does_not_count() -> None:
    assert players("[chance[1: [chance[1: [2]]]]]") == [0, CHANCE, 1, CHANCE, 0]
    assert players("chance[1: [[2]]]") == [CHANCE, 0, 1]


def test_a_node_may_say_who_moves() -> None:
    assert players("[max[1, [2]], min[3]]") == [0, 0, 1, 1]


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    (
        "3",
        "A=3",
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
        "root[B[3, 12, 8], C[2, 4, 6], D=14]",
        "chance[1/2: 8, 1/3: 24, 1/6: -12]",
        "[max[1, 2], [3, chance[1: A[4], 0: min[5]]]]",
        "[A=2[20, 0.5], B=-7 max[1e+20, 1/3]]",
        "[[3, 12, 8], [2, 4, 6]] @ 1/0",
        "chance[2/3: 1, 1/3: X=[2]] @ 1",
    ),
)
def test_text_is_kept(text: str) -> None:
    assert str(tree(text)).replace("X[", "X=[") == text
    assert tree(str(tree(text))) == tree(text)


def test_other_forms_are_read() -> None:
    plain = tree("[[3, 12, 8], [2, 4, 6]]")
    assert tree("[[3,12,8],[2,4,6]]") == plain
    assert tree(" [ # MAX\n [3.0, 12, 8], # first\n [+2, 4e0, 12/2]\n]\n@\n") == plain
    assert tree([[3, 12, 8], (2, 4, 6.0)]) == plain
    assert tree("max[min[3, 12, 8], [2, 4, 6]]") == plain
    assert tree("[0[3, 12, 8], [2, 4, 6]]") == plain
    assert tree("[A=3, B = [4], C min [5]]") == tree("[A 3, B[4], C[5]]")
    assert tree("[-0.0]") == tree([-0.0]) == tree("[0]")


def test_labels_belong_to_the_tree() -> None:
    assert tree("[A=1, B=2]") != tree("[B=1, A=2]") != tree("[1, 2]")
    assert str(tree("[A=1, B=2]")) == "[A=1, B=2]" and str(tree("[1, 2]")) == "[1, 2]"


def test_every_node_has_its_text() -> None:
    for seed in range(20):
        for state in nodes(random_tree(seed, chance=seed % 2 == 1, alternate=seed % 3 > 0)):
            assert tree(str(state)) == type(state).parse(str(state)) == state
            assert type(tree(str(state))) is type(state)
            assert pickle.loads(pickle.dumps(state)) == state


def test_names_of_actions() -> None:
    root = tree("[[3, 12], a1=[2], [chance[1: 5]]]")
    assert [root.action_text(a) for a in root.actions()] == ["a1'", "a1", "a3"]
    assert [root.result(0).action_text(a) for a in (0, 1)] == ["b1", "b2"]
    assert parse_action(tree("[B[3], C[2]]"), "C") == 1


def test_board_tells_where_we_are() -> None:
    root = tree("[B[3, 12], 4, chance[1/2: 1, 1/2: 2]]")
    assert root.board().note == "root, MAX to move: B, a2=4, a3"
    assert root.result(0).board().note == "B, MIN to move: b1=3, b2=12"
    assert root.result(2).board().note == "node 2, chance: 1/2: b1=1, 1/2: b2=2"
    assert root.result(1).board().note == "node 1: leaf 4"


@pytest.mark.parametrize(
    ("text", "where", "complaint"),
    (
        ("", "line 1, column 1", "found the end"),
        ("[", "line 1, column 2", "found the end"),
        ("[]", "line 1, column 2", "expected a number or a bracket"),
        ("[1 2]", "line 1, column 4", "expected a comma"),
        ("[1,\n 2,\n]", "line 3, column 1", "expected a number"),
        ("[1]]", "line 1, column 4", "expected the end"),
        ("[1, foo bar]", "line 1, column 9", "found 'b'"),
        ("[1, A=]", "line 1, column 7", "expected a number"),
        ("[A=1, B=2, A=3]", "line 1, column 12", "two siblings are called A"),
        ("[1/0]", "line 1, column 2", "not a finite number"),
        ("[1e999]", "line 1, column 2", "not a finite number"),
        ("[1, 1/2: 2]", "line 1, column 8", "expected a comma"),
        ("chance[1/2: 1, 1/3: 2]", "line 1, column 22", "sum to 0.833333333333"),
        ("chance[1/2: 1, 2]", "line 1, column 16", "begins with its probability"),
        ("chance[-1: 1, 2: 2]", "line 1, column 8", "-1 is not a probability"),
        ("[1] @ 1", "line 1, column 7", "there are 1"),
        ("[1] @ 0/0", "line 1, column 9", "there are 0"),
        ("[1] @ x", "line 1, column 7", "there are 1"),
        ("[" * 10_000 + "1" + "]" * 10_000, "line 1, column 201", "more than 200 plies deep"),
        ("[" + "1," * 256 + "1]", "line 1, column 514", "at most 256 children"),
    ),
)
def test_mistakes_are_located(text: str, where: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        tree(text)
    message = str(caught.value)
    assert message.startswith(f"tree, {where}: ") and complaint in message and "\n" not in message


@pytest.mark.parametrize(
    "source", ([], [[]], [["x"]], None, {}, [float("inf")], [float("nan")], [10**400], [[1] * 257])
)
def test_bad_lists_are_refused(source: Any) -> None:
    with pytest.raises(ValueError):
        tree(source)


def test_a_tree_with_chance_is_no_tree_without() -> None:
    with pytest.raises(ValueError, match="chance nodes"):
        Tree.parse("chance[1: 2]")


@given(st.text(alphabet="[]chanemixAB=,:@/#0123.-+ e\n", max_size=40))
def test_any_text_is_a_tree_or_a_value_error(text: str) -> None:
    try:
        state = tree(text)
    except ValueError:
        return
    assert tree(str(state)) == state


@given(
    st.recursive(
        st.floats(allow_nan=False, allow_infinity=False), lambda c: st.lists(c, min_size=1), max_leaves=30
    )
)
def test_any_lists_are_kept(source: Any) -> None:
    state = tree(source)
    assert tree(str(state)) == state

    def same(part: Any, node: Any) -> bool:
        if isinstance(part, list):
            return len(part) == len(node.actions()) and all(
                same(p, node.result(i)) for i, p in enumerate(part)
            )
        return node.terminal() and node.utility() == part

    assert same(source, state)


def test_a_hundred_thousand_leaves() -> None:
    source = random.Random(1)
    numbers = [source.randrange(100) for _ in range(100_000)]
    state = uniform_tree(10, 5, numbers)
    assert tree(str(state)) == state
    assert sum(1 for _ in nodes(state)) == 111_111


# --- trees for exercises ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("branching", "depth"), ((3, 3), (2, 1), (2, 6), (3, 4), (4, 3), (5, 2), (1, 5), (7, 0))
)
def test_ordered_trees(branching: int, depth: int) -> None:
    best, worst = best_first_tree(branching, depth), worst_first_tree(branching, depth)
    fewest = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    assert leaves_visited(best) == (value(best), fewest)
    assert leaves_visited(worst) == (value(worst), branching**depth)


def test_eleven_of_twenty_seven() -> None:
    assert leaves_visited(best_first_tree(3, 3))[1] == 11
    assert leaves_visited(worst_first_tree(3, 3))[1] == 27


def test_uniform_trees() -> None:
    assert uniform_tree(2, 2, [2, 7, 1, 8]) == tree("[[2, 7], [1, 8]]")
    for branching, depth, leaves in (
        (2, 2, [1, 2, 3]),
        (0, 1, []),
        (2, -1, []),
        (2, 10**9, [1]),
        (257, 1, [1] * 257),
    ):
        with pytest.raises(ValueError):
            uniform_tree(branching, depth, leaves)


def test_random_trees_are_the_same_for_ever() -> None:
    assert str(random_tree(1)) == "[[[[3, 5], -9], [[-1], [8]], [1], [[-9, -5], [-5, -5]]]]"
    assert str(random_tree(3, alternate=False)) == "min[min[[max[9, -1]], min[min[0, 5, 3], 5]]]"
    assert random_tree(1) == random_tree(1) != random_tree(2)


def test_random_trees_keep_to_their_bounds() -> None:
    for seed in range(50):
        state = random_tree(seed, depth=5, branching=3, low=-2, high=2, chance=True, alternate=False)
        assert type(state) is ChanceTree
        for node in nodes(state):
            if node.terminal():
                assert node.utility() in range(-2, 3)
            else:
                assert 1 <= len(node.actions()) <= 3
            if node.player() == CHANCE and not node.terminal():
                assert sum(node.probability(a) for a in node.actions()) == pytest.approx(1)
    for bad in (
        {"depth": 0},
        {"depth": 1, "chance": True},
        {"branching": 0},
        {"low": 3, "high": 2},
        {"depth": 50},
    ):
        with pytest.raises(ValueError):
            random_tree(1, **bad)
