"""Proof-number search (Allis, van der Meulen & van den Herik 1994): is the game worth at least so much to MAX?

Every node has two numbers: how many leaves must yet be proven for the answer yes, and how many disproven for the
answer no. Where MAX moves, the proof number is the least of the children's and the disproof number their sum; where
MIN moves, the other way round. The search always goes on at a leaf whose value counts for both, the most-proving
node, so it follows forced play very deep and leaves open what does not matter.

Two forms: best-first with the tree in memory, as in Allis's thesis; and df-pn (Nagai 2002), which visits nodes in
nearly the same order depth-first, keeps their numbers in a table of bounded size, and finds positions again that are
reached by another order of moves. A position that could come back within a line of play would need its past too (the
graph-history problem): df-pn is for games in which none can; elsewhere a line that does not end is an error.
"""

import contextlib
from typing import Any

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import GameError, estimate, is_terminal, legal, max_actions, offers, outcome, worth
from outplay.search import control
from outplay.search.control import LIMIT, MOVES, NO_LIMIT, NODES, TooDeep, count, moves, pointer
from outplay.search.table import Table

MAX = 0
INFINITE = (1 << 29) - 1


# --- as in the thesis ------------------------------------------------------------------------------------


class Node:
    """A node of the tree, with its proof and disproof number."""

    def __init__(self, state: Any, parent: "Node | None", goal: int) -> None:
        self.state = state
        self.parent = parent
        self.children: list[Node] = []
        self.proof = self.disproof = 1
        if is_terminal(state):
            reached = outcome(state) >= goal
            self.proof, self.disproof = (0, INFINITE) if reached else (INFINITE, 0)

    def most_proving(self) -> "Node":
        """The leaf that helps a proof and a disproof alike."""
        node = self
        while node.children:
            if node.state.player() == MAX:
                node = min(node.children, key=lambda child: child.proof)
            else:
                node = min(node.children, key=lambda child: child.disproof)
        return node

    def expand(self, goal: int) -> None:
        self.children = [Node(self.state.result(action), self, goal) for action in legal(self.state)]

    def update(self) -> None:
        """Set the numbers anew, here and above."""
        node: Node | None = self
        while node is not None:
            proofs = [child.proof for child in node.children]
            disproofs = [child.disproof for child in node.children]
            if node.state.player() == MAX:
                node.proof, node.disproof = min(proofs), min(INFINITE, sum(disproofs))
            else:
                node.proof, node.disproof = min(INFINITE, sum(proofs)), min(disproofs)
            node = node.parent


def proof_number_search(state: Any, goal: int, max_nodes: int = 1_000_000) -> bool | None:
    """Whether MAX can reach the score `goal`; None if the tree would grow beyond `max_nodes`."""
    root = Node(state, None, goal)
    nodes = 1
    while root.proof and root.disproof:
        leaf = root.most_proving()
        leaf.expand(goal)
        leaf.update()
        nodes += len(leaf.children)
        if nodes > max_nodes:
            return None
    return root.proof == 0


# --- df-pn, at the speed of the machine ------------------------------------------------------------------

# Control words beyond those of control.py.
TABLE = 7  # the table's address
MASK = 8  # its number of buckets less one
ACTION = 9  # the root's action that does what its player wants
MAX_DEPTH = 1000  # plies: the machine's stack must hold them

mix = NATIVE["mix"][ENABLED]
words_at = NATIVE["words_at"][ENABLED]


class ProofNumbers:
    """Proofs by df-pn, for one position after another; the table never grows."""

    def __init__(self, cls: type, megabytes: float = 128) -> None:
        if hasattr(cls, "repetition"):
            raise GameError(
                f"proof-number search does not fit {cls.__name__}: positions come back, and "
                "their value depends on the past: use mtdf"
            )
        self.cls = cls
        self.twin = twin(cls)
        self.table = Table(megabytes)
        self.memory = np.zeros(MOVES + (MAX_DEPTH + 2) * 3 * (max_actions(cls) + 1), np.int64)
        self.memory[TABLE] = self.table.words.ctypes.data
        self.memory[MASK] = self.table.mask
        self.memory[LIMIT] = NO_LIMIT
        self.cut = False  # whether the last root's player got what it wanted

    @property
    def nodes(self) -> int:
        return int(self.memory[NODES])

    def stop(self) -> None:
        self.memory[LIMIT] = 0

    def allow(self, nodes: int) -> None:
        """Let it go on for so many nodes more."""
        if self.memory[LIMIT]:
            self.memory[LIMIT] = self.memory[NODES] + nodes

    def prepare(self, state: Any) -> None:
        """Build the native code."""
        native = self.twin.state(state)
        self.memory[LIMIT] = 0
        with explained(self.twin, native), contextlib.suppress(control.Stopped):
            start(native, 0, self.memory)
        self.memory[LIMIT] = NO_LIMIT

    def estimate(self, state: Any) -> int:
        """A first guess: the evaluation."""
        return int(estimate(state)) if offers(self.cls, "evaluate") else 0

    def at_least(self, state: Any, goal: int) -> int:
        """The goal, if MAX can reach that utility, else one less."""
        native = self.twin.state(state)
        with explained(self.twin, native), control.explained(self.cls):
            numbers = int(start(native, goal * worth(self.cls), self.memory))
        reached = numbers >> 32 == 0
        self.cut = reached == (state.player() == MAX)
        return goal if reached else goal - 1

    def action(self) -> int | None:
        """The root's action that did what its player wanted in the last proof."""
        return int(self.memory[ACTION]) if self.cut else None


