"""The other side of `outplay.arena.own`: a process that serves its requests with a player."""

from typing import Any

from outplay.arena.dialogue import Answer, serve
from outplay.files import describe
from outplay.games import Game, load
from outplay.limits import Limits
from outplay.players import IllegalMove
from outplay.players import player as make
from outplay.record import Record


class Server:
    """Answers the requests of an OwnSeat."""

    game: Game
    player: Any
    begun: Record

    def start(self, game: str, player: str, seed: int, limits: list[Any]) -> Answer:
        self.game = load(game)
        self.player = make(player, seed)
        if hasattr(self.player, "prepare") and self.game.start is not None:
            self.player.prepare(self.game.start, Limits(*limits))
        return {"name": self.player.name}

    def new(self, start: str) -> Answer:
        self.begun = Record(self.game.spec, self.game.position(start))
        if hasattr(self.player, "new_game"):
            self.player.new_game()
        return {}

    def choose(self, actions: list[int], limits: list[Any]) -> Answer:
        record = self.begun._replace(actions=tuple(actions))
        return {"analysis": self.player(record, Limits(*limits))}

    def answer(self, name: str, arguments: dict[str, Any]) -> Answer:
        try:
            found: Answer = getattr(self, name)(**arguments)
            return found
        except ValueError as error:
            why = " ".join(str(error).split())
            kind = "illegal" if isinstance(error, IllegalMove) else "crash"
            return {"refused": why} if name == "start" else {"fault": [kind, why]}
        except Exception as error:  # in the user's player or rules: reported, and the match goes on
            return {"fault": ["crash", describe(error)]}


def main() -> None:
    serve(Server().answer, leave=lambda: None)
