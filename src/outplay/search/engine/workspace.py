"""What the engine keeps in memory: one block for each thread."""

import functools
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel
from outplay.compile.structure import Address, Word, Words
from outplay.game import max_actions, net_of, net_slot
from outplay.memory import keep
from outplay.nnue import MOST
from outplay.search.engine.table import Table
from outplay.search.protocol.control import NO_LIMIT, Control

MAX_PLY = 250
PLIES = MAX_PLY + 2  # rows of what is kept by ply
MAX_PAST = 1024  # positions of the game's past
SLOTS = 4096  # actions share the words that are kept by action by a hash
TRAITS = 512  # those of `continuations`, where others share their words
CONTINUATIONS = 2 * TRAITS * TRAITS
EVALUATIONS = 1 << 15  # as many as the processor's cache holds
NO_TRAIT = -1
STEPS = 64  # rows and columns of `reductions`


class Workspace(Control):
    """The memory of one thread. `lines` has a row for each ply."""

    table = Address()  # the transposition table
    mask = Word()  # its number of buckets less one
    scheme = Word()  # its replacement scheme
    age = Word()  # of its new entries
    deepest = Word()  # the longest line looked at, in plies
    root_depth = Word()  # of this iteration
    noise = Word()  # how far evaluations may be off, in points
    seed = Word()  # of the noise
    salt = Word()  # of the table's keys: the draws that the game's past has made near
    net = Address()  # the game's net
    shelf = Word()  # the address of the endgame tables; 0: there are none
    tbhits = Word()  # positions that were found there
    scores = Words()  # of the moves on the stack, each at its move's index
    killers = Words()  # two actions for each ply
    history = Words()  # SLOTS numbers for each player: how well an action did
    noisy_history = Words()  # likewise for noisy actions
    countermoves = Words()  # SLOTS actions, by the trait of the one that they answer
    continuations = Words()  # CONTINUATIONS numbers, four in a word: how well an action did after another
    trail = Words()  # for each ply, the trait of the action that led there
    identities = Words()  # of the last MAX_PAST positions before the root, then of each ply's
    reversible = Words()  # for each ply, how many plies back the last irreversible action lies
    statics = Words()  # for each ply, its static evaluation
    evaluations = Words()  # by key: the high 48 bits of a word are the key's, the low 16 the evaluation
    reductions = Words()  # by depth and number of the move: how many plies a late move is reduced
    banned = Words()  # how many root actions are not searched, then these
    accumulators = Words()  # for each ply the net's sums, then the rows that change: see accumulator.py


class Context(NamedTuple):
    """What all nodes of a search share."""

    memory: Any  # Workspace
    on: Any  # the switches
    trace: Any  # an array of events, or None


def new_memory(cls: type, table: Table, weights: int = 0) -> Workspace:
    """Memory for one thread; `weights` is their address."""
    actions = max_actions(cls) + 1
    memory = Workspace(
        stack=2 * PLIES * actions,
        scores=2 * PLIES * actions,
        accumulators=PLIES * net_slot(cls) + 4 * MOST,
        killers=2 * PLIES,
        history=2 * SLOTS,
        noisy_history=2 * SLOTS,
        countermoves=SLOTS,
        continuations=CONTINUATIONS // 4,
        trail=PLIES,
        identities=MAX_PAST + PLIES,
        reversible=PLIES,
        statics=PLIES,
        evaluations=EVALUATIONS,
        reductions=STEPS * STEPS,
        banned=actions,
        lines=PLIES * PLIES,
    )
    memory.width = PLIES
    memory.limit = NO_LIMIT
    memory.weights = weights
    memory.net = stored(cls)
    memory.table = table.words.ctypes.data
    memory.mask = table.mask
    memory.scheme = table.scheme
    memory.age = table.age
    memory.trail[0] = NO_TRAIT
    memory.array("reductions")[:] = reductions()
    return memory


@functools.cache
def stored(cls: type) -> int:
    """Where a class's net lies in memory: rows, weights, biases."""
    net = net_of(cls)
    return keep(net.rows + net.weights + net.biases)


def inherit(memory: Workspace, earlier: Workspace) -> None:
    """Take over what an earlier search of the same game has learned about actions."""
    for name in ("history", "noisy_history", "countermoves", "continuations"):
        memory.array(name)[:] = earlier.array(name)


@functools.cache
def reductions() -> np.ndarray:
    """The later a move and the deeper the search, the more it is reduced: by the product of their logarithms.

    The form is Stockfish's since 2018; its two constants were tuned here in matches.
    """
    logs = np.log(np.maximum(np.arange(STEPS), 1))
    return (0.75 + np.outer(logs, logs) / 1.95).astype(np.int64).ravel()


def remember(memory: Workspace, identities: list[int]) -> None:
    """The identities of the positions before the root since the last irreversible action, the latest last."""
    identities = identities[-MAX_PAST:]
    memory.array("identities")[MAX_PAST - len(identities) : MAX_PAST] = identities
    memory.reversible[0] = len(identities)


def ban(memory: Workspace, actions: list[int]) -> None:
    """Do not search these actions at the root."""
    memory.array("banned")[: 1 + len(actions)] = [len(actions), *actions]


@kernel
def is_banned(action: int, memory: Any) -> bool:
    banned = memory.banned
    for i in range(1, 1 + banned[0]):  # noqa: SIM110
        if banned[i] == action:
            return True
    return False


@kernel
def comes_back(s: Any, identity: int, ply: int, memory: Any) -> int:
    """Whether a position is a draw since it comes back (2), has been in the game but is none yet (1), or is new (0).

    A draw below the root is one that has occurred in the line before, or so often in the game as the rules want.
    """
    identities = memory.identities
    here = MAX_PAST + ply
    identities[here] = identity
    times = 1
    for back in range(1, memory.reversible[ply] + 1):
        if identities[here - back] == identity:
            times += 1
            if back <= ply or times >= s.repetition():
                return 2 if ply > 0 else 1
    return 1 if times > 1 else 0
