"""The grader: right searches of many shapes pass, and classic mistakes are called by their names."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outplay.game import legal
from outplay.grade import KINDS, Report, grade, load_function, process
from outplay.grade import student as student_module
from outplay.grade.cases import FULL, cases
from outplay.grade.mistakes import FORMS, MISTAKES, mistaken
from outplay.grade.parts import Form, Negamax, Search
from outplay.grade.position import Misuse, Notes, Position
from outplay.search.textbook import alphabeta, expectiminimax, minimax

Write = Callable[[str], Path]
Graded = Callable[[str], Report]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Put a student's code into a file."""

    def put(code: str) -> Path:
        file = tmp_path / "homework.py"
        file.write_text("from math import inf\n\n" + code, encoding="utf-8")
        return file

    return put


@pytest.fixture
def graded(write: Write) -> Graded:
    """Grade the search in a student's code."""
    return lambda code: grade(load_function(str(write(code))))


# --- right searches, in the shapes that students write ----------------------------------------------------

MINIMAX = """
def max_value(state):
    if state.terminal():
        return state.utility()
    return max(min_value(state.result(a)) for a in state.actions())

def min_value(state):
    if state.terminal():
        return state.utility()
    return min(max_value(state.result(a)) for a in state.actions())

def minimax_decision(state):
    return max(state.actions(), key=lambda a: min_value(state.result(a)))
"""

MINIMAX_DEPTH = """
def minimax(node, depth, maximizingPlayer):
    if depth == 0 or node.terminal():
        return node.utility() if node.terminal() else node.evaluate()
    if maximizingPlayer:
        value = -inf
        for action in node.actions():
            value = max(value, minimax(node.result(action), depth - 1, False))
        return value
    value = inf
    for action in node.actions():
        value = min(value, minimax(node.result(action), depth - 1, True))
    return value
"""

ALPHABETA = """
def alphabeta(state, alpha=-inf, beta=inf):
    if state.terminal():
        return state.utility()
    if state.player() == 0:
        value = -inf
        for action in state.actions():
            value = max(value, alphabeta(state.result(action), alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value
    value = inf
    for action in state.actions():
        value = min(value, alphabeta(state.result(action), alpha, beta))
        if value <= alpha:
            return value
        beta = min(beta, value)
    return value
"""

FAIL_HARD = """
def alphabeta(state, depth, alpha, beta, maximizing):
    if state.terminal():
        return state.utility()
    if depth == 0:
        return state.evaluate()
    if maximizing:
        for action in state.actions():
            alpha = max(alpha, alphabeta(state.result(action), depth - 1, alpha, beta, False))
            if beta <= alpha:
                return beta
        return alpha
    for action in state.actions():
        beta = min(beta, alphabeta(state.result(action), depth - 1, alpha, beta, True))
        if beta <= alpha:
            return alpha
    return beta
"""

DECISION = """
def alphabeta_search(state):
    best_score, beta, best_action = -inf, inf, None
    for a in state.actions():
        v = min_value(state.result(a), best_score, beta)
        if v > best_score:
            best_score, best_action = v, a
    return best_action

def max_value(state, alpha, beta):
    if state.terminal():
        return state.utility()
    v = -inf
    for a in state.actions():
        v = max(v, min_value(state.result(a), alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v

def min_value(state, alpha, beta):
    if state.terminal():
        return state.utility()
    v = inf
    for a in state.actions():
        v = min(v, max_value(state.result(a), alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v
"""

NEGAMAX = """
def negamax(state, depth, alpha, beta, color):
    if state.terminal():
        return color * state.utility()
    if depth == 0:
        return color * state.evaluate()
    best = -inf
    for action in state.actions():
        v = -negamax(state.result(action), depth - 1, -beta, -alpha, -color)
        best = max(best, v)
        alpha = max(alpha, v)
        if alpha >= beta:
            break
    return best
"""

