"""Rollouts: as right as exact values within the error that they tell, and steadier without luck."""

import math
import threading
from pathlib import Path
from typing import Any

import pytest

from outplay.game import GameError
from outplay.games import Backgammon, load
from outplay.games.backgammon.side import NOBODY, add
from outplay.limits import Limits
from outplay.search.searches import SEARCHES
from outplay.search.valuenet.rollout import Rollout
from outplay.search.valuenet.td import TD
from outplay.tables.bearoff.twosided import TwoSided


@pytest.fixture(scope="module")
def table() -> TwoSided:
    return TwoSided.build(6, 3)


def race(mine: tuple[int, ...], yours: tuple[int, ...], turn: int = 0) -> Any:
    """A state at which both sides bear off, to roll; checkers on points 1, 2 ..."""
    sides = []
    for counts in (mine, yours):
        side = NOBODY
        for point, count in enumerate(counts, 1):
            for _ in range(count):
                side = add(side, point)
        sides.append(side)
    return Backgammon(sides[0], sides[1], turn, 0)


RACES = [
    ((0, 0, 1, 0, 0, 1), (0, 1, 0, 0, 1)),
    ((1, 1, 1), (0, 0, 2)),
    ((0, 0, 0, 0, 0, 3), (0, 0, 0, 0, 1, 1)),
]


@pytest.mark.parametrize("reduce", [0, 1])
@pytest.mark.parametrize("turn", [0, 1])
def test_rollouts_are_right_within_the_error_that_they_tell(table: TwoSided, reduce: int, turn: int) -> None:
    for mine, yours in RACES:
        search = Rollout.make({"games": 4000, "reduce": reduce, "seed": 7})
        found = search.search(race(mine, yours, turn), Limits())
        exact = table.equity(mine, yours)[0] * (1 - 2 * turn)
        assert found.visits == 4000 and 0 < found.error < 0.02
        # The net does not always bear off as it should, so the side that it plays for may have a little less
        assert abs(found.value - exact) < 4 * found.error + 0.01


def test_the_error_is_that_of_samples(table: TwoSided) -> None:
    """Of many small rollouts two thirds lie within one standard error of their mean, nearly all within three."""
    state = race(*RACES[0])
    found = [Rollout.make({"games": 64, "seed": seed}).search(state, Limits()) for seed in range(60)]
    mean = sum(one.value for one in found) / len(found)
    off = [abs(one.value - mean) / one.error for one in found]
    assert 0.5 < sum(x < 1 for x in off) / len(off) < 0.85 and max(off) < 5


def test_less_luck_less_error() -> None:
    state = Backgammon.parse("4HPwATDgc/ABMA X")
    errors = [
        Rollout.make({"games": 72, "truncate": 5, "reduce": reduce}).search(state, Limits()).error
        for reduce in (0, 1)
    ]
    assert 0 < errors[1] < errors[0] / 2


def test_a_table_ends_games_with_exact_values(table: TwoSided, tmp_path: Path) -> None:
    path = str(tmp_path / "table.npz")
    table.save(path)
    for turn in (0, 1):
        state = race((0, 0, 0, 0, 0, 3), (0, 0, 0, 0, 1, 1), turn)
        for search in (
            Rollout.make({"games": 2, "bearoff": path}),
            TD(bearoff=path),
            TD(bearoff=path, plies=2),
        ):
            found = search.search(state, Limits())
            exact = table.equity((0, 0, 0, 0, 0, 3), (0, 0, 0, 0, 1, 1))[0] * (1 - 2 * turn)
            assert found.value == pytest.approx(exact, abs=1e-5) and found.error == 0
    with_dice = race((0, 0, 1, 0, 0, 1), (0, 1, 0, 0, 1))._replace(dice=8 * 2 + 1)
    found = Rollout.make({"games": 2, "bearoff": path, "margin": 9}).search(with_dice, Limits(), lines=2)
    worth = {a: -table.equity((0, 1, 0, 0, 1), counts_after(with_dice, a))[0] for a in with_dice.actions()}
    assert found.value == pytest.approx(max(worth.values()), abs=1e-5)


