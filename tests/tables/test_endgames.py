"""Chess endgames: counts of the literature, every value against Syzygy's, and every slot against its position."""

from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest

from outplay.game import legal
from outplay.games import load
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.tables.build import Work
from outplay.tables.estimate import estimate
from outplay.tables.families import build_families
from outplay.tables.shelf import Shelf
from outplay.tables.statistics import line, longest, shares
from outplay.tables.verify import verify
from outplay.ui.uci.protocol import Uci

SYZYGY = Path(__file__).parents[3] / "shared" / "data" / "chess" / "syzygy"

# Classes under 8 symmetries (2 with pawns), like pieces unordered: won, drawn, lost, and the longest win in plies.
COUNTS = {
    "KQK": ((18_081, 0, 0, 19), (0, 2_896, 25_160, None)),
    "KRK": ((21_959, 0, 0, 31), (0, 2_796, 25_260, None)),
    "KPK": ((62_480, 19_184, 0, 55), (0, 35_210, 48_802, None)),
}
Chess: Any = load("chess").cls


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("tables")
    made = list(build_families(Chess, "kpk", folder, Work(threads=2), "conversion"))
    assert sorted(each.table.header.name for each in made[:3]) == sorted(COUNTS)
    assert [each.table.header.metric for each in made] == ["end", "end", "end", "conversion"]
    return Shelf.wanted(folder, Chess)


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_literature(shelf: Shelf, name: str) -> None:
    assert shares(shelf.named(name)) == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_every_position_has_the_value_of_its_best_move(shelf: Shelf, name: str) -> None:
    verdict = verify(shelf, shelf.named(name), 2)
    assert (verdict.positions, verdict.wrong) == (shelf.named(name).positions, 0)


@pytest.mark.parametrize("name", COUNTS)
def test_the_estimate_is_close(shelf: Shelf, name: str) -> None:
    """A sample at even distances had a quarter of KPK's positions too few: pieces stood on the same squares."""
    table = shelf.named(name)
    found = estimate(Chess.families(name)[name])
    assert found.slots == table.header.size
    assert abs(found.positions / table.positions - 1) < 0.05


@pytest.mark.parametrize("name", COUNTS)
def test_every_value_is_syzygys(shelf: Shelf, name: str) -> None:
    if not SYZYGY.is_dir():
        pytest.skip("no Syzygy tables here: ../shared/data/chess/syzygy")
    table = shelf.named(name)
    start = Chess.families(name)[name]
    compared = 0
    with chess.syzygy.open_tablebase(str(SYZYGY)) as theirs:
        for slot in range(0, table.header.size, 7):
            state = start.slot_state(slot)
            if state.slot() != slot:
                continue
            known = shelf.probe(state)
            assert known is not None
            assert known.value == theirs.probe_wdl(chess.Board(str(state))) // 2, str(state)
            compared += 1
    assert compared > table.positions // 10


def test_distances_to_conversion_are_syzygys(shelf: Shelf) -> None:
    """Syzygy's count plies to the next capture or pawn's move, too, but some only up to the next even or odd one."""
    if not SYZYGY.is_dir():
        pytest.skip("no Syzygy tables here: ../shared/data/chess/syzygy")
    path = shelf.tables[0].path
    assert path is not None
    conversion = Shelf.wanted(path.parent, Chess, "conversion")
    table = conversion.named("KPK")
    verdict = verify(shelf, table, 2)
    assert (verdict.positions, verdict.wrong) == (table.positions, 0)
    start = Chess.families("KPK")["KPK"]
    with chess.syzygy.open_tablebase(str(SYZYGY)) as theirs:
        for slot in range(0, table.header.size, 37):
            state = start.slot_state(slot)
            known = conversion.probe(state) if state.slot() == slot else None
            if known is not None and "P" not in str(state).split("/")[1]:  # there it may become a bishop
                distance = theirs.probe_dtz(chess.Board(str(state)))
                assert known.value == (distance > 0) - (distance < 0)
                assert not legal(state) or abs(abs(distance) - (known.plies or 0)) <= 1, str(state)


