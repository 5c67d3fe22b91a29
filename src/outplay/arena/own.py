"""Our own players in a process of their own, so that they may hang and crash as programs do.

The process is `python -m outplay.arena.own`. It reads and writes JSON, one object a line:

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
from outplay.files import describe
from outplay.game import GameError
from outplay.games import Game, load
from outplay.players import IllegalMove, PlayerError
from outplay.players import player as make
from outplay.record import Record, position_text
from outplay.search.limits import Analysis, Limits


class OwnSeat:
    """A player of ours or of a user's file, in a process of its own."""

    def __init__(self, game: str, spec: str, seed: int, deadline: float) -> None:
        root = Path(outplay.__file__).parent.parent
        paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.program = Program(
            [sys.executable, "-m", "outplay.arena.own"], os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        )
        with self.program.closed_on_error():
            self._ask(deadline, start={"game": game, "player": spec, "seed": seed})

    def new_game(self, record: Record, deadline: float) -> None:
        self._ask(deadline, new={"start": position_text(record.start)})

    def choose(self, turn: Turn) -> Analysis:
        answer = self._ask(turn.deadline, choose={"actions": turn.record.actions, "limits": turn.limits})
        action, value, depth, line, *rest = answer["analysis"]
        return Analysis(action, value, depth, tuple(line), *rest)

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


# --- the other side -------------------------------------------------------------------------------------


class Server:
    """Answers the requests of an OwnSeat."""

    game: Game
    player: Any
    begun: Record

    def start(self, game: str, player: str, seed: int) -> dict[str, Any]:
        self.game = load(game)
        self.player = make(player, seed)
        if hasattr(self.player, "prepare") and self.game.start is not None:
            self.player.prepare(self.game.start)
        return {"name": self.player.name}

    def new(self, start: str) -> dict[str, Any]:
        self.begun = Record(self.game.spec, self.game.position(start))
        if hasattr(self.player, "new_game"):
            self.player.new_game()
        return {}

    def choose(self, actions: list[int], limits: list[Any]) -> dict[str, Any]:
        record = self.begun._replace(actions=tuple(actions))
        return {"analysis": self.player(record, Limits(*limits))}

    def answer(self, line: str) -> dict[str, Any]:
        ((name, arguments),) = json.loads(line).items()
        try:
            return getattr(self, name)(**arguments)
        except IllegalMove as error:
            return {"fault": ["illegal", str(error)]}
        except PlayerError as error:
            return {"fault": ["crash", str(error)]}
        except (ValueError, GameError) as error:
            why = " ".join(str(error).split())
            return {"refused": why} if name == "start" else {"fault": ["crash", why]}
        except Exception as error:
            return {"fault": ["crash", describe(error)]}


def plain(value: Any) -> Any:
    """A NumPy number as JSON writes it."""
    return value.item()


def serve() -> None:
    """Answer requests until there are no more. What a player prints goes to standard error."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    server = Server()
    for line in requests:
        answers.write(json.dumps(server.answer(line), default=plain) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
