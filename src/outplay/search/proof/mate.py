"""Mate search: can the player to move win within n plies, whatever the opponent does?

A selective search may find a long win first and miss a shorter one. This one prunes nothing: it is
df-pn (Nagai 2002; see proofnumber.py) on pairs of a position and the plies left. The plies left decrease, so no line
cycles, and results hold whichever way a position was reached. Positions where the defender has few replies are
searched first, as in mate solvers.
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

MOST_PLIES = 160  # limited by the stack of moves: each node writes two numbers next to each move
CHEAP = 4  # the table distinguishes costs from 64 nodes up: 4, shifted this far
NEAR = 2  # plies: closer to the end, searching a position again is faster than probing the table
OPEN, NO, YES = range(3)  # results
GLANCE = 20_000  # nodes: a query that takes a few milliseconds at most

mix = NATIVE["mix"][ENABLED]


class Question(Structure):
    """The query, in addition to the memory of the search."""

    attacker = Word()  # the player who should win
    budget = Word()  # at this total node count the result is OPEN
    action = Word()  # the root's action that wins, or might
    table = Address()  # of proof numbers
    mask = Word()  # its number of buckets minus one


class Shortest:
    """Mate searches alongside a search of one state, in its memory, with their own table."""

    def __init__(self, memory: Workspace, table: Table, on: Any) -> None:
        self.memory = memory
        self.on = on  # the switches of the search: its keys depend on them
        self.spent = 0  # nodes in all
        self.question = Question()
        self.question.table, self.question.mask = table.words.ctypes.data, table.mask

    def ask(self, state: Any, plies: int, nodes: int = NO_LIMIT, attacker: int | None = None) -> int:
        """Whether the attacker can win within this many plies: YES, NO, or OPEN when the node budget is spent.

        The attacker is the player to move by default.
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
        """The principal variation of a win just proven; the defender holds out as long as it can find."""
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
        """The reply that delays the win longest, according to short queries; any if none is found."""
        for action in legal(state):
            after = state.result(action)
            if not is_terminal(after) and self.ask(after, plies - 3, GLANCE, attacker) != YES:
                return action
        return legal(state)[0]


@contextlib.contextmanager
def no_bans(memory: Workspace) -> Iterator[None]:
    """Lift the exclusion of root actions while positions below the root are searched as roots."""
    banned, memory.banned[0] = memory.banned[0], 0
    try:
        yield
    finally:
        memory.banned[0] = banned


@kernel
def key_with(s: Any, left: int, base: int, c: Any) -> int:
    """The key of the position and the plies left."""
    return mix(key_of(s, base, c)[0] ^ left)


@kernel
def is_draw(s: Any, c: Any) -> bool:
    """Whether one more occurrence of the position would be a draw."""
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
    """The numbers of a node before it is searched: from the rules, from the table, or from its number of actions."""
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
    """Search below a node until one of its numbers reaches its limit; returns both numbers, packed.

    `few` is the number that is minimised over the children (the proof number if the attacker moves), `many` the one
    that is summed.
    """
    memory, stack = c.memory, c.memory.stack
    before = memory.nodes
    mine = 32 if s.player() == question.attacker else 0  # the position of `few` in a packed pair
    n = moves(s, memory, base)
    few, many, top = base + n, base + 2 * n, base + 3 * n
    for i in range(n):
        stack[few + i], stack[many + i] = INFINITE, 0
        if ply > 0 or not is_banned(stack[base + i], memory):
            numbers = known(s.result(stack[base + i]), left - 1, top, question, c)
            stack[few + i] = numbers >> mine & INFINITE
            stack[many + i] = numbers >> 32 - mine & INFINITE
            if stack[few + i] == 0:  # proven by this child
                n = i + 1
                break
    while True:
        least, second, total, best = foremost(few, many, n, stack)
        if least >= few_limit or total >= many_limit or memory.nodes >= question.budget:
            break
        # Search the child up to a quarter beyond the second best: the 1 + epsilon trick (Pawlewicz & Lew 2007).
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
    if left > NEAR and ply > 0:  # at the root some actions may be excluded
        effort = memory.nodes - before >> CHEAP
        keep(question.table, question.mask, key_with(s, left, top, c), numbers, effort)
    return numbers


@kernel
def _ask(s: Any, plies: int, memory: Any, question: Any, on: Any) -> int:
    c = Context(memory, on, None)
    numbers = prove(s, plies, INFINITE, INFINITE, 0, 0, question, c)
    return YES if numbers >> 32 == 0 else NO if numbers & INFINITE == 0 else OPEN
