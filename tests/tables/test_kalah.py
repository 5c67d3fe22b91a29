"""Tables of kalah: what is still to be made, by the seeds in the pits; against minimax, and in the engine."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from outplay.games import load
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.tables.families import build_families
from outplay.tables.shelf import Shelf
from outplay.tables.verify import verify

Kalah: Any = load("kalah:pits=4").cls
SEEDS = 8


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("tables")
    assert len(list(build_families(Kalah, str(SEEDS), folder))) == SEEDS - 1
    return Shelf.wanted(folder, Kalah)


@cache
def minimax(state: Any) -> int:
    """The value for the player to move."""
    if state.terminal():
        return -state.utility() if state.turn else state.utility()
    after = [state.result(pit) for pit in state.actions()]
    return max(minimax(child) if child.turn == state.turn else -minimax(child) for child in after)


def test_every_value_is_that_of_minimax_whatever_the_stores_hold(shelf: Shelf) -> None:
    rng = random.Random(1)
    compared = 0
    for example in Kalah.families(str(SEEDS)).values():
        for slot in rng.sample(range(example.slots()), min(60, example.slots())):
            state = example.slot_state(slot)
            if state.slot() != slot:
                assert state.terminal()
                continue
            richer = state._replace(own=state.own + (5 << state.STORE), turn=1)
            for asked, value in ((state, minimax(state)), (richer, minimax(richer))):
                known = shelf.probe(asked)
                assert known is not None and known.value == value
            assert minimax(richer) == minimax(state) + 5
            compared += 1
    assert compared > 200


def test_every_position_has_the_value_of_its_best_move(shelf: Shelf) -> None:
    for table in shelf.tables:
        assert verify(shelf, table) == (table.positions, 0, None)


def test_the_engine_asks_them(shelf: Shelf) -> None:
    path = shelf.tables[0].path
    assert path is not None
    state = Kalah.parse("2,1,0,3:4 1,3,2,0:6 N")
    alone = Engine(1, fixed=False).search(state, Limits(depth=60))
    helped = Engine(1, fixed=False, tables=str(path.parent)).search(state, Limits(depth=60))
    assert helped.value == alone.value == -minimax(state)
    assert helped.tbhits > 0 and helped.nodes < alone.nodes


def test_families_that_name_each_other_are_built_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = Kalah.families("4")
    monkeypatch.setattr(Kalah, "families", classmethod(lambda cls, text: named))
    assert [made.table.header.name for made in build_families(Kalah, "4", tmp_path)] == ["2", "3", "4"]


def test_the_commands(outplay: Callable, shelf: Shelf) -> None:
    path = shelf.tables[0].path
    assert path is not None
    told = outplay("table", "probe", "kalah:pits=4", "2,1,0,0:4 1,3,0,0:6 S", "--tables", path.parent)
    value = minimax(Kalah.parse("2,1,0,0:4 1,3,0,0:6 S"))
    assert told.status == 0 and f"{value:+}" in told.out.splitlines()[0]
    wrong = outplay("table", "build", "kalah", "99", "--tables", path.parent)
    assert wrong.status == 2 and "number of seeds" in wrong.told
    wrong = outplay("table", "stats", "kalah:pits=4", "--metric", "end", "--tables", path.parent)
    assert wrong.status == 2 and "their metric is conversion" in wrong.told