BOTH = """
def minimax(state, depth=None):
    if state.terminal():
        return state.utility(), None
    if depth == 0:
        return state.evaluate(), None
    best, choice = None, None
    for action in state.actions():
        v, _ = minimax(state.result(action), None if depth is None else depth - 1)
        if best is None or (v > best if state.player() == 0 else v < best):
            best, choice = v, action
    return best, choice
"""

STACK = """
def minimax(state):
    'Without recursion: a stack of [state, its successors still to come, best value so far].'
    stack = [[state, iter(state.actions()), None]]
    while True:
        here, left, best = stack[-1]
        if here.terminal():
            value = here.utility()
        else:
            action = next(left, None)
            if action is not None:
                child = here.result(action)
                stack.append([child, iter(child.actions()), None])
                continue
            value = best
        stack.pop()
        if not stack:
            return value
        above = stack[-1]
        pick = max if above[0].player() == 0 else min
        above[2] = value if above[2] is None else pick(above[2], value)
"""

TABLE = """
table = {}

def alphabeta(state, alpha=-inf, beta=inf):
    if state.terminal():
        return state.utility()
    low, high = table.get(state, (-inf, inf))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    first_alpha, first_beta = alpha, beta
    value = -inf if state.player() == 0 else inf
    for action in state.actions():
        v = alphabeta(state.result(action), alpha, beta)
        if state.player() == 0:
            value = max(value, v)
            alpha = max(alpha, value)
        else:
            value = min(value, v)
            beta = min(beta, value)
        if beta <= alpha:
            break
    if value > first_alpha:
        low = value
    if value < first_beta:
        high = value
    table[state] = (low, high)
    return value
"""

SHARED = """
def alphabeta(state):
    alpha, beta = -inf, inf

    def value(state):
        nonlocal alpha, beta
        window = alpha, beta
        if state.terminal():
            return state.utility()
        best = -inf if state.player() == 0 else inf
        for action in state.actions():
            v = value(state.result(action))
            if state.player() == 0:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if beta <= alpha:
                break
        alpha, beta = window
        return best

    return value(state)
"""

EXPECTI = """
def expectiminimax(state, depth):
    if state.terminal():
        return state.utility()
    if depth == 0:
        return state.evaluate()
    values = [expectiminimax(state.result(a), depth - 1) for a in state.actions()]
    if state.player() == 0:
        return max(values)
    if state.player() == 1:
        return min(values)
    return sum(state.probability(a) * v for a, v in zip(state.actions(), values))
"""

RIGHT = {
    "minimax of two functions": MINIMAX,
    "minimax with a depth": MINIMAX_DEPTH,
    "minimax that returns both": BOTH,
    "minimax without recursion": STACK,
    "alpha-beta, fail-soft": ALPHABETA,
    "alpha-beta, fail-hard": FAIL_HARD,
    "alpha-beta that returns an action": DECISION,
    "alpha-beta with a table of bounds": TABLE,
    "alpha-beta with variables put back": SHARED,
    "negamax": NEGAMAX,
    "expectiminimax": EXPECTI,
}
STRICT = "the cutoff is at beta < alpha instead of beta <= alpha"
TOO_MUCH = "it prunes too much: a node is compared with its own bound"


@pytest.mark.parametrize("shape", RIGHT)
def test_right_searches_pass(shape: str, graded: Graded) -> None:
    report = graded(RIGHT[shape])
    assert report.passed, report.text()
    assert report.notes == ()
    assert report.text() == f"{report.function}, graded as {report.kind}: passed all {report.cases} cases"


def test_the_textbook_itself_passes() -> None:
    assert grade(minimax.minimax_decision).passed
    assert grade(alphabeta.alphabeta_decision).passed
    assert grade(alphabeta.value, "alphabeta").passed
    assert grade(alphabeta.hard_value, "alphabeta").passed
    assert grade(expectiminimax.value, "expectiminimax").passed


@pytest.mark.parametrize("seed", range(2, 6))
def test_other_seeds_ask_for_other_cases(seed: int) -> None:
    assert {case.text for case in cases("alphabeta", 1, True, True)} != {
        case.text for case in cases("alphabeta", seed, True, True)
    }
    assert grade(alphabeta.value, "alphabeta", seed).passed


