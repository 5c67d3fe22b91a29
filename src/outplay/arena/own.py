"""Our own players in a process of their own, so that they may hang and crash as programs do.

The process is `python -m outplay.arena.server`. It reads and writes JSON, one object a line:

    {"start": {"game": "othello", "player": "engine", "seed": 1}}    {"name": "engine"}
    {"new": {"start": "-...XO---OX...- X"}}                          {}
    {"choose": {"actions": [37, 43], "limits": [null, null, 0.1]}}   {"analysis": [45, 12, 9, [45, 18], ...]}

Whatever fails is answered by {"fault": [kind, detail]}, and a player that cannot be made by {"refused": why}.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import outplay
from outplay.arena.external import Program
from outplay.arena.faults import Fault
from outplay.arena.seat import Turn
from outplay.record import Record, position_text
from outplay.search.limits import Analysis


class OwnSeat:
    """A player of ours or of a user's file, in a process of its own."""

    def __init__(self, game: str, spec: str, seed: int, deadline: float) -> None:
        root = Path(outplay.__file__).parent.parent
        paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.program = Program(
            [sys.executable, "-m", "outplay.arena.server"],
            os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )
        with self.program.closed_on_error():
            self._ask(deadline, start={"game": game, "player": spec, "seed": seed})

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

    def _ask(self, deadline: float, **request: Any) -> dict[str, Any]:
        self.program.send(json.dumps(request))
        line = self.program.receive(deadline)
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError:
            raise Fault("garbage", line[:80]) from None
        if "refused" in answer:
            raise ValueError(answer["refused"])
        if "fault" in answer:
            raise Fault(*answer["fault"])
        return answer
