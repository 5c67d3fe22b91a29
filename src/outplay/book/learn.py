"""Automatic book construction for any game: drop-out expansion (Lincke 2000, "Strategies for the automatic
construction of opening books").

The book is a graph of positions. A position has moves that lead to other positions of the book, and one more move: the
drop-out move, the best of all others according to a search. Values are backed up by minimax. To expand the book, take
the drop-out move closest to best play: of all lines out of the book the one with the least cost, where a ply costs 1
and a move that gives value away costs `weight` times the loss in units (pawns). The position after that move joins the
book, and a search finds the next drop-out move before it.

Transpositions share one position. A move that repeats an earlier position is a draw, and does not leave
the book.
"""

import graphlib
import hashlib
import json
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from outplay.book.book import Book, Played, check_format, place, to_polyglot
from outplay.game import (
    action_text,
    adopt_state,
    is_decided,
    is_terminal,
    kind,
    legal,
    parse,
    utility_for,
    worth,
)
from outplay.limits import Limits
from outplay.record import Record, position_text
from outplay.search.engine.engine import Engine
from outplay.storage import from_json, write_whole

SUFFIX = ".learning"  # of the file beside a book with the state of its construction
FIRST = "outplay learning 1"
KEEP_SECONDS = 10.0  # between two saves
GIVEN = 10.0  # units: the most that a move's loss counts

Look = Callable[[Any, list[int]], tuple[int, int]]  # the best of some actions, and its score for MAX


@dataclass
class Node:
    """A position of the book."""

    state: Any
    drop: int | None = None  # the drop-out move; None if every move is in the book, or the game is over
    score: int = 0  # of the drop-out move, or of the finished game, for MAX
    moves: dict[int, str] = field(default_factory=dict)  # to positions; "": a repetition
    value: int = 0  # of the position, for MAX
    cost: float = 0.0  # of the cheapest way out of the book; infinite if there is none


class Learner:
    """A book under construction."""

    def __init__(self, game: str, start: Any, look: Look, weight: float = 10.0) -> None:
        what = kind(type(start))
        if what.chance or what.hidden or what.players != 2:
            raise ValueError(
                f"learning a book needs a two-player game without chance or hidden information, not {what}"
            )
        if not 0 <= weight < math.inf:
            raise ValueError(f"weight must be 0 or more, not {weight:g}")
        self.game, self.look, self.weight = game, look, weight
        self.cls = type(start)
        self.unit = 1 if getattr(self.cls, "points", False) else getattr(self.cls, "unit", 100)
        self.nodes: dict[str, Node] = {}
        self.before: dict[str, set[str]] = {}  # by position: its predecessors
        self.start = place(start)
        self.add(start)

    @property
    def is_complete(self) -> bool:
        """Whether no line leads out of the book."""
        return math.isinf(self.nodes[self.start].cost)

    def add(self, state: Any) -> str:
        """A new position, with its drop-out move."""
        node = Node(state)
        if is_terminal(state):
            node.score = int(utility_for(state) * worth(self.cls))
        else:
            node.drop, node.score = self.look(state, legal(state))
        key = place(state)
        self.nodes[key] = node
        self.judge(key)
        return key

    def expand(self) -> list[int]:
        """Add the position after the cheapest drop-out move; returns the moves that lead there."""
        line, key = [], self.start
        while (action := self.cheapest(key)) != self.nodes[key].drop:
            line.append(action)
            key = self.nodes[key].moves[action]
        node = self.nodes[key]
        after = node.state.result(action)
        target = place(after)
        if target not in self.nodes:
            self.add(after)
        elif self.leads_to(target, key):
            target = ""
        node.moves[action] = target
        self.before.setdefault(target, set()).add(key)
        rest = [other for other in legal(node.state) if other not in node.moves]
        node.drop, node.score = self.look(node.state, rest) if rest else (None, 0)
        self.back_up(key)
        return [*line, action]

    def cheapest(self, key: str) -> int:
        """The move on the cheapest way out of the book."""
        node = self.nodes[key]
        costs = self.costs(node)
        return min(costs, key=lambda action: (costs[action], action))

    def values(self, node: Node) -> dict[int, int]:
        """The value of each move for MAX."""
        found = {
            action: self.later(self.nodes[key].value) if key else 0 for action, key in node.moves.items()
        }
        if node.drop is not None:
            found[node.drop] = node.score
        return found

    def later(self, value: int) -> int:
        """A value one ply before: a win is a ply further away."""
        return value - (1 if value > 0 else -1) if is_decided(self.cls, value) else value

    def costs(self, node: Node) -> dict[int, float]:
        """The cost of each move on the way out of the book: a ply, its loss, and the cost after it."""
        values = self.values(node)
        best = max(values.values()) if node.state.player() == 0 else min(values.values())
        found = {}
        for action, value in values.items():
            beyond = 0.0
            if action != node.drop:
                beyond = self.nodes[node.moves[action]].cost if node.moves[action] else math.inf
            found[action] = 1 + self.weight * min(abs(best - value) / self.unit, GIVEN) + beyond
        return found

    def judge(self, key: str) -> bool:
        """Compute a position's value and cost; returns whether they changed."""
        node = self.nodes[key]
        before = node.value, node.cost
        values = self.values(node)
        if values:
            node.value = max(values.values()) if node.state.player() == 0 else min(values.values())
            node.cost = min(self.costs(node).values())
        else:
            node.value, node.cost = node.score, math.inf
        return before != (node.value, node.cost)

    def back_up(self, key: str) -> None:
        """Update a position, and all predecessors that this changes."""
        waiting = [key]
        while waiting:
            here = waiting.pop()
            if self.judge(here):
                waiting += self.before.get(here, ())

    def leads_to(self, key: str, target: str) -> bool:
        """Whether moves of the book lead from a position to another."""
        waiting, seen = [key], {key}
        while waiting:
            here = waiting.pop()
            if here == target:
                return True
            new = {after for after in self.nodes[here].moves.values() if after} - seen
            seen |= new
            waiting += new
        return False

    # --- the book and its state -----------

    def book(self) -> Book:
        """The book: a best move has as many games as positions behind it, all won; the others' are lost."""
        behind: dict[str, int] = {}
        positions = {}
        for key, node in self.nodes.items():
            moves = {}
            for action, value in self.values(node).items():
                after = node.moves.get(action, "")
                count = self.count(after, behind) if after else 1
                moves[action_text(node.state, action)] = Played(count, count if value == node.value else 0)
            if moves:
                positions[key] = moves
        return Book(self.game, positions)

    def count(self, key: str, known: dict[str, int]) -> int:
        """The number of positions behind one, itself included; a position counts once for each way to it."""
        waiting = [key]
        while waiting:
            here = waiting[-1]
            after = [child for child in self.nodes[here].moves.values() if child]
            open_ones = [child for child in after if child not in known]
            if open_ones:
                waiting += open_ones
                continue
            known[here] = 1 + sum(known[child] for child in after)
            waiting.pop()
        return known[key]

    def save(self, path: str | Path) -> None:
        """Save the state of the construction."""
        told = {
            key: [position_text(node.state), node.drop, node.score, list(node.moves.items())]
            for key, node in self.nodes.items()
        }
        body = json.dumps({"game": self.game, "start": self.start, "nodes": told})
        write_whole(path, f"{FIRST} {_checksum(body)}\n{body}\n")

    def recall(self, path: str | Path) -> None:
        """Resume from a file; a one-line ValueError if it is damaged, or for another book."""
        told = _read(Path(path))
        if (told.get("game"), told.get("start")) != (self.game, self.start):
            raise ValueError(f"{path} is for another game or start: finish that, or remove it")
        self.nodes, self.before = {}, {}
        try:
            for key, (text, drop, score, moves) in told["nodes"].items():
                node = self.nodes[key] = Node(parse(self.cls, text), drop, score, dict(moves))
                if not is_sound(key, node):
                    raise ValueError("no such moves")
                for after in node.moves.values():
                    self.before.setdefault(after, set()).add(key)
            if self.start not in self.nodes or not self.before.keys() - {""} <= self.nodes.keys():
                raise ValueError("a position is missing")
            graphlib.TopologicalSorter(self.before).prepare()  # an error if there is a cycle
        except (ValueError, LookupError, TypeError, AttributeError):
            raise ValueError(f"{path} contradicts itself: remove it") from None
        for key in self.nodes:
            self.back_up(key)


