"""What the jobs do: choose a move, look at a position, value every position of a game."""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from outplay.game import CHANCE, WIN, is_terminal, line_texts, outcome, read_score, worth
from outplay.limits import Analysis, Limits
from outplay.search.deepen import PLAY, Engine
from outplay.search.driver import best, fitting, prepare, runner, strongest
from outplay.search.switches import switches
from outplay.ui.board import share, value_text
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.jobs import Job
from outplay.ui.web.schema import MAX_SECONDS, Analyse, Plot, Prepare, Seat, Think
from outplay.ui.web.view import Position, Positions, record_of

MEGABYTES = 32  # of a search's table
SHOWN = 12  # moves of a line
PAUSE = 0.08  # seconds between reports, at least
DEFAULT_SECONDS = 1.0  # to think, where a seat has no limit
POINT_SECONDS, PLOT_SECONDS = 0.3, 30.0  # for a point of the plot at most, and for all of them
OUTCOMES = {1: "won", 0: "draw", -1: "lost"}  # for MAX
MAX_DEPTH = 64  # of an analysis that shows several lines


def think(positions: Positions, asked: Think, job: Job) -> None:
    """Say which move the player chooses."""
    game = positions.catalogue.game(asked.game)
    position = positions.asked(asked)
    if position.over:
        raise Refused("the game is over: there is nothing to choose")
    if position.state.player() == CHANCE:
        raise Refused("chance moves there: nobody chooses")
    found = _choose(positions, asked.seat, game, position, job)
    if job.stop.is_set() and not job.reason:
        return job.say("done", stopped=True)
    assert found.action is not None
    told = {} if position.hides else _told(positions, asked.game, position, found)
    action = positions.told_action(asked, position, found.action)
    job.say("done", stopped=False, **{"seconds": found.time, **told}, action=action)


def _choose(positions: Positions, seat: Seat, game: Any, position: Position, job: Job) -> Analysis:
    limits = _limits(seat)
    if position.hides and seat.name in positions.catalogue.bots:
        raise Refused(f"{seat.name} would see what the game hides: people and random moves play it here")
    if seat.name in positions.catalogue.bots or seat.name == "random":
        seed = secrets.randbits(64) if position.hides else seat.seed
        player = positions.catalogue.player(seat.name, seed)
        return player(record_of(game, position), limits)
    fitting(type(position.state), seat.name)
    job.prepare(lambda: prepare(position.state, seat.name))
    return _search(position, seat.name, seat.on, limits, job.stop)


def _limits(seat: Seat) -> Limits:
    """The seat's limits; there always is one of time, so that no search goes on for ever."""
    free = seat.depth is None and seat.nodes is None
    return Limits(seat.depth, seat.nodes, seat.time or (DEFAULT_SECONDS if free else MAX_SECONDS))


def _search(
    position: Position,
    name: str,
    on: str,
    limits: Limits,
    stop: threading.Event,
    report: Callable[[Analysis], None] | None = None,
    lines: int = 1,
) -> Analysis:
    """One search within its limits; a search with memory begins with a fresh one of bounded size."""
    state = position.state
    if name == "engine":
        return _engine(on).search(state, limits, report, stop, past=position.past(), lines=lines)
    if name == "uct":
        return runner("uct", memory=MEGABYTES).search(
            state, limits, report, stop, past=position.past(), lines=lines
        )
    return best(
        state, name, depth=limits.depth, nodes=limits.nodes, time=limits.time, report=report, stop=stop
    )


def _engine(on: str) -> Engine:
    """The engine with its usual switches, or with others: those are read while it runs, nothing is compiled."""
    return Engine(MEGABYTES, switches(on), fixed=False) if on and on != PLAY else Engine(MEGABYTES)


def ready(positions: Positions, asked: Prepare, job: Job) -> None:
    """Compile what a player will need."""
    state = positions.asked(asked).state
    if asked.seat.name not in positions.catalogue.bots and asked.seat.name != "random":
        prepare(state, asked.seat.name)
    job.say("done", stopped=False)


# --- analysis -------------------------------------------------------------------------------------------


def analyse(positions: Positions, asked: Analyse, job: Job) -> None:
    """Report what is seen, deeper and deeper, until it is stopped, the time is up or all is known."""
    position = positions.asked(asked)
    if position.over:
        return job.say("done", stopped=False, over=True)
    name = asked.search or strongest(type(position.state)).name
    fitting(type(position.state), name)
    job.prepare(lambda: prepare(position.state, name))
    look = _Look(positions, asked, position, name, job)
    look.look()
    look.flush()
    job.say("done", stopped=job.stop.is_set() and not job.reason, reason=job.reason)


