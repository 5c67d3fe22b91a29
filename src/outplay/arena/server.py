"""The other side of `outplay.arena.own`: a process that answers its requests with a player.

What a player prints goes to standard error, so that it cannot be taken for an answer.
"""

import json
import os
from typing import Any

from outplay.files import describe
from outplay.game import GameError
from outplay.games import Game, load
from outplay.players import IllegalMove
from outplay.players import player as make
from outplay.record import Record
from outplay.search.limits import Limits


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
        except (ValueError, GameError) as error:
            why = " ".join(str(error).split())
            kind = "illegal" if isinstance(error, IllegalMove) else "crash"
            return {"refused": why} if name == "start" else {"fault": [kind, why]}
        except Exception as error:  # a user's own player or rules: the match hears of it, and goes on
            return {"fault": ["crash", describe(error)]}


def plain(value: Any) -> Any:
    """A NumPy number as JSON writes it."""
    return value.item()


def serve() -> None:
    """Answer requests until there are no more."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    server = Server()
    for line in requests:
        answers.write(json.dumps(server.answer(line), default=plain) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
