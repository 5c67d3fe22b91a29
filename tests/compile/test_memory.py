"""No rule reads or writes outside its memory, and none ends the process: whatever is wrong is one clear line."""

import linecache
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from outplay.compile.jit import ENABLED
from outplay.game import GameError
from outplay.search import best, perft, playouts, solve
from outplay.search.mcts.puct import PUCT, uniform

HEAD = """
from typing import NamedTuple
import numpy as np
from outplay import *

NINE = (3, 1, 4, 1, 5, 9, 2, 6, 5)
FEW = (1, 2, 3)
GRID = tuple(tuple(range(i, i + 9)) for i in range(9))
CUBE = tuple(GRID for _ in range(3))
MANY = tuple(range(5000))
WIDE = tuple(tuple(range(100)) for _ in range(100))
ARRAY = np.arange(70)

def endless(n):
    return 0 if n < 0 else endless(n + 1) + 1

def endless_list(n):
    more = [n]
    more.append(endless_list(n + 1))
    return more[1] + more[0]

def endless_numbers(n):
    yield n
    for m in endless_numbers(n + 1):
        yield m

def handed_on(n):
    yield n
    if n >= 0:
        yield from handed_on(n + 1)

def helper(n):
    return NINE[n]

def too_many():
    for i in range(10_000):
        yield i
"""
GAME = """
class Bad(NamedTuple):
    {extra}
    left: int = 5
    row: tuple[int, int, int] = (0, 1, 2)
    def player(self):
        {player}
    def actions(self):
        {actions}
    def result(self, take):
        {result}
        return Bad(self.left - take, self.row)
    def terminal(self):
        return self.left <= 0
    def utility(self):
        {utility}
        return 1
"""
USUAL = {
    "extra": "'A countdown.'",
    "player": "return self.left & 1",
    "actions": "yield 1; yield 2",
    "result": "pass",
    "utility": "pass",
}


def game(**changed: str) -> Any:
    """A countdown with some of its parts rewritten, made as a notebook cell makes a class."""
    parts = {
        name: text if name == "extra" else text.replace("\n", "\n        ") for name, text in changed.items()
    }
    text = HEAD + GAME.format(**{**USUAL, **parts})
    game.count = getattr(game, "count", 0) + 1  # type: ignore[attr-defined]
    name = f"<faulty {game.count}>"  # type: ignore[attr-defined]
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"__name__": f"faulty{game.count}"}  # type: ignore[attr-defined]
    exec(compile(text, name, "exec"), names)
    return names["Bad"]


