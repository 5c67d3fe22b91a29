"""Games against a fixed opponent, to measure a net's progress: random play, or any other player."""

from collections.abc import Callable
from typing import Any, NamedTuple

from outplay import words
from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.learn.td.selfplay import LONGEST, best_action, is_back, mind_for, pointer, wrap
from outplay.search.mcts.playout import GOLDEN, choose, plain_random_bits, random_bits
from outplay.search.protocol import control
from outplay.search.valuenet.net import ValueNet

Choice = Callable[[Any], int]


class Score(NamedTuple):
    """Of games against an opponent."""

    games: int
    points: float  # a game
    error: float  # its standard error
    won: float  # share of the games

    @classmethod
    def of(cls, points: list[float]) -> "Score":
        mean = sum(points) / len(points)
        spread = sum((p - mean) ** 2 for p in points) / max(len(points) - 1, 1)
        won = sum(p > 0 for p in points) / len(points)
        return cls(len(points), mean, (spread / len(points)) ** 0.5, won)


class Table:
    """A net at a table; it changes sides after each game."""

    def __init__(self, net: ValueNet, start: Any) -> None:
        net.refuse(start)
        self.net = net
        self.cls = type(start)
        self.twin = twin(self.cls)
        self.native = self.twin.state(start)
        self.mind = mind_for(start, net.layers, 0.0)

    def play(self, rival: Choice | None, games: int, seed: int = 1) -> Score:
        """Games against a player who is given native states; None: against random play."""
        points, begin = [], plain_random_bits(words.wrap(seed))
        with explained(self.twin, self.native), control.explained(self.cls):
            for game in range(games):
                s, x, moves = self.native, plain_random_bits(words.wrap(begin + game)), 0
                while moves >= 0:
                    s, x, moves = _advance(s, x, moves, game & 1, rival is None, self.net.layers, self.mind)
                    if moves >= 0 and rival is not None:
                        s = _after(s, rival(s))
                points.append(float(_points(s, game & 1)))
        return Score.of(points)


@kernel
def _advance(s: Any, x: int, moves: int, seat: int, rival: int, net: Any, mind: Any) -> Any:
    """Play on until the opponent is to move: the state there, the counter of random bits, and the moves so far.

    Moves are -1 where the game is over. With `rival` the opponent moves at random, here.
    """
    while not s.terminal():
        x = wrap(x + GOLDEN)
        if s.chance():
            s = s.result(choose(s, random_bits(x), 0, pointer(mind.room.choices)))
            continue
        if moves >= LONGEST or is_back(s, mind.keys, moves):
            break
        mind.keys[moves] = s.identity() if s.repetition() != 0 else 0
        moves += 1
        if s.player() == seat:
            s = s.result(best_action(s, net, mind, moves))
        elif rival:
            s = s.result(choose(s, random_bits(x), 0, pointer(mind.room.choices)))
        else:
            return s, x, moves
    return s, x, -1


@kernel
def _after(s: Any, action: int) -> Any:
    return s.result(action)


@kernel
def _points(s: Any, seat: int) -> float:
    """What the net has won; nothing in a game that did not end."""
    if not s.terminal():
        return 0.0
    won = s.utility() / s.worth()
    return won if seat == 0 else -won
