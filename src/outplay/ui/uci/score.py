"""Scores in UCI notation."""

from typing import Any

from outplay.game import WIN


def score_text(state: Any, score: int) -> str:
    """`cp 34` or `mate -3`, for the player to move; `score` is MAX's."""
    mine = score if state.player() == 0 else -score
    if abs(mine) <= WIN // 2:
        return f"cp {mine}"
    plies = WIN - abs(mine)
    return f"mate {(plies + 1) // 2}" if mine > 0 else f"mate -{(plies + 1) // 2}"