# What is wrong -> the statements of `result`; `self.left` is 5 and `take` is 1 at first.
INDICES = {
    "one past the end of a table": "x = NINE[self.left + 4]",
    "far past the end of a table": "x = NINE[self.left << 40]",
    "far before a table": "x = NINE[-(self.left << 40)]",
    "one before the first of a table": "x = NINE[-self.left - 5]",
    "the least int as an index": "x = NINE[self.left << 63]",
    "past a table of a few numbers": "x = FEW[self.left]",
    "before a table of a few numbers": "x = FEW[-self.left]",
    "past a large table": "x = MANY[self.left * 1000]",
    "far past a large table": "x = MANY[self.left << 50]",
    "before a large table": "x = MANY[-self.left * 1001]",
    "past an array": "x = ARRAY[self.left * 14]",
    "a row past a table of tables": "x = GRID[self.left + 4][0]",
    "a column past a table of tables": "x = GRID[0][self.left + 4]",
    "a column before a table of tables": "x = GRID[0][-self.left - 5]",
    "a row past a large table of tables": "x = WIDE[self.left * 20][self.left]",
    "a column past a large table of tables": "x = WIDE[self.left][self.left * 20]",
    "a column far past a large table of tables": "x = WIDE[self.left][self.left << 40]",
    "past three indices": "x = CUBE[self.left - 2][1][1]",
    "past the last of three indices": "x = CUBE[1][1][self.left + 4]",
    "past a row on its way": "row = GRID[self.left]\nx = row[self.left + 4]",
    "a constant past a row on its way": "row = GRID[self.left]\nx = row[9]",
    "past a field": "x = self.row[self.left]",
    "before a field": "x = self.row[-self.left]",
    "far past a field": "x = self.row[self.left << 40]",
    "past a local tuple": "t = (self.left, take, 7)\nx = t[self.left]",
    "put past a tuple": "t = put(self.row, self.left, 1)",
    "put before a tuple": "t = put(self.row, -self.left, 1)",
    "put far past a tuple": "t = put(self.row, self.left << 40, 1)",
    "past a list": "some = [self.left, take]\nx = some[self.left]",
    "before a list": "some = [self.left, take]\nx = some[-self.left]",
    "a list changed past its end": "some = [self.left, take]\nsome[self.left] = 1",
    "pop from an empty list": "some = [take]\nsome.pop()\nx = some.pop()",
    "pop past a list": "some = [take]\nx = some.pop(self.left)",
    "past a local array": "some = np.zeros(3)\nx = some[self.left]",
    "a local array changed past its end": "some = np.zeros(3)\nsome[self.left] = 1",
    "the lowest bit of nothing": "x = NINE[lsb(self.left - 5)]",
    "the highest bit of nothing": "x = FEW[msb(self.left & 0) - 3]",
    "a bit that is not there": "x = NINE[nth(self.left, 7)]",
    "past a table that a loop reads": "x = 0\nfor i in range(self.left + 5):\n    x += NINE[i]",
    "past a table in a sum": "x = sum(NINE[i] for i in range(self.left + 5))",
    "past a table in a test": "x = any(NINE[i] > 9 for i in range(self.left + 5))",
}


@pytest.mark.parametrize("what", INDICES)
def test_an_index_outside(what: str) -> None:
    cls = game(result=INDICES[what])
    with pytest.raises(GameError, match=r"^Bad\.result, <faulty \d+> line \d+: IndexError") as found:
        perft(cls(), 2)
    assert "\n" not in str(found.value)


INSIDE = {
    "the last of a table": ("NINE[self.left + 3]", 5),
    "from a table's end": ("NINE[-self.left]", 5),
    "a table's first from its end": ("NINE[-self.left - 4]", 3),
    "from a field's end": ("self.row[2 - self.left]", 0),
    "the last of a large table": ("MANY[-self.left + 4]", 4999),
    "both from their ends": ("WIDE[-self.left][-self.left]", 95),
    "the lowest bit of none": ("lsb(self.left - 5)", 64),
    "the highest bit of none": ("msb(self.left - 5)", -1),
}


def test_negative_indices_mean_what_python_means() -> None:
    sums = " + ".join(f"({expression} != {value})" for expression, value in INSIDE.values())
    cls = game(actions=f"if ({sums}) == 0: yield 5")
    assert perft(cls(), 1) == 1
    assert len(list(cls().actions())) == 1