# --- classic mistakes, one change in right code -----------------------------------------------------------

MISTAKEN = {  # what was right, what stands there instead, the mistake
    "every search": [
        (BOTH, "state.player() == 0", "state.player() == 1", "MAX and MIN are swapped"),
        (
            MINIMAX_DEPTH,
            "depth - 1, False",
            "depth - 1, True",
            "the players do not take turns: every node is MAX's",
        ),
        (MINIMAX_DEPTH, "value = -inf", "value = 0", "the best value starts at 0 at MAX nodes"),
        (
            BOTH,
            "return state.utility(), None",
            "return state.utility() * (1 - 2 * state.player()), None",
            "the utility is taken for the player to move",
        ),
        (
            BOTH,
            "return state.utility(), None",
            "return -state.utility(), None",
            "the utility is taken for MIN",
        ),
        (
            BOTH,
            "if best is None or (v > best if state.player() == 0 else v < best)",
            "if True",
            "the last child's value is kept, not the best",
        ),
        (
            BOTH,
            "in state.actions()",
            "in reversed(state.actions())",
            "the actions are tried in reverse order",
        ),
        (BOTH, "if depth == 0", "if depth == 1", "the depth is off by one: it stops a ply too early"),
        (MINIMAX_DEPTH, "depth == 0", "depth < 0", "the depth is off by one: it stops a ply too late"),
        (MINIMAX_DEPTH, "depth - 1", "depth", "the depth is not counted down"),
        (
            MINIMAX_DEPTH,
            "            value = max(",
            "            minimax(node.result(action), depth - 1, False)\n            value = max(",
            "states are searched more than once",
        ),
    ],
    "alpha-beta": [
        (DECISION, "best_score, beta)", "-inf, inf)", "alpha is not passed at the root"),
        (
            DECISION,
            "v > best_score",
            "v >= best_score",
            "ties are broken by the last action instead of the first",
        ),
        (ALPHABETA, "(action), alpha, beta)", "(action))", "alpha and beta are not passed down"),
        (ALPHABETA, "(action), alpha, beta)", "(action), -inf, beta)", "alpha is not passed down"),
        (ALPHABETA, "(action), alpha, beta)", "(action), alpha)", "beta is not passed down"),
        (
            ALPHABETA,
            "(action), alpha, beta)",
            "(action), beta, alpha)",
            "alpha and beta are passed in the wrong order",
        ),
        (ALPHABETA, "alpha = max(alpha, value)", "pass", "alpha is not updated"),
        (ALPHABETA, "beta = min(beta, value)", "pass", "beta is not updated"),
        (ALPHABETA, "value >= beta", "False", "nothing is ever cut off at MAX nodes"),
        (ALPHABETA, "value <= alpha", "False", "nothing is ever cut off at MIN nodes"),
        (ALPHABETA, "value >= beta", "value > beta", f"{STRICT} at MAX nodes"),
        (ALPHABETA, "value <= alpha", "value < alpha", f"{STRICT} at MIN nodes"),
        (ALPHABETA, "value >= beta", "value >= alpha", f"{TOO_MUCH} at MAX nodes"),
        (ALPHABETA, "value <= alpha", "value >= beta", f"{TOO_MUCH} at MIN nodes"),
        (FAIL_HARD, "if beta <= alpha", "if beta < alpha", STRICT),
        (FAIL_HARD, "if beta <= alpha", "if False", "nothing is ever cut off"),
        (FAIL_HARD, "depth - 1, alpha, beta", "depth - 1, -inf, inf", "alpha and beta are not passed down"),
        (SHARED, "        alpha, beta = window\n", "", "alpha and beta are shared by all nodes"),
        (
            TABLE,
            "(low, high)\n    return",
            "(value, value)\n    return",
            "a bound from the table is taken as exact",
        ),
    ],
    "negamax": [
        (NEGAMAX, "v = -negamax", "v = negamax", "the sign of the successor's value is not changed"),
        (NEGAMAX, "color * state", "state", "the utility is not taken for the player to move"),
        (NEGAMAX, "-beta, -alpha", "alpha, beta", "the window is not negated and swapped"),
        (NEGAMAX, "-beta, -alpha", "-alpha, -beta", "the window is not negated and swapped"),
        (NEGAMAX, "if alpha >= beta", "if alpha > beta", STRICT),
    ],
    "chance": [
        (EXPECTI, "values))", "values)) / len(values)", "values are averaged twice at chance nodes"),
        (EXPECTI, "state.probability(a) * v", "v / len(values)", "probabilities are ignored at chance nodes"),
        (
            EXPECTI,
            "state.probability(a) * v",
            "v",
            "values are added up at chance nodes without their probabilities",
        ),
        (
            EXPECTI,
            "if state.player() == 1",
            "if state.player() != 0",
            "chance nodes are treated as MIN nodes",
        ),
    ],
}


