"""The jobs: choose a move, analyse a position, review a game, record a search."""

import random
import time
from collections.abc import Callable, Container
from functools import partial
from typing import Any

from outplay.analysis.files import summary
from outplay.analysis.game import Analyst, Judged
from outplay.game import CHANCE, line_texts
from outplay.limits import Analysis, Limits
from outplay.search.engine.engine import PLAY
from outplay.search.protocol.search import Search
from outplay.search.searches import fitting, strongest
from outplay.ui.web import trees
from outplay.ui.web.catalogue import TREES, Refused
from outplay.ui.web.quick import quick
from outplay.ui.web.schema import MAX_SECONDS, Analyse, Grow, Prepare, Review, Seat, Think
from outplay.ui.web.task import Task
from outplay.ui.web.view import Position, Positions, record_of
from outplay.ui.web.worth import worth

MEGABYTES = 32  # of a search's table
MOST_PLIES = 2  # a value net's greatest lookahead
SHOWN = 12  # moves of a line
PAUSE = 0.15  # minimum seconds between reports
DEFAULT_SECONDS = 1.0  # for a move, if a seat has no limit
POINT_SECONDS, REVIEW_SECONDS = 0.3, 30.0  # at most, for a position of a review, and for all of them
BOT_SECONDS = 10.0  # for the move of a bot or of the random player, if its seat has no time
TREE_SECONDS = 10.0  # to record a search
HURRY = 0.4  # seconds to wait for the compiler, and to search without it
EXTRA = 2.0  # seconds to stop by itself


def think(positions: Positions, asked: Think, job: Task) -> None:
    """Report the player's move."""
    game = positions.catalogue.game(asked.game)
    position = positions.asked(asked)
    if position.over:
        raise Refused("the game is over: there is no move to choose")
    if position.state.player() == CHANCE:
        raise Refused("it is chance's turn there: no player chooses")
    found = _choose(positions, asked, game, position, job)
    if job.stop.is_set() and not job.reason:
        return job.say("done", stopped=True)
    assert found.action is not None
    told = {} if position.hides else _told(positions, asked.game, position, found)
    action = positions.told_action(asked, position, found.action)
    job.say(
        "done",
        stopped=False,
        **{"seconds": found.time, **told},
        action=action,
        quick=job.hurried,
        book=job.booked,
    )


def _choose(positions: Positions, asked: Think, game: Any, position: Position, job: Task) -> Analysis:
    seat = asked.seat
    limits = _limits(seat)
    if position.hides and seat.name in positions.catalogue.bots:
        raise Refused(f"{seat.name} would see hidden information: only people and random play this game here")
    if seat.name in positions.catalogue.bots or seat.name == "random":
        player = positions.catalogue.player(seat.name, positions.seed(asked, position, seat.seed))
        return player(record_of(game, position), limits)
    record = record_of(game, position)
    known = positions.catalogue.knowledge.book_move(
        record, random.Random(f"{seat.seed} {record.actions}").random()
    )
    if known is not None and not position.hides:
        job.booked = True
        return Analysis(known, None, 0, (known,), 0, 0.0)
    search = _made(positions, fitting(type(position.state), seat.name), type(position.state), seat.on)
    if asked.hurry and not job.prepared_within(HURRY, asked.game, position.state, search):
        job.hurried = True
        return quick(record_of(game, position), HURRY, seat.seed)
    job.prepare(asked.game, position.state, search)
    return search.search(record_of(game, position), limits, stop=job.stop)


def _limits(seat: Seat) -> Limits:
    """The seat's limits, always including time, so that every search ends."""
    free = seat.depth is None and seat.nodes is None
    return Limits(seat.depth, seat.nodes, seat.time or (DEFAULT_SECONDS if free else MAX_SECONDS))


def _made(positions: Positions, search: type[Search], cls: type, on: str = "") -> Search:
    """A search with new memory of bounded size, the game's tables, and the chosen switches.

    Switches other than the default are read at run time, so that nothing has to be compiled.
    """
    switched: dict[str, Any] = {"on": on, "fixed": 0} if on and on != PLAY else {}
    tables = positions.catalogue.knowledge.tables_for(cls) if "tables" in search.options else ""
    limited = {"hash": MEGABYTES, "memory": MEGABYTES, "plies": MOST_PLIES}
    options = {**limited, **switched, **({"tables": tables} if tables else {})}
    return search.make({name: value for name, value in options.items() if name in search.options})


def ready(positions: Positions, asked: Prepare, job: Task) -> None:
    """Compile what a player will need."""
    state = positions.asked(asked).state
    if asked.seat.name not in positions.catalogue.bots and asked.seat.name != "random":
        job.prepare(asked.game, state, _made(positions, fitting(type(state), asked.seat.name), type(state)))
    job.say("done", stopped=False)


# --- analysis -------------------------------------------------------------------------------------------


