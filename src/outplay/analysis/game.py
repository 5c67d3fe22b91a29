"""The analysis of a game, move by move, backwards from its end.

Backwards, so that the search of a position profits from the later ones, whose lines are in the transposition table. If
a move turns out better than the search before it had found, it is the best move known, so no loss is negative.
"""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.analysis.judgement import expected_score, loss, verdict
from outplay.game import CHANCE, GameError, is_outcome, is_terminal, kind, worth
from outplay.limits import Analysis, Limits
from outplay.players import judge_for
from outplay.record import Record, unclaimed
from outplay.search.protocol.options import split
from outplay.search.protocol.rank import before, standing
from outplay.search.protocol.search import Search
from outplay.search.searches import named


class Judged(NamedTuple):
    """A move of a game."""

    number: int  # how many actions came before
    state: Any  # before the move
    action: int
    best: Analysis  # best play
    played: Analysis  # the move played, and best play after it
    loss: float  # of the mover's expected score, 0 to 1; in backgammon of its equity
    verdict: str  # "blunder", "mistake", "inaccuracy" or ""

    @property
    def expected(self) -> tuple[float, float]:
        """The mover's expected score, with the best move and with this one."""
        first, second = (expected_score(type(self.state), found) for found in (self.best, self.played))
        return (first, second) if self.state.player() == 0 else (1 - first, 1 - second)


class Analyst:
    """Analyses positions; the search keeps its transposition table between them."""

    def __init__(self, limits: Limits, megabytes: float = 64) -> None:
        self.limits, self.megabytes = limits, megabytes
        self.searches: dict[type, Search] = {}  # by game

    def search_of(self, cls: type) -> Search:
        if kind(cls).players > 2:
            raise GameError(
                f"{cls.__name__} is for {kind(cls).players} players: only moves of one or two are judged"
            )
        if cls not in self.searches:
            name, given = split(judge_for(cls))
            room = {"hash": self.megabytes} if "hash" in named(name).options else {}
            self.searches[cls] = named(name).make({**given, **room})
        return self.searches[cls]

    def look(
        self, record: Record, stop: threading.Event | None = None, nearer: int = 0, passed: bool = False
    ) -> Analysis:
        """Best play from a record's last position, searched `nearer` plies less deeply.

        `passed`: the game went on there, so a draw that could be claimed was not claimed.
        """
        limits, search = self.limits, self.search_of(type(record.state))
        if record.is_over and not passed:
            return over(record.state)
        if limits.depth is not None:
            limits = limits._replace(depth=max(1, limits.depth - nearer))
        on = unclaimed(record.state)
        at = record if on == record.state else on
        return search.search(at, limits, stop=stop, past=record.past())

    def why(self, record: Record, action: int, stop: threading.Event | None = None) -> Judged:
        """Compare an action with the best one: the line that refutes it, if it is worse."""
        if record.is_over or record.state.player() == CHANCE:
            raise ValueError("no player moves here: the game is over, or chance moves")
        after = self.look(record.play(action), stop, nearer=1)
        return judged(len(record.actions), record.state, action, self.look(record, stop), after)

    def game(
        self,
        record: Record,
        report: Callable[[Judged], None] | None = None,
        stop: threading.Event | None = None,
    ) -> list[Judged]:
        """Every move of the players in order; after a `stop`, only the moves at the end that are analysed.

        `report` is called with each judged move: the last move first.
        """
        lengths = range(len(record.actions) + 1)
        places = [record._replace(actions=record.actions[:n], result=None) for n in lengths]
        found: list[Judged] = []
        after = self.look(places[-1], stop)
        for number in lengths[-2::-1]:
            state = places[number].state
            here = self.look(places[number], stop, passed=True)
            if stop is not None and stop.is_set():
                break
            move = judged(number, state, record.actions[number], here, after)
            after = move.best
            if state.player() != CHANCE:
                found.append(move)
                if report is not None:
                    report(move)
        return found[::-1]


def judged(number: int, state: Any, action: int, found: Analysis, after: Analysis) -> Judged:
    """Judge a move, given best play before and after it."""
    if state.player() == CHANCE:
        return Judged(number, state, action, found, found, 0.0, "")
    played = delayed(type(state), before(action, after))
    if found.action == action:
        found = played = deeper(found, played)
    elif not found.proven and better(state, played, found):
        found = played
    lost = loss(state, found, played)
    return Judged(number, state, action, found, played, lost, verdict(lost, type(state)))


def better(state: Any, one: Analysis, other: Analysis) -> bool:
    """Whether one line is better for the mover than another."""
    difference = standing(type(state), one) - standing(type(state), other)
    return difference > 0 if state.player() == 0 else difference < 0


def deeper(one: Analysis, other: Analysis) -> Analysis:
    """The better founded analysis: a proven one, or else the deeper one."""
    return max(one, other, key=lambda found: (found.proven, found.depth, found is one))


def delayed(cls: type, found: Analysis) -> Analysis:
    """The same analysis one ply earlier: an outcome is a ply further away."""
    if worth(cls) == 1 or not is_outcome(cls, found.score):
        return found
    return found._replace(score=found.score - (1 if found.score > 0 else -1))


def over(state: Any) -> Analysis:
    """The analysis of a finished game: over by the rules or by repetition."""
    value = state.utility() if is_terminal(state) else 0
    return Analysis(None, value, 0, (), 0, 0.0, True, value * worth(type(state)))