def counts_after(state: Any, action: int) -> tuple[int, ...]:
    from outplay.games.backgammon.side import number

    return tuple(number(state.result(action).opp, point) for point in range(1, 7))


def test_the_places_of_a_table_are_those_of_the_game() -> None:
    from outplay.tables.bearoff.positions import counts_of, index, size

    one = index((1, 0, 0, 0, 0, 0))
    for place in range(0, size(6, 14), 37):
        counts = counts_of(place, 6)
        if sum(counts):
            assert race(counts, (1,)).bearoff() == place << 32 | one
            assert race((1,), counts).bearoff() == one << 32 | place
    assert race((15,), (1,)).bearoff() == -1  # a gammon is possible
    assert Backgammon.parse("4HPwATDgc/ABMA X").bearoff() == -1


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    state = Backgammon.parse("4HPwATDgc/ABMA X 31")
    made = [
        Rollout.make({"games": 73, "truncate": 2, "threads": threads, "seed": seed}).search(
            state, Limits(), lines=3
        )
        for threads, seed in ((1, 5), (3, 5), (1, 6))
    ]
    assert told(made[0]) == told(made[1]) != told(made[2])
    assert state.action_text(made[0].action) == "8/5 6/5"


def told(found: Any) -> list[Any]:
    return [(one.action, one.value, one.error, one.visits, one.chances) for one in (found, *found.others)]


def test_chances_and_value_say_the_same() -> None:
    found = Rollout.make({"games": 36, "truncate": 3}).search(Backgammon.parse("4HPwATDgc/ABMA O"), Limits())
    win, gammon, backgammon, lost, worse = found.chances
    assert found.value == pytest.approx(2 * win - 1 + gammon + backgammon - lost - worse, abs=1e-5)
    assert found.value < 0  # O is on roll


def test_limits_progress_and_a_stop() -> None:
    state = Backgammon.parse("4HPwATDgc/ABMA X 31")
    search, heard = Rollout.make({"games": 100_000, "truncate": 1}), []
    found = search.search(state, Limits(nodes=1), report=heard.append)
    assert found.visits == 36 and [one.visits for one in heard] == [36]
    found = search.search(state, Limits(time=0.5), report=heard.append)
    assert found.visits < 100_000
    stop = threading.Event()
    search.search(state, Limits(), stop=stop, report=lambda one: stop.set() if one.visits >= 72 else None)
    stop.set()
    found = search.search(state, Limits(), stop=stop)
    assert found.action is not None and found.visits < 100_000


def test_a_game_without_a_net_is_rolled_out_by_its_evaluation() -> None:
    """Pig's values by value iteration are a bound for play by an evaluation."""
    state = load("pig").start
    found = Rollout.make({"games": 500}).search(state, Limits(), lines=2)
    assert found.visits == 500 and -1 <= found.value <= 1 and found.error > 0
    hyper = load("backgammon:checkers=3").start
    found = Rollout.make({"games": 200, "seed": 3}).search(hyper, Limits())
    assert abs(found.value) < 5 * found.error + 0.05 and not found.chances  # nobody is ahead


def test_what_it_cannot_do() -> None:
    with pytest.raises(GameError, match="rollout does not fit ConnectFour, a game without chance"):
        Rollout().search(load("connect4").start, Limits())
    for bad, why in (
        ({"games": "1"}, "games must be 2 to"), ({"truncate": "-1"}, "truncate must be 0 to"),
        ({"margin": "nan"}, "margin must be at least 0"), ({"threads": "0"}, "threads must be 1 to"),
        ({"bearoff": "/no/table"}, "no such table"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            Rollout.make(bad)
    assert {one.name: one.default for one in SEARCHES["rollout"].described()}["games"] == 1296
    assert not math.isnan(Rollout().settings.margin)
