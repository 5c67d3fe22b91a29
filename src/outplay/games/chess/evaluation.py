"""What a chess position is worth before anybody looks ahead, in hundredths of a pawn."""

from typing import TYPE_CHECKING

from outplay.bits import popcount

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess


def evaluate(position: "Chess") -> int:
    """The value for the player to move."""
    return material(position, position.own) - material(position, position.opp)


def material(position: "Chess", side: int) -> int:
    """The material value of one side: 1 for a pawn, 3, 3.25, 5 and 9 for the others, as the lectures have it.

    A queen is in two sets, with the bishops and with the rooks, and is worth 0.75 more than both.
    """
    return (
        100 * popcount(side & position.pawns)
        + 300 * popcount(side & position.knights)
        + 325 * popcount(side & position.diagonal)
        + 500 * popcount(side & position.straight)
        + 75 * popcount(side & position.diagonal & position.straight)
    )
