"""The contract beyond two players who see all: one player, several, chance in ints, seats, views."""

import importlib.util
import math
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import outplay
from outplay import CHANCE
from outplay.check import check
from outplay.game import GameError, adopt, kind, legal, utility
from outplay.games import game_of, load
from outplay.limits import Limits
from outplay.players import PlayerError, RandomPlayer, as_player, roll
from outplay.record import Record
from outplay.search.textbook import expectiminimax, maxn, minimax
from outplay.views import is_seen, looking, seat_of, seats, side_of
from outplay.words import shr
from tests.search.randomtree import scramble

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> Any:
    """The module of an example."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


Pegs, Three, Race = example("pegs").Pegs, example("three").Three, example("race").Race
Whist, Kuhn = example("whist").Whist, example("kuhn").Kuhn


@pytest.mark.lanes
@pytest.mark.parametrize("game", [Pegs, Three, Race, Whist, Kuhn])
def test_every_example_keeps_the_contract(game: Any) -> None:
    assert not check(game(), 20).fault


# --- one player -----------------------------------------------------------------------------------------

LATE = 0b000101110001100  # pegs: few games are left from here


@pytest.mark.lanes
@pytest.mark.parametrize(
    "search", ["minimax", "alphabeta", "engine:fixed=0", "engine:fixed=0,on=none", "uct"]
)
def test_every_search_plays_for_one(search: str) -> None:
    start = Pegs(LATE)
    found = outplay.best(start, search, nodes=20_000)
    assert minimax.value(start) == 13
    assert found.value == pytest.approx(13)
    assert minimax.value(start.result(found.action)) == 13


def test_the_triangle_can_be_cleared_to_one_peg() -> None:
    """All 568,630 games from the top hole were counted by others, and so were the 29,760 that leave one peg."""
    games: dict[int, int] = {}

    @cache
    def ends(state: Any) -> dict[int, int]:
        found: dict[int, int] = {}
        for jump in legal(state):
            for left, number in ends(state.result(jump)).items():
                found[left] = found.get(left, 0) + number
        return found or {state.pegs.bit_count(): 1}

    games = ends(Pegs())
    assert sum(games.values()) == 568_630
    assert games[1] == 29_760


def test_points_with_a_greatest_utility_are_not_taken_for_distances() -> None:
    found = outplay.best(Pegs(), "engine:on=table +distance", time=600)
    assert found.value == 13 and found.proven


# --- more than two --------------------------------------------------------------------------------------


@pytest.mark.lanes
def test_max_n_gives_each_player_of_the_textbook_its_value() -> None:
    assert maxn.values(Three()) == (1, 2, 6)
    found = outplay.best(Three())
    assert found.values == (1, 2, 6)
    assert found.proven and found.action == 0 and found.line == (0, 0, 0)


class Split(NamedTuple):
    """Three players share out what a die says: a game with chance for three, scores being floats."""

    players = 3
    ply: int = 0
    given: tuple[int, int, int] = (0, 0, 0)

    def player(self):
        return (0, CHANCE, 1, 2, 0)[self.ply]

    def actions(self):
        if self.ply < 4:
            yield 1
            yield 2
            if self.ply == 1:
                yield 5

    def probability(self, number):
        return 0.25 if number < 5 else 0.5

    def result(self, number):
        one, two, three = self.given
        if self.ply == 2:
            two += number
        elif self.ply == 3:
            three += number * two
        else:
            one += number
        return Split(self.ply + 1, (one, two, three))

    def utility(self, player):
        return self.given[player] - 0.5 * self.given[(player + 1) % 3]

    def evaluate(self, player):
        return self.given[player] / 4


@pytest.mark.lanes
@pytest.mark.parametrize("depth", [None, 1, 2, 3])
def test_max_n_compiled_gives_the_plain_values(depth: int | None) -> None:
    adopt(Split)
    nodes: list[Any] = []
    plain = maxn.values(Split(), depth, nodes.append)
    limits = Limits(depth=depth) if depth else Limits()
    found = outplay.search.searches.made("maxn").search(Split(), limits)
    assert found.values == pytest.approx(plain)
    assert found.nodes == len(nodes)
    assert not check(Split(), 20).fault


class Thirds(NamedTuple):
    """A random tree for three, who win or lose; an evaluation never outranks that."""

    players = 3
    node: int = 1
    left: int = 4

    def player(self):
        return shr(scramble(self.node), 40) % 3

    def actions(self):
        yield from range(2 + shr(scramble(self.node), 10) % 2)

    def result(self, action):
        return Thirds(scramble(self.node * 5 + action + 1), self.left - 1)

    def terminal(self):
        return self.left == 0 or shr(scramble(self.node), 20) % 4 == 0

    def utility(self, player):
        return shr(scramble(self.node), 30 + player) % 3 - 1

    def evaluate(self, player):
        return shr(scramble(self.node), 33 + player) % 201 - 100


@pytest.mark.lanes
@pytest.mark.parametrize("depth", [2, 3, 9])
def test_several_lines_of_three_are_the_movers_best(depth: int) -> None:
    for node in range(1, 60):
        start = Thirds(node)
        if start.terminal():
            continue
        one, several = (outplay.best(start, "maxn", depth=depth, lines=lines) for lines in (1, 3))
        lines = [several, *several.others]
        assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
        assert several.action == one.action and several.values == one.values
        assert all(
            line.score == maxn.values(start.result(line.action), depth - 1)[start.player()] for line in lines
        )


def test_searches_for_two_refuse_three() -> None:
    with pytest.raises(GameError, match="alphabeta does not fit Three, a game of 3 players: use maxn"):
        outplay.best(Three(), "alphabeta")
    evaluation = as_player(lambda state: 0, "evaluate", "evaluate")
    with pytest.raises(ValueError, match="does not fit Three, a game of 3 players: use maxn"):
        evaluation(Record("", Three()), Limits(depth=2))


def test_a_game_of_three_is_asked_for_each_player() -> None:
    class Alone(NamedTuple):
        players = 3
        ply: int = 0

        def player(self):
            return 0

        def actions(self):
            return ()

        def result(self, action):
            return self

        def utility(self):
            return 0

    with pytest.raises(GameError, match=r"write `def utility\(self, player\)`"):
        adopt(Alone)
    assert utility(Three(3, 7), 2) == 5


# --- chance without floats ------------------------------------------------------------------------------


@cache
def exact(state: Any) -> Fraction:
    """The value of a race as a fraction."""
    if state.terminal():
        return Fraction(state.utility())
    if state.player() == CHANCE:
        return sum((exact(state.result(steps)) for steps in state.actions()), Fraction()) / 6
    best = max if state.player() == 0 else min
    return best(exact(state.result(action)) for action in state.actions())


@pytest.mark.lanes
def test_chance_in_ints_is_the_exact_value_to_a_step_for_each_throw() -> None:
    start = Race(4, 5)
    assert not kind(Race).float_scores
    found = outplay.best(start, "expectiminimax", time=600)
    assert found.proven and found.score == expectiminimax.value(start) == math.floor(found.score)
    assert abs(found.value - exact(start)) < 16 / Race.unit
    assert found.score == pytest.approx(Race.unit * found.value)


# --- seats and views ------------------------------------------------------------------------------------


def dealt(game: Any, seed: int = 1) -> Record:
    """A game after the cards are dealt."""
    record = Record(game_of(game).spec, game())
    while record.state.player() == CHANCE:
        record = record.play(roll(record, seed))
    return record


def test_four_seats_play_for_two_sides() -> None:
    record = dealt(Whist)
    assert seats(Whist) == 4 and [side_of(Whist, seat) for seat in range(4)] == [0, 1, 0, 1]
    while not record.is_over:
        assert side_of(Whist, seat_of(record.state)) == record.state.player()
        record = record.play(RandomPlayer(3)(record, Limits()).action)
    assert record.result in (-3, -1, 1, 3)


def test_a_view_holds_what_a_seat_perceives_and_nothing_else() -> None:
    record = dealt(Whist)
    north, east = record.view(0), record.view(1)
    assert [card >= 0 for card in north.percepts] == 3 * [True, False, False, False]
    assert set(north.actions) == set(north.percepts) - {-1}
    assert east.actions == ()  # it is North's turn
    assert record.view() == north
    after = record.play(north.actions[0])
    assert after.view(1).percepts[-1] == north.actions[0]
    assert not any(isinstance(part, Whist) for part in north)


def test_who_acts_knows_what_it_does_even_if_it_perceives_more() -> None:
    """A Kriegspiel player is told the try and the umpire's answer in one percept, which is not the try."""

    class Tries(NamedTuple):
        ply: int = 0

        def player(self):
            return 0

        def actions(self):
            if self.ply < 1:
                yield 3
                yield 4

        def result(self, action):
            return Tries(self.ply + 1)

        def utility(self):
            return 0

        def percept(self, action, seat):
            return 16 * action + 1 if seat == 0 else -1

    assert is_seen(Tries(), 3, (0,))
    assert not is_seen(Tries(), 3, (1,))
    assert not is_seen(Tries(), 3, ())