class _Look:
    """One look at a position."""

    def __init__(self, positions: Positions, asked: Analyse, at: Position, name: str, job: Job) -> None:
        self.positions, self.asked, self.position, self.name, self.job = positions, asked, at, name, job
        self.began = time.perf_counter()
        self.nodes = 0
        self.told = 0.0
        self.pending: dict[str, Any] | None = None

    def left(self) -> float:
        """Seconds."""
        return max(0.01, self.asked.time - (time.perf_counter() - self.began))

    def look(self) -> None:
        """The best lines, deeper and deeper."""
        several = self.asked.lines > 1 and len(self.position.legal) > 1
        if several and self.name not in ("engine", "uct"):
            return self.by_moves()
        lines = self.asked.lines if several else 1
        found: dict[int | None, Analysis] = {}  # by first move

        def report(analysis: Analysis) -> None:
            if self.name == "uct":  # it tells of all its lines at a time
                return self.report(analysis.depth, analysis.nodes, [analysis, *analysis.others])
            found[analysis.action] = analysis
            deepest = max(known.depth for known in found.values())
            fresh = [known for known in found.values() if known.depth >= deepest - 1]
            self.report(deepest, analysis.nodes, sorted(fresh, key=self.rank)[:lines])

        limits = Limits(time=self.left())
        if self.name == "uct":  # with a limit of time it would report by shares of it, the first one late
            self.job.seconds, limits = self.asked.time, Limits()
        last = _search(self.position, self.name, self.asked.on, limits, self.job.stop, report, lines)
        self.report(last.depth, last.nodes, [last, *last.others])

    def by_moves(self) -> None:
        """The best lines, each behind its first move: after every ply all the moves are compared anew."""
        found: dict[int, Analysis] = {}
        for depth in range(1, MAX_DEPTH):
            for action in sorted(self.position.legal, key=lambda a: self.rank(found.get(a))):
                if action in found and found[action].proven:
                    continue
                below = self.below(self.position.state, action, depth)
                if self.job.stop.is_set() or time.perf_counter() - self.began > self.asked.time:
                    return
                found[action] = below
            self.report(depth + 1, self.nodes, sorted(found.values(), key=self.rank)[: self.asked.lines])
            if all(analysis.proven for analysis in found.values()):
                return

    def below(self, state: Any, action: int, depth: int) -> Analysis:
        """The analysis of a move: of the position after it, the move put before its line."""
        child = state.result(action)
        if is_terminal(child):
            value, _ = read_score(type(child), outcome(child), True)
            return Analysis(action, value, 1, (action,), 1, 0.0, True)
        found = best(child, self.name, depth=depth, time=self.left(), stop=self.job.stop)
        self.nodes += found.nodes
        return found._replace(action=action, line=(action, *found.line))

    def rank(self, found: Analysis | None) -> tuple[float, int]:
        """The better for the mover, the lower; of wins the quicker, of losses the slower first."""
        if found is None or found.value is None:
            return 0.0, 0
        sign = 1 if self.position.state.player() == 1 else -1
        decided = found.proven and worth(type(self.position.state)) > 1
        score = sign * (found.score or found.value * (WIN if decided else 1))
        return score, len(found.line) if score < 0 else -len(found.line)

    def report(self, depth: int, nodes: int, found: list[Analysis]) -> None:
        seconds = time.perf_counter() - self.began
        lines = [_told(self.positions, self.asked.game, self.position, analysis) for analysis in found]
        self.pending = {
            "depth": depth, "nodes": nodes, "time": seconds, "speed": nodes / max(seconds, 1e-6), "lines": lines
        }  # fmt: skip
        if time.perf_counter() - self.told > PAUSE:
            self.flush()

    def flush(self) -> None:
        if self.pending is not None:
            self.job.say("report", **self.pending)
            self.pending, self.told = None, time.perf_counter()


def plot(positions: Positions, asked: Plot, job: Job) -> None:
    """The value of every position of a game, the last first."""
    position: Position | None = positions.asked(asked)
    first = positions.at(asked.game, asked.start, [])
    at = len(asked.actions)
    seconds = min(POINT_SECONDS, PLOT_SECONDS / (at + 1))
    name = strongest(type(first.state)).name
    if not first.over:
        job.prepare(lambda: prepare(first.state, name))
    while position is not None and not job.stop.is_set():
        if position.over:
            value, proven = position.result, True
        else:
            found = _search(position, name, "", Limits(time=seconds), job.stop)
            value, proven = found.value, found.proven
        if not job.stop.is_set():
            job.say("point", at=at, **_value(positions, asked.game, position.state, value, proven))
        position, at = position.before, at - 1
    job.say("done", stopped=job.stop.is_set())


# --- telling --------------------------------------------------------------------------------------------


def _told(positions: Positions, game: str, position: Position, found: Analysis) -> dict[str, Any]:
    """An analysis as the page shows it."""
    return {
        **_value(positions, game, position.state, found.value, found.proven),
        "actions": [str(action) for action in found.line[:SHOWN]],
        "texts": line_texts(position.state, found.line[:SHOWN]),
        "path": position.path(found.action) if found.action in position.legal else [],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.time,
        "proven": found.proven,
        **({"visits": found.visits} if found.visits else {}),
    }


def _value(positions: Positions, game: str, state: Any, value: Any, proven: bool) -> dict[str, Any]:
    if value is None:
        return {"value": None, "share": None, "says": ""}
    decided = proven and worth(type(state)) > 1
    return {
        "value": value,
        "says": OUTCOMES[(value > 0) - (value < 0)] if decided else value_text(round(value, 3)),
        "share": share(value, 1.0 if decided else positions.scale(game, state), decided),
    }


WORK: dict[type, Callable[[Positions, Any, Job], None]] = {
    Think: think,
    Analyse: analyse,
    Plot: plot,
    Prepare: ready,
}


def new_job(positions: Positions, asked: Any, tell: Callable[[dict[str, Any]], None]) -> Job:
    """The job that does what was asked."""
    work = WORK[type(asked)]
    if isinstance(asked, Analyse):
        seconds = asked.time + 5
    else:
        seconds = {"think": 2 * MAX_SECONDS, "plot": 2 * PLOT_SECONDS}.get(asked.type, 3600.0)
    job = Job(lambda running: work(positions, asked, running), tell, asked.id, seconds)
    job.patient, job.builds = isinstance(asked, Analyse | Plot), isinstance(asked, Prepare)
    return job
