"""The memory that a running search shares with its caller, and the operations common to all searches.

Each node pushes its actions on the stack, above its ancestors'. A search stops when its node count reaches the
limit; to stop it at once, from any thread, set the limit to 0.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.extending import overload

from outplay.compile import kernel
from outplay.compile.runtime import WrongNumber
from outplay.compile.structure import Flag, Structure, Word, Words
from outplay.game import SURE, GameError
from outplay.standard import answered

MAX_PLIES = 1000  # the maximum depth: limited by the machine's stack
NO_LIMIT = 1 << 62


class Control(Structure):
    """The memory of a textbook search; other searches have more."""

    nodes = Word()  # entered so far
    limit = Flag()  # stop at this node count
    horizon = Word()  # nodes evaluated at the depth limit
    endless = Word()  # 1: reaching the depth limit is an error: the search must reach the end of the game
    events = Word()  # recorded so far
    weights = Word()  # the address of the weights of `evaluate`; 0 if the game has none
    width = Word()  # words per row of `lines`
    stack = Words()  # of actions
    lines = Words()  # principal variations: a row per remaining depth, its length and then its actions


class Stopped(Exception):
    """The search reached its node limit or was stopped."""


class TooDeep(Exception):
    """A line of play did not end within MAX_PLIES."""


class NoActions(Exception):
    """A state that is not terminal has no actions."""


def new(max_actions: int, depth: int | None, nodes: int | None = None, weights: int = 0) -> Control:
    """Memory for a search to the given depth (None: to the end of the game); `weights` is their address."""
    plies = MAX_PLIES if depth is None else depth
    if plies > MAX_PLIES:
        raise GameError(f"depth {plies} is too deep: at most {MAX_PLIES}")
    memory = Control(stack=(plies + 1) * (max_actions + 1), lines=(plies + 1) * (plies + 1))
    memory.width = plies + 1
    memory.limit = NO_LIMIT if nodes is None else nodes
    memory.endless = depth is None
    memory.weights = weights
    return memory


@kernel
def count(memory: Any) -> None:
    """Count a node; raise Stopped at the limit."""
    if memory.nodes >= memory.limit:
        raise Stopped
    memory.nodes += 1


@kernel
def horizon(s: Any, memory: Any) -> Any:
    """The static evaluation of a state at the depth limit."""
    if memory.endless:
        raise TooDeep
    memory.horizon += 1
    return s.evaluate(memory.weights)


@kernel
def moves(s: Any, memory: Any, base: int) -> int:
    """Write the actions of a state that is not terminal; return their number."""
    n = s.actions(memory.stack, base)
    if n == 0:
        raise NoActions
    return n


@kernel
def checked_chance(s: Any, action: int) -> float:
    """The probability of an outcome, checked."""
    probability = s.probability(action)
    if not (probability >= 0.0 and probability <= 1.0):  # also catches NaN
        raise WrongNumber
    return probability


@kernel
def check_sum(total: float) -> None:
    """Check that the probabilities of all outcomes sum to 1."""
    if abs(total - 1.0) > SURE:
        raise WrongNumber


@kernel
def check_chances(s: Any, n: int, memory: Any, base: int) -> None:
    """Check the probabilities of the n listed outcomes."""
    total = 0.0
    for i in range(base, base + n):
        total += checked_chance(s, memory[i])
    check_sum(total)


@kernel
def end_line(memory: Any, depth: int) -> None:
    """Clear the principal variation of a node with this depth left."""
    memory.lines[depth * memory.width] = 0


@kernel
def extend_line(memory: Any, depth: int, action: int) -> None:
    """Set the principal variation of a node with this depth left to the action and its child's line."""
    join_lines(memory, depth * memory.width, action, (depth - 1) * memory.width)


@kernel
def join_lines(memory: Any, row: int, action: int, child: int) -> None:
    """Set the line of a row to the action and the line of the child's row."""
    lines = memory.lines
    length = lines[child]
    lines[row] = length + 1
    lines[row + 1] = action
    for i in range(1, length + 1):
        lines[row + 1 + i] = lines[child + i]


def line(memory: Control, depth: int) -> tuple[int, ...]:
    """The principal variation of a search to this depth."""
    row = memory.array("lines")[depth * memory.width :]
    return tuple(row[1 : 1 + int(row[0])].tolist())


def lowest(s: Any) -> Any:
    """A score below all others, of the type of the game's scores."""
    return float("-inf") if type(s).__outplay__.kind.float_scores else -NO_LIMIT


def highest(s: Any) -> Any:
    """A score above all others, of the type of the game's scores."""
    return float("inf") if type(s).__outplay__.kind.float_scores else NO_LIMIT


def has_floats(s: Any) -> bool:
    """Whether the game's scores are floats."""
    return bool(type(s).__outplay__.kind.float_scores)


@overload(has_floats)
def _has_floats(s):  # type: ignore[no-untyped-def]
    answer = s.instance_class.__outplay__.kind.float_scores
    return lambda s: answer


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
    """Run a search; errors caused by a game's rules are raised as a GameError."""
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
            f"end the game there (terminal), or yield a pass{answered(cls, 'actions')}"
        ) from None
