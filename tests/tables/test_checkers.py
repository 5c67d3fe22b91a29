"""Checkers endgames: published counts, every slot against its position, every value against its moves."""

from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.games import load
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.tables.families import build_families
from outplay.tables.file import open_table
from outplay.tables.shelf import Shelf
from outplay.tables.statistics import line, longest, shares
from outplay.tables.verify import verify

# Positions with so many pieces, of one side or of both, whoever is to move.
PUBLISHED = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774}
Checkers: Any = load("checkers").cls


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("tables")
    assert [made.table.header.name for made in build_families(Checkers, "2", folder)] == ["KvK", "KvM", "MvM"]
    return Shelf.wanted(folder, Checkers)


def of_one_side(pieces: int) -> int:
    """How many positions there are with so many pieces of one side, the other having none."""
    return 2 * sum(
        comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1)
    )  # a king may stand where no man does


def test_counts_of_the_literature(shelf: Shelf) -> None:
    assert of_one_side(1) == PUBLISHED[1]
    assert sum(table.positions for table in shelf.tables) + of_one_side(2) == PUBLISHED[2]
    won, drawn, lost, plies = shares(shelf.named("KvK"))[0]
    assert (won, drawn, lost, plies) == (230, 654, 108, 11)


def test_every_position_has_the_value_of_its_best_move(shelf: Shelf) -> None:
    for table in shelf.tables:
        assert verify(shelf, table) == (table.positions, 0, None)


def test_the_longest_win_of_two_kings(shelf: Shelf) -> None:
    state = longest(shelf, shelf.named("KvK"))
    best = line(shelf, state)
    assert len(best) == 11
    for action in best:
        state = state.result(action)
    assert state.terminal() and state.utility() != 0


def test_tables_that_were_built_are_read_from_their_files(tmp_path: Path) -> None:
    """Else all tables of a large run lie in memory."""
    for made in build_families(Checkers, "2", tmp_path):
        assert isinstance(made.table.data, np.memmap) and made.table.path is not None
        assert (made.table.data == open_table(made.table.path).data).all()


@pytest.mark.lanes
def test_slots_and_positions_are_each_others_inverse() -> None:
    for name in ("MvM", "KKvKM", "KMvMM", "KKMvMMM"):
        start = Checkers.families(name)[name]
        found = 0
        for slot in range(0, start.slots(), start.slots() // 499):
            state = start.slot_state(slot)
            if state.slot() == slot:
                found += 1
                assert state.family() == start.family() and Checkers.parse(str(state)) == state
        assert found > 250


def test_both_sides_share_a_slot() -> None:
    one, two = Checkers.parse("B:W14,K18:B3,K7"), Checkers.parse("W:W30,K26:B19,K15")
    assert one.slot() == two.slot() and one.family() == two.family()
    assert Checkers().family() == Checkers.parse("W:WK1:B").family() == -1


def test_families_come_after_those_they_lead_to() -> None:
    names = list(Checkers.families("4"))
    assert len(names) == 23 and names.index("KvM") < names.index("KKvM") < names.index("KMvM")
    assert list(Checkers.families("mvkm")) == ["KvK", "KvM", "MvM", "KKvK", "KMvK", "KKvM", "KMvM"]
    for wrong in ("KXvK", "7", "1", "KKKKvKKK", "KK", "Kv"):
        with pytest.raises(ValueError, match="pieces"):
            Checkers.families(wrong)


def test_the_engine_asks_only_where_no_quiet_plies_are_counted(shelf: Shelf) -> None:
    """With 78 of the 80 quiet plies gone a win in eleven is none, and the search says so."""
    folder = shelf.tables[0].path
    assert isinstance(folder, Path)
    state = longest(shelf, shelf.named("KvK"))
    engine = Engine(1, fixed=False, tables=str(folder.parent))
    fresh = engine.search(state, Limits(depth=4))
    assert (fresh.proven, len(fresh.line), fresh.nodes) == (True, 11, 1)
    late = engine.search(state._replace(quiet=78), Limits(depth=4))
    assert late.value == 0 and late.proven
