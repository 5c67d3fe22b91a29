"""All states reachable from one: found by forward search, identified by a hash, numbered in the order found.

It needs nothing but the rules. Two states are the same if all their fields are.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from outplay import written
from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.interpreted import Interpreted
from outplay.compile.lane import again
from outplay.compile.natural.twin import NaturalTwin
from outplay.compile.runtime import NATIVE, flat, fold
from outplay.freememory import require
from outplay.game import GameError, checked_state, max_actions
from outplay.standard import is_wrapped
from outplay.tables import checkpoint
from outplay.tables.code import encode, fitting, ranked
from outplay.tables.digest import rules_digest
from outplay.tables.graph import Graph, Transposition

load_state, store_state = NATIVE["load_state"][ENABLED], NATIVE["store_state"][ENABLED]
pointer, mix, prefetch = (NATIVE[name][ENABLED] for name in ("pointer", "mix", "prefetch"))

FEW = 1 << 12  # states that there is room for at first
MOST = (1 << 31) - 1  # states of a table
SLICE = 1 << 17  # states between two looks whether to stop
EMPTY = -1
KEEP_SECONDS = 60.0  # between two times that the states are kept
NUMBER = 0xFFFFFFFF  # the bits of a word of `places` that hold a state's number; the others are of its hash

Progress = Callable[[int, int], None]  # is told how many states were looked at, and how many are found


class Stuck(Exception):
    """A state that is not terminal has no actions."""


class Store(NamedTuple):
    """The states so far. `words` of each lie side by side."""

    states: Any  # int64[room * words]
    owner: Any  # int8[room]
    ends: Any  # int64[room]: where the game is over the utility for the mover, else NO_END
    start: Any  # int64[room + 1]: where a state's successors begin
    children: Any  # int32: the successors
    places: Any  # int64, a power of two of them: a hash table of numbers, EMPTY or hash bits and number
    stack: Any  # int64: room for a state's actions
    batch: Any  # int64: states that wait for their numbers
    hashes: Any  # int64: of these
    sizes: Any  # int64[3]: states found, states looked at, words of a state


FOUND, DONE, WORDS = range(3)
BATCH = 256  # states that wait, at least: the processor fetches what their numbers need meanwhile
NO_END = -(1 << 62)


class Reachable(NamedTuple):
    """The states that can come from `states[0]`, and the game between them."""

    states: np.ndarray  # int64[n, words]
    graph: Graph
    ranks: tuple[int, ...]  # of outcomes


def start_text(state: Any) -> str:
    """What tells a start from others: its fields."""
    return str(state.text()) if is_wrapped(type(state)) else repr(tuple(state))


@again
def reachable(state: Any, progress: Progress = lambda done, found: None) -> Reachable:
    """Find all states that can come from one; a ValueError if they do not fit into the memory there is."""
    exploration = Exploration(state)
    exploration.run(progress)
    return exploration.finished()


class Exploration:
    """The states as they are found. With a file they are kept there from time to time, and found again."""

    def __init__(self, state: Any, path: Path | None = None) -> None:
        self.state = checked_state(state)
        self.cls = type(self.state)
        fitting(self.cls)
        self.twin = twin(self.cls)
        self.path = None if isinstance(self.twin, Interpreted) else path  # its states are no words to keep
        self.native = self.twin.state(self.state)
        self.settings = {"rules": rules_digest(self.cls), "start": start_text(self.state)}
        self.store = _begin(self.native, max_actions(self.cls))
        self.saved = perf_counter()
        if self.path is not None and self.path.exists():
            self._recall(checkpoint.read(self.path, self.settings))

    def run(self, progress: Progress = lambda done, found: None) -> None:
        """Look at all states."""
        sizes = self.store.sizes
        with explained(self.twin, self.native):
            while sizes[DONE] < sizes[FOUND]:
                try:
                    full = _explore(self.native, self.store, int(sizes[DONE]) + SLICE)
                except Stuck:
                    raise GameError(
                        f"{self.cls.__name__}.actions yields nothing at a state that is not terminal: "
                        "end the game there (terminal), or yield a pass"
                    ) from None
                if full:
                    self.store = _larger(self.store, self.cls.__name__)
                if perf_counter() - self.saved > KEEP_SECONDS:
                    self.keep()
                progress(int(sizes[DONE]), int(sizes[FOUND]))

    def finished(self) -> Reachable:
        return _finished(self.store, self.cls.__name__)

    def keep(self) -> None:
        """Write the states to the file."""
        if self.path is None:
            return
        store, found, done = self.store, int(self.store.sizes[FOUND]), int(self.store.sizes[DONE])
        lengths = {
            "states": found * int(store.sizes[WORDS]),
            "owner": done,
            "ends": done,
            "start": done + 1,
            "children": int(store.start[done]),
            "sizes": len(store.sizes),
        }
        arrays = {name: getattr(store, name)[:length] for name, length in lengths.items()}
        arrays["layout"] = self._layout()
        checkpoint.write(self.path, self.settings, arrays)
        self.saved = perf_counter()

    def forget(self) -> None:
        """Remove the file: it is no longer needed."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _layout(self) -> np.ndarray:
        """What tells whether states lie in memory as they do in this process."""
        of_words = self.twin.digest if isinstance(self.twin, NaturalTwin) else ""
        return np.array([written.number(of_words)], np.int64)

    def _recall(self, kept: dict[str, np.ndarray]) -> None:
        """Go on from what was kept; a ValueError if it contradicts itself: native code reads it."""
        if not np.array_equal(kept.pop("layout", []), self._layout()):
            return  # other words: begin again
        if not _is_sound(kept, self.store):
            raise ValueError(f"{self.path} contradicts itself: remove it")
        found, edges = int(kept["sizes"][FOUND]), len(kept["children"])
        while len(self.store.owner) < found + len(self.store.hashes):
            self.store = _more_states(self.store, self.cls.__name__)
        while len(self.store.children) < edges + len(self.store.hashes):
            self.store = _more_moves(self.store, self.cls.__name__)
        for name, array in kept.items():
            getattr(self.store, name)[: len(array)] = array
        self.store.places[:] = EMPTY
        _rehash(self.store)