@pytest.mark.parametrize(
    ("code", "right", "wrong", "mistake"), [case for cases in MISTAKEN.values() for case in cases]
)
def test_mistakes_are_named(code: str, right: str, wrong: str, mistake: str, graded: Graded) -> None:
    assert right in code
    report = graded(code.replace(right, wrong))
    assert not report.passed
    assert report.differences
    assert mistake in [found.name for found in report.mistakes], report.text()
    assert mistake in report.text()


def test_equal_actions_are_a_matter_of_taste_in_minimax(graded: Graded) -> None:
    pairs = "def minimax(state):\n    return max((min_value(state.result(a)), a) for a in state.actions())\n"
    report = graded(MINIMAX.replace("minimax_decision", "decision") + pairs)
    assert report.passed
    assert report.notes == ("ties are broken by the last action instead of the first",)
    assert report.text().endswith("note: ties are broken by the last action instead of the first")


def test_a_window_leaves_no_choice_to_judge() -> None:
    def alphabeta(state: Any, depth: int, alpha: float = -math.inf, beta: float = math.inf) -> Any:
        return Search(Form(True)).search(state, depth, alpha, beta)

    report = grade(alphabeta)
    assert report.passed
    assert report.notes == ()


def test_pruning_is_no_minimax() -> None:
    report = grade(alphabeta.value, "minimax")
    assert [mistake.name for mistake in report.mistakes] == ["it prunes, which minimax does not"]


def test_an_unknown_mistake_is_not_named(graded: Graded) -> None:
    report = graded(BOTH.replace("return best", "return best + 1"))
    assert not report.passed
    assert report.mistakes == ()
    assert "no classic mistake matches" in report.text()


# --- AIMA's searches -----------------------------------------------------------------------------------------------

AIMA_MINIMAX = """
def minimax_search(game, state):
    player = {player}
    def max_value(state):
        if game.{over}(state):
            return game.utility(state, player), None
        v, move = -inf, None
        for a in game.actions(state):
            v2, _ = min_value(game.result(state, a))
            if v2 > v:
                v, move = v2, a
        return v, move
    def min_value(state):
        if game.{over}(state):
            return game.utility(state, player), None
        v, move = inf, None
        for a in game.actions(state):
            v2, _ = max_value(game.result(state, a))
            if v2 < v:
                v, move = v2, a
        return v, move
    return max_value(state)
"""

AIMA_ALPHABETA = """
def alphabeta_search(game, state):
    player = game.to_move(state)
    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        v, move = -inf, None
        for a in game.actions(state):
            v2, _ = min_value(game.result(state, a), alpha, beta)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move
    def min_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        v, move = +inf, None
        for a in game.actions(state):
            v2, _ = max_value(game.result(state, a), alpha, beta)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        return v, move
    return max_value(state, -inf, +inf)
"""


@pytest.mark.parametrize(
    "code",
    [
        AIMA_MINIMAX.format(player="state.to_move", over="is_terminal"),
        AIMA_MINIMAX.format(player="game.to_move(state)", over="terminal_test"),
        AIMA_MINIMAX.format(player="state.to_move", over="is_terminal").replace(
            "(game, state)", "(state, game)", 1
        ),
        AIMA_ALPHABETA,
    ],
)
def test_aimas_searches(code: str, graded: Graded) -> None:
    report = graded(code)
    assert report.passed, report.text()
    assert not graded(code.replace("v2 < v", "v2 > v").replace("v <= alpha", "False")).passed