def test_a_percept_that_stands_for_several_actions_tells_none() -> None:
    """The colour of a card that is dealt to another may tell two cards apart here, and not elsewhere."""
    deal = Kuhn()
    assert is_seen(deal, 2, (0,)) and not is_seen(deal, 2, (1,)) and not is_seen(deal, 2, ())


def test_people_at_one_screen_see_the_hand_of_who_acts() -> None:
    state = dealt(Whist).state
    assert looking(state, (0,)) == (0,)  # North, not South
    assert looking(state, (1,)) == ()
    assert looking(dealt(Kuhn).state, (1,)) == (1,)


def test_who_plays_a_hidden_game_is_given_a_view() -> None:
    seen: list[Any] = []

    def bot(view, limits):
        seen.append(view)
        return view.actions[-1]

    def choose(view):
        return view.actions[0]

    record = dealt(Kuhn)
    assert as_player(bot, "bot")(record, Limits()).action == 1
    assert as_player(choose, "choose")(record, Limits()).action == 0
    assert seen == [record.view(0)]


def test_who_would_see_what_is_hidden_is_refused() -> None:
    def bot(record, limits):
        return 0

    def choose(state):
        return 0

    for code in (bot, choose):
        with pytest.raises(PlayerError, match=r"would see what Kuhn hides: write it as bot\(view, limits\)"):
            as_player(code, code.__name__)(dealt(Kuhn), Limits())


