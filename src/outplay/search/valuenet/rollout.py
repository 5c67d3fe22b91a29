"""`rollout`: evaluate each of the best moves by playing games on from it."""

import time as clock
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from outplay import words
from outplay.compile import Twin, twin
from outplay.compile.errors import explained
from outplay.game import CHANCE, Block, GameError, adopt_state, kind
from outplay.limits import Analysis, Limits, watching
from outplay.search.mcts.playout import MAX_THREADS, plain_random_bits
from outplay.search.protocol import control
from outplay.search.protocol.options import Options, real, switch, text, whole
from outplay.search.protocol.request import Request
from outplay.search.protocol.search import Search
from outplay.search.valuenet.afterstates import rate_all
from outplay.search.valuenet.inputs import count_inputs
from outplay.search.valuenet.layers import NO_MIDDLE, Layers
from outplay.search.valuenet.memory import EVALUATES, NO_TABLE, NODES, STOP, WEIGHTS, Memory, memory_for
from outplay.search.valuenet.net import ValueNet
from outplay.search.valuenet.rollouts import PLAN, REDUCE, SEED, TRUNCATE, roll_out
from outplay.search.valuenet.td import MARGIN, cubeless, own_net, two_sided

MOST_GAMES = 10**9
ROUND = 36  # games of each candidate between two reports, for each thread
Sample = np.ndarray  # float64[games, answers]: MAX's answers of each game, without its luck


class Candidate(NamedTuple):
    """A move that is rolled out; without an action the position itself."""

    action: int | None
    after: Any  # the state
    seems: float  # worth to MAX, as the net sees it
    sample: Sample | None = None


class Settings(NamedTuple):
    """What users may choose."""

    games: int = 1296
    truncate: int = 0
    reduce: bool = True
    threads: int = 1
    seed: int = 1
    keep: int = 5
    margin: float = MARGIN
    net: str = ""
    bearoff: str = ""

    def checked(self) -> "Settings":
        """The same, if it makes sense."""
        bounds = {
            "games": (2, MOST_GAMES),
            "truncate": (0, 1000),
            "threads": (1, MAX_THREADS),
            "keep": (1, MOST_GAMES),
        }
        for option, (least, most) in bounds.items():
            if not least <= getattr(self, option) <= most:
                raise ValueError(f"{option} must be {least} to {most:,}, not {getattr(self, option)}")
        if not self.margin >= 0:
            raise ValueError(f"margin must be at least 0, not {self.margin}")
        return self

    def plan(self) -> np.ndarray:
        """What kernels read."""
        plan = np.zeros(PLAN, np.int64)
        plan[[SEED, TRUNCATE, REDUCE]] = plain_random_bits(words.wrap(self.seed)), self.truncate, self.reduce
        return plan


USUAL = Settings()


class Rollout(Search):
    """The best move according to rollouts: a value is their mean, reported with its standard error."""

    name = "rollout"
    about = "games played on from the best moves with a value net or evaluation, with variance reduction"
    source = "Tesauro & Galperin 1997; Zare, Hedging toward skill, 2000"
    chance = True
    finds_lines = True
    estimates = True
    options: ClassVar[Options] = {
        "games": whole("games", "games per move"),
        "truncate": whole("truncate", "moves before the net evaluates the position; 0: play to the end"),
        "reduce": switch("reduce", "variance reduction: subtract the luck of the dice"),
        "threads": whole("threads", "number of threads"),
        "seed": whole("seed", "seed for the dice"),
        "keep": whole("keep", "maximum number of moves to roll out"),
        "margin": real("margin", "roll out only moves within this many points of the best"),
        "net": text("net", "a net.npz from `outplay learn td`; default: the game's own, or its evaluation"),
        "bearoff": text("bearoff", "a two-sided table from `outplay table bearoff`, which may end games"),
    }

    options_as = Settings

    def __init__(self, settings: Settings = USUAL) -> None:
        self.settings = settings.checked()
        self.given = ValueNet.load(settings.net) if settings.net else None
        self.table = cubeless(two_sided(settings.bearoff)) if settings.bearoff else NO_TABLE
        self.tables: Tables | None = None

    @classmethod
    def refuse(cls, game: type) -> None:
        super().refuse(game)
        if not kind(game).chance:
            raise GameError(
                f"{cls.name} does not fit {game.__name__}, a game without chance: all games would be the same"
            )

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        """It keeps all: games end by themselves."""

    @classmethod
    def prover(cls, megabytes: float) -> Self:
        raise ValueError(f"{cls.name} samples games and proves nothing: use another search")

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        tables = self.at(state)
        tables.play(tables.twin.state(state), np.zeros((1, tables.answers)), 0, 1)
        if state.player() != CHANCE:
            tables.rated(state)

    def at(self, state: Any) -> "Tables":
        """What is needed for states of a class, made once."""
        if self.tables is None or self.tables.cls is not type(state):
            self.tables = Tables(state, self)
        return self.tables

    def think(self, asked: Request) -> Analysis:
        begin, tables, limits = clock.perf_counter(), self.at(asked.state), asked.limits.timed()
        tables.reset()
        candidates = self.candidates(asked, tables)
        games, step = self.settings.games, ROUND * self.settings.threads
        samples = [np.zeros((games, tables.answers)) for _ in candidates]
        native = [tables.twin.state(one.after) for one in candidates]
        told = self.answer(asked, tables, candidates, begin)
        with watching(limits.time, asked.stop, tables.halt), control.explained(tables.cls):
            for done in range(0, games, step):
                end = min(done + step, games)
                if not all(tables.play(*pair, done, end) for pair in zip(native, samples, strict=True)):
                    break
                known = [
                    one._replace(sample=sample[:end]) for one, sample in zip(candidates, samples, strict=True)
                ]
                told = self.answer(asked, tables, known, begin)
                if limits.nodes is not None and tables.nodes >= limits.nodes:
                    break
        return told

    def candidates(self, asked: Request, tables: "Tables") -> list[Candidate]:
        """The moves that are rolled out, best first by the net alone."""
        state = asked.state
        if state.player() == CHANCE:
            return [Candidate(None, state, 0.0)]
        legal, sign = set(asked.record.legal()), 1 if state.player() == 0 else -1
        rated = [line for line in tables.rated(state) if line[1] in legal]
        rated.sort(key=lambda line: -sign * line[0])
        least = sign * rated[0][0] - self.settings.margin * tables.scale
        kept = [line for line in rated[: self.settings.keep] if sign * line[0] >= least]
        chosen = rated[: max(len(kept), asked.lines)]
        return [Candidate(action, state.result(action), value) for value, action in chosen]

    def answer(self, asked: Request, tables: "Tables", candidates: list[Candidate], begin: float) -> Analysis:
        """The lines by now, best first, which are reported."""
        sign, spent = -1 if asked.state.player() == 1 else 1, clock.perf_counter() - begin
        found = [tables.told(one)._replace(nodes=tables.nodes, time=spent) for one in candidates]
        found.sort(key=lambda analysis: -sign * (analysis.value or 0.0))
        numbered = [one._replace(number=number) for number, one in enumerate(found[: asked.lines], 1)]
        told = numbered[0]._replace(others=tuple(numbered[1:]))
        if asked.report is not None and told.visits:
            asked.report(told)
        return told

    def forget(self) -> None:
        self.tables = None

    @property
    def nodes(self) -> int:
        return 0 if self.tables is None else self.tables.nodes