def test_aimas_game_says_what_it_has(graded: Graded) -> None:
    text = graded("def minimax(game, state):\n    return game.children(state)\n").text()
    assert "AttributeError: the game has no children; it has to_move, actions, result" in text


DEPTH_FIRST = """
def minimax(state, depth, maximizing):
    if depth == 0 or state.terminal():
        return state.evaluate()
    values = [minimax(state.result(a), depth - 1, not maximizing) for a in state.actions()]
    return max(values) if maximizing else min(values)
"""
NEGAMAX_DEPTH = """
def negamax(state, depth, color):
    if depth == 0 or state.terminal():
        return color * state.evaluate()
    return max(-negamax(state.result(a), depth - 1, -color) for a in state.actions())
"""


@pytest.mark.parametrize("code", [DEPTH_FIRST, NEGAMAX_DEPTH])
def test_the_static_value_of_a_terminal_state_is_its_utility(code: str, graded: Graded) -> None:
    report = graded(code)
    assert report.passed, report.text()
    wrong = graded(code.replace("depth == 0", "depth == 1"))
    assert "the depth is off by one: it stops a ply too early" in [mistake.name for mistake in wrong.mistakes]


# --- the mistakes themselves --------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [Search(Form()), *map(Search, FORMS), Negamax(Form(True))])
def test_without_a_mistake_it_is_the_textbook(search: Search) -> None:
    for case in cases("alphabeta", 1, True, search.form.prunes):
        expected, found = Notes(1 << 30), Notes(1 << 30)
        if search.form.prunes:
            value = alphabeta.value(Position(case.state, expected), *case.window, case.depth)
        else:
            value = minimax.value(Position(case.state, expected), case.depth)
        v, _ = search.search(Position(case.state, found), case.depth, *case.window)
        assert found.visits == expected.visits
        assert v == value or v <= case.window[0] or v >= case.window[1]


@pytest.mark.parametrize("kind", KINDS)
def test_every_mistake_is_found_out(kind: str) -> None:
    """Each of them, in its plainest form, fails, and is named among what does the same."""
    for search in mistaken(kind, kind in ("alphabeta", "negamax"), True):
        if search.form not in (Form(), Form(True)) or search.only is not None:
            continue

        def student(
            state: Any, depth: int, alpha: float = -math.inf, beta: float = math.inf, wrong: Any = search
        ) -> Any:
            return wrong.search(state, depth, alpha, beta)

        report = grade(student, kind)
        names = {mistake.name for mistake in report.mistakes} | {*report.notes}
        assert search.name in names or "nothing is ever cut off" in names, type(search).__name__


def test_mistakes_say_what_to_do() -> None:
    assert all(mistake.name and mistake.cure for mistake in MISTAKES)


# --- cases ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_cases(kind: str) -> None:
    found = cases(kind, 1, True, True)
    assert found == cases(kind, 1, True, True)
    assert [case.size for case in found] == sorted(case.size for case in found)
    for case in found:
        assert legal(case.state)
        assert case.state.player() == 0
        assert len(case._replace(depth=None).paths()) == case.size
        assert case.window[0] < case.window[1]
        assert case.window == FULL or case.depth is None


# --- what goes wrong ------------------------------------------------------------------------------------------


def test_an_exception_is_shown_with_its_line(graded: Graded) -> None:
    text = graded("def minimax(state):\n    return state.children()\n").text()
    assert "homework.py, line 4: AttributeError: a state has no children; it has player(), actions()" in text


def test_recursion_without_end(graded: Graded) -> None:
    text = graded("def minimax(state):\n    return minimax(state)\n").text()
    assert "homework.py, line 4: the recursion does not end" in text


def test_questions_without_end(graded: Graded) -> None:
    text = graded("def minimax(state):\n    while True:\n        state.terminal()\n").text()
    assert "homework.py, line 5: stopped: it seems to loop forever" in text
    assert "classic mistake" not in text  # nothing is known of what it would have answered


