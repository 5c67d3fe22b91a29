"""A class that breaks the contract gets a line that names class, method, line and cure."""

import inspect
import re
import warnings
from typing import Any, NamedTuple

import pytest

from outplay.check import check
from outplay.compile import is_interpreted
from outplay.compile.lane import Interpreted
from outplay.explain import explain
from outplay.game import GameError, adopt
from outplay.games import Tree
from outplay.record import Record
from outplay.search import best, playouts, solve
from outplay.ui.board import words_for

calls: list[int] = []


def rules(**changed: str) -> Any:
    """A countdown game with some of its parts rewritten, made as a notebook cell makes a class."""
    import linecache

    parts = {
        "fields": "left: int = 5",
        "player": "return self.left & 1",
        "actions": "yield 1\n        yield 2",
        "result": "return Bad(self.left - take)",
        "terminal": "return self.left <= 0",
        "utility": "return 1",
        **changed,
    }
    text = (
        "from typing import NamedTuple\ncalls = []\n\nclass Bad(NamedTuple):\n    "
        f"{parts['fields']}\n"
        f"    def player(self):\n        {parts['player']}\n"
        f"    def actions(self):\n        {parts['actions']}\n"
        f"    def result(self, take):\n        {parts['result']}\n"
        f"    def terminal(self):\n        {parts['terminal']}\n"
        f"    def utility(self):\n        {parts['utility']}\n"
    )
    rules.count = getattr(rules, "count", 0) + 1  # type: ignore[attr-defined]
    name = f"<cell {rules.count}>"  # type: ignore[attr-defined]
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"__name__": f"cell{rules.count}"}  # type: ignore[attr-defined]
    exec(compile(text, name, "exec"), names)
    return names["Bad"]