def is_sound(key: str, node: Node) -> bool:
    """Whether a position of a file agrees with the rules: its moves are legal and lead to the stated positions."""
    actions = [] if is_terminal(node.state) else legal(node.state)
    drop = [] if node.drop is None else [node.drop]
    return (
        place(node.state) == key
        and isinstance(node.score, int)
        and {*drop, *node.moves} <= set(actions)
        and bool(drop) == (len(node.moves) < len(actions))
        and all(after in ("", place(node.state.result(a))) for a, after in node.moves.items())
    )


def _checksum(body: str) -> str:
    return hashlib.blake2b(body.encode(), digest_size=16).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    try:
        first, _, body = path.read_text(encoding="utf-8").removesuffix("\n").partition("\n")
    except UnicodeDecodeError:
        first, body = "", ""
    told = from_json(body) if first == f"{FIRST} {_checksum(body)}" else None
    if not isinstance(told, dict):
        raise ValueError(f"{path} is damaged, or something else: remove it")
    return told


# --- with the engine -------------------------------------------------------------------------------------


def grown(
    record: Record,
    limits: Limits,
    out: Path,
    wanted: tuple[int, float],
    stop: threading.Event,
    tell: Callable[[str], None],
) -> Learner:
    """Build a book from a record's last position, with at most so many positions, and write it to `out`.

    Its state is saved beside it, so that the same command resumes, also after a `stop`.
    """
    positions, weight = wanted
    if positions < 1:
        raise ValueError(f"a book needs 1 position or more, not {positions}")
    check_format(out, record.game)
    engine = Engine(16)

    def look(state: Any, actions: list[int]) -> tuple[int, int]:
        found = engine.search(state, limits, only=actions)
        assert found.action is not None
        return found.action, int(found.score)

    kept = out.with_name(out.name + SUFFIX)
    learner = Learner(record.game, adopt_state(record.state), look, weight)
    if kept.exists():
        learner.recall(kept)
    saved = perf_counter()
    while len(learner.nodes) < positions and not learner.is_complete and not stop.is_set():
        line = learner.expand()
        tell(f"{len(learner.nodes):,} of {positions:,} positions, {len(line)} plies deep")
        if perf_counter() - saved > KEEP_SECONDS:
            learner.save(kept)
            saved = perf_counter()
    learner.save(kept)
    book = learner.book()
    if out.suffix == ".bin":
        to_polyglot(book, out)
    else:
        book.save(out)
    return learner
