"""What the engine keeps in memory beyond the words of `control`: one block of words a thread.

Words named here hold where a part of the block begins, unless they say otherwise.
"""

import functools
from typing import Any

import numpy as np

from outplay.compile import kernel
from outplay.game import max_actions, net_of, net_slot
from outplay.memory import pages, store
from outplay.nnue import LINE, MOST
from outplay.search import control
from outplay.search.table import Table

TABLE = 7  # the table's address
MASK = 8  # its number of buckets less one
SCHEME = 9  # its replacement scheme
AGE = 10
SCORES = 11  # the score of the move on the stack at i is at SCORES + i
KILLERS = 12  # two actions a ply
HISTORY = 13  # SLOTS words for each player
COUNTERS = 14  # SLOTS actions: by the trait of the one that they answer
DEEPEST = 15  # the longest line looked at, in plies (a number)
TRAIL = 16  # for each ply, the trait of the action that led there
PAIRS = 17  # PAIR_SLOTS numbers, four in a word: the history of an action after another
KEYS = 18  # for each ply, the key of its position; those of the game's past lie before them
CALM = 19  # for each ply, how many plies back the last irreversible action lies
STATICS = 20  # for each ply, its evaluation
REDUCTIONS = 21  # by depth and number of the move: how many plies a late move is searched less
BANNED = 22  # how many actions are left out at the root, and then these
ROOT_DEPTH = 23  # of this iteration (a number)
NOISE = 24  # how far evaluations may be off, in points (a number)
SEED = 25  # of the noise (a number)
JUDGED = 26  # JUDGED_SLOTS evaluations by key: the high 48 bits of a word are the key's, the low 16 the value
NOISY = 27  # SLOTS words for each player: the history of noisy actions
NET = 28  # the address of the game's net
SUMS = 29  # for each ply, sums of its rows, as `sums` tells
LISTS = 30  # rows that are to be taken away and added, for both views

MAX_PLY = 250
MAX_PAST = 1024  # positions of the game's past
SLOTS = 4096  # actions share the words that are kept by action by a hash
TRAITS = 512  # those of PAIRS, where others share their words
PAIR_SLOTS = 2 * TRAITS * TRAITS
JUDGED_SLOTS = 1 << 15  # as much as stays near the processor
NO_SLOT = -1
STEPS = 64  # rows and columns of REDUCTIONS


def new_memory(cls: type, table: Table, weights: int = 0) -> np.ndarray:
    """Memory for one thread; `weights` is their address."""
    plies = MAX_PLY + 2
    stack = -(-2 * plies * (max_actions(cls) + 1) // LINE) * LINE
    sizes = {
        SUMS: plies * net_slot(cls),
        SCORES: stack,
        KILLERS: 2 * plies,
        HISTORY: 2 * SLOTS,
        COUNTERS: SLOTS,
        NOISY: 2 * SLOTS,
        PAIRS: PAIR_SLOTS // 4,
        TRAIL: plies,
        KEYS: MAX_PAST + plies,
        CALM: plies,
        STATICS: plies,
        REDUCTIONS: STEPS * STEPS,
        JUDGED: JUDGED_SLOTS,
        BANNED: 1 + max_actions(cls),
        LISTS: 4 * MOST,
        control.LINES: plies * plies,
    }
    memory = pages(control.MOVES + stack + sum(sizes.values()))
    at = control.MOVES + stack
    for word, size in sizes.items():
        memory[word] = at
        at += size
    memory[SCORES] -= control.MOVES
    memory[KEYS] += MAX_PAST
    memory[control.WIDTH] = plies
    memory[control.LIMIT] = control.NO_LIMIT
    memory[control.WEIGHTS] = weights
    memory[NET] = stored(cls)
    memory[TABLE] = table.words.ctypes.data
    memory[MASK] = table.mask
    memory[SCHEME] = table.scheme
    memory[AGE] = table.age
    memory[memory[TRAIL]] = NO_SLOT
    memory[memory[REDUCTIONS] :][: STEPS * STEPS] = reductions()
    return memory


@functools.cache
def stored(cls: type) -> int:
    """Where a class's net lies in memory: rows, weights, biases."""
    net = net_of(cls)
    return store(net.rows + net.weights + net.biases)


def inherit(memory: np.ndarray, earlier: np.ndarray) -> None:
    """Take over what an earlier search of the same game has learned about actions."""
    learned = slice(int(memory[HISTORY]), int(memory[PAIRS]) + PAIR_SLOTS // 4)
    memory[learned] = earlier[learned]


@functools.cache
def reductions() -> np.ndarray:
    """The rows of REDUCTIONS: the later a move and the deeper the search, the more."""
    logs = np.log(np.maximum(np.arange(STEPS), 1))
    return (0.75 + np.outer(logs, logs) / 1.95).astype(np.int64).ravel()


def remember(memory: np.ndarray, keys: list[int]) -> None:
    """The keys of the positions before the root since the last irreversible action, the latest last."""
    keys = keys[-MAX_PAST:]
    first = int(memory[KEYS]) - len(keys)
    memory[first : first + len(keys)] = keys
    memory[memory[CALM]] = len(keys)


def ban(memory: np.ndarray, actions: list[int]) -> None:
    """Leave these actions out at the root."""
    at = int(memory[BANNED])
    memory[at] = len(actions)
    memory[at + 1 : at + 1 + len(actions)] = actions


@kernel
def is_banned(action: int, memory: Any) -> bool:
    at = memory[BANNED]
    for i in range(at + 1, at + 1 + memory[at]):  # noqa: SIM110
        if memory[i] == action:
            return True
    return False


@kernel
def comes_back(s: Any, key: int, ply: int, memory: Any) -> int:
    """Whether a position is a draw since it comes back (2), has been in the game but is none yet (1), or is new (0).

    A draw below the root is one that has occurred in the line before, or so often in the game as the rules want.
    """
    here = memory[KEYS] + ply
    memory[here] = key
    times = 1
    for back in range(1, memory[memory[CALM] + ply] + 1):
        if memory[here - back] == key:
            times += 1
            if back <= ply or times >= s.repetition():
                return 2 if ply > 0 else 1
    return 1 if times > 1 else 0
