"""`td`: play with a value net: the best afterstate (0 plies), or with some plies of lookahead."""

import time as clock
from typing import Any, ClassVar, Self

import numpy as np

from outplay.compile import Twin, twin
from outplay.compile.errors import explained
from outplay.game import CHANCE, GameError, adopt_state
from outplay.limits import Analysis, Limits, watching
from outplay.search.cube.player import bare, has_cube
from outplay.search.cube.player import think as with_cube
from outplay.search.protocol import control
from outplay.search.protocol.options import Options, real, text, whole
from outplay.search.protocol.request import Request
from outplay.search.protocol.search import Search
from outplay.search.valuenet.afterstates import rate_all
from outplay.search.valuenet.lookahead import look
from outplay.search.valuenet.memory import NO_TABLE, NODES, STOP, memory_for
from outplay.search.valuenet.net import ValueNet
from outplay.tables.bearoff.twosided import CUBELESS, TwoSided

MOST_PLIES = 4
MARGIN = 0.2  # of the points that a game is about
CURE = "learn one by `outplay learn td`, and name it, td:net=RUN/net.npz"


class TD(Search):
    """The best afterstate according to a value net. Its value is an estimate in points of utility, never proven.

    A node limit limits the plays of a roll that it chooses from.
    """

    name = "td"
    about = "the best afterstate according to a value net (TD-Gammon), with lookahead"
    source = "Tesauro 1992, 1995; Sutton & Barto, Reinforcement Learning: 16.1"
    chance = True
    finds_lines = True
    estimates = True
    options: ClassVar[Options] = {
        "net": text("net", "a net.npz from `outplay learn td`; default: the game's own"),
        "plies": whole("plies", "plies of lookahead, 0 to 4"),
        "keep": whole("keep", "maximum number of moves to search deeper"),
        "margin": real("margin", "search deeper only moves within this many points of the best"),
        "replies": whole("replies", "the same as keep, for replies"),
        "bearoff": text("bearoff", "a two-sided table from `outplay table bearoff`, probed first"),
    }

    def __init__(
        self,
        net: str = "",
        plies: int = 0,
        keep: int = 8,
        margin: float = MARGIN,
        replies: int = 2,
        bearoff: str = "",
    ) -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise ValueError(f"plies must be 0 to {MOST_PLIES}, not {plies}")
        for option, number in (("keep", keep), ("replies", replies)):
            if number < 1:
                raise ValueError(f"{option} must be at least 1, not {number}")
        if not margin >= 0:
            raise ValueError(f"margin must be at least 0, not {margin}")
        self.path, self.plies, self.keep, self.margin, self.replies = net, plies, keep, margin, replies
        self.given = ValueNet.load(net) if net else None
        if self.given is not None:
            self.refuse = super().refuse  # type: ignore[method-assign]  # any game, if the net fits it
        self.two_sided = two_sided(bearoff) if bearoff else None
        self.table = NO_TABLE if self.two_sided is None else cubeless(self.two_sided)
        self.look: Look | None = None

    @classmethod
    def refuse(cls, game: type) -> None:
        """Without a net that is named, it plays games that bring one, and backgammon with a cube."""
        super().refuse(game)
        if not getattr(game, "value_net", "") and not has_cube(game):
            raise GameError(f"{game.__name__} comes without a value net: {CURE}")

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        """It keeps all: the net judges at any depth."""

    @classmethod
    def prover(cls, megabytes: float) -> Self:
        raise ValueError(f"{cls.name} estimates with a net and proves nothing: use another search")

    def net_for(self, cls: Any) -> ValueNet:
        """The net that was named, or the game's own."""
        if self.given is not None:
            return self.given
        path = getattr(cls, "value_net", "")
        if not path:
            raise GameError(f"{cls.__name__} comes without a value net: {CURE}")
        return own_net(path)

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        board = bare(state) if has_cube(type(state)) else state
        self.looking(board).value(board, 0)
        if board.player() in (0, 1):
            self.looking(board).afterstates(board)

    def looking(self, state: Any) -> "Look":
        """The memory for states of a class, made once."""
        if self.look is None or self.look.cls is not type(state):
            self.look = Look(self.net_for(type(state)), state, self.replies, self.table)
        return self.look

    def think(self, asked: Request) -> Analysis:
        if has_cube(type(asked.state)):
            return with_cube(self, asked)
        begin, state = clock.perf_counter(), asked.state
        looking = self.looking(state)
        looking.reset()
        limits = asked.limits.timed()
        plies = self.plies if limits.depth is None else min(self.plies, limits.depth - 1)
        if state.player() == CHANCE:
            value, chances = looking.value(state, plies)
            return answer(None, value, chances, plies, (looking.nodes, begin))
        legal = set(asked.record.legal())
        found = self.tried([line for line in looking.afterstates(state) if line[2] in legal], limits.nodes)
        sign, depth = (1 if state.player() == 0 else -1), 0
        found.sort(key=lambda line: -sign * line[0])
        told = self.lines(found, asked, depth, begin)
        looking.value(state, 0)  # whatever has to be compiled is, before the clock runs
        with watching(limits.time, asked.stop, looking.halt):
            for deeper in range(1, plies + 1):
                try:
                    best = [(*looking.value(state.result(line[2]), deeper), line[2])
                            for line in self.filtered(found, sign, asked.lines)]  # fmt: skip
                except control.Stopped:
                    break
                found = sorted(best, key=lambda line: -sign * line[0]) + found[len(best) :]
                depth = deeper
                told = self.lines(found, asked, depth, begin)
        return told

    @staticmethod
    def tried(plays: list[Any], most: int | None) -> list[Any]:
        """The plays to choose from: all, or as many as a limit allows, at even distances in their list."""
        count = len(plays) if most is None else min(len(plays), max(1, most))
        return [plays[i * len(plays) // count] for i in range(count)]

    def filtered(self, found: list[Any], sign: int, lines: int) -> list[Any]:
        """The moves to search deeper, best first: a move filter."""
        least = sign * found[0][0] - self.margin * self.net_scale()
        kept = [line for line in found[: self.keep] if sign * line[0] >= least]
        return found[: max(len(kept), lines)]

    def net_scale(self) -> float:
        """What a whole game is worth to the net."""
        assert self.look is not None
        return float(self.look.layers.scale[0])

    def lines(self, found: list[Any], asked: Request, depth: int, begin: float) -> Analysis:
        """The best lines by now, which are reported."""
        lines = [
            answer(action, value, chances, depth, (self.nodes, begin))._replace(number=number)
            for number, (value, chances, action) in enumerate(found[: asked.lines], 1)
        ]
        told = lines[0]._replace(others=tuple(lines[1:]))
        if asked.report is not None:
            asked.report(told)
        return told

    def chances(self, state: Any) -> tuple[float, ...]:
        """MAX's answers at a state, as the net sees it; a cube it does not see."""
        state = adopt_state(state)
        state = bare(state) if has_cube(type(state)) else state
        return self.looking(state).value(state, 0)[1]

    def forget(self) -> None:
        self.look = None

    @property
    def nodes(self) -> int:
        return 0 if self.look is None else self.look.nodes


_own: dict[str, ValueNet] = {}


def own_net(path: str) -> ValueNet:
    """A game's own net, read once."""
    if path not in _own:
        _own[path] = ValueNet.load(path)
    return _own[path]


def two_sided(path: str) -> TwoSided:
    """A two-sided bear-off table of six points."""
    table = TwoSided.load(path)
    if table.points != 6:
        raise ValueError(f"{path} is a table with {table.points} points: expected six")
    return table


def cubeless(table: TwoSided) -> np.ndarray:
    """A table without its cubes."""
    return np.ascontiguousarray(table.equities[:, :, CUBELESS])


def answer(
    action: int | None, value: float, chances: tuple[float, ...], depth: int, told: tuple[int, float]
) -> Analysis:
    """A value and its chances as an Analysis; `told`: the nodes, and when the search began."""
    line = () if action is None else (action,)
    nodes, begin = told
    shown = chances if len(chances) > 1 else ()
    spent = clock.perf_counter() - begin
    return Analysis(action, round(value, 6), depth + 1, line, nodes, spent, chances=shown)


class Look:
    """A net that is asked of states of one class."""

    def __init__(self, net: ValueNet, state: Any, replies: int, table: Any = NO_TABLE) -> None:
        net.refuse(state)
        self.cls, self.layers = type(state), net.layers
        self.twin: Twin = twin(self.cls)
        self.memory = memory_for(state, net.layers, replies, table)

    def value(self, state: Any, plies: int) -> tuple[float, tuple[float, ...]]:
        """MAX's value of a state, and the answers it stands for."""
        native = self.twin.state(state)
        with explained(self.twin, native), control.explained(self.cls):
            value = float(look(native, plies, 0, self.layers, self.memory))
        return value, tuple(self.memory.rows[0].tolist())

    def afterstates(self, state: Any) -> list[tuple[float, tuple[float, ...], int]]:
        """MAX's value after each action, the answers it stands for, and the action."""
        native = self.twin.state(state)
        with explained(self.twin, native), control.explained(self.cls):
            n = rate_all(native, self.layers, self.memory)
        self.memory.counters[NODES] += n
        sign = 1 if state.player() == 0 else -1
        values, answers = (sign * self.memory.ratings[:n]).tolist(), self.memory.answers[:n].tolist()
        actions = self.memory.stack[:n].tolist()
        return [(values[i], tuple(answers[i]), actions[i]) for i in range(n)]

    @property
    def nodes(self) -> int:
        return int(self.memory.counters[NODES])

    def reset(self) -> None:
        self.memory.counters[[NODES, STOP]] = 0

    def halt(self) -> None:
        self.memory.counters[STOP] = 1
