"""Utilities that are outcomes, evaluations that are floats: every search does what it does with ints."""

from typing import Any, NamedTuple

import pytest

from outplay.game import GameError, adopt, kind, outranks, worth
from outplay.limits import Analysis
from outplay.search import best, solve
from outplay.search.trace.record import record_search

STEPS = 8  # a power of two, so that the floats are exact


class Ints(NamedTuple):
    """A tree of random shape: scores are ints."""

    node: int = 1
    left: int = 6

    def player(self):
        return self.left & 1

    def actions(self):
        return range(1 + self.node % 3)

    def result(self, action):
        return Ints((self.node * 5 + action + 1) * 2654435761 % (1 << 32) >> 7, self.left - 1)

    def terminal(self):
        return self.left == 0 or self.node % 8 == 7

    def utility(self):
        return self.node // 8 % 3 - 1

    def evaluate(self):
        return self.node // 32 % 201 - 100


class Floats(Ints):
    """The same tree: evaluations are floats, far beyond the utilities, 1 and -1."""

    def result(self, action):
        return Floats(*Ints(self.node, self.left).result(action))

    def evaluate(self):
        return (self.node // 32 % 201 - 100) / STEPS


class Wholes(NamedTuple):
    """The same tree: utilities are floats, too, but no fractions."""

    node: int = 1
    left: int = 6

    def player(self):
        return self.left & 1

    def actions(self):
        return range(1 + self.node % 3)

    def result(self, action):
        return Wholes((self.node * 5 + action + 1) * 2654435761 % (1 << 32) >> 7, self.left - 1)

    def terminal(self):
        return self.left == 0 or self.node % 8 == 7

    def utility(self):
        return float(self.node // 8 % 3 - 1)

    def evaluate(self):
        return (self.node // 32 % 201 - 100) / STEPS


class Fraction(NamedTuple):
    """A fraction that the random games of the start do not meet."""

    left: int = 12
    straight: bool = True

    def player(self):
        return 0

    def actions(self):
        return [0, 1]

    def result(self, action):
        return Fraction(self.left - 1, self.straight and action == 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return 0.5 if self.straight else 0.0

    def evaluate(self):
        return self.left / 4


TRIED = ("minimax", "alphabeta", "alphabeta-hard", "expectiminimax", "maxn", "uct")


def told(found: Analysis) -> tuple[Any, ...]:
    return found.action, found.line, found.depth, found.proven


@pytest.mark.lanes
@pytest.mark.parametrize("cls", [Floats, Wholes])
def test_outcomes_outrank_float_estimates(cls: Any) -> None:
    form = adopt(cls)
    assert kind(form).float_scores
    assert outranks(form)
    assert worth(form) == worth(Ints)
    assert not hasattr(form, "scores")


@pytest.mark.lanes
@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize("cls", [Floats, Wholes])
def test_every_search_finds_what_it_finds_with_ints(name: str, cls: Any) -> None:
    limits: list[dict[str, int]] = [{"nodes": 400}] if name == "uct" else [{"depth": d} for d in range(1, 5)]
    for node in range(1, 12):
        for limit in limits:
            ints, floats = (best(c(node, 6), name, **limit) for c in (Ints, cls))
            assert told(floats) == told(ints)
            if ints.proven or name == "uct":
                assert floats.value == ints.value
            elif ints.value is not None:
                assert floats.value in (ints.value, ints.value / STEPS)


@pytest.mark.lanes
def test_a_trace_shows_evaluations_as_they_are() -> None:
    for node in range(1, 6):
        ints, floats = (record_search(c(node, 6), "alphabeta", 3).events for c in (Ints, Floats))
        for one, two in zip(ints, floats, strict=True):
            assert (one.kind, one.action) == (two.kind, two.action)
            if one.value is not None:
                assert two.value == (one.value / STEPS if abs(one.value) <= 100 else one.value)


@pytest.mark.lanes
def test_a_trace_to_the_end_shows_utilities() -> None:
    for node in range(1, 6):
        ints, floats = (record_search(c(node, 6), "minimax").events for c in (Ints, Floats))
        assert ints == floats


@pytest.mark.lanes
def test_what_is_solved_is_an_outcome() -> None:
    for node in range(1, 12):
        values = [solve(cls(node, 6)).value for cls in (Ints, Floats, Wholes)]
        assert values[0] == values[1] == values[2]
        assert isinstance(values[1], int)


@pytest.mark.lanes
def test_a_fraction_is_no_outcome() -> None:
    with pytest.raises(GameError, match=r"Fraction.utility is 0.5 .* a fraction: declare `scores = float`"):
        best(Fraction(), "minimax", depth=12)
