"""Our own players in a separate process, so that a hang or a crash cannot stop the match.

The process runs `outplay.arena.server`; the requests, in the protocol of `outplay.arena.dialogue`, are

    {"start": {"game": "othello", "player": "engine", "seed": 1, "limits": [null, ...]}}  {"name": ...}
    {"new": {"start": "-...XO---OX...- X"}}                          {}
    {"choose": {"actions": [37, 43], "limits": [null, null, 0.1]}}   {"analysis": [45, 12, 9, [45, 18], ...]}
"""

from typing import Any

from outplay.arena.dialogue import Answer, accepted, ask, start
from outplay.arena.seat import Turn
from outplay.limits import Analysis, Limits
from outplay.record import Record, position_text


class OwnSeat:
    """One of our players, or one from a user's file, in a separate process."""

    def __init__(self, game: str, spec: str, seed: int, limits: Limits, deadline: float) -> None:
        self.program = start("outplay.arena.server")
        with self.program.closed_on_error():
            self._ask(deadline, start={"game": game, "player": spec, "seed": seed, "limits": limits})

    def new_game(self, record: Record, deadline: float) -> None:
        self._ask(deadline, new={"start": position_text(record.start)})

    def choose(self, turn: Turn) -> Analysis:
        answer = self._ask(turn.deadline, choose={"actions": turn.record.actions, "limits": turn.limits})
        action, value, depth, line, *rest = answer["analysis"]
        return Analysis(action, value, depth, tuple(line), *rest)

    def spent(self) -> float:
        return self.program.spent

    def close(self) -> None:
        self.program.close()

    def _ask(self, deadline: float, **request: Any) -> Answer:
        return accepted(ask(self.program, request, deadline))
