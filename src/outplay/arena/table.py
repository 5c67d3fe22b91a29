"""A table, at which the same players play one game after the other."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.arena.adjudication import Rules
from outplay.arena.entrants import Entrant
from outplay.arena.faults import Fault
from outplay.arena.referee import Aborted, Effort, Ended, Referee
from outplay.arena.schedule import Pairing
from outplay.arena.seat import Seat
from outplay.arena.timecontrol import Clock, TimeControl
from outplay.games import Game
from outplay.record import Record, write

START = 600.0  # seconds to get ready: native code may have to be compiled
GREETING = 10.0  # seconds, at least, for an external program's first reply


class Terms(NamedTuple):
    """What all games of a match have in common."""

    game: str
    entrants: tuple[Entrant, ...]
    control: TimeControl  # for entrants without their own
    rules: Rules
    margin: float
    patience: float
    seed: int


class Played(NamedTuple):
    """A finished game of the match."""

    number: int
    first: int  # which player was MAX
    score: float  # of the first player of the match: 1, 1/2 or 0
    reason: str  # how it ended, in words
    fault: str | None  # the kind of fault that ended it
    loser: int | None  # which player committed it
    record: str  # the game as a saved record
    efforts: tuple[Effort, Effort]  # of the two players


def restored(line: dict[str, Any]) -> Played:
    """A game as JSON holds it."""
    first, second = (Effort(*effort) for effort in line["efforts"])
    return Played(**line | {"efforts": (first, second)})


class Table:
    """Plays games with its own players; a player that fails loses its game and is restarted."""

    def __init__(self, terms: Terms, game: Game, stopped: Callable[[], bool]) -> None:
        self.terms, self.game, self.stopped = terms, game, stopped
        self.seats: dict[int, Seat] = {}

    def ready(self, player: int) -> None:
        """Start a player; raise a ValueError if it can never play, a Fault if it fails."""
        if player not in self.seats:
            one = self.terms.entrants[player]
            seed, limits = self.terms.seed + player, self._clock(player).limits()
            now = time.monotonic()
            greeting = now + max(GREETING, self.terms.patience)
            self.seats[player] = one.seat(self.game, seed, limits, now + START, greeting)

    def play(self, pairing: Pairing, record: Record) -> Played:
        """Play one game from its record; raise Aborted if it is stopped."""
        ended = self._game(pairing, record)
        if ended.fault and ended.fault != "resign":
            assert ended.loser is not None
            self.dismiss(pairing.first ^ ended.loser)
        return self._played(pairing, ended)

    def dismiss(self, player: int) -> None:
        seat = self.seats.pop(player, None)
        if seat is not None:
            seat.close()

    def stop(self) -> None:
        """Abort the current game by ending its players."""
        self.leave()

    def leave(self) -> None:
        """End the players."""
        for player in list(self.seats):
            self.dismiss(player)

    def _game(self, pairing: Pairing, record: Record) -> Ended:
        if self.stopped():
            raise Aborted
        order = (pairing.first, 1 - pairing.first)
        for side, player in enumerate(order):
            try:
                self.ready(player)
            except (Fault, ValueError) as error:
                fault = error if isinstance(error, Fault) else Fault("crash", str(error))
                lost = record._replace(result=2 * side - 1)
                return Ended(lost, float(side), str(fault), fault.kind, side, (Effort(), Effort()))
        terms = self.terms
        seats = (self.seats[order[0]], self.seats[order[1]])
        clocks = (self._clock(order[0]), self._clock(order[1]))
        return Referee(record, seats, clocks, terms.rules, terms.patience, pairing.dice, self.stopped).play()

    def _clock(self, player: int) -> Clock:
        return Clock(self.terms.entrants[player].control or self.terms.control, self.terms.margin)

    def _played(self, pairing: Pairing, ended: Ended) -> Played:
        """A finished game with players numbered as in the match, not as MAX and MIN."""
        first = pairing.first
        loser = None if ended.loser is None else first ^ ended.loser
        reason = ended.reason if loser is None else f"{self.terms.entrants[loser].name} {ended.reason}"
        score = ended.score if first == 0 else 1 - ended.score
        record = ended.record._replace(headers=(*ended.record.headers, ("end", reason)))
        efforts = (ended.efforts[first], ended.efforts[1 - first])
        return Played(pairing.number, first, score, reason, ended.fault, loser, write(record), efforts)
