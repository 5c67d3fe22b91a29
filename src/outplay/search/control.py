"""The words of memory that a running search shares with its caller, and the stack of its moves.

A compiled search carries one pointer. Behind it lie the control words named here; from `MOVES` on the stack on
which each node writes its actions above its ancestors'; and the lines of best play, a row for each remaining
depth: how long the line is, then its actions. A search stops when its node count reaches the limit; whoever
wants it to stop at once, from any thread, writes a limit of 0.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.extending import overload

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import GameError

NODES = 0  # nodes entered so far
LIMIT = 1  # stop when as many have been entered
LINES = 2  # where the row of depth 0 begins; it stays empty
WIDTH = 3  # words a row
HORIZON = 4  # nodes that were evaluated because the depth was used up
ENDLESS = 5  # 1: reaching the depth is an error, since the search was to go to the end of the game
EVENTS = 6  # events recorded so far
WEIGHTS = 31  # the address of the weights of `evaluate`; 0 where the game has none
MOVES = 40  # the stack of actions begins here

MAX_PLIES = 1000  # the deepest search: the machine's stack must hold it
NO_LIMIT = 1 << 62

pointer = NATIVE["pointer"][ENABLED]
load_now = NATIVE["load_now"][ENABLED]


class Stopped(Exception):
    """The search reached its node limit or was asked to stop."""


class TooDeep(Exception):
    """A line of play did not end within MAX_PLIES."""


class NoActions(Exception):
    """A state that is not terminal has no actions."""


def new(max_actions: int, depth: int | None, nodes: int | None = None, weights: int = 0) -> np.ndarray:
    """Memory for a search to the given depth (None: to the end of the game); `weights` is their address."""
    plies = MAX_PLIES if depth is None else depth
    if plies > MAX_PLIES:
        raise GameError(f"depth {plies} is too deep: at most {MAX_PLIES}")
    stack = (plies + 1) * (max_actions + 1)
    memory = np.zeros(MOVES + stack + (plies + 1) * (plies + 1), np.int64)
    memory[LINES] = MOVES + stack
    memory[WIDTH] = plies + 1
    memory[LIMIT] = NO_LIMIT if nodes is None else nodes
    memory[ENDLESS] = depth is None
    memory[WEIGHTS] = weights
    return memory


@kernel
def count(memory: Any) -> None:
    """One node more; raises Stopped at the limit."""
    if memory[NODES] >= load_now(memory, LIMIT):
        raise Stopped
    memory[NODES] += 1


@kernel
def horizon(s: Any, memory: Any) -> Any:
    """The static value of a state at which the depth is used up."""
    if memory[ENDLESS]:
        raise TooDeep
    memory[HORIZON] += 1
    return s.evaluate(memory[WEIGHTS])


@kernel
def moves(s: Any, memory: Any, base: int) -> int:
    """Write the actions of a state that is not terminal; how many there are."""
    n = s.actions(memory, base)
    if n == 0:
        raise NoActions
    return n


@kernel
def end_line(memory: Any, depth: int) -> None:
    """The best line from a node with this depth left is empty."""
    memory[memory[LINES] + depth * memory[WIDTH]] = 0


@kernel
def extend_line(memory: Any, depth: int, action: int) -> None:
    """The best line from a node with this depth left is the action and its child's line."""
    row = memory[LINES] + depth * memory[WIDTH]
    child = row - memory[WIDTH]
    length = memory[child]
    memory[row] = length + 1
    memory[row + 1] = action
    for i in range(1, length + 1):
        memory[row + 1 + i] = memory[child + i]


def line(memory: np.ndarray, depth: int) -> tuple[int, ...]:
    """The best line from the root of a search of this depth."""
    row = int(memory[LINES] + depth * memory[WIDTH])
    return tuple(memory[row + 1 : row + 1 + int(memory[row])].tolist())


def lowest(s: Any) -> Any:
    """A score below all others, of the type of the game's scores."""
    return float("-inf") if type(s).__outplay__.kind.float_scores else -NO_LIMIT


def highest(s: Any) -> Any:
    """A score above all others, of the type of the game's scores."""
    return float("inf") if type(s).__outplay__.kind.float_scores else NO_LIMIT


@overload(lowest)
def _lowest(s):  # type: ignore[no-untyped-def]
    bound = -np.inf if s.instance_class.__outplay__.kind.float_scores else -NO_LIMIT
    return lambda s: bound


@overload(highest)
def _highest(s):  # type: ignore[no-untyped-def]
    bound = np.inf if s.instance_class.__outplay__.kind.float_scores else NO_LIMIT
    return lambda s: bound


@contextlib.contextmanager
def explained(cls: type) -> Iterator[None]:
    """Run a search; what a game's rules make impossible comes out as a GameError."""
    try:
        yield
    except TooDeep:
        raise GameError(
            f"{cls.__name__}: a line of play did not end within {MAX_PLIES} plies: "
            "search to a depth, or by time"
        ) from None
    except NoActions:
        raise GameError(
            f"{cls.__name__}.actions yields nothing at a state that is not terminal: "
            "end the game there (terminal), or yield a pass"
        ) from None