def test_no_return(graded: Graded) -> None:
    report = graded("def minimax(state):\n    state.terminal()\n")
    assert report.differences[0].startswith(
        "it returned nothing (None): return a value, an action or (value, action)"
    )


def test_utility_at_the_horizon(graded: Graded) -> None:
    text = graded(BOTH.replace("state.evaluate()", "state.utility()")).text()
    assert "utility() of a state that is not terminal; at the depth limit, call evaluate()" in text


def test_what_a_student_prints_is_not_heard(graded: Graded, capsys: pytest.CaptureFixture[str]) -> None:
    code = BOTH.replace("best, choice = None, None", "best, choice = None, None\n    print(state)")
    assert graded(code).passed
    assert capsys.readouterr().out == ""


def test_states_say_what_they_are_asked_wrongly() -> None:
    case = cases("minimax", 1, False, False)[0]
    state = Position(case.state, Notes(1000))
    with pytest.raises(Misuse, match=r"result\(9\): not a legal action"):
        state.result(9)
    with pytest.raises(Misuse, match="not a chance node"):
        state.probability(0)


# --- finding the function ---------------------------------------------------------------------------------------


def test_kinds_are_told_by_names_and_parameters() -> None:
    def solve(state: Any) -> None: ...
    def prune(state: Any, a: float, b: float) -> None: ...

    assert student_module.student(prune).kind == "alphabeta"
    assert student_module.student(solve, "minimax").kind == "minimax"
    with pytest.raises(ValueError, match="which search is solve"):
        student_module.student(solve)
    with pytest.raises(ValueError, match="'mcts' is not a kind of search; choose from"):
        student_module.student(solve, "mcts")


def test_parameters() -> None:
    def minimax(state: Any, max_depth: int, is_maximizing: bool, tt: Any, colour: int = 1) -> None: ...
    def alphabeta(state: Any, window: Any) -> None: ...
    def negamax() -> None: ...

    student = student_module.student(minimax)
    assert student.roles == {
        "max_depth": "depth",
        "is_maximizing": "maximizing",
        "tt": "table",
        "colour": "colour",
    }
    assert student.needed == {"depth", "maximizing", "table"}
    with pytest.raises(
        ValueError, match="alphabeta has a parameter 'window', which the grader does not know"
    ):
        student_module.student(alphabeta)
    with pytest.raises(ValueError, match="no parameter for the state"):
        student_module.student(negamax)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    (
        ("homework.py:minmax", "has no minmax; it has max_value, min_value, minimax_decision"),
        ("nowhere.py:minimax", "no such file"),
        ("minimax", "does not name a function in a file"),
    ),
)
def test_what_is_no_function(
    spec: str, complaint: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(MINIMAX).parent)
    with pytest.raises(ValueError, match=complaint):
        load_function(spec)


def test_the_only_search_of_a_file(write: Write) -> None:
    assert load_function(str(write(MINIMAX))).__name__ == "minimax_decision"
    with pytest.raises(ValueError, match="which function of homework.py"):
        load_function(str(write(MINIMAX + ALPHABETA)))


# --- a process of its own ----------------------------------------------------------------------------------------

HOSTILE = {
    "os._exit(0)": "the program ended instead of answering",
    "sys.exit(0)": "homework.py, line 8: SystemExit: 0",
    "sum(iter(int, 1))": "homework.py, line 8: stopped: it seems to loop forever",
    "[0] * 10**11": "homework.py, line 8: MemoryError",
    "os.write(answers, b'garbage\\n')": "its answer makes no sense",
    "os.write(answers, b'[3, 0, [[9, 9]], \"\", true]\\n')": "its answer makes no sense",
    "os.write(answers, b'[' * 100000 + b'\\n')": "its answer makes no sense",
    "os.close(answers)": "the program ended instead of answering",
    "input()": "homework.py, line 8: EOFError",
    "1 / state": "homework.py, line 8: TypeError: ",
}
HOSTILE_CODE = """import os, sys
answers = sys._getframe(1)
while "answers" not in answers.f_locals: answers = answers.f_back
answers = answers.f_locals["answers"].fileno()
def minimax(state):
    {}
"""