def _is_sound(kept: dict[str, np.ndarray], store: Store) -> bool:
    """Whether arrays are those that `keep` writes: as long as they say, and no number leads outside them."""
    if kept.keys() != {"states", "owner", "ends", "start", "children", "sizes"} or len(kept["sizes"]) != 3:
        return False
    if any(array.dtype != getattr(store, name).dtype for name, array in kept.items()):
        return False
    found, done, words = kept["sizes"].tolist()
    start, children = kept["start"], kept["children"]
    if words != store.sizes[WORDS] or not 0 <= done <= found <= MOST or len(kept["states"]) != found * words:
        return False
    lengths = len(kept["owner"]), len(kept["ends"]), len(start)
    if lengths != (done, done, done + 1) or start[0] != 0 or start[-1] != len(children):
        return False
    return bool(
        (np.diff(start) >= 0).all()
        and ((children >= 0) & (children < found)).all()
        and ((kept["owner"] >= 0) & (kept["owner"] <= 1)).all()
    )


def _begin(native: Any, actions: int) -> Store:
    words = len(flat(native))
    room, edges = FEW + actions, 4 * (FEW + actions)
    store = Store(
        np.zeros(room * words, np.int64),
        np.zeros(room, np.int8),
        np.zeros(room, np.int64),
        np.zeros(room + 1, np.int64),
        np.zeros(edges, np.int32),
        np.full(1 << (2 * room).bit_length(), EMPTY, np.int64),
        np.zeros(actions + 1, np.int64),
        np.zeros((BATCH + actions + 1) * words, np.int64),
        np.zeros(BATCH + actions + 1, np.int64),
        np.array([0, 0, words], np.int64),
    )
    _wait(native, 0, store)
    _number(0, store)
    return store


def _larger(store: Store, name: str) -> Store:
    """Twice the room, for whichever is full."""
    if len(store.children) - int(store.start[store.sizes[DONE]]) <= len(store.hashes):
        return _more_moves(store, name)
    return _more_states(store, name)


def _more_moves(store: Store, name: str) -> Store:
    edges = len(store.children)
    require(3 * 4 * edges, f"the moves of {name}")
    return store._replace(children=np.concatenate((store.children, np.zeros(edges, np.int32))))


def _more_states(store: Store, name: str) -> Store:
    room = len(store.owner)
    require(2 * (store.states.nbytes + store.places.nbytes) + 51 * room, f"the states of {name}")
    if 2 * room > MOST:
        raise GameError(f"{name} has more than {MOST:,} states: too many for a table")
    columns = {name: getattr(store, name) for name in ("states", "owner", "ends")}
    twice = {name: np.concatenate((column, np.zeros_like(column))) for name, column in columns.items()}
    start = np.concatenate((store.start, np.zeros(room, np.int64)))
    larger = store._replace(**twice, start=start, places=np.full(2 * len(store.places), EMPTY, np.int64))
    _rehash(larger)
    return larger


