"""The other side of `outplay.arena.remote`: a process with its own table, which plays the requested games."""

import threading
from typing import Any

from outplay.arena.adjudication import Rules
from outplay.arena.dialogue import Answer, serve
from outplay.arena.entrants import Entrant
from outplay.arena.faults import Fault
from outplay.arena.referee import Aborted
from outplay.arena.schedule import Pairing
from outplay.arena.table import Table, Terms
from outplay.arena.timecontrol import TimeControl
from outplay.files import describe
from outplay.games import Game, load
from outplay.record import Record


class Worker:
    """Answers the requests of a RemoteTable."""

    table: Table
    game: Game

    def __init__(self) -> None:
        self.stopping = threading.Event()

    def sit(self, terms: list[Any]) -> Answer:
        read = read_terms(*terms)
        self.game = load(read.game)
        self.table = Table(read, self.game, self.stopping.is_set)
        return {}

    def ready(self, player: int) -> Answer:
        self.table.ready(player)
        return {}

    def play(self, pairing: list[int], start: str, actions: list[int], headers: list[list[str]]) -> Answer:
        record = Record(
            self.game.spec, self.game.position(start), tuple(actions),
            headers=tuple((key, value) for key, value in headers),
        )  # fmt: skip
        return {"played": self.table.play(Pairing(*pairing), record)._asdict()}

    def answer(self, name: str, arguments: dict[str, Any]) -> Answer | None:
        try:
            found: Answer = getattr(self, name)(**arguments)
            return found
        except Aborted:
            return None
        except Fault as fault:
            return {"fault": [fault.kind, fault.detail]}
        except ValueError as error:
            return {"refused": str(error)}
        except Exception as error:  # in the user's rules: the match ends with this message
            return {"refused": describe(error)}

    def leave(self) -> None:
        """The runner has gone: abort the game and end its players."""
        self.stopping.set()
        if hasattr(self, "table"):
            self.table.leave()


def read_terms(game: str, entrants: list[Any], control: list[Any], rules: list[Any], *numbers: Any) -> Terms:
    """Terms from JSON, where every tuple is a list."""
    return Terms(
        game,
        tuple(_entrant(*one) for one in entrants),
        TimeControl(*control),
        Rules(*map(_tuple, rules)),
        *numbers,
    )


def _entrant(name: str, kind: str, command: str, options: list[Any], control: Any, player: None) -> Entrant:
    own = None if control is None else TimeControl(*control)
    return Entrant(name, kind, command, tuple((key, value) for key, value in options), own)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def main() -> None:
    worker = Worker()
    serve(worker.answer, worker.leave)