RUNS = {  # which keeps it from being compiled, and nothing else
    "a float utility": ({"utility": "return 0.5 if self.left else 1"}, ""),
    "a float action": ({"actions": "yield float(self.left)", "result": "return Bad(int(self.left - take))"}, ""),
    "a method that keeps state": (
        {"utility": "calls.append(1)\n        return 1"}, "line 16 .*; keep what changes in a field of the state",
    ),
    "a field that is text": (
        {"fields": "left: str = 'abc'", "player": "return len(self.left) % 2", "actions": "yield 1",
         "result": "return Bad(self.left[1:])", "terminal": "return not self.left"},
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS)
def test_told_when_it_runs_interpreted(what: str) -> None:
    parts, reason = RUNS[what]
    game = rules(**parts)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert solve(game(), "alphabeta").proven
        assert solve(game(), "alphabeta").proven
    assert is_interpreted(adopt(game)) == bool(reason)
    lines = [str(warning.message) for warning in told if issubclass(warning.category, Interpreted)]
    assert len(lines) == bool(reason)
    begin = "Bad runs interpreted, perhaps 200 times slower: "
    assert all(re.match(begin + reason, line) for line in lines)


COMPILED = {
    "a float in a field": ({"result": "return Bad(self.left / 2)"}, "Bad.left", "use // instead of /"),
    "result returns an int": ({"result": "return self.left - take"}, "Bad.result", "return Bad(...)"),
    "result returns nothing": ({"result": "pass"}, "Bad.result", "return Bad(...)"),
    "result returns sometimes": (
        {"result": "if take == 1: return Bad(self.left - 1)"},
        "Bad.result",
        "return Bad(...)",
    ),
    "utility returns sometimes": ({"utility": "if self.left: return 1"}, "Bad.utility", "on every path"),
    "player is a float": ({"player": "return self.left / 2"}, "Bad.player", "return an int"),
    "two types for one name": (
        {"utility": "if self.left: x = 1\n        else: x = (1, 2)\n        return x[0]"},
        "Bad.utility",
        "line 18: TypeError",
    ),
    "a utility beyond 64 bits": ({"utility": "return 1 << 63"}, "Bad.utility", "beyond 1,000,000,000,000"),
    "an action beyond 64 bits": ({"actions": "yield 1 << 63"}, "Bad.actions", "write wrap(...)"),
    "too many fields": ({"result": "return Bad(1, 2)"}, "Bad.result", "line 12: TypeError"),
}


@pytest.mark.parametrize("what", COMPILED)
def test_found_when_compiled(what: str) -> None:
    parts, where, cure = COMPILED[what]
    with pytest.raises(GameError) as caught:
        solve(rules(**parts)(), "alphabeta")
    message = str(caught.value)
    assert message.startswith(where)
    assert cure in message
    assert "\n" not in message
    assert len(message) < 400


def test_more_actions_than_declared() -> None:
    game = rules(
        fields="max_actions = 3\n    left: int = 5", actions="for i in range(self.left): yield i + 1"
    )
    with pytest.raises(GameError, match=r"Bad.actions yields more than max_actions = 3"):
        playouts(game(), 5)


def test_exactly_as_many_actions_as_declared() -> None:
    game = rules(fields="max_actions = 5\n    left: int = 5", actions="for i in range(5): yield i + 1")
    assert playouts(game(), 5).games == 5


def test_an_index_out_of_range_is_an_error_not_garbage() -> None:
    game = rules(
        fields="left: int = 5\n    t: tuple[int, ...] = (1, 2)", result="return Bad(self.left - self.t[take])"
    )
    with pytest.raises(GameError, match="IndexError"):
        solve(game(), "alphabeta")


def test_a_state_at_which_the_rules_fail() -> None:
    game = rules(fields="left: int = 5\n    t: tuple[int, ...] = (1, 2)", player="return self.t[self.left]")
    with pytest.raises(
        GameError, match=r"Bad.player, <cell \d+> line 8: IndexError, .*, at Bad\(5, \(1, 2\)\)"
    ):
        best(game())
    with pytest.raises(
        GameError, match=r"Tree.entry, tree.py line \d+: IndexError, .* at Tree\(99999, 0, 0\)"
    ):
        best(Tree(99999, 0, 0))


def test_no_actions_at_a_state_that_is_not_terminal() -> None:
    game = rules(actions="if self.left > 3: yield 1")
    with pytest.raises(GameError, match="Bad.actions yields nothing"):
        solve(game(), "alphabeta")


def test_no_actions_in_a_random_game() -> None:
    """It used to play the last action that had been legal somewhere else."""
    game = rules(actions="if self.left > 3: yield 1")
    with pytest.raises(GameError, match="Bad.actions yields nothing at a state that is not terminal"):
        playouts(game(), 5)
    with pytest.raises(GameError, match="Bad.actions yields nothing"):
        best(game(), "uct", nodes=50)


@pytest.mark.parametrize("answer", ["None", "(self.left - 1, 0)", "1"])
def test_a_result_that_is_no_state_of_the_game(answer: str) -> None:
    game = rules(result=f"return {answer}")
    with pytest.raises(GameError, match=r"Bad\.result returns .*, not a Bad: end with `return Bad\(...\)`"):
        Record("bad", game()).play(1)


def test_a_utility_that_is_no_number() -> None:
    over = rules(utility="return 'won'", terminal="return True")
    with pytest.raises(GameError, match=r"Bad\.utility is 'won' at .*: return a number"):
        Record("bad", over()).outcome()


@pytest.mark.parametrize("value", ["None", "'much'", "float('nan')"])
def test_an_evaluation_that_is_no_number_is_not_explained(value: str) -> None:
    game = rules(utility=f"return 1\n    def evaluate(self):\n        return {value}")
    with pytest.raises(GameError, match=r"Bad\.evaluate is .* at .*: return a number"):
        explain(game())


def test_a_text_of_a_state_that_is_none() -> None:
    game = rules(utility="return 1\n    def __str__(self):\n        return None")
    with pytest.raises(GameError, match=r"Bad\.__str__ returns None: return text"):
        words_for(game())


def test_play_without_end() -> None:
    game = rules(result="return Bad(self.left)")
    with pytest.raises(GameError, match="not solved within 250 plies"):
        solve(game())
    with pytest.raises(GameError, match="did not end within 1000 plies"):
        solve(game(), "alphabeta")
    with pytest.raises(GameError, match="random game"):
        playouts(game(), 1)


def test_a_field_that_is_not_an_int() -> None:
    with pytest.raises(GameError, match=r"Bad.player, .* line 7: TypeError"):
        solve(rules(fields="left: str = 'a'")())
    with pytest.raises(GameError, match=r"Bad.left = 2.5 is a float"):
        adopt(rules(fields="left: int = 2.5"))


def test_a_missing_method() -> None:
    class NoResult(NamedTuple):
        left: int = 3

        def player(self) -> int:
            return 0

        def actions(self) -> list[int]:
            return [1]

        def utility(self) -> int:
            return 0

    with pytest.raises(GameError, match=r"NoResult has no method result\(\)"):
        best(NoResult())


def test_not_a_state_at_all() -> None:
    with pytest.raises(GameError, match="a state is an instance of a NamedTuple class"):
        best(42)
    with pytest.raises(GameError, match=r"Plain has no method player\(\)"):
        adopt(type("Plain", (), {}))


def test_depth_without_evaluate() -> None:
    with pytest.raises(GameError, match=r"Bad has no evaluate\(\)"):
        best(rules()(), depth=3)


@pytest.mark.parametrize(
    ("limits", "match"),
    [({"depth": 0}, "depth"), ({"nodes": -1}, "nodes"), ({"time": 0.0}, "time"), ({"depth": 1.5}, "whole")],
)
def test_limits_that_make_no_sense(limits: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        best(rules()(), **limits)


def test_source_that_cannot_be_read() -> None:
    names: dict[str, Any] = {}
    exec(inspect.cleandoc("""
        from typing import NamedTuple
        class Hidden(NamedTuple):
            left: int = 1
            def player(self): return 0
            def actions(self): return [1] * self.left
            def result(self, a): return Hidden(0)
            def utility(self): return 0
    """), names)  # fmt: skip
    with pytest.warns(Interpreted, match="Hidden runs interpreted, .*: put the class into a file"):
        assert solve(names["Hidden"]()).proven


CHECKED = {
    "overflow on the way": (
        {"fields": "left: int = 5\n    big: int = 1 << 60", "result": "return Bad(self.left - take, (self.big << 8) >> 8)"},
        "64 bits",
    ),
    ">> of bit 63": (
        {"fields": "left: int = 5\n    big: int = 1 << 62", "result": "return Bad(self.left - take, (self.big << 1) >> 3)"},
        "use shr",
    ),
    "an action twice": ({"actions": "yield 1\n        yield 1"}, "twice"),
    "no end": ({"result": "return Bad(self.left)"}, "not over after"),
    "actions missing": ({"actions": "if self.left > 3: yield 1"}, "yields nothing"),
    "player out of range": ({"player": "return self.left"}, "player() is 5"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHECKED)
def test_found_by_check(what: str) -> None:
    parts, complaint = CHECKED[what]
    assert complaint in check(rules(**parts)).fault


def test_check_names_the_fewest_moves() -> None:
    game = rules(
        fields="left: int = 40",
        utility="return self.left << 64 if self.left == -1 else 0",
        actions="yield 1\n        yield 3",
    )
    report = check(game)
    assert report.fault.startswith("utility()")
    assert game()._replace(left=40 - sum(map(int, report.moves))).left == -1