def _finished(store: Store, name: str) -> Reachable:
    n = int(store.sizes[FOUND])
    start = store.start[: n + 1]
    moves = int(start[n])
    require(4 * moves + 24 * n, f"the moves of {name}")
    _tell_movers(n, store)
    degree, children = np.diff(start).astype(np.int32), store.children[:moves]
    moved = Transposition(n)
    moved.count(children)
    moved.counted()
    moved.fill(0, degree, children)
    over = np.flatnonzero(store.ends[:n] != NO_END)
    ranks = ranked(set(np.unique(store.ends[over]).tolist()), name)
    code = {value: encode(value, 0, ranks) for value in (0, *ranks, *(-rank for rank in ranks))}
    event = np.zeros(n, np.int32)
    values, which = np.unique(store.ends[over], return_inverse=True)
    event[over] = np.array([code[value] for value in values.tolist()] or [0], np.int32)[which]
    still_open = degree
    still_open[over[event[over] >= 0]] = 1  # an end is no loss for want of moves
    graph = Graph(store.owner[:n], still_open, event, moved.first, moved.parents)
    states = store.states[: n * int(store.sizes[WORDS])].reshape(n, -1)
    return Reachable(states, graph, ranks)


@kernel
def _tell_movers(n: int, store: Any) -> None:
    """Write a move after which the same player moves again as a transposition wants it."""
    for s in range(n):
        for e in range(store.start[s], store.start[s + 1]):
            child = store.children[e] if store.children[e] >= 0 else ~store.children[e]
            store.children[e] = ~child if store.owner[child] == store.owner[s] else child


@kernel
def _explore(like: Any, store: Any, until: int) -> bool:
    """Look at states in the order they were found, up to number `until`; True where there is no room for more."""
    sizes, most = store.sizes, len(store.hashes)
    while sizes[DONE] < sizes[FOUND] and sizes[DONE] < until:
        at = store.start[sizes[DONE]]
        if sizes[FOUND] + most >= len(store.owner) or at + most >= len(store.children):
            return True
        waiting = _expand(like, store, until)
        for i in range(waiting):
            _look_ahead(i, store)
        for i in range(waiting):
            store.children[at + i] = _number(i, store)
    return False


@kernel
def _expand(like: Any, store: Any, until: int) -> int:
    """Have the successors of the next few states wait for their numbers; how many they are."""
    sizes, stack = store.sizes, pointer(store.stack)
    waiting = 0
    while waiting < BATCH and sizes[DONE] < sizes[FOUND] and sizes[DONE] < until:
        here = sizes[DONE]
        s = load_state(pointer(store.states), here * sizes[WORDS], like)
        store.owner[here] = s.player()
        store.ends[here] = NO_END
        n = 0
        if s.terminal():
            store.ends[here] = int(s.utility_for(s.player()) // s.worth())
        else:
            n = s.actions(stack, 0)
            if n == 0:
                raise Stuck
            for i in range(n):
                _wait(s.result(stack[i]), waiting + i, store)
        waiting += n
        sizes[DONE] = here + 1
        store.start[here + 1] = store.start[here] + n
    return waiting


@kernel
def _wait(s: Any, i: int, store: Any) -> None:
    """Put a state into the batch."""
    full = fold(s, 1)
    store_state(pointer(store.batch), i * store.sizes[WORDS], s)
    store.hashes[i] = full
    prefetch(pointer(store.places), full & len(store.places) - 1)


@kernel
def _look_ahead(i: int, store: Any) -> None:
    """Have the state fetched that this one of the batch will be compared with."""
    place = store.places[store.hashes[i] & len(store.places) - 1]
    if place != EMPTY:
        prefetch(pointer(store.states), (place & NUMBER) * store.sizes[WORDS])


@kernel
def _number(i: int, store: Any) -> int:
    """The number of a state of the batch; a new one if it was never seen before."""
    places, states, batch = store.places, pointer(store.states), pointer(store.batch)
    words, found = store.sizes[WORDS], store.sizes[FOUND]
    mask = len(places) - 1
    tag, at = store.hashes[i] & ~NUMBER, store.hashes[i] & mask
    while places[at] != EMPTY:
        number = places[at] & NUMBER
        if places[at] & ~NUMBER == tag and _same(states, number * words, batch, i * words, words):
            return number
        at = at + 1 & mask
    places[at] = tag | found
    for j in range(words):
        states[found * words + j] = batch[i * words + j]
    store.sizes[FOUND] = found + 1
    return found


@kernel
def _same(states: Any, a: int, batch: Any, b: int, words: int) -> bool:
    for i in range(words):  # noqa: SIM110
        if states[a + i] != batch[b + i]:
            return False
    return True


@kernel
def _rehash(store: Any) -> None:
    """Put all numbers into an empty hash table."""
    places, states = store.places, pointer(store.states)
    mask, words = len(places) - 1, store.sizes[WORDS]
    for number in range(store.sizes[FOUND]):
        full = hash_at(states, number * words, words, 1)
        at = full & mask
        while places[at] != EMPTY:
            at = at + 1 & mask
        places[at] = full & ~NUMBER | number


@kernel
def hash_at(states: Any, base: int, words: int, seed: int) -> int:
    """The hash of the state whose words begin there: `fold` of it."""
    for i in range(base, base + words):
        seed = mix(seed ^ states[i])
    return seed