class Tables:
    """Where the games of a class are played: for each thread a memory."""

    def __init__(self, state: Any, search: Rollout) -> None:
        self.cls: Any = type(state)
        self.twin: Twin = twin(self.cls)
        self.plan, self.threads = search.settings.plan(), search.settings.threads
        path = getattr(self.cls, "value_net", "")
        net = search.given or (own_net(path) if path else None)
        self.block: Block | None = None
        if net is not None:
            net.refuse(state)
            self.layers = net.layers
        else:
            self.layers, self.block = by_evaluation(state), Block(self.cls)
        self.memories = [self.memory(state, search.table) for _ in range(self.threads)]

    def memory(self, state: Any, table: np.ndarray) -> Memory:
        made = memory_for(state, self.layers, table=table)
        if self.block is not None:
            made.counters[[EVALUATES, WEIGHTS]] = 1, self.block.address
        return made

    @property
    def answers(self) -> int:
        return int(self.layers.output.shape[1])

    @property
    def scale(self) -> float:
        return float(self.layers.scale[0])

    @property
    def nodes(self) -> int:
        return sum(int(memory.counters[NODES]) for memory in self.memories)

    def reset(self) -> None:
        for memory in self.memories:
            memory.counters[[NODES, STOP]] = 0

    def halt(self) -> None:
        for memory in self.memories:
            memory.counters[STOP] = 1

    def rated(self, state: Any) -> list[tuple[float, int]]:
        """MAX's value after each action, as the net sees it."""
        native, memory = self.twin.state(state), self.memories[0]
        with explained(self.twin, native), control.explained(self.cls):
            n = rate_all(native, self.layers, memory)
        sign = 1 if state.player() == 0 else -1
        return list(zip((sign * memory.ratings[:n]).tolist(), memory.stack[:n].tolist(), strict=True))

    def play(self, native: Any, sample: Sample, begin: int, end: int) -> bool:
        """Games of these numbers, on all threads; whether they were finished."""
        bounds = np.linspace(begin, end, self.threads + 1).astype(int).tolist()

        def work(thread: int) -> bool:
            first, last = bounds[thread], bounds[thread + 1]
            memory = self.memories[thread]
            with explained(self.twin, native):
                done = roll_out(native, first, last, self.plan, self.layers, memory, sample)
            return bool(done == last - first)

        if self.threads == 1:
            return work(0)
        with ThreadPoolExecutor(self.threads) as pool:
            return all(list(pool.map(work, range(self.threads))))

    def told(self, one: Candidate) -> Analysis:
        """What is known of a move."""
        line = () if one.action is None else (one.action,)
        if one.sample is None:
            return Analysis(one.action, round(one.seems, 6), 1, line, 0, 0.0)
        value, error = self.estimate(one.sample)
        means = np.clip(one.sample.mean(0), 0.0, 1.0).tolist()
        return Analysis(
            one.action, round(value, 6), 1, line, 0, 0.0, visits=len(one.sample),
            chances=tuple(means) if len(means) > 1 else (), error=round(error, 6),
        )  # fmt: skip

    def estimate(self, sample: Sample) -> tuple[float, float]:
        """MAX's value, and its standard error."""
        most = (self.answers + 1) // 2
        values = 2 * sample[:, 0] - 1 + sample[:, 1:most].sum(1) - sample[:, most:].sum(1)
        if self.answers == 1:
            values = values * self.scale
        return float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5


def by_evaluation(state: Any) -> Layers:
    """A net's place where the game's evaluation judges: one answer, in the game's own points."""
    cls: Any = type(state)
    if not hasattr(cls, "evaluate"):
        raise GameError(
            f"{cls.__name__} has neither a value net nor an evaluation: train a net with `outplay learn td`, and "
            "name it, rollout:net=RUN/net.npz"
        )
    scale = float(getattr(cls, "win", 1) or 1)
    hidden, output = np.zeros((count_inputs(state) + 1, 1), np.float32), np.zeros((2, 1), np.float32)
    return Layers(hidden, NO_MIDDLE, output, np.array([scale]))