@pytest.mark.parametrize(("statement", "told"), HOSTILE.items())
def test_hostile_code_does_not_pass(
    statement: str, told: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "SECONDS", 3.0)
    report = grade(str(write(HOSTILE_CODE.format(statement))))
    assert not report.passed
    assert told in report.text()


TAMPERING = """
from outplay.grade import report, student
report.Report.passed = property(lambda self: True)
report._differences = lambda pair: []
student.Run.read = classmethod(lambda cls, said, case: None)
def minimax(state):
    return 77
"""


def test_replacing_the_graders_classes_does_not_pass(write: Write) -> None:
    report = grade(str(write(TAMPERING)))
    assert not report.passed
    assert "value: expected" in report.text()


def test_code_that_ends_while_it_is_loaded(write: Write) -> None:
    with pytest.raises(ValueError, match="the program ended instead of answering"):
        grade(str(write("import os\nos._exit(0)\n")))


def test_a_process_answers_as_the_function_does(write: Write) -> None:
    """What is said of a function in a file and of the same function here is the same, right and wrong."""
    for code in (ALPHABETA, ALPHABETA.replace(">=", ">")):
        file = str(write(code))
        assert grade(file) == grade(load_function(file))


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        [],
        [1],
        ["1", 0, [], "", True],
        [1, 99, [], "", True],
        [1, True, [], "", True],
        [1, 0, [[0, "a"]], "", True],
        [1, 0, [[99]], "", True],
        [1, 0, [], None, True],
        [1, 0, [], "", 1],
        [None, None, [], "", True],
    ],
)
def test_an_answer_that_makes_no_sense(said: Any) -> None:
    case = cases("minimax", 1, False, False)[0]
    with pytest.raises((ValueError, TypeError)):
        student_module.Run.read(said, case)
    assert student_module.Run.read([1, 0, [[], [0]], "", True], case).visits == ((), (0,))


# --- the command -------------------------------------------------------------------------------------------------


def test_many_files(outplay: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"from math import inf\n{ALPHABETA}")
    (tmp_path / "b.py").write_text(f"from math import inf\n{ALPHABETA.replace('>=', '>').replace('<=', '<')}")
    (tmp_path / "c.py").write_text("x = 1\n")
    answer = outplay("grade", f"{tmp_path}/*.py:alphabeta")
    assert answer.status == 1
    right, wrong, none, summary = answer.out.splitlines()
    assert right == f"{tmp_path}/a.py:alphabeta: passed all 305 cases"
    assert wrong.endswith("cases: the cutoff is at beta < alpha instead of beta <= alpha")
    assert none.startswith(f"{tmp_path}/c.py:alphabeta: cannot be graded: c.py has no alphabeta")
    assert summary == "1 of 3 passed"
    answer = outplay("grade", f"{tmp_path}/a.py", f"{tmp_path}/c.py:alphabeta", "--json")
    first, second = map(json.loads, answer.out.splitlines())
    assert (first["file"], first["passed"], first["failed"]) == (f"{tmp_path}/a.py", True, 0)
    assert (second["passed"], list(second)) == (False, ["file", "passed", "error"])
    assert outplay("grade", f"{tmp_path}/x*.py").err == f"outplay: no such file: {tmp_path}/x*.py\n"


def test_command(outplay: Callable[..., Any], write: Write) -> None:
    answer = outplay("grade", f"{write(ALPHABETA)}:alphabeta")
    assert (answer.status, answer.out.split(":")[0]) == (0, "alphabeta, graded as alphabeta")
    answer = outplay("grade", f"{write(ALPHABETA.replace('>=', '>').replace('<=', '<'))}:alphabeta")
    assert answer.status == 1
    assert "mistake: the cutoff is at beta < alpha instead of beta <= alpha" in answer.out
    assert outplay("grade", "nowhere.py:alphabeta").status == 2
