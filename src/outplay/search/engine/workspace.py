"""The engine's memory: one block per thread."""

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
PLIES = MAX_PLY + 2  # rows of per-ply arrays
MAX_PAST = 1024  # positions of the game's history
SLOTS = 4096  # entries of per-action tables, indexed by a hash
TRAITS = 512  # the same for `continuations`
CONTINUATIONS = 2 * TRAITS * TRAITS
EVALUATIONS = 1 << 15  # as many as fit in the CPU cache
NO_TRAIT = -1
STEPS = 64  # rows and columns of `reductions`


class Workspace(Control):
    """The memory of one thread. `lines` has a row per ply."""

    table = Address()  # the transposition table
    mask = Word()  # its number of buckets minus one
    scheme = Word()  # its replacement scheme
    age = Word()  # of its new entries
    deepest = Word()  # selective depth, in plies
    root_depth = Word()  # of this iteration
    noise = Word()  # random error of the evaluation, in points
    seed = Word()  # for the noise
    salt = Word()  # for the table's keys: identifies the near draws due to the game's history
    net = Address()  # the game's net
    shelf = Word()  # the address of the endgame tables; 0: none
    tbhits = Word()  # positions found there
    scores = Words()  # ordering scores of the moves on the stack, at the same indices
    killers = Words()  # two actions for each ply
    history = Words()  # SLOTS history scores per player
    noisy_history = Words()  # likewise for noisy actions
    countermoves = Words()  # SLOTS actions, by the trait of the action they refute
    continuations = Words()  # CONTINUATIONS history scores of an action after another, four per word
    trail = Words()  # for each ply, the trait of the action that led there
    identities = Words()  # of the last MAX_PAST positions before the root, then of each ply's
    reversible = Words()  # for each ply, the number of plies since the last irreversible action
    statics = Words()  # for each ply, its static evaluation
    evaluations = Words()  # cache by key: the high 48 bits of a word are the key's, the low 16 the evaluation
    reductions = Words()  # late-move reductions in plies, by depth and move number
    banned = Words()  # the number of excluded root actions, then the actions
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
    """The addresses of a class's net: rows, weights, biases."""
    net = net_of(cls)
    return keep(net.rows + net.weights + net.biases)


def inherit(memory: Workspace, earlier: Workspace) -> None:
    """Take over the history tables of an earlier search of the same game."""
    for name in ("history", "noisy_history", "countermoves", "continuations"):
        memory.array(name)[:] = earlier.array(name)


@functools.cache
def reductions() -> np.ndarray:
    """The later a move and the deeper the search, the larger the reduction: the product of their logarithms.

    The formula is Stockfish's since 2018; its two constants were tuned here in matches.
    """
    logs = np.log(np.maximum(np.arange(STEPS), 1))
    return (0.75 + np.outer(logs, logs) / 1.95).astype(np.int64).ravel()


def remember(memory: Workspace, identities: list[int]) -> None:
    """The identities of the positions before the root since the last irreversible action, the latest last."""
    identities = identities[-MAX_PAST:]
    memory.array("identities")[MAX_PAST - len(identities) : MAX_PAST] = identities
    memory.reversible[0] = len(identities)


def ban(memory: Workspace, actions: list[int]) -> None:
    """Exclude these actions at the root."""
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
    """Whether a position is a draw by repetition (2), has occurred in the game but is no draw yet (1), or is new (0).

    Below the root it is a draw if it has occurred in the line, or as often in the game as the rules require.
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
