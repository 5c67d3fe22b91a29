"""Where a game class may come from, and what may change while the program runs."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from outplay.check import check
from outplay.compile import twin
from outplay.game import GameError, adopt, kind
from outplay.games import Hexapawn, load
from outplay.search import best, perft, solve
from outplay.variants import name_of, parameters, variant

WEIGHTS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
LISTED = [3] * 12


def made_in_a_factory(heap: int, most: int) -> Any:
    """A class that closes over its parameters, with a helper that does too."""

    def takes(left: int) -> int:
        return min(left, most)

    class Heap(NamedTuple):
        left: int = heap
        mover: int = 0

        def player(self):
            return self.mover

        def actions(self):
            yield from range(1, takes(self.left) + 1)

        def result(self, take):
            return Heap(self.left - take, 1 - self.mover)

        def utility(self):
            return 1 if self.mover else -1

    return Heap


def test_classes_made_in_a_factory() -> None:
    small, large = made_in_a_factory(4, 3), made_in_a_factory(7, 2)
    assert check(small).fault == check(large).fault == ""
    assert (solve(small(), "alphabeta").value, solve(large(), "alphabeta").value) == (-1, 1)
    assert (perft(small(), 2), perft(large(), 2)) == (6, 4)


class Counted(NamedTuple):
    """How many actions there are, not the greatest of them."""

    left: int = 2

    def player(self):
        return self.left % 2

    def actions(self):
        return [7, 8, 9] if self.left else []

    def result(self, action):
        return Counted(self.left - 1)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return 0

    def evaluate(self):
        return len(self.actions())


@pytest.mark.lanes
def test_actions_are_counted() -> None:
    assert best(Counted(), depth=1).value == 3
    assert solve(Counted(), "alphabeta").value == 0
    assert perft(Counted(), 2) == 9


class Weighted(NamedTuple):
    """Take 1 or 2 of five; the weights say what that is worth."""

    points = True
    left: int = 5
    total: int = 0

    def player(self):
        return 0

    def actions(self):
        return [take for take in (1, 2) if take <= self.left]

    def result(self, take):
        return Weighted(self.left - take, self.total + WEIGHTS[self.left] * take + LISTED[self.left])

    def utility(self):
        return self.total


def test_a_table_that_changes_while_the_program_runs() -> None:
    before = solve(Weighted(), "alphabeta").value
    WEIGHTS[1] += 100
    try:
        assert solve(Weighted(), "alphabeta").value == before + 100
    finally:
        WEIGHTS[1] -= 100
    LISTED[5] += 1000
    try:
        assert solve(Weighted(), "alphabeta").value == before + 1000
    finally:
        LISTED[5] -= 1000
    assert solve(Weighted(), "alphabeta").value == before


class Sized(NamedTuple):
    """A game with parameters."""

    SIZE = 3
    if SIZE < 1:
        raise ValueError("SIZE must be at least 1")
    TWICE = 2 * SIZE
    max_actions = SIZE
    left: int = TWICE
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return range(1, min(self.SIZE, self.left) + 1)

    def result(self, take):
        return Sized(self.left - take, 1 - self.mover)

    def utility(self):
        return 1 if self.mover else -1


def test_variants() -> None:
    large = variant(Sized, SIZE=5)
    assert parameters(Sized) == {"SIZE": 3}
    assert (large().left, large.max_actions, perft(large(), 1)) == (10, 5, 5)
    assert type(large().result(1)) is large
    assert variant(Sized, SIZE=5) is large
    assert variant(Sized, SIZE=3) is Sized
    assert name_of(large) == "Sized size=5"
    assert check(large).fault == ""


IMPORTING = """
from typing import NamedTuple
import helping

class Counting(NamedTuple):
    GOAL = 5
    ply: int = 0
    def player(self): return self.ply & 1
    def actions(self):
        if self.ply < self.GOAL:
            yield 0
    def result(self, action): return Counting(self.ply + helping.one())
    def utility(self): return 0
