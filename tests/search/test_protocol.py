"""Every search of the registry keeps the one protocol, whatever it is."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from outplay.game import GameError
from outplay.games import load
from outplay.limits import Limits
from outplay.record import Record, begin
from outplay.search import SEARCHES, best
from outplay.search.protocol.search import Search
from outplay.search.searches import fitting, strongest, usual
from outplay.search.valuenet.net import ValueNet
from tests.search.secret import Secret

NAMES = sorted(SEARCHES.keys() - {"rollout"})  # which needs chance: test_rollout.py asks the same of it
START = load("tictactoe").position("XX./OO./... x")  # X wins at once


def made(name: str, **options: Any) -> Search:
    """The search, small and quick; one that has no machine here is skipped, and says what is missing."""
    small = {"hash": 0.1, "memory": 4, "fixed": 0, "trees": 2}
    search = SEARCHES[name]
    search.require()
    return search.make({key: small[key] for key in small if key in search.options} | options)


@pytest.fixture(scope="module", autouse=True)
def _nets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The games bring value nets, which know nothing but who has won."""
    with pytest.MonkeyPatch.context() as patch:
        for game in ("tictactoe", "connect4"):
            start = load(game).start
            file = str(tmp_path_factory.mktemp("nets") / f"{game}.npz")
            ValueNet.new(game, start, units=4, seed=1).save(file)
            patch.setattr(type(start), "value_net", file, raising=False)
        yield


@pytest.fixture(params=NAMES)
def search(request: pytest.FixtureRequest) -> Search:
    try:
        return made(request.param)
    except ValueError as missing:
        pytest.skip(f"{request.param}: {missing}")


def limits_of(search: Search) -> Limits:
    return Limits(nodes=200) if search.samples else Limits(depth=4)


@pytest.mark.lanes
def test_it_finds_the_win(search: Search) -> None:
    search.prepare(START)
    found = search.search(START, Limits(nodes=2000))
    assert START.result(found.action).utility() == 1
    assert found.action == found.line[0]
    assert 0 < found.nodes <= 2000
    assert search.nodes > 0


@pytest.mark.parametrize("limits", [Limits(nodes=50), Limits(time=0.05), Limits(clock=1.0)], ids=str)
def test_limits_end_it(search: Search, limits: Limits) -> None:
    found = search.search(load("tictactoe").start, limits)
    assert found.action in range(9)
    assert limits.nodes is None or found.nodes <= limits.nodes


def test_a_stop_ends_it_and_there_is_an_answer(search: Search) -> None:
    stop = threading.Event()
    stop.set()
    found = search.search(load("connect4").start, Limits(time=1000.0), stop=stop)
    assert found.action in range(7)
    timer = threading.Timer(0.2, stop.set)
    stop.clear()
    timer.start()
    assert search.search(load("connect4").start, Limits(time=1000.0), stop=stop).action in range(7)


def test_a_game_that_is_over_is_answered(search: Search) -> None:
    found = search.search(load("tictactoe").position("XXX/OO./... o"), Limits(nodes=10))
    assert found[:4] == (None, 1, 0, ()) and found.proven


def test_it_tells_how_it_stands(search: Search) -> None:
    heard: list[Any] = []
    found = search.search(load("tictactoe").start, Limits(nodes=3000), heard.append)
    assert heard
    assert all(analysis.action in range(9) for analysis in (*heard, found))


@pytest.mark.parametrize("reporting", [False, True])
def test_two_lines(search: Search, reporting: bool) -> None:
    heard: list[Any] = []
    limits = Limits(nodes=4000)
    found = search.search(START, limits, heard.append if reporting else None, lines=2)
    assert len(found.others) == 1
    assert (found.number, found.others[0].number) == (1, 2)
    assert found.action != found.others[0].action
    assert START.result(found.action).utility() == 1
    assert not heard or all(len(analysis.others) <= 1 for analysis in heard)
    with pytest.raises(ValueError, match="lines must be at least 1, not 0"):
        search.search(START, limits, lines=0)


def test_the_same_seed_gives_the_same_answer(search: Search) -> None:
    state = load("tictactoe").start
    first = search.search(state, limits_of(search))
    search.forget()
    again = search.search(state, limits_of(search))
    fresh = made(search.name).search(state, limits_of(search))
    assert first._replace(time=0) == again._replace(time=0) == fresh._replace(time=0)


def test_what_does_not_fit_is_refused_in_one_line(search: Search) -> None:
    with pytest.raises(ValueError, match=f"'nonsense' is not an option of {search.name}"):
        made(search.name, nonsense=1)
    with pytest.raises(
        GameError, match=f"{search.name} does not fit Secret, a game with imperfect"
    ) as refused:
        search.search(Secret(), Limits(nodes=10))
    assert "\n" not in str(refused.value)
    if not search.chance:
        with pytest.raises(GameError, match=f"{search.name} does not fit Pig, a game with chance"):
            search.search(load("pig").start, Limits(nodes=10))
    if search.samples:
        with pytest.raises(ValueError, match=f"{search.name} takes no depth"):
            search.search(START, Limits(depth=3))
    with pytest.raises(ValueError, match="nodes must be a positive number, not -1"):
        search.search(START, Limits(nodes=-1))


def test_a_record_knows_the_past(search: Search) -> None:
    record = begin(load("tictactoe"), moves="a1 b1")
    found = search.search(record, limits_of(search))
    assert found.action in record.legal()
    record = record.play(found.action)
    assert search.search(record, limits_of(search)).action in record.legal()


def test_it_proves_or_says_why_not(search: Search) -> None:
    if search.samples:
        with pytest.raises(ValueError, match=f"{search.name} samples"):
            search.prover(1)
        return
    if search.estimates:
        with pytest.raises(ValueError, match=f"{search.name} estimates with a net"):
            search.prover(1)
        return
    found = search.prover(1).search(START, Limits())
    assert (found.value, found.proven) == (1, True)


def test_it_describes_itself() -> None:
    for name, search in SEARCHES.items():
        assert search.name == name and search.about and search.source
        assert [option.name for option in search.described()] == list(search.options)
        assert all(option.about for option in search.described())


def test_which_search_is_the_usual_one() -> None:
    connect4, pig, go = (load(name).cls for name in ("connect4", "pig", "go"))
    assert [strongest(cls).name for cls in (connect4, pig, go)] == ["engine", "expectiminimax", "uct"]
    assert [fitting(cls).name for cls in (connect4, pig)] == ["alphabeta", "expectiminimax"]
    assert usual(connect4, Limits(depth=3)).name == "alphabeta"
    assert usual(connect4, Limits(depth=3), lines=2).name == usual(connect4, Limits(time=1)).name == "engine"
    with pytest.raises(ValueError, match="unknown search 'alfabeta'; choose from minimax"):
        best(START, "alfabeta")


def test_best_takes_a_record() -> None:
    record = Record("tictactoe", START)
    assert best(record, "minimax", depth=9)[:4] == best(START, "minimax", depth=9)[:4]
