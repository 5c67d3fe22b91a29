"""The transposition table, and searches that share it."""

import random
import threading
from pathlib import Path

import numpy as np
import pytest

from outplay.games import load
from outplay.limits import Limits
from outplay.search import best
from outplay.search.engine.engine import Engine
from outplay.search.engine.table import (
    EXACT,
    NO_INDEX,
    SCHEMES,
    UPPER,
    Table,
    age_of,
    bound_of,
    depth_of,
    effort_of,
    ended_of,
    find,
    index_of,
    keep,
    pack,
    score_of,
)


@pytest.mark.parametrize("score", [0, 1, -1, 999_991, -1_000_000, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("index", [0, 7, 4095])
def test_data_are_packed_and_read_back(score: int, index: int) -> None:
    data = pack(score, 200, EXACT, 1, 17, 9, index)
    assert score_of(data) == score
    assert (depth_of(data), bound_of(data), ended_of(data)) == (200, EXACT, 1)
    assert (effort_of(data), age_of(data), index_of(data)) == (17, 9, index)


@pytest.mark.parametrize("scheme", range(len(SCHEMES)))
def test_what_is_kept_is_found(scheme: int) -> None:
    table = Table(0.01)
    data = pack(5, 3, EXACT, 0, 4, 1, 2)
    keep(table.words, table.mask, scheme, 12345, data)
    assert find(table.words, table.mask, 12345) == data
    assert find(table.words, table.mask, 12345 + table.mask + 1) == 0  # the same bucket, another position


def test_a_torn_entry_is_not_believed() -> None:
    table = Table(0.01)
    keep(table.words, table.mask, 0, 77, pack(5, 3, EXACT, 0, 4, 1, 2))
    at = (77 & table.mask) * 4
    table.words[at + 1] = pack(-9, 8, UPPER, 0, 4, 1, 3)  # another thread has written half of its entry
    assert find(table.words, table.mask, 77) == 0


@pytest.mark.parametrize(("scheme", "kept"), [("deeper", 9), ("always", 3), ("two-tier", 9)])
def test_which_entry_is_replaced(scheme: str, kept: int) -> None:
    table = Table(0.01, scheme)
    key, other = 5, 5 + table.mask + 1  # one bucket
    keep(table.words, table.mask, table.scheme, key, pack(0, 9, EXACT, 0, 4, 0, 0))
    keep(table.words, table.mask, table.scheme, other, pack(0, 3, EXACT, 0, 4, 0, 0))
    found = {depth_of(find(table.words, table.mask, k)) for k in (key, other)}
    assert kept in found
    assert found == ({9, 3} if scheme == "two-tier" else {kept, 0})


def test_a_table_is_saved_and_loaded(tmp_path: Path) -> None:
    state = load("connect4:width=4,height=4").start
    engine = Engine(1, "exact", fixed=False)
    first = engine.search(state, Limits(depth=8))
    engine.table.save(tmp_path / "memory", "ConnectFour")
    again = Engine(1, "exact", fixed=False)
    again.table.load(tmp_path / "memory", "ConnectFour")
    second = again.search(state, Limits(depth=8))
    assert second.value == first.value
    assert second.nodes < first.nodes
    with pytest.raises(ValueError, match="holds a table of ConnectFour, not of Othello"):
        again.table.load(tmp_path / "memory", "Othello")
    (tmp_path / "memory").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="is not a saved table"):
        again.table.load(tmp_path / "memory", "ConnectFour")


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "memory"
    Table(0.001).save(file, "x")
    whole, rng = file.read_bytes(), random.Random(1)
    for _ in range(500):
        content = bytearray(whole)
        for _ in range(rng.choice((1, 2, 8))):
            content[rng.randrange(len(content))] = rng.randrange(256)
        file.write_bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])
        try:
            Table(0.001).load(file, "x")
        except ValueError as error:
            assert str(file) in str(error) and "\n" not in str(error)


@pytest.mark.parametrize("megabytes", [0, -1, 1e12])
def test_a_table_that_does_not_fit(megabytes: float) -> None:
    with pytest.raises(ValueError, match="does not fit" if megabytes > 0 else "more than 0 MB"):
        Table(megabytes)


def test_an_unknown_scheme() -> None:
    with pytest.raises(ValueError, match="choose from two-tier, always, deeper, effort"):
        Table(1, "sometimes")


def test_two_threads_find_the_same_value() -> None:
    state = load("checkers").start
    plain = best(state, "alphabeta", depth=9)
    assert Engine(4, "exact", threads=2, fixed=False).search(state, Limits(depth=9)).value == plain.value


def test_another_thread_may_stop_a_search() -> None:
    stop = threading.Event()
    engine = Engine(1)
    engine.prepare(load("othello").start)
    threading.Timer(0.2, stop.set).start()
    found = engine.search(load("othello").start, Limits(depth=60), stop=stop)
    assert 0 < found.depth < 60


def test_reports_come_depth_by_depth() -> None:
    heard: list[int] = []
    Engine(1).search(load("othello").start, Limits(depth=6), lambda found: heard.append(found.depth))
    assert heard == [1, 2, 3, 4, 5, 6]


def test_a_game_is_learnt_by_rote(tmp_path: Path) -> None:
    """What one engine kept, another knows: the same search costs it nearly nothing."""
    state, file = load("hexapawn").start, tmp_path / "rote.npz"
    first = Engine(1, fixed=False)
    searched = first.search(state, Limits(depth=6))
    first.keep(file, state)
    second = Engine(1, fixed=False)
    second.recall(file, state)
    again = second.search(state, Limits(depth=6))
    assert again.value == searched.value
    assert again.nodes < searched.nodes
    second.recall(tmp_path / "none.npz", state)  # no file, no memory
    with pytest.raises(ValueError, match="holds a table of"):
        second.recall(file, load("tictactoe").start)


@pytest.mark.lanes
@pytest.mark.parametrize("index", [3, 100, NO_INDEX - 1])
def test_a_crafted_table_names_moves_that_there_are_not(tmp_path: Path, index: int) -> None:
    """An index beyond the moves is ignored: the search finds the same value, and a legal move."""
    state, file = load("hexapawn").start, tmp_path / "rote.npz"
    honest = Engine(1, "sound", fixed=False)
    wanted = honest.search(state, Limits(depth=20))
    words = honest.table.words
    key = words[::2] ^ words[1::2]
    words[1::2] = words[1::2] & 0x000FFFFFFFFFFFFF | np.int64(index - 4096) << 52
    words[::2] = key ^ words[1::2]
    honest.keep(file, state)
    engine = Engine(1, "sound", fixed=False)
    engine.recall(file, state)
    found = engine.search(state, Limits(depth=20))
    assert (found.value, found.proven) == (wanted.value, True)
    for action in found.line:
        assert action in state.actions()
        state = state.result(action)