"""


def test_a_variant_that_calls_an_imported_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python makes other code of `module.function()` than of `value.method()`: the source counts all the same."""
    (tmp_path / "helping.py").write_text("def one():\n    return 1\n")
    (tmp_path / "counting.py").write_text(IMPORTING)
    monkeypatch.syspath_prepend(tmp_path)
    state = load(f"{tmp_path}/counting.py:Counting:goal=3").start
    assert [perft(state, depth) for depth in (3, 4)] == [1, 0]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"SIZE": 0}, "SIZE must be at least 1"),
        ({"WIDTH": 3}, "has no parameter WIDTH"),
        ({"SIZE": 2.5}, "int"),
    ],
)
def test_variants_that_make_no_sense(values: dict[str, Any], what: str) -> None:
    with pytest.raises(GameError, match=what):
        variant(Sized, **values)


def test_fields_are_wrapped_interpreted_too() -> None:
    assert adopt(Sized)(1 << 63).left == -(1 << 63)
    assert Sized(0)._replace(left=(1 << 64) + 5).left == 5
    assert Sized._make([1 << 63, 0]).left == -(1 << 63)


def test_kinds() -> None:
    assert str(kind(Sized)) == "2 players, deterministic, perfect information"


def test_equal_tuples_of_two_games_are_not_confused() -> None:
    other = variant(Sized, SIZE=4)
    assert Sized(4, 0) == other(4, 0)
    assert (perft(Sized(4, 0), 1), perft(other(4, 0), 1)) == (3, 4)
    lines = [best(state, "alphabeta", nodes=100).line for state in (Sized(4, 0), other(4, 0))]
    assert lines[0] != lines[1]


class Named(NamedTuple):
    """Fields may be called what a method could be called."""

    board: int = 3
    key: int = 0

    def player(self):
        return self.key & 1

    def actions(self):
        return [1]

    def result(self, action):
        return self._replace(board=self.board - action, key=self.key + 1)

    def terminal(self):
        return self.board == 0

    def utility(self):
        return 0


def test_fields_called_like_methods() -> None:
    assert check(Named).fault == ""
    assert solve(Named(), "alphabeta").value == 0


@pytest.mark.parametrize("field", ["order", "hash", "worth", "evaluate"])
def test_fields_that_searches_would_call(field: str) -> None:
    methods = {name: vars(Named)[name] for name in ("player", "actions", "result", "terminal", "utility")}
    made = NamedTuple("Made", [("board", int), ("key", int), (field, int)])
    for name, method in methods.items():
        setattr(made, name, method)
    assert adopt(made) is not made  # in its standard form nothing is called like a method
    assert solve(made(3, 0, 0), "alphabeta").proven


def test_threads_that_ask_at_once_get_the_same_twin() -> None:
    """Two searches of a new class may begin at the same moment, as on the page."""
    cls = variant(Hexapawn, WIDTH=5, HEIGHT=6)
    together = threading.Barrier(8)

    def ask(_: int) -> Any:
        together.wait()
        return twin(cls)

    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert len({id(found) for found in pool.map(ask, range(8))}) == 1
    finally:
        sys.setswitchinterval(often)


def test_annotations_that_are_put_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`from __future__ import annotations` makes texts of them."""
    text = """
from __future__ import annotations
from typing import NamedTuple

class Game(NamedTuple):
    heap: int = 3
    marks: tuple[int, ...] = (1, 2)
    def player(self): return self.heap & 1
    def actions(self): return [1]
    def result(self, take): return self._replace(heap=self.heap - take)
    def terminal(self): return self.heap == 0
    def utility(self): return 1
"""
    (tmp_path / "later.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import later

    assert perft(later.Game(), 3) == 1


@pytest.mark.parametrize("players", [0, -1, None])
def test_a_number_of_players_that_makes_no_sense(players: Any) -> None:
    class Game(NamedTuple):
        heap: int = 3

        def player(self):
            return 0

        actions = result = utility = player

    Game.players = players
    with pytest.raises(GameError, match="expected an int of at least 1"):
        adopt(Game)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"policy_index": True, "policy_size": 0}, "policy_size is 0"),
        ({"planes": True, "plane_shape": (1, 2)}, r"plane_shape is \(1, 2\)"),
    ],
)
def test_what_a_network_is_told_without_how_much(facts: dict[str, Any], said: str) -> None:
    class Game(NamedTuple):
        heap: int = 3

        def player(self, action=0):
            return 0

        actions = result = utility = player

    for name, value in facts.items():
        setattr(Game, name, Game.player if value is True else value)
    with pytest.raises(GameError, match=said):
        adopt(Game)
