"""One game between two players: the referee requests moves, keeps the clocks, checks legality, and records the game."""

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.arena.adjudication import Adjudicator, Rules, Verdict
from outplay.arena.faults import Fault
from outplay.arena.seat import Seat, Turn
from outplay.arena.timecontrol import Clock
from outplay.game import CHANCE, chances, is_terminal, player_of
from outplay.limits import Analysis
from outplay.record import Record


class Effort(NamedTuple):
    """What a player used in a game."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0  # seconds of its longest move
    nodes: int = 0
    depth: int = 0  # summed over its moves

    def plus(self, analysis: Analysis, seconds: float) -> "Effort":
        return Effort(
            self.moves + 1,
            self.seconds + seconds,
            max(self.longest, seconds),
            self.nodes + analysis.nodes,
            self.depth + analysis.depth,
        )


class Ended(NamedTuple):
    """A game that is over."""

    record: Record
    score: float  # MAX's: 1, 1/2 or 0
    reason: str
    fault: str | None  # the kind of fault that decided it
    loser: int | None  # the player that committed it
    efforts: tuple[Effort, Effort]


class Aborted(Exception):
    """The match is being stopped: the game does not count."""


class Referee:
    """Plays one game."""

    def __init__(
        self,
        record: Record,
        seats: tuple[Seat, Seat],  # of MAX and of MIN
        clocks: tuple[Clock, Clock],
        rules: Rules,
        patience: float,
        dice: int = 0,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.record, self.seats, self.clocks = record, seats, clocks
        self.adjudicator = Adjudicator(rules)
        self.patience, self.dice, self.stopped = patience, dice, stopped
        self.efforts = [Effort(), Effort()]
        self.rolls = 0

    def play(self) -> Ended:
        """Play the game from its record's last position to the end."""
        mover = 0
        try:
            for mover in (0, 1):
                self.seats[mover].new_game(self.record, time.monotonic() + self.patience)
            while True:
                state = self.record.state
                if self.record.result is not None:
                    how = "played to the end" if is_terminal(state) else "repetition"
                    return self.ended(Verdict(score_of(self.record.result), how))
                if (player := player_of(state)) == CHANCE:
                    self.record = self.record.play(self.roll(state))
                    continue
                mover = player
                verdict = self.move(mover, state)
                if verdict is not None and self.record.result is None:
                    return self.ended(verdict)
        except Fault as fault:
            if self.stopped():
                raise Aborted from None
            return self.ended(Verdict(float(mover), str(fault)), fault.kind, mover)

    def move(self, mover: int, state: Any) -> Verdict | None:
        """Play one move; return the verdict if adjudication ends the game."""
        if self.stopped():
            raise Aborted
        clock = self.clocks[mover]
        allowed = clock.allowed()
        limits, other = clock.limits(), self.clocks[1 - mover].limits()
        begin = time.monotonic()
        deadline = begin + (allowed or 0.0) + self.patience
        analysis = self.seats[mover].choose(Turn(self.record, limits, other, deadline))
        spent = self.seats[mover].spent()
        seconds = time.monotonic() - begin if spent is None else spent
        if not clock.spend(seconds):
            raise Fault("time", f"{seconds:.3f} s used, {allowed:.3f} s allowed")
        action = analysis.action
        if action is None or action not in state.actions() or self.record.forbids(action):
            raise Fault("illegal", f"action {action} in {state}")
        self.efforts[mover] = self.efforts[mover].plus(analysis, seconds)
        self.record = self.record.play(action).comment(said(analysis, seconds, clock.left))
        return self.adjudicator.observe(mover, analysis, len(self.record.actions))

    def roll(self, state: Any) -> int:
        """Draw an outcome. The n-th draw depends only on the seed and n, so both games of a pair share it."""
        self.rolls += 1
        outcomes, weights = zip(*chances(state), strict=True)
        return int(random.Random(f"{self.dice} {self.rolls}").choices(outcomes, weights)[0])

    def ended(self, verdict: Verdict, fault: str | None = None, loser: int | None = None) -> Ended:
        record = self.record
        if record.result is None:
            record = record._replace(result=int(2 * verdict.score - 1))
        efforts = (self.efforts[0], self.efforts[1])
        return Ended(record, verdict.score, verdict.reason, fault, loser, efforts)


def score_of(utility: float) -> float:
    """A utility for MAX as a score: a win is 1, a draw 1/2."""
    return 0.5 if utility == 0 else float(utility > 0)


SAID = r"(?P<value>[+-][^/]+)?/(?P<depth>\d+) (?P<seconds>[\d.]+)s(?: (?P<left>[\d.]+)s left)?"


def said(analysis: Analysis, seconds: float, left: float | None = None) -> str:
    """A move's comment, as in `+35/12 0.102s 9.9s left`: MAX's value, with `!` if it is proven, and the depth."""
    value = "" if analysis.value is None else f"{analysis.value:+g}{'!' if analysis.proven else ''}"
    clock = "" if left is None else f" {left:.3f}s left"
    return f"{value}/{analysis.depth} {seconds:.3f}s{clock}"
