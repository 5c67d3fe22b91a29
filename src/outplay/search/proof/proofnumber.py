"""Proof-number search (Allis, van der Meulen & van den Herik 1994): can MAX reach a given value?

Every node has two numbers: the minimum number of leaves that must be proven to prove the node, and that must be
disproven to disprove it. At MAX nodes the proof number is the minimum of the children's and the disproof number their
sum; at MIN nodes vice versa. The search always expands the most-proving node, a leaf that counts for both, so it
follows forced lines very deep and leaves open what does not matter.

Two forms: best-first with the tree in memory, as in Allis's thesis; and df-pn (Nagai 2002), which visits nodes in
nearly the same order depth-first, keeps their numbers in a table of bounded size, and recognises transpositions. If
positions could repeat within a line, values would depend on the history (the graph-history interaction problem):
df-pn is for games without repetition; elsewhere a line that does not end is an error.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.compile.structure import Address, Word
from outplay.game import GameError, estimate, is_terminal, legal, max_actions, offers, outcome, worth
from outplay.search.engine.table import Table
from outplay.search.proof.prover import Prover
from outplay.search.protocol import control
from outplay.search.protocol.control import Control, TooDeep, count, moves

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
        """Update the numbers, here and in the ancestors."""
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

MAX_DEPTH = 1000  # plies: limited by the machine's stack

mix = NATIVE["mix"][ENABLED]


class Proof(Control):
    """The memory of df-pn. On the stack each node writes its actions, and two numbers for each."""

    table = Address()  # of proof numbers
    mask = Word()  # its number of buckets minus one
    action = Word()  # the root's action that achieves its player's goal


class ProofNumbers(Prover):
    """Proofs by df-pn; the table never grows."""

    def __init__(self, cls: type, megabytes: float = 128) -> None:
        if hasattr(cls, "repetition"):
            raise GameError(
                f"proof-number search does not fit {cls.__name__}: positions repeat, and "
                "their value depends on the history: use mtdf"
            )
        super().__init__(cls, Proof(stack=(MAX_DEPTH + 2) * 3 * (max_actions(cls) + 1)))
        self.table = Table(megabytes)
        self.memory.table = self.table.words.ctypes.data
        self.memory.mask = self.table.mask
        self.memory.limit = control.NO_LIMIT
        self.cut = False  # whether the player to move at the last root achieved its goal

    def start(self, native: Any) -> Any:
        return start(native, 0, self.memory)

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
        """The root's action that achieved its player's goal in the last proof."""
        return self.memory.action if self.cut else None


@kernel
def filed_under(s: Any, goal: int, base: int, memory: Any) -> int:
    """The key of the position and the goal, the same for all mirror images."""
    stack = memory.stack
    n = s.symmetries(stack, base)
    if n == 0:
        return mix(s.hash() ^ goal)
    key = stack[base]
    for i in range(base + 1, base + n):
        key = min(key, stack[i])
    return mix(mix(key) ^ goal)


@kernel
def pack(proof: int, disproof: int) -> int:
    return proof << 32 | disproof


@kernel
def recalled(table: Any, mask: int, key: int) -> int:
    """The proof and disproof numbers stored under a key, packed; 0 if none."""
    at = (key & mask) * 4
    for i in range(at, at + 4, 2):
        if table[i] ^ table[i + 1] == key and table[i + 1] != 0:
            return table[i + 1] & ~(7 << 29)
    return 0


@kernel
def keep(table: Any, mask: int, key: int, numbers: int, nodes: int) -> None:
    """Store a node's numbers; the first entry of a bucket keeps the costlier node, the second the latest.

    The cost is stored as log4 of the nodes in three bits that the numbers leave free.
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
def foremost(few: int, many: int, n: int, stack: Any) -> tuple[int, int, int, int]:
    """For n children, whose numbers begin at `few` and `many`: the least few, the second, the sum of many, the best."""
    least, second, total, best = INFINITE, INFINITE, 0, 0
    for i in range(n):
        if stack[few + i] < least:
            second, least, best = least, stack[few + i], i
        elif stack[few + i] < second:
            second = stack[few + i]
        total += stack[many + i]
    return least, second, INFINITE if least == 0 else min(total, INFINITE - 1), best


@kernel
def known(s: Any, goal: int, base: int, memory: Any) -> int:
    """The numbers of a node before it is searched: from the rules, the game's bounds, or the table."""
    if s.terminal():
        return pack(0, INFINITE) if s.utility() >= goal else pack(INFINITE, 0)
    ceiling = s.ceiling()
    if s.player() == MAX and ceiling < goal:
        return pack(INFINITE, 0)
    if s.player() != MAX and -ceiling >= goal:
        return pack(0, INFINITE)
    found = recalled(memory.table, memory.mask, filed_under(s, goal, base, memory))
    return found if found != 0 else pack(1, 1)


@kernel
def candidates(s: Any, memory: Any, base: int) -> int:
    """The actions that matter."""
    n = s.promising(memory.stack, base)
    return n if n > 0 else moves(s, memory, base)


@kernel
def dfpn(s: Any, goal: int, few_limit: int, many_limit: int, ply: int, base: int, memory: Any) -> int:
    """Search below a node until one of its numbers reaches its limit; returns both numbers, packed.

    `few` is the number that is minimised over the children (the proof number if MAX moves), `many`
    the one that is summed.
    """
    count(memory)
    stack = memory.stack
    if ply >= MAX_DEPTH:
        raise TooDeep
    before = memory.nodes
    mine = 32 if s.player() == MAX else 0  # the position of `few` in a packed pair
    n = candidates(s, memory, base)
    few, many, top = base + n, base + 2 * n, base + 3 * n
    for i in range(n):
        numbers = known(s.result(stack[base + i]), goal, top, memory)
        stack[few + i] = numbers >> mine & INFINITE
        stack[many + i] = numbers >> 32 - mine & INFINITE
    while True:
        least, second, total, best = foremost(few, many, n, stack)
        if ply == 0:
            memory.action = stack[base + best]
        if least >= few_limit or total >= many_limit:
            break
        # Search the child up to a quarter beyond the second best: the 1 + epsilon trick (Pawlewicz & Lew 2007).
        child_few = min(few_limit, second + 1 + second // 4)
        child_many = many_limit - total + stack[many + best]
        child = s.result(stack[base + best])
        if (child.player() == MAX) == (mine == 32):
            numbers = dfpn(child, goal, child_few, child_many, ply + 1, top, memory)
        else:
            numbers = dfpn(child, goal, child_many, child_few, ply + 1, top, memory)
        stack[few + best] = numbers >> mine & INFINITE
        stack[many + best] = numbers >> 32 - mine & INFINITE
    numbers = least << mine | total << 32 - mine
    key = filed_under(s, goal, top, memory)
    keep(memory.table, memory.mask, key, numbers, memory.nodes - before)
    return numbers


@kernel
def start(s: Any, goal: int, memory: Any) -> int:
    """The packed numbers of the root: its proof number is 0 if MAX can reach the goal."""
    numbers = known(s, goal, 0, memory)
    if numbers >> 32 == 0 or numbers & INFINITE == 0:
        return numbers
    return dfpn(s, goal, INFINITE, INFINITE, 0, 0, memory)
