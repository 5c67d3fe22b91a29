"""Learning from recorded games by comparison, as Neurogammon did (Tesauro 1989).

An expert's move teaches that its afterstate is better than those of all other moves. For each other move, with d the
difference of the two values for the mover,

    loss = log(1 + exp(-SHARPNESS d))

and both afterstates move along its gradient: one up, the other down. The result of the game teaches what the
afterstate is worth, so that the answers stay chances. Net, run and curve are those of self-play; a recorded game takes
the place of a game that the net plays against itself.
"""

import math
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.compile import inlined, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.learn.folder import Folder
from outplay.learn.td.loop import Run
from outplay.learn.td.selfplay import FINISHED, MOVES, improve, rates_of
from outplay.learn.td.settings import Settings
from outplay.record import Record
from outplay.search.protocol import terms
from outplay.search.valuenet.answers import result
from outplay.search.valuenet.inputs import see, viewer
from outplay.search.valuenet.layers import judge, propagate

pointer = NATIVE["pointer"][ENABLED]
SHARPNESS = 10.0  # a tenth of a point is a clear difference between two plays of backgammon
HELD_OUT = 10  # one game in so many teaches nothing and shows how many moves are predicted


class Lessons(Run):
    """A run that learns from recorded games, in an order that depends on the seed alone."""

    def __init__(self, settings: Settings, folder: Folder, start: Any, records: Sequence[Record]) -> None:
        games = [_moves(record) for record in records]
        self.held = games[HELD_OUT - 1 :: HELD_OUT]
        self.given = [game for i, game in enumerate(games) if i % HELD_OUT != HELD_OUT - 1]
        super().__init__(settings, folder, start)

    def games_until(self, last: int) -> None:
        with explained(self.twin, self.native):
            if last == 0:  # compiles
                study(self.native, np.zeros(0, np.int64), 0, 0, self.net.layers, self.plan, self.mind)
            for number in range(self.game, last):
                native, actions, won = self.given[self.lesson(number)]
                study(native, actions, won, number, self.net.layers, self.plan, self.mind)

    def lesson(self, number: int) -> int:
        """Which game: each comes once before any comes again."""
        epoch, place = divmod(number, len(self.given))
        return int(np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.given))[place])

    def line(self) -> dict[str, Any]:
        return super().line() | {"predicted": round(self.predicted(), 4)}

    def predicted(self) -> float:
        """The share of the moves of the games held out that the net would play."""
        right = asked = 0
        with explained(self.twin, self.native):
            for native, actions, _ in self.held:
                found = predict(native, actions, self.net.layers, self.mind)
                right, asked = right + int(found[0]), asked + int(found[1])
        return right / max(asked, 1)


def lessons_of(start: Any, records: Sequence[Record]) -> list[Record]:
    """The games that can be learned from; an error if one is of another game, or if there are too few."""
    found = []
    for number, record in enumerate(map(terms.inward, records), 1):
        if type(record.start) is not type(start):
            raise ValueError(f"game {number} is one of {record.game}, not of {type(start).__name__}")
        if record.result is not None and record.actions:
            found.append(record)
    if len(found) < HELD_OUT:
        raise ValueError(f"{len(found)} games with moves and a result: {HELD_OUT} or more are needed")
    return found


def digest(records: Sequence[Record]) -> str:
    """What a run learns from, for the first line of its log."""
    code = 0
    for record in records:
        code = zlib.crc32(repr((record.start, record.actions, record.result)).encode(), code)
    return f"{len(records)} games, {code:08x}"


def _moves(record: Record) -> tuple[Any, np.ndarray, float]:
    """A game as kernels replay it: where it begins, its actions, MAX's result."""
    assert record.result is not None
    return (
        twin(type(record.start)).state(record.start),
        np.array(record.actions, np.int64),
        float(record.result),
    )


@kernel
def study(s: Any, moves: Any, won: float, number: int, net: Any, plan: Any, mind: Any) -> None:
    """Replay a game and learn from each of its decisions."""
    rates_of(number, plan, mind)
    for i in range(len(moves)):
        if not s.chance():
            compare(s, moves[i], net, mind)
            if not s.result(moves[i]).terminal():
                known = see(s.result(moves[i]), mind.before)
                propagate(known, net, mind.before)
                result(won, net.scale[0], mind.target)
                improve(net, known, viewer(s.result(moves[i]), mind.before), mind)
            mind.counts[MOVES] += 1
        s = s.result(moves[i])
    if len(moves) > 0:
        mind.counts[FINISHED] += 1


@kernel
def compare(s: Any, played: int, net: Any, mind: Any) -> None:
    """The afterstate of the move that was played is better than that of every other move."""
    actions = pointer(mind.room.choices)
    better = s.result(played)
    if better.terminal():
        return
    sign = 1.0 if s.player() == 0 else -1.0
    for i in range(s.actions(actions, 0)):
        other = s.result(actions[i])
        if actions[i] == played or other.terminal():
            continue
        gap = sign * (
            judge(better, net, mind.room, mind.answers) - judge(other, net, mind.room, mind.answers)
        )
        if gap != 0.0:  # what looks the same to the net teaches nothing
            push = 1.0 / (1.0 + math.exp(SHARPNESS * gap / net.scale[0]))
            move_by(better, sign * push, net, mind)
            move_by(other, -sign * push, net, mind)


@inlined
def move_by(s: Any, push: float, net: Any, mind: Any) -> None:
    """Move an afterstate's value up or down: each answer by its share in the value."""
    judge(s, net, mind.room, mind.target)
    count = len(mind.target)
    most = (count + 1) // 2
    for k in range(count):
        share = 2.0 if k == 0 else 1.0 if k < most else -1.0
        mind.target[k] += np.float32(push * share)
    known = see(s, mind.before)
    propagate(known, net, mind.before)
    improve(net, known, viewer(s, mind.before), mind)


@kernel
def predict(s: Any, moves: Any, net: Any, mind: Any) -> tuple[int, int]:
    """How many decisions of a game the net would make in the same way, or in one that looks the same; of how many."""
    right = asked = 0
    for i in range(len(moves)):
        if not s.chance():
            actions = pointer(mind.room.choices)
            n = s.actions(actions, 0)
            sign = 1.0 if s.player() == 0 else -1.0
            mine = sign * judge(s.result(moves[i]), net, mind.room, mind.answers)
            is_best = True
            for j in range(n):
                is_best = is_best and sign * judge(s.result(actions[j]), net, mind.room, mind.answers) <= mine
            if n > 1:
                asked += 1
                right += 1 if is_best else 0
        s = s.result(moves[i])
    return right, asked
