"""Actions that go straight into the search's memory, and a tuple with one item changed: what is written, and when not."""

# mypy: disable-error-code="no-untyped-def"

import ast
from typing import Any, NamedTuple

import pytest

from bench import machine
from outplay.compile.natural.program import Natural
from outplay.compile.natural.syntax import replacement
from outplay.game import adopt
from outplay.standard import standard


class Walk(NamedTuple):
    """What the games below share."""

    row: tuple = (1, 0, 2, 0, 1)
    turn: int = 0

    def player(self):
        return self.turn

    def result(self, i):
        return type(self)(self.row[:i] + (self.row[i] - 1,) + self.row[i + 1 :], 1 - self.turn)

    def terminal(self):
        return not any(self.row)

    def utility(self):
        return 1 if self.turn else -1


class Appends(Walk):
    def actions(self):
        moves = []
        for i, n in enumerate(self.row):
            if n:
                moves.append(i)
        return moves


class Comprehends(Walk):
    def actions(self):
        return [i for i in range(5) if self.row[i] > 0]


class Yields(Walk):
    def actions(self):
        for i in range(5):
            if self.row[i]:
                yield i


class Leaves(Walk):
    """Two ways out, one with an empty list; the length is asked on the way."""

    def actions(self):
        if not any(self.row):
            return []
        moves = []
        for i in range(5):
            if self.row[i] and len(moves) < 2:
                moves.append(i)
        return moves


class Chooses(Walk):
    """Two lists, of which one is returned."""

    def actions(self):
        large, small = [], []
        for i in range(5):
            if self.row[i] > 1:
                large.append(i)
            elif self.row[i]:
                small.append(i)
        if large:
            return large
        return small


class Sorts(Walk):
    def actions(self):
        moves = [i for i in range(5) if self.row[i]]
        moves.sort(reverse=True)
        return moves


class Begins(Walk):
    """A list that is begun anew in a loop while it is asked for its length."""

    def actions(self):
        for k in (1, 2):
            moves = [i for i in range(5) if self.row[i] >= 3 - k]
            if len(moves) > 0:
                break
        return moves


def program(cls: Any) -> Natural:
    return Natural(standard(adopt(cls)))


@pytest.mark.parametrize("cls", [Appends, Comprehends, Yields, Leaves])
def test_no_list_is_built(cls: Any) -> None:
    made = program(cls)
    (listing,) = made.listings
    assert "new_list" not in listing.text()[0] and "one_more" not in listing.text()[0]
    assert machine.difference(cls, made, games=3) == ""


@pytest.mark.parametrize("cls", [Chooses, Sorts])
def test_a_list_that_is_more_stays_one(cls: Any) -> None:
    made = program(cls)
    assert not made.listings
    assert machine.difference(cls, made, games=3) == ""


def test_a_list_that_is_made_anew_starts_from_nothing() -> None:
    assert machine.difference(Begins, program(Begins), games=3) == ""


def test_one_item_is_changed_where_the_tuple_lies() -> None:
    text = "".join(function.text()[0] for function in program(Appends).finished())
    assert "put_among" in text and "joined" not in text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("t[:i] + (x,) + t[i + 1:]", True),
        ("s.t[0:i] + x + s.t[i + 1:]", True),
        ("t[:i] + (x,) + t[i + 2:]", False),
        ("t[:i] + (x,) + u[i + 1:]", False),
        ("t[:i] + (x,) + t[j + 1:]", False),
        ("t[:f()] + (x,) + t[f() + 1:]", False),
        ("t[:i] + ((i := 2),) + t[i + 1:]", False),
        ("t[1:i] + (x,) + t[i + 1:]", False),
    ],
)
def test_which_sums_of_slices_change_one_item(text: str, found: bool) -> None:
    node: Any = ast.parse(text, mode="eval").body
    assert (replacement(node) is not None) == found