# What is wrong -> parts of the class, what is called, and what the line says.
FAULTS: dict[str, tuple[dict[str, str], Callable[[Any], Any], str]] = {
    "a helper": ({"result": "x = helper(self.left + 4)"}, lambda s: perft(s, 2), "Bad, helper, "),
    "in actions": ({"actions": "yield NINE[self.left + 4]"}, lambda s: perft(s, 2), "Bad.actions, "),
    "in utility": ({"utility": "x = NINE[self.left + 9]"}, lambda s: playouts(s, 9), "Bad.utility, "),
    "division by zero": ({"result": "x = 7 // (self.left - 5)"}, lambda s: perft(s, 2), "ZeroDivisionError"),
    "remainder of zero": ({"result": "x = 7 % (self.left - 5)"}, lambda s: perft(s, 2), "ZeroDivisionError"),
    "an assertion": ({"result": "assert self.left < 5"}, lambda s: perft(s, 2), "Bad.result, "),
    "an exception of its own": (
        {"result": "if self.left == 5: raise RuntimeError('no')"},
        lambda s: perft(s, 2),
        "RuntimeError, no",
    ),
    "endless recursion": ({"result": "x = endless(take)"}, lambda s: perft(s, 2), "RecursionError"),
    "endless recursion with lists": (
        {"result": "x = endless_list(take)"},
        lambda s: perft(s, 2),
        "RecursionError",
    ),
    "endless recursion on other threads": (
        {"result": "x = endless(take)"},
        lambda s: playouts(s, 40_000, threads=2),
        "RecursionError",
    ),
    "endless recursion of a generator": (
        {"result": "for x in endless_numbers(take): pass"},
        lambda s: perft(s, 2),
        "RecursionError",
    ),
    "endless recursion with large buffers": (
        {"extra": "max_actions = 60_000", "result": "for x in endless_numbers(take): pass"},
        lambda s: playouts(s, 40_000, threads=2),
        "RecursionError",
    ),
    "a generator that is handed on for ever": (
        {"result": "for x in handed_on(take): pass"},
        lambda s: perft(s, 2),
        "handed_on yields more than max_actions",
    ),
    "a rule that calls itself": (
        {"utility": "return self.utility() + 1"},
        lambda s: playouts(s, 9),
        "Bad.utility, ",
    ),
    "a generator with too much": (
        {"result": "for x in too_many(): pass"},
        lambda s: perft(s, 2),
        "too_many yields more than max_actions = 256",
    ),
    "too many actions": (
        {"actions": "for i in range(300): yield i"},
        lambda s: perft(s, 2),
        "Bad.actions yields more than max_actions = 256",
    ),
    "one action too many": (
        {"extra": "max_actions = 2", "result": "pass", "actions": "yield 1; yield 2; yield 3"},
        lambda s: perft(s, 2),
        "Bad.actions yields more than max_actions = 2",
    ),
    "a player that is none": (
        {"player": "return 0 if self.left == 5 else 7"},
        lambda s: best(s, "minimax"),
        "Bad.player does not return a player: return 0 or 1",
    ),
    "chance without probabilities": (
        {"player": "return 0 if self.left == 5 else CHANCE"},
        lambda s: best(s, "minimax"),
        "Bad.player does not return a player: return 0 or 1",
    ),
    "a weight past its group": (
        {
            "extra": "weights = Weights(some=(1, 2, 3))\n    "
            "def evaluate(self, weights=weights): return weights.some[self.left]"
        },
        lambda s: best(s, "minimax", depth=1),
        "Bad.evaluate, ",
    ),
    "a weight far before its group": (
        {
            "extra": "weights = Weights(some=(1, 2, 3))\n    "
            "def evaluate(self, weights=weights): return weights.some[-(self.left << 40)]"
        },
        lambda s: best(s, "minimax", depth=1),
        "Bad.evaluate, ",
    ),
    "a policy index that is too large": (
        {"extra": "policy_size = 3\n    def policy_index(self, action): return 10**9"},
        lambda s: PUCT([s], network, 20).search(20),
        "Bad.policy_index must be from 0 to policy_size - 1 = 2",
    ),
    "a negative policy index": (
        {"extra": "policy_size = 3\n    def policy_index(self, action): return -action"},
        lambda s: PUCT([s], network, 20).search(20),
        "Bad.policy_index must be from 0",
    ),
    "planes with a word too many": (
        {"extra": "plane_shape = (2, 3, 3)\n    def planes(self): yield 1; yield 2; yield 3"},
        lambda s: PUCT([s], planes, 20).search(20),
        "Bad.planes must yield 2 words",
    ),
    "planes with many words too many": (
        {"extra": "plane_shape = (2, 3, 3)\n    def planes(self): yield from range(200)"},
        lambda s: PUCT([s], planes, 20).search(20),
        "planes",
    ),
    "planes with a word too few": (
        {"extra": "plane_shape = (2, 3, 3)\n    def planes(self): yield 1"},
        lambda s: PUCT([s], planes, 20).search(20),
        "Bad.planes must yield 2 words",
    ),
}


