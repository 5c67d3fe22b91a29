"""One test over all games and variants: the contract is kept, interpreted and compiled alike."""

from pathlib import Path

import pytest

from outplay.arena.options import read_rules
from outplay.arena.uci import UciSeat
from outplay.check import check
from outplay.game import Board, is_terminal
from outplay.gamefile import open_game, to_pgn
from outplay.games import TABLE, is_ours, load
from outplay.record import begin

GAMES = [
    *(entry.name for entry in TABLE if "tree" not in entry.name),
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "chance[1/2: 8, 1/3: 24, 1/6: -12]",
]
VARIANTS = [
    "hexapawn:width=4,height=4",
    "hexapawn:width=5,height=6",
    "hexapawn:width=1,height=8",
    "connect4:width=4,height=4",
    "connect4:width=9,height=6",
    "othello:size=4",
    "othello:size=6",
    "go:size=3,suicide=1,komi=0,half=0",
    "kalah:pits=1,seeds=1",
    "kalah:pits=4,seeds=3",
    "backgammon:checkers=3",
    "backgammon:checkers=3,cube=8,beavers=2",
    "backgammon:checkers=3,match=3",
    "pig:goal=20",
]


@pytest.mark.parametrize(
    "spec", [*(pytest.param(spec, marks=pytest.mark.lanes) for spec in GAMES), *VARIANTS]
)
def test_the_contract_is_kept(spec: str) -> None:
    games = 2 if spec in ("backgammon", "chess", "go") else 20  # their games are long
    report = check(load(spec).start, games=games)
    assert report.fault == ""
    assert report.games == games


@pytest.mark.parametrize("spec", GAMES + VARIANTS)
def test_a_state_draws_itself(spec: str) -> None:
    state = load(spec).start
    for _ in range(4):
        if hasattr(state, "board"):
            board = state.board()
            assert isinstance(board, Board)
            assert len({len(row) for row in board.rows}) <= 1
            assert len(board.ranks) in (0, len(board.rows))
            assert not board.files or len(board.files) == len(board.rows[0])
        if is_terminal(state):
            break
        state = state.result(next(iter(state.actions())))


NOT_CHESS = '''
from typing import NamedTuple
class Chess(NamedTuple):
    """Take 1 or 2; whoever takes the last one wins."""
    heap: int = 5
    mover: int = 0
    def player(self): return self.mover
    def actions(self): return [take for take in (1, 2) if take <= self.heap]
    def result(self, take): return Chess(self.heap - take, 1 - self.mover)
    def utility(self): return 1 if self.mover == 1 else -1
'''


def test_a_class_is_not_ours_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(NOT_CHESS)
    mine, ours = load(str(file)), load("chess")
    assert is_ours(ours.cls, "chess") and not is_ours(mine.cls, "chess")
    assert is_ours(load("go:size=5").cls, "go", "othello") and not is_ours(ours.cls, "go")
    with pytest.raises(ValueError, match="PGN is for chess, not for .*mine.py"):
        to_pgn(begin(mine))
    (tmp_path / "game.pgn").write_text("1. e4 e5 *")
    with pytest.raises(ValueError, match="is a game of chess, not of .*mine.py"):
        open_game(str(file), str(tmp_path / "game.pgn"))
    with pytest.raises(ValueError, match="UCI engines play chess, not .*mine.py"):
        UciSeat(str(file), "none", (), 1.0, 1.0)
    assert read_rules(str(file), "", "", None) != read_rules("chess", "", "", None)