def analyse(positions: Positions, asked: Analyse, job: Task) -> None:
    """Report the best lines at growing depth, until stopped, out of time, or solved."""
    position = positions.asked(asked)
    if position.over:
        return job.say("done", stopped=False, over=True)
    cls = type(position.state)
    search = _made(positions, strongest(cls, asked.search or None), cls, asked.on)
    job.prepare(asked.game, position.state, search)
    look = _Look(positions, asked, position, job)
    look.look(search)
    look.flush()
    job.say("done", stopped=job.stop.is_set() and not job.reason, reason=job.reason)


class _Look:
    """The analysis of a position."""

    def __init__(self, positions: Positions, asked: Analyse, at: Position, job: Task) -> None:
        self.positions, self.asked, self.position, self.job = positions, asked, at, job
        self.began = time.perf_counter()
        self.told = 0.0
        self.pending: tuple[Analysis, float] | None = None  # with its time in seconds

    def look(self, search: Search) -> None:
        """Search the best lines at growing depth."""
        record = record_of(self.positions.catalogue.game(self.asked.game), self.position)
        lines = self.asked.lines if len(self.position.legal) > 1 else 1
        self.report(search.search(record, Limits(time=self.asked.time), self.report, self.job.stop, lines))

    def report(self, found: Analysis) -> None:
        """Store a result; only results that are sent are formatted, so as not to slow the search."""
        self.pending = found, time.perf_counter() - self.began
        if time.perf_counter() - self.told > PAUSE:
            self.flush()

    def flush(self) -> None:
        if self.pending is None:
            return
        (found, seconds), self.pending = self.pending, None
        lines = [
            _told(self.positions, self.asked.game, self.position, line) for line in (found, *found.others)
        ]
        self.job.say(
            "report", depth=found.depth, nodes=found.nodes, time=seconds, speed=found.nodes / max(seconds, 1e-6),
            lines=lines, tbhits=found.tbhits,
        )  # fmt: skip
        self.told = time.perf_counter()


def review(positions: Positions, asked: Review, job: Task) -> None:
    """Judge every move of a game, with the better lines; the last move first."""
    position, first = positions.asked(asked), positions.at(asked.game, asked.start, [])
    record = record_of(positions.catalogue.game(asked.game), position)
    cls = type(first.state)
    analyst = Analyst(Limits(time=min(POINT_SECONDS, REVIEW_SECONDS / (len(asked.actions) + 1))), MEGABYTES)
    if not first.over:
        job.prepare(asked.game, first.state, analyst.search_of(cls))
    told = partial(_value, positions, asked.game)

    def judged(move: Judged) -> None:
        better = line_texts(move.state, move.best.line[:SHOWN]) if move.verdict else []
        job.say(
            "judged", at=move.number + 1, **told(move.state, move.played), verdict=move.verdict, loss=move.loss,
            better=better, actions=[str(action) for action in move.best.line[:SHOWN]] if move.verdict else [],
            before=told(move.state, move.best), proven=move.played.proven,
        )  # fmt: skip

    found = analyst.game(record, judged, job.stop)
    sides = [summary(found, side) for side in (0, 1)]
    job.say("done", stopped=job.stop.is_set(), sides=sides)


def grow(positions: Positions, asked: Grow, job: Task) -> None:
    """A search's tree, step by step; on a plain worker only a small one."""
    position = positions.asked(asked)
    if job.plain and asked.game not in TREES and not trees.is_small(position.state, asked):
        return job.say("large")
    tree = trees.searched(positions.catalogue.game(asked.game), position, asked)
    job.say("done", stopped=False, tree=tree)


# --- telling --------------------------------------------------------------------------------------------


def _told(positions: Positions, game: str, position: Position, found: Analysis) -> dict[str, Any]:
    """An analysis as data for the page."""
    return {
        **_value(positions, game, position.state, found),
        "actions": [str(action) for action in found.line[:SHOWN]],
        "texts": line_texts(position.state, found.line[:SHOWN]),
        "path": position.path(found.action) if found.action in position.legal else [],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.time,
        "proven": found.proven,
        "table": found.tbhits > 0 and found.nodes <= 1,
        **({"visits": found.visits} if found.visits else {}),
    }


def _value(positions: Positions, game: str, state: Any, found: Analysis) -> dict[str, Any]:
    return worth(state, found, positions.scale(game, state), positions.sides(game, state))


WORK: dict[str, tuple[type[Any], Callable[[Positions, Any, Task], None]]] = {
    "think": (Think, think),
    "analyse": (Analyse, analyse),
    "review": (Review, review),
    "grow": (Grow, grow),
    "prepare": (Prepare, ready),
}


def allowed(asked: Any, bots: Container[str] = ()) -> float:
    """A job's time limit in seconds."""
    if isinstance(asked, Think):
        bot = (asked.seat.name in bots or asked.seat.name == "random") and not asked.seat.time
        return (BOT_SECONDS if bot else _limits(asked.seat).time or MAX_SECONDS) + EXTRA
    fixed = {"analyse": getattr(asked, "time", 0.0), "review": REVIEW_SECONDS, "grow": TREE_SECONDS}
    return fixed.get(asked.type, MAX_SECONDS) + EXTRA