def test_the_longest_wins(shelf: Shelf) -> None:
    for name, mate in (("KQK", 10), ("KRK", 16), ("KPK", 28)):
        state = longest(shelf, shelf.named(name))
        best = line(shelf, state)
        assert len(best) == 2 * mate - 1
        for action in best:
            state = state.result(action)
        assert chess.Board(str(state)).is_checkmate()


def test_a_search_that_meets_tables_ends_with_the_win(shelf: Shelf) -> None:
    """White takes the pawn, and the mate is far beyond the horizon: the table of king and rook knows it."""
    folder = shelf.tables[0].path
    assert folder is not None
    state = Chess.parse("8/1p6/8/8/8/2k5/8/K6R w - - 0 1")
    found = Engine(tables=str(folder.parent)).search(state, Limits(depth=9))
    assert (found.value, found.proven, found.depth) == (1, True, 9)
    assert found.tbhits > 0 and state.action_text(found.action) == "Rb1"


def test_uci_tells_the_distance_to_mate(shelf: Shelf) -> None:
    """King and queen: the table answers at once, for several lines too."""
    path = shelf.tables[0].path
    assert path is not None
    said: list[str] = []
    uci = Uci(said.append, seed=1)
    uci.run(
        [
            f"setoption name TablePath value {path.parent}",
            "position fen 8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
            "go depth 1",
            "stop",
            "setoption name MultiPV value 2",
            "go depth 1",
            "stop",
        ]
    )
    known = shelf.probe(Chess.parse("8/8/8/8/3k4/8/8/KQ6 w - - 0 1"))
    assert known is not None and known.plies is not None
    mate = f"score mate {(known.plies + 1) // 2} nodes 1 "
    lines = [line for line in said if line.startswith("info depth")]
    assert len(lines) == 3 and mate in lines[0] and mate in lines[1] and "multipv 2" in lines[2]
    assert all(" tbhits 1 " in line for line in lines)


@pytest.mark.lanes
def test_slots_and_positions_are_each_others_inverse() -> None:
    for name in ("KQK", "KNNKPd4", "KRPKRa7", "KPKP", "KRBKN", "KQQKR"):
        start = Chess.families(name)[name]
        found = 0
        for slot in range(0, start.slots(), start.slots() // 997):
            state = start.slot_state(slot)
            if state.slot() == slot:
                found += 1
                assert state.family() == start.family()
        assert found > 100


def test_mirror_images_share_a_slot() -> None:
    for text in ("8/8/8/2k5/8/8/1Q6/K7 w - - 0 1", "8/3P4/8/2k5/8/8/8/K7 b - - 0 1"):
        board = chess.Board(text)
        images = [board, board.transform(chess.flip_horizontal), board.mirror()]
        if not board.pawns:
            images += [board.transform(chess.flip_diagonal), board.transform(chess.flip_vertical)]
        assert len({Chess.parse(image.fen()).slot() for image in images}) == 1


def test_en_passant_has_slots_of_its_own() -> None:
    one = Chess.parse("8/8/8/8/k1pP4/8/8/K7 b - d3 0 1")
    two = Chess.parse("8/8/8/8/k1pP4/8/8/K7 b - - 0 1")
    assert one.special and one.slot() != two.slot()
    assert one.slot_state(one.slot()).special and not two.slot_state(two.slot()).special
    assert Chess().family() == -1


def test_families_come_after_those_they_lead_to() -> None:
    names = list(Chess.families("4"))
    assert len(names) == 33 and names.index("KQK") < names.index("KPK") < names.index("KPKP")
    assert list(Chess.families("KRKQ"))[-1] == "KQKR"
    for wrong in ("KXK", "7", "2", "KQQQQQQK", "QR"):
        with pytest.raises(ValueError, match="pieces"):
            Chess.families(wrong)
