"""Pascal Pons's test sets of Connect Four, with exact scores: the engine finds who wins, and how fast.

The files are not part of the project; the test is skipped where the folder with reference data is missing.
"""

from pathlib import Path

import pytest

from outplay.games import ConnectFour
from outplay.search.deepen import Engine
from outplay.search.limits import Limits

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "connect4"


@pytest.mark.skipif(not FOLDER.exists(), reason="the reference data are not here")
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"])
def test_a_thousand_positions_are_solved_exactly(name: str) -> None:
    engine = Engine(256, "sound")
    for line in (FOLDER / name).read_text().splitlines():
        moves, score = line.split()
        state = ConnectFour.parse(moves)
        found = engine.search(state, Limits())
        assert found.proven, moves
        assert score_of(found.value, len(moves) + found.depth, state.player()) == int(score), moves


def score_of(value: float | None, plies: int, mover: int) -> int:
    """The set's score: 22 less the stones that the winner has played, for the player to move."""
    if not value:
        return 0
    winner = 0 if value > 0 else 1
    stones = (plies + 1 - winner) // 2
    return (22 - stones) * (1 if winner == mover else -1)
