"""Play with the cube using a cubeless value net: probabilities from the net, equities from Janowski's model.

A value is in the game's units: points for money, and in a match 1 for winning it and -1 for losing it. Doubles, takes
and drops are searched to the end, since they lead to one of two positions: the same board to roll, or the end of the
game.
"""

import time as clock
from typing import Any, cast

from outplay.game import CHANCE, is_terminal
from outplay.games import is_ours
from outplay.games.backgammon.cube import OPENING, standing
from outplay.games.backgammon.position import Backgammon
from outplay.limits import Analysis, watching
from outplay.search.cube.decision import CubeValues, cube_values, score_of
from outplay.search.cube.janowski import Chances
from outplay.search.cube.matches import chance
from outplay.search.protocol import control
from outplay.search.protocol.request import Request
from outplay.tables.bearoff.twosided import TwoSided

Line = tuple[float, tuple[float, ...], int]  # MAX's value, MAX's chances on the board, the action


def has_cube(cls: Any) -> bool:
    """Whether a game is backgammon of fifteen checkers with a cube, or a match."""
    return is_ours(cls, "backgammon") and cls.CHECKERS == 15 and not cls.BARE


def bare(state: Any) -> Any:
    """The same board in a single game without a cube, as whoever rolls sees it."""
    roller, single = state.roller(), cast(Any, Backgammon)
    own, opp = (state.own, state.opp) if state.turn == roller else (state.opp, state.own)
    return single(own, opp, roller, max(state.dice, 0))


class Cubeful:
    """What states with a cube are worth, by a net for the game without one."""

    def __init__(self, look: Any, table: TwoSided | None = None) -> None:
        self.look, self.table = look, table
        self.known: dict[tuple[Any, int], tuple[float, ...]] = {}

    def chances(self, state: Any, plies: int) -> tuple[float, ...]:
        """MAX's chances on the board, each looked at once."""
        board = bare(state)
        if (board, plies) not in self.known:
            self.known[board, plies] = self.look.value(board, plies)[1]
        return self.known[board, plies]

    def remember(self, state: Any) -> None:
        """Evaluate the boards after all plays of a roll in one batch."""
        board = bare(state)
        for _, answers, action in self.look.afterstates(board):
            self.known[board.result(action), 0] = answers

    def cube(self, state: Any, plies: int) -> CubeValues:
        """What the cube may be worth to the side on roll."""
        mine = Chances(*self.chances(state, plies))
        return cube_values(state, mine if state.roller() == 0 else mine.mirrored, self.table)

    def value(self, state: Any, plies: int) -> float:
        """MAX's value of a state before the roll."""
        if is_terminal(state):
            return float(state.utility())
        if state.dice == OPENING:
            return opening_value(state)
        if state.player() == CHANCE:
            sign = 1 - 2 * state.roller()
            values = self.cube(state, plies)
            if values.match is not None:
                return sign * (2 * values.match[0] - 1)
            return sign * values.no_double * standing(state).value
        choices = [self.value(state.result(action), plies) for action in state.actions()]
        return max(choices) if state.player() == 0 else min(choices)


def opening_value(state: Any) -> float:
    """What a new game is worth to MAX: in a match by the score."""
    now = standing(state)
    if now.match == 0:
        return 0.0
    score = score_of(now._replace(on_roll=0))
    return 2 * chance(score.mine, score.yours, score.after) - 1


def think(td: Any, asked: Request) -> Analysis:
    """The best action with a cube; `td` is the search that has the net."""
    begin, state, limits = clock.perf_counter(), asked.state, asked.limits.timed()
    look = td.looking(bare(state))
    look.reset()
    cubeful = Cubeful(look, td.two_sided)
    plies = td.plies if limits.depth is None else min(td.plies, limits.depth - 1)
    if state.player() == CHANCE:
        chances = () if state.dice == OPENING else cubeful.chances(state, plies)
        return td.lines([(cubeful.value(state, plies), chances, None)], asked, plies, begin)
    if state.dice > 0:
        cubeful.remember(state)

    def judged(action: int, depth: int) -> Line:
        after = state.result(action)
        over = is_terminal(after) or after.dice == OPENING  # no chances to report
        return cubeful.value(after, depth), () if over else cubeful.chances(after, depth), action

    sign = 1 if state.player() == 0 else -1
    plays = td.tried(asked.record.legal(), limits.nodes if state.dice > 0 else None)  # cube actions are few
    found = sorted((judged(action, 0) for action in plays), key=lambda line: -sign * line[0])
    told: Analysis = td.lines(found, asked, 0, begin)
    look.value(bare(state), 0)  # whatever has to be compiled is, before the clock runs
    with watching(limits.time, asked.stop, look.halt):
        for depth in range(1, plies + 1):
            try:
                best = [judged(line[2], depth) for line in td.filtered(found, sign, asked.lines)]
            except control.Stopped:
                break
            found = sorted(best, key=lambda line: -sign * line[0]) + found[len(best) :]
            told = td.lines(found, asked, depth, begin)
    return told
