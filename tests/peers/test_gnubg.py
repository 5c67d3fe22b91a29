"""GNU Backgammon as a player; all but the first tests need the program."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from outplay.arena import Conditions, Match, TimeControl
from outplay.games import Backgammon, load
from outplay.games.backgammon.cube import DOUBLE, TO_DOUBLE
from outplay.games.backgammon.side import NOBODY, add
from outplay.limits import Limits
from outplay.peers import gnubg
from outplay.peers.gnubg import Gnubg, board_text
from outplay.players import PlayerError, player
from outplay.record import Record

HAS = shutil.which("gnubg") or shutil.which("gnubg", path=gnubg.GAMES)
needs_gnubg = pytest.mark.skipif(not HAS, reason="GNU Backgammon is not installed (apt install gnubg)")


@pytest.fixture(scope="module")
def program() -> Iterator[Gnubg]:
    made = Gnubg(plies=0)
    yield made
    made.close()


def random_positions(count: int, seed: int) -> Iterator[Any]:
    """States with dice and a choice, of random games."""
    source = random.Random(seed)
    while count:
        state: Any = Backgammon()
        while not state.terminal() and count:
            actions = [*state.actions()]
            if state.dice > 0 and len(actions) > 1:
                count -= 1
                yield state
            state = state.result(source.choice(actions))


def test_a_board_as_fibs_writes_it() -> None:
    state = Backgammon.parse("4HPwATDgc/ABMA X 31")
    assert board_text(state) == (
        "board:You:gnubg:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
        ":1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
    )


def test_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "GAMES", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ValueError, match="^GNU Backgammon is not installed: install gnubg"):
        player("gnubg:plies=2")


def test_bad_options() -> None:
    with pytest.raises(ValueError, match="plies of gnubg must be 0 to 4, not 7"):
        Gnubg(plies=7)
    with pytest.raises(ValueError, match="'ply' is not an option of gnubg; it has plies=..."):
        player("gnubg:ply=2")


@needs_gnubg
def test_other_games_are_refused() -> None:
    made = player("gnubg:plies=0")
    with pytest.raises(PlayerError, match="supports only backgammon with fifteen checkers, not ConnectFour"):
        made(Record("connect4", load("connect4").start), Limits())
    with pytest.raises(ValueError, match="supports only backgammon with fifteen checkers, not Othello"):
        Match("othello", ["random", "gnubg"])


@needs_gnubg
def test_its_plays_are_legal_on_all_sorts_of_boards(program: Gnubg) -> None:
    for state in random_positions(1500, 5):
        assert state.parse_action(program.choose(state)) in [*state.actions()], str(state)


@needs_gnubg
@pytest.mark.parametrize("game", ["backgammon:cube=64", "backgammon:match=3"])
def test_it_plays_whole_games_with_the_cube(game: str) -> None:
    made, source, done = player("gnubg:plies=0"), random.Random(8), set()
    state: Any = load(game).start
    for _ in range(600):
        if state.terminal():
            break
        actions = [*state.actions()]
        if state.player() in (0, 1):
            action = made(Record(game, state), Limits()).action
            assert action in actions
            done.add(state.action_text(action))
        else:
            action = source.choice(actions)
        state = state.result(action)
    assert state.terminal() and {"roll", "double"} <= done and done & {"take", "drop"}


@needs_gnubg
def test_what_it_does_with_the_cube() -> None:
    """Five checkers on low points, and twelve on high ones: one side doubles, and the other drops."""
    cls, made = load("backgammon:cube=64").cls, Gnubg(0)
    ahead = cls(low_and_high()[0], low_and_high()[1], 0, TO_DOUBLE)
    assert made.choose(ahead) == "double" and made.choose(ahead.result(DOUBLE)) == "drop"
    behind = cls(low_and_high()[1], low_and_high()[0], 1, TO_DOUBLE)
    assert made.choose(behind) == "roll" and made.choose(behind.result(DOUBLE)) == "beaver"
    made.close()


def low_and_high() -> tuple[Any, Any]:
    low, high = NOBODY, NOBODY
    for point in (1, 1, 1, 2, 2):
        low = add(low, point)
    for point in (6,) * 5 + (5,) * 5 + (4,) * 2:
        high = add(high, point)
    return low, high


@needs_gnubg
def test_its_opening_plays_are_the_books(program: Gnubg) -> None:
    for roll, play in (("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("53", "8/3 6/3")):
        state = Backgammon.parse(f"4HPwATDgc/ABMA X {roll}")
        assert state.parse_action(program.choose(state)) == state.parse_action(play)


@needs_gnubg
def test_its_chances_are_those_of_gnubg_nn(program: Gnubg) -> None:
    package = pytest.importorskip("gnubg_nn")
    from outplay.peers.gnubgnn import board_of

    for state in random_positions(40, 7):
        state = state._replace(dice=0)
        theirs = package.probabilities(board_of(state), 0)
        assert program.chances(state, 0)[:5] == pytest.approx(theirs, abs=0.06), str(state)


@needs_gnubg
def test_a_match_against_it() -> None:
    conditions = Conditions(games=2, control=TimeControl(depth=1))
    standing = Match("backgammon", ["random", "gnubg:plies=0"], conditions).run()
    assert standing.games == 2 and standing.score == 0.0  # and no fault


@needs_gnubg
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_it_ends_with_us_even_if_we_are_killed() -> None:
    code = (
        "from outplay.peers.gnubg import Gnubg; g = Gnubg(0); g.start(); print('ready', flush=True); input()"
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert ours.stdout is not None and ours.stdout.readline() == "ready\n"
    below = descendants(ours.pid)
    assert len(below) >= 2  # the guard and the program
    os.kill(ours.pid, signal.SIGKILL)
    ours.wait()
    deadline = time.monotonic() + 20
    while any(map(is_alive, below)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, below))


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = [int(word) for word in file.read().split()]
    return children + [below for child in children for below in descendants(child)]


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
