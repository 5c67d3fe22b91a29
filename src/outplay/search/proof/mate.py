"""The shortest win: can the player to move win within so many plies, whatever the other does?

A search that prunes by judgement may find a long win first and overlook a shorter one. This one prunes nothing: it is
df-pn (Nagai 2002; proofnumber.py tells how it works) on pairs of a position and the plies that are left. With each
ply there are fewer, so no line goes in circles, and what is found holds whichever way a position was reached. A
position where the defender has few replies is the first to look at, as in the programs that solve mate problems.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.compile.structure import Address, Structure, Word
from outplay.game import is_terminal, legal
from outplay.search.engine.probe import key_of
from outplay.search.engine.table import Table
from outplay.search.engine.workspace import MAX_PAST, Context, Workspace, is_banned
from outplay.search.proof.proofnumber import INFINITE, foremost, keep, pack, recalled
from outplay.search.protocol import control
from outplay.search.protocol.control import NO_LIMIT, count, moves

MOST_PLIES = 160  # the stack of moves holds them: each node writes two numbers beside each move
CHEAP = 4  # the table tells costs apart from 64 nodes on: 4, shifted so far
NEAR = 2  # plies: nearer to the end positions are searched again faster than they are looked up
OPEN, NO, YES = range(3)  # answers
GLANCE = 20_000  # nodes: a question that takes a few milliseconds at most

mix = NATIVE["mix"][ENABLED]


class Question(Structure):
    """What is asked, beside the memory of the search."""

    attacker = Word()  # who is to win
    budget = Word()  # when as many nodes have been entered in all, the question stays open
    action = Word()  # the root's action that wins, or may
    table = Address()  # of proof numbers
    mask = Word()  # its number of buckets less one


class Shortest:
    """The proofs beside a search of one state, in its memory, over a table of their own."""

    def __init__(self, memory: Workspace, table: Table, on: Any) -> None:
        self.memory = memory
        self.on = on  # the switches of the search: its keys depend on them
        self.spent = 0  # nodes in all
        self.question = Question()
        self.question.table, self.question.mask = table.words.ctypes.data, table.mask

    def ask(self, state: Any, plies: int, nodes: int = NO_LIMIT, attacker: int | None = None) -> int:
        """Whether the attacker can win within so many plies: YES, NO, or OPEN when so many nodes are spent.

        The attacker is the player to move unless it is said.
        """
        if plies <= 0:
            return NO
        rules = twin(type(state))
        native = rules.state(state)
        before = self.memory.nodes
        self.question.attacker = state.player() if attacker is None else attacker
        self.question.budget = min(before + nodes, NO_LIMIT)
        try:
            with explained(rules, native), control.explained(type(state)):
                return int(_ask(native, min(plies, MOST_PLIES), self.memory, self.question, self.on))
        finally:
            self.spent += self.memory.nodes - before

    def line(self, state: Any, plies: int) -> tuple[int, ...]:
        """The line of a win within so many plies that was just found; the defender holds out as long as is seen."""
        attacker, line = state.player(), [self.question.action]
        with contextlib.suppress(control.Stopped), no_bans(self.memory):
            while not is_terminal(state := state.result(line[-1])):
                plies -= 1
                if state.player() != attacker:
                    line.append(self.longest(state, plies, attacker))
                elif self.ask(state, plies) == YES:
                    line.append(self.question.action)
                else:
                    break
        return tuple(line)

    def longest(self, state: Any, plies: int, attacker: int) -> int:
        """The reply that delays the win longest, as far as a glance shows; any, if none is seen."""
        for action in legal(state):
            after = state.result(action)
            if not is_terminal(after) and self.ask(after, plies - 3, GLANCE, attacker) != YES:
                return action
        return legal(state)[0]


@contextlib.contextmanager
def no_bans(memory: Workspace) -> Iterator[None]:
    """Positions below the root are looked at as roots: what is banned there is allowed here."""
    banned, memory.banned[0] = memory.banned[0], 0
    try:
        yield
    finally:
        memory.banned[0] = banned


@kernel
def key_with(s: Any, left: int, base: int, c: Any) -> int:
    """The key of the position and the plies that are left."""
    return mix(key_of(s, base, c)[0] ^ left)


@kernel
def is_draw(s: Any, c: Any) -> bool:
    """Whether a position has come so often in the game that it may not come once more."""
    past = c.memory.reversible[0]
    if s.repetition() <= 0 or past == 0:
        return False
    identity = s.identity()
    times = 1
    for back in range(1, past + 1):
        if c.memory.identities[MAX_PAST - back] == identity:
            times += 1
    return times >= s.repetition()


@kernel
def has_won(s: Any, attacker: int) -> bool:
    return (s.utility() if attacker == 0 else -s.utility()) >= s.win_score()


@kernel
def known(s: Any, left: int, base: int, question: Any, c: Any) -> int:
    """The numbers of a node before it is searched: by the rules, from the table, or guessed by its actions."""
    count(c.memory)
    if s.terminal():
        return pack(0, INFINITE) if has_won(s, question.attacker) else pack(INFINITE, 0)
    if left == 0 or is_draw(s, c):
        return pack(INFINITE, 0)
    if left > NEAR:
        found = recalled(question.table, question.mask, key_with(s, left, base, c))
        if found != 0:
            return found
    n = s.count(c.memory.stack, base)
    return pack(1, n) if s.player() == question.attacker else pack(n, 1)


@kernel
def prove(
    s: Any, left: int, few_limit: int, many_limit: int, ply: int, base: int, question: Any, c: Any
) -> int:
    """Search below a node until one of its numbers reaches its limit; both numbers are returned, packed.

    `few` is the number of which the player to move needs only the least (the proof number where the attacker moves),
    `many` the one that is summed.
    """
    memory, stack = c.memory, c.memory.stack
    before = memory.nodes
    mine = 32 if s.player() == question.attacker else 0  # where the few stand in a packed pair
    n = moves(s, memory, base)
    few, many, top = base + n, base + 2 * n, base + 3 * n
    for i in range(n):
        stack[few + i], stack[many + i] = INFINITE, 0
        if ply > 0 or not is_banned(stack[base + i], memory):
            numbers = known(s.result(stack[base + i]), left - 1, top, question, c)
            stack[few + i] = numbers >> mine & INFINITE
            stack[many + i] = numbers >> 32 - mine & INFINITE
            if stack[few + i] == 0:  # this one does it
                n = i + 1
                break
    while True:
        least, second, total, best = foremost(few, many, n, stack)
        if least >= few_limit or total >= many_limit or memory.nodes >= question.budget:
            break
        # The child may go on a quarter beyond the second best before it is left (Pawlewicz & Lew 2007).
        child_few = min(few_limit, second + 1 + second // 4)
        child_many = many_limit - total + stack[many + best]
        child = s.result(stack[base + best])
        if (child.player() == question.attacker) != (mine == 32):
            child_few, child_many = child_many, child_few
        numbers = prove(child, left - 1, child_few, child_many, ply + 1, top, question, c)
        stack[few + best] = numbers >> mine & INFINITE
        stack[many + best] = numbers >> 32 - mine & INFINITE
    if ply == 0:
        question.action = stack[base + best]
    numbers = least << mine | total << 32 - mine
    if left > NEAR and ply > 0:  # at the root not all actions may be allowed
        effort = memory.nodes - before >> CHEAP
        keep(question.table, question.mask, key_with(s, left, top, c), numbers, effort)
    return numbers


@kernel
def _ask(s: Any, plies: int, memory: Any, question: Any, on: Any) -> int:
    c = Context(memory, on, None)
    numbers = prove(s, plies, INFINITE, INFINITE, 0, 0, question, c)
    return YES if numbers >> 32 == 0 else NO if numbers & INFINITE == 0 else OPEN
