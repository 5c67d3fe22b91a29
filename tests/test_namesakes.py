"""Helpers that have the name of one of the contract's methods or attributes: the class plays as if they had another."""

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from outplay import best, perft
from outplay.check import check
from outplay.game import adopt, kind, offers, outranks
from outplay.namesakes import Namesake
from outplay.search import solve

TEMPLATE = """
from dataclasses import dataclass
from typing import NamedTuple

class Game(NamedTuple):
    left: int = 5
    turn: int = 0
{more}

    def player(self):
        return self.turn

    def actions(self):
        return [take for take in (1, 2) if take <= self.left]

    def result(self, take):
        return Game(self.left - take, 1 - self.turn)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        return self.left
"""
UNTOLD = {  # they cannot be called as the contract's are, or are no such values: nothing needs to be said
    "count": "def count(self, colour): return self.left",
    "order": "def order(self): return [1, 2]",
    "prior": "def prior(self, one, two): return one",
    "skip": "def skip(self, plies): return self",
    "win": "def win(self, who): return self.turn == who",
    "points": "def points(self, who): return self.left",
    "unit": "def unit(self): return 1",
    "weights": "weights = [1, 2, 3]",
    "players": "players = ['X', 'O']",
    "scores": "scores = {'X': 1}",
    "uct": "uct = 3",
    "repetition": "repetition: int = 3",
    "seats": "seats: tuple = ()",
    "features": "def features(self): return [1.5]",
    "planes": "def planes(self): return 'a plane'",
    "board": "def board(self, r, c): return 0",
}
TOLD = {
    "count": ("def count(self): return self.left", "count() is 5, but actions() yields 2"),
    "key": (
        "def key(self): return self.left % 2",
        "key() is 1 here and in a state with other actions or player",
    ),
    "drawn": ("def drawn(self): return self.left > 3", "drawn() is True, but terminal() is False"),
    "symmetries": ("def symmetries(self): return ['a', 'b']", "symmetries() yields 'a': expected ints"),
    "noisy": ("def noisy(self): return True", "noisy() raises TypeError"),
    "promising": ("def promising(self): return [7]", "promising() yields 7, which is not legal"),
    "forced": ("def forced(self): return 'no'", "forced() is 'no': expected an int"),
    "slot": ("def slot(self): return (self.left, 1)", "slot() is (5, 1): expected an int"),
    "playout": ("def playout(self, player): return 0.5", "which is not legal"),
    "trait": ("def trait(self, action): return 'brave'", "trait(1) is 'brave': expected an int"),
    "board": ("def board(self): return [1, 2]", "board() is [1, 2]: return a Board"),
    "key of a tuple": ("def key(self): return (self.left, self.turn)", "key() is (5, 0): expected an int"),
}


def game(more: str) -> Any:
    names: dict[str, Any] = {"__name__": __name__}
    exec(TEMPLATE.format(more="\n".join(f"    {line}" for line in more.split("\n"))), names)
    return names["Game"]


def facts(cls: Any) -> tuple[Any, ...]:
    return perft(cls(), 5), solve(cls()).value, solve(cls()).action, best(cls(), "alphabeta", depth=3).value


@pytest.fixture(scope="module")
def plain() -> tuple[Any, ...]:
    return facts(game("pass"))


@pytest.mark.lanes
@pytest.mark.parametrize("name", UNTOLD)
def test_helpers_that_nothing_needs_to_be_said_about(name: str, plain: tuple[Any, ...]) -> None:
    cls = game(UNTOLD[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error", Namesake)
        assert facts(cls) == plain
    assert kind(adopt(cls)) == kind(adopt(game("pass")))
    assert outranks(adopt(cls))
    assert not offers(adopt(cls), name)
    assert not check(cls, games=5).fault


@pytest.mark.lanes
@pytest.mark.parametrize("name", TOLD)
def test_helpers_that_are_told(name: str, plain: tuple[Any, ...]) -> None:
    text, why = TOLD[name]
    cls = game(text)
    with pytest.warns(Namesake, match="is taken for a helper of yours") as told:
        assert facts(cls) == plain
    said = [str(each.message) for each in told if each.category is Namesake]
    assert len(said) == 1
    assert why in said[0]
    assert why in check(cls, games=5).fault  # it may be meant


@pytest.mark.lanes
def test_terminal_states_with_actions_and_a_helper_named_drawn() -> None:
    class Line(NamedTuple):
        cells: str = "...."
        turn: int = 0

        def player(self):
            return self.turn

        def actions(self):
            return [i for i in range(4) if self.cells[i] == "."]

        def result(self, i):
            return Line(self.cells[:i] + "xo"[self.turn] + self.cells[i + 1 :], 1 - self.turn)

        def won(self):
            return "xx" in self.cells or "oo" in self.cells

        def drawn(self):
            return "." not in self.cells and not self.won()

        def terminal(self):
            return self.won() or self.drawn()

        def utility(self):
            return 0 if not self.won() else 1 if "xx" in self.cells else -1

    def lines(state: Any, depth: int) -> int:
        if depth == 0 or state.terminal():
            return depth == 0
        return sum(lines(state.result(a), depth - 1) for a in state.actions())

    with pytest.warns(Namesake, match="a terminal state that is not drawn"):
        assert perft(Line(), 4) == lines(Line(), 4)


@pytest.mark.lanes
def test_fields_are_no_attributes_of_the_class() -> None:
    @dataclass(frozen=True)
    class Fields:
        win: int = 0
        points: bool = True
        players: int = 3
        left: int = 4

        def player(self):
            return self.left % 2

        def actions(self):
            return [1, 2] if self.left > 1 else [1]

        def result(self, take):
            return Fields(self.win, self.points, self.players, self.left - take)

        def terminal(self):
            return self.left == 0

        def utility(self):
            return 1 if self.players == 3 else 0

    form = adopt(Fields)
    assert kind(form).players == 2
    assert outranks(form)
    assert solve(Fields()).value == 1


def test_the_contracts_own_are_asked() -> None:
    cls = game(
        "win = 1\nunit = 50\ndef count(self): return min(2, self.left)\ndef key(self): return self.left * 2 + self.turn"
    )
    form = adopt(cls)
    assert form is cls
    assert offers(form, "count")
    assert offers(form, "key")
