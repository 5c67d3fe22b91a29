"""One test over all games and variants: the contract is kept, interpreted and compiled alike."""

import pytest

from outplay.check import check
from outplay.game import Board, is_terminal
from outplay.games import TABLE, load

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
    "pig:goal=20",
]


@pytest.mark.parametrize(
    "spec", [*(pytest.param(spec, marks=pytest.mark.lanes) for spec in GAMES), *VARIANTS]
)
def test_the_contract_is_kept(spec: str) -> None:
    games = 2 if spec in ("chess", "go") else 20  # their games are long
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