@kernel
def filed_under(s: Any, goal: int, base: int, memory: Any) -> int:
    """The key of the position and the goal, the same for all mirror images."""
    n = s.symmetries(memory, base)
    if n == 0:
        return mix(s.hash() ^ goal)
    key = memory[base]
    for i in range(base + 1, base + n):
        key = min(key, memory[i])
    return mix(mix(key) ^ goal)


@kernel
def pack(proof: int, disproof: int) -> int:
    return proof << 32 | disproof


@kernel
def recalled(table: Any, mask: int, key: int) -> int:
    """The numbers that a table of proof numbers holds under a key, packed; 0 if none."""
    at = (key & mask) * 4
    for i in range(at, at + 4, 2):
        if table[i] ^ table[i + 1] == key and table[i + 1] != 0:
            return table[i + 1] & ~(7 << 29)
    return 0


@kernel
def keep(table: Any, mask: int, key: int, numbers: int, nodes: int) -> None:
    """Write a node's numbers; the first place of a bucket is for what cost more, the second for what came last.

    The cost is kept as log4 of the nodes in three bits that the numbers leave free.
    """
    at = (key & mask) * 4
    cost = 0
    while nodes > 3 and cost < 7:
        nodes >>= 2
        cost += 1
    data = numbers | cost << 29
    old = table[at + 1]
    if table[at] ^ old != key and (old >> 29 & 7) > cost:
        at += 2
    table[at] = key ^ data
    table[at + 1] = data


@kernel
def foremost(few: int, many: int, n: int, memory: Any) -> tuple[int, int, int, int]:
    """Of n children, whose numbers begin at `few` and `many`: the least few, the second, all the many, and whose."""
    least, second, total, best = INFINITE, INFINITE, 0, 0
    for i in range(n):
        if memory[few + i] < least:
            second, least, best = least, memory[few + i], i
        elif memory[few + i] < second:
            second = memory[few + i]
        total += memory[many + i]
    return least, second, INFINITE if least == 0 else min(total, INFINITE - 1), best


@kernel
def known(s: Any, goal: int, base: int, memory: Any) -> int:
    """The numbers of a node before it is searched: by the rules, by what the game knows, or from the table."""
    if s.terminal():
        return pack(0, INFINITE) if s.utility() >= goal else pack(INFINITE, 0)
    ceiling = s.ceiling()
    if s.player() == MAX and ceiling < goal:
        return pack(INFINITE, 0)
    if s.player() != MAX and -ceiling >= goal:
        return pack(0, INFINITE)
    found = recalled(words_at(memory[TABLE]), memory[MASK], filed_under(s, goal, base, memory))
    return found if found != 0 else pack(1, 1)


@kernel
def candidates(s: Any, memory: Any, base: int) -> int:
    """The actions that matter."""
    n = s.promising(memory, base)
    return n if n > 0 else moves(s, memory, base)


@kernel
def dfpn(s: Any, goal: int, few_limit: int, many_limit: int, ply: int, base: int, memory: Any) -> int:
    """Search below a node until one of its numbers reaches its limit; both numbers are returned, packed.

    `few` is the number of which the player to move needs only the least (the proof number where MAX moves), `many`
    the one that is summed.
    """
    count(memory)
    if ply >= MAX_DEPTH:
        raise TooDeep
    before = memory[NODES]
    mine = 32 if s.player() == MAX else 0  # where the few stand in a packed pair
    n = candidates(s, memory, base)
    few, many, top = base + n, base + 2 * n, base + 3 * n
    for i in range(n):
        numbers = known(s.result(memory[base + i]), goal, top, memory)
        memory[few + i] = numbers >> mine & INFINITE
        memory[many + i] = numbers >> 32 - mine & INFINITE
    while True:
        least, second, total, best = foremost(few, many, n, memory)
        if ply == 0:
            memory[ACTION] = memory[base + best]
        if least >= few_limit or total >= many_limit:
            break
        # The child may go on a quarter beyond the second best before it is left (Pawlewicz & Lew 2007).
        child_few = min(few_limit, second + 1 + second // 4)
        child_many = many_limit - total + memory[many + best]
        child = s.result(memory[base + best])
        if (child.player() == MAX) == (mine == 32):
            numbers = dfpn(child, goal, child_few, child_many, ply + 1, top, memory)
        else:
            numbers = dfpn(child, goal, child_many, child_few, ply + 1, top, memory)
        memory[few + best] = numbers >> mine & INFINITE
        memory[many + best] = numbers >> 32 - mine & INFINITE
    numbers = least << mine | total << 32 - mine
    key = filed_under(s, goal, top, memory)
    keep(words_at(memory[TABLE]), memory[MASK], key, numbers, memory[NODES] - before)
    return numbers


@kernel
def start(s: Any, goal: int, array: Any) -> int:
    """The packed numbers of the root: its proof number is 0 if MAX can reach the goal."""
    memory = pointer(array)
    numbers = known(s, goal, MOVES, memory)
    if numbers >> 32 == 0 or numbers & INFINITE == 0:
        return numbers
    return dfpn(s, goal, INFINITE, INFINITE, 0, MOVES, memory)
