"""Pascal Pons's test set of Connect Four endings, with exact scores: the engine finds who wins, and how fast.

The file is not part of the project; the test is skipped where the folder with reference data is missing.
"""

from pathlib import Path

import pytest

from outplay.games import ConnectFour
from outplay.search.deepen import Engine
from outplay.search.limits import Limits

FILE = Path(__file__).parents[3] / "shared" / "data" / "connect4" / "Test_L3_R1"


@pytest.mark.skipif(not FILE.exists(), reason="the reference data are not here")
def test_endings_are_solved_exactly() -> None:
    engine = Engine(64, "exact")
    for line in FILE.read_text().splitlines():
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