def test_check_finds_actions_that_tell_what_is_hidden() -> None:
    class Leak(NamedTuple):
        card: int = -1
        ply: int = 0

        def player(self):
            return CHANCE if self.card < 0 else 0

        def actions(self):
            if self.card < 0:
                yield 0
                yield 1
            elif self.ply == 0:
                yield self.card

        def probability(self, card):
            return 0.5

        def result(self, action):
            return Leak(action) if self.card < 0 else self._replace(ply=1)

        def utility(self):
            return self.card

        def percept(self, action, seat):
            return -1 if self.card < 0 else action

    said = check(Leak(), 20).fault
    assert "seat 0 perceives [-1] here and in another game, but may do [" in said


@pytest.mark.parametrize(
    ("seats", "said"),
    [(3, "expected a multiple of the 2 players"), (4, "4 seats, but no method seat()")],
)
def test_seats_that_make_no_sense_are_refused(seats: int, said: str) -> None:
    class Wrong(NamedTuple):
        ply: int = 0

        def player(self):
            return 0

        def actions(self):
            return ()

        def result(self, action):
            return self

        def utility(self):
            return 0

    Wrong.seats = seats  # type: ignore[attr-defined]
    with pytest.raises(GameError) as error:
        adopt(Wrong)
    assert said in str(error.value)


# --- slips of the first evening ---

SLIPS = {
    "actions forgets to return": (
        "    def actions(self): x = [1]\n",
        r"Slip\.actions returns None: is a `return` missing\? \(slips\.py line 5\)",
    ),
    "a typing error": (
        "    def action(self): return [1]\n",
        r"Slip has no method actions\(\): did you mean action\(\)\?",
    ),
    "AIMA's form": (
        "    def actions(self, state): return [1]\n    player = None\n",
        r"Slip has no method player\(\): it is a game as AIMA's code writes them",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_slips_of_the_first_evening(slip: str, tmp_path: Path) -> None:
    line, message = SLIPS[slip]
    text = f"""from typing import NamedTuple
class Slip(NamedTuple):
    heap: int = 3
    def player(self): return 0
{line}    def result(self, a): return Slip(self.heap - a)
    def utility(self): return 1
"""
    (tmp_path / "slips.py").write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        outplay.best(load(str(tmp_path / "slips.py")).start, depth=2)
    assert "\n" not in str(caught.value)


def test_fields_without_a_default_are_named(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text(
        "from typing import NamedTuple\nclass Bare(NamedTuple):\n    heap: int\n    turn: int = 0\n"
        "    def player(self): return 0\n    def actions(self): return []\n"
        "    def result(self, a): return self\n    def utility(self): return 0\n"
    )
    with pytest.raises(ValueError, match=r"a default to each field \(heap\)"):
        load(str(tmp_path / "bare.py")).position()