def network(batch: Any) -> Any:
    """An evaluator that is called for each leaf."""
    return uniform(batch)


def planes(batch: Any) -> Any:
    """An evaluator that looks."""
    batch.planes()
    return uniform(batch)


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_one_line(what: str) -> None:
    parts, run, said = FAULTS[what]
    with pytest.raises(GameError) as found:
        run(game(**parts)())
    assert said in str(found.value)
    assert "\n" not in str(found.value)
    assert str(found.value).startswith(("Bad.", "Bad, ", "too_many", "handed_on"))


SEARCHES: dict[str, Callable[[Any], Any]] = {
    "best": lambda s: best(s),
    "solve": lambda s: solve(s),
    "perft": lambda s: perft(s, 4),
    "playouts": lambda s: playouts(s, 9),
    "uct": lambda s: best(s, "uct", nodes=20),
    "puct": lambda s: PUCT([s], uniform, 20).search(20),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_tells_of_it(search: str) -> None:
    cls = game(result="x = NINE[self.left + 5]")
    with pytest.raises(GameError, match=r"^Bad\.result, <faulty \d+> line \d+: IndexError"):
        SEARCHES[search](cls())


WILD = """
    unit = 1 << 62
    def order(self, action): return (action << 62) + action
    def trait(self, action): return -(action << 61)
    def exchange(self, action): return action << 62
    def prior(self, action): return action << 62
    def ceiling(self): return 1 << 61
    def key(self): return self.left << 60
    def plies_left(self): return -(1 << 62)
    def count(self): return 1 << 40
    def forced(self): return 7
    def noisy(self): yield 1
    def playout(self, random): return 1
    def sample(self, random): return 1 + (random & 1)
"""


def test_wild_hints_harm_nobody() -> None:
    """What a class tells a search about actions may be any int: answers may be poor, memory stays as it is."""
    state = game(extra=WILD.strip())()
    for switches in ("all", "exact"):
        assert best(state, f"engine:on={switches}", nodes=500).action in (1, 2)
    assert best(state, "uct", nodes=200).action in (1, 2)


OVERFLOWS = ("noisy", "promising", "symmetries")
HINT = """
    def {rule}(self):
        yield 1
        yield 2
        if self.row[0] == {number}: yield 1
"""


@pytest.fixture(scope="module")
def talkative() -> Any:
    """A class whose hints yield too much, the one or the other, by the first number of its row."""
    hints = "".join(HINT.format(rule=rule, number=number) for number, rule in enumerate(OVERFLOWS))
    return game(extra=f"max_actions = 2{hints}")


@pytest.mark.parametrize("rule", OVERFLOWS)
def test_hints_that_yield_too_much(talkative: Any, rule: str) -> None:
    state = talkative(row=(OVERFLOWS.index(rule), 1, 2))
    try:
        best(state, "engine", nodes=500)
    except GameError as error:
        assert f"Bad.{rule} yields more than max_actions = 2" in str(error)
    else:
        assert rule == "symmetries"  # a single search may not ask for it


SCRIPT = """
import threading
from tests.compile.test_memory import FAULTS, game
from outplay.game import GameError

def run(what):
    parts, call, said = FAULTS[what]
    try:
        call(game(**parts)())
    except GameError as error:
        print(said in str(error))

for what in {faults!r}:
    run(what)
    thread = threading.Thread(target=run, args=(what,))
    thread.start()
    thread.join()
"""


@pytest.mark.skipif(not ENABLED, reason="interpreted, nothing can crash")
def test_nothing_ends_the_process() -> None:
    """The worst of them, in a process of their own, on the main thread and on another."""
    worst = [
        "endless recursion with large buffers",
        "planes with many words too many",
        "a negative policy index",
    ]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(faults=worst)], capture_output=True, text=True, env=os.environ
    )
    assert (done.returncode, done.stdout.split()) == (0, ["True"] * 6), done.stderr
