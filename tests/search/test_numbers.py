"""Numbers that make no sense are never called proven: every search refuses them, and names the class and the rule."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from outplay.game import GameError
from outplay.limits import Limits
from outplay.search import best, playouts, solve
from outplay.search.engine.engine import Engine
from outplay.search.mcts.puct import PUCT, rollouts
from outplay.search.mcts.settings import Growth
from outplay.search.proof.conspiracy import conspiracy_number_search
from outplay.search.proof.mtdf import SOLVING
from outplay.search.proof.proofnumber import proof_number_search
from outplay.search.textbook import alphabeta, expectiminimax, minimax
from outplay.search.textbook.uct import PlainUCT

NAN, INF = math.nan, math.inf


class Coin(NamedTuple):
    """MAX says yes or no, then a coin falls; `fault` says what is wrong with it."""

    max_actions = 2
    fault: int = 0
    stage: int = 0
    side: int = 0

    def player(self):
        return -1 if self.stage == 1 else 0

    def actions(self):
        if self.stage < 2:
            yield 0
            yield 1

    def result(self, action):
        return Coin(self.fault, self.stage + 1, action)

    def probability(self, side):
        if self.fault == 1:
            return 0.9
        if self.fault == 2:
            return NAN
        if self.fault == 3:
            return 1.5 if side == 0 else -0.5
        if self.fault == 4:
            return 0.5 + 1e-6
        return 0.25 if side == 0 else 0.75

    def utility(self):
        if self.fault == 5:
            return NAN
        if self.fault == 6:
            return INF
        return 1.0 * self.side


class Choice(NamedTuple):
    """MAX chooses once, between 0 and what is wrong; floats."""

    max_actions = 2
    scores = float
    fault: int = 0
    side: int = -1

    def player(self):
        return 0

    def actions(self):
        if self.side < 0:
            yield 0
            yield 1

    def result(self, action):
        return Choice(self.fault, action)

    def utility(self):
        if self.side == 0:
            return 0.0
        return NAN if self.fault == 1 else INF if self.fault == 2 else -INF if self.fault == 3 else 1.0

    def evaluate(self):
        return 0.5


class Boast(NamedTuple):
    """A win is worth 1, says the class, and there is one worth 2."""

    max_actions = 2
    win = 1
    best: int = 2
    side: int = -1

    def player(self):
        return 0

    def actions(self):
        if self.side < 0:
            yield 0
            yield 1

    def result(self, action):
        return Boast(self.best, action)

    def terminal(self):
        return self.side >= 0

    def utility(self):
        return self.best * self.side

    def evaluate(self):
        return 0


class Riches(NamedTuple):
    """Points beyond what can be compared."""

    max_actions = 2
    points = True
    most: int = 10**13
    side: int = -1

    def player(self):
        return 0

    def actions(self):
        if self.side < 0:
            yield 0
            yield 1

    def result(self, action):
        return Riches(self.most, action)

    def terminal(self):
        return self.side >= 0

    def utility(self):
        return self.most * self.side

    def evaluate(self):
        return 4 * 10**18


def by(search: str) -> Callable[[Any], Any]:
    return lambda state: best(state, search, nodes=200)


SAMPLING: dict[str, Callable[[Any], Any]] = {
    "uct": by("uct"),
    "puct": lambda state: PUCT([state], rollouts, 100).search(100),
    "playouts": lambda state: playouts(state, 100),
    "plain uct": lambda state: grown(PlainUCT(state, Growth())),
}
CHANCE: dict[str, Callable[[Any], Any]] = {
    "expectiminimax": by("expectiminimax"),
    "solve": solve,
    "plain expectiminimax": expectiminimax.value,
    **SAMPLING,
}
TEXTBOOK: dict[str, Callable[[Any], Any]] = {
    "minimax": by("minimax"),
    "alphabeta": by("alphabeta"),
    "alphabeta-hard": by("alphabeta-hard"),
    "plain minimax": minimax.value,
    "plain alphabeta": alphabeta.value,
    "plain alphabeta, hard": alphabeta.hard_value,
}
ENGINE: dict[str, Callable[[Any], Any]] = {
    "engine": lambda state: Engine(0.1, SOLVING).search(state, Limits(nodes=200)),  # built for mtdf, too
    "mtdf": lambda state: solve(state, "mtdf", megabytes=1),
    "dfpn": lambda state: solve(state, "dfpn", megabytes=1),
    "conspiracy": lambda state: solve(state, "conspiracy", megabytes=1),
    "plain proof numbers": lambda state: proof_number_search(state, 1),
    "plain conspiracies": conspiracy_number_search,
}


def grown(uct: PlainUCT) -> None:
    for _ in range(100):
        uct.iterate()


@pytest.mark.lanes
@pytest.mark.parametrize("search", CHANCE)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (1, "sum to 1.8, not to 1"),
        (2, r"probability\(0\) is nan"),
        (3, r"probability\(0\) is 1.5"),
        (4, "sum to 1.000002, not to 1"),
        (5, r"Coin.utility is nan"),
        (6, r"Coin.utility is inf"),
    ],
)
def test_chances_and_utilities_of_a_game_of_chance(search: str, fault: int, said: str) -> None:
    with pytest.raises(GameError, match=said) as refused:
        CHANCE[search](Coin(fault))
    assert "Coin(" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.lanes
def test_right_numbers_are_proven() -> None:
    for found in (best(Coin(), "expectiminimax", nodes=200), solve(Coin()), best(Coin(), "uct", nodes=200)):
        assert (found.value, found.proven) == (0.75, True)


@pytest.mark.lanes
@pytest.mark.parametrize("search", [*TEXTBOOK, *SAMPLING])
@pytest.mark.parametrize(("fault", "said"), [(1, "nan"), (2, "inf"), (3, "-inf")])
def test_floats_that_are_no_numbers(search: str, fault: int, said: str) -> None:
    with pytest.raises(GameError, match=f"Choice.utility is {said} at Choice"):
        (TEXTBOOK | SAMPLING)[search](Choice(fault))


@pytest.mark.lanes
@pytest.mark.parametrize("search", [*TEXTBOOK, *ENGINE, *SAMPLING])
@pytest.mark.parametrize(
    ("state", "said"), [(Boast(), "Boast.utility is 2 .*`win`"), (Riches(), "Riches.utility is 1.* beyond")]
)
def test_utilities_beyond_what_they_may_be(search: str, state: Any, said: str) -> None:
    with pytest.raises(GameError, match=said):
        (TEXTBOOK | ENGINE | SAMPLING)[search](state)


@pytest.mark.lanes
@pytest.mark.parametrize("search", [*TEXTBOOK, *(name for name in ENGINE if "plain" not in name), "uct"])
def test_the_same_classes_with_right_numbers(search: str) -> None:
    for state, value in ((Boast(1), 1), (Riches(7), 7)):
        found = (TEXTBOOK | ENGINE | SAMPLING)[search](state)
        if isinstance(found, int):
            assert found in (value, value * 1_000_000)
        elif search == "uct" and isinstance(state, Riches):
            assert found.value == 1  # who wins, not by how much
        else:
            assert (found.value, found.proven) == (value, True)


@pytest.mark.lanes
def test_an_evaluation_that_is_no_number() -> None:
    class Lost(NamedTuple):
        scores = float
        left: int = 4

        def player(self):
            return self.left & 1

        def actions(self):
            if self.left:
                yield 0

        def result(self, action):
            return Lost(self.left - 1)

        def utility(self):
            return 0.0

        def evaluate(self):
            return NAN

    with pytest.raises(GameError, match="Lost.evaluate is nan"):
        best(Lost(), "alphabeta", depth=2)
    with pytest.raises(GameError, match="Lost.evaluate is nan"):
        minimax.value(Lost(), 2)
