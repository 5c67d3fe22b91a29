"""The engine: one alpha-beta for every game, each enhancement a switch.

`search` is negamax (the value is for the player to move; players need not alternate, so the sign follows
`player()`), fail-soft, over the transposition table, in numbered steps. The contract of a search of depth d with
the window (alpha, beta) and exact switches alone, m being the minimax value at depth d:

    v <= alpha  =>  m <= v        v >= beta  =>  m >= v        otherwise  m == v

A won game is worth WIN less the number of plies to it, so the shortest win is the best.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import WIN
from outplay.search.control import (
    HORIZON,
    LINES,
    MOVES,
    NO_LIMIT,
    NODES,
    WEIGHTS,
    WIDTH,
    count,
    moves,
    pointer,
)
from outplay.search.switches import BIT, enabled
from outplay.search.table import (
    EXACT,
    LOWER,
    NO_INDEX,
    UPPER,
    bound_of,
    depth_of,
    ended_of,
    find,
    index_of,
    keep,
    pack,
    score_of,
)

# Control words beyond those of control.py.
TABLE = 7  # the table's address
MASK = 8  # its number of buckets less one
SCHEME = 9
AGE = 10
SCORES = 11  # where the scores of the moves on the stack begin
KILLERS = 12  # two actions a ply
HISTORY = 13  # SLOTS words for each player
COUNTERS = 14  # SLOTS actions
DEEPEST = 15  # the longest line looked at, in plies

MAX_PLY = 250
RANK_DEPTH = 2  # the moves of nodes nearer the horizon are taken as they come
TABLE_DEPTH = 2  # nodes nearer the horizon are searched again faster than they are looked up
SLOTS = 4096  # actions share the words of history and countermoves by a hash
DECIDED = WIN // 2  # scores beyond this are outcomes
NO_SLOT = -1

TABLE_ON, ORDER, KILLER, HISTORY_ON = BIT["table"], BIT["order"], BIT["killers"], BIT["history"]
COUNTER, PVS, DEEPER, QUIESCENCE = BIT["countermoves"], BIT["pvs"], BIT["deeper"], BIT["quiescence"]
REDUCTIONS, FUTILITY = BIT["reductions"], BIT["futility"]
SINGULAR, TAPERED, PLAUSIBLE = BIT["singular"], BIT["tapered"], BIT["plausible"]

words_at = NATIVE["words_at"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]


@kernel
def slot(action: int) -> int:
    """The action's place in the tables that are kept by action."""
    return shr(wrap(action * -7046029254386353131), 52)


@kernel
def outcome(s: Any, ply: int) -> int:
    """The utility for the player to move; a win is worth more the nearer it is, where wins are what counts."""
    value = s.utility() if s.player() == 0 else -s.utility()
    if s.worth() == WIN:
        value -= ply if value > 0 else -ply if value < 0 else 0
    return value


@kernel
def to_table(s: Any, value: int, ply: int) -> int:
    """Distances in the table count from the position, not from the root."""
    if s.worth() != WIN or -DECIDED < value < DECIDED:
        return value
    return value + ply if value > 0 else value - ply


@kernel
def from_table(s: Any, value: int, ply: int) -> int:
    if s.worth() != WIN or -DECIDED < value < DECIDED:
        return value
    return value - ply if value > 0 else value + ply


@kernel
def static(s: Any, memory: Any) -> int:
    """The evaluation for the player to move."""
    value = s.evaluate(memory[WEIGHTS])
    return value if s.player() == 0 else -value


@kernel
def quiesce(s: Any, alpha: int, beta: int, ply: int, base: int, memory: Any, on: Any) -> int:
    """The value at the horizon: static, or after the noisy actions that somebody would want to play."""
    value = static(s, memory)
    memory[HORIZON] += 1
    if not enabled(on, QUIESCENCE) or not s.has_noisy() or value >= beta or ply >= MAX_PLY:
        return value
    alpha = max(alpha, value)
    n = s.noisy(memory, base)
    rank(s, n, -1, ply, NO_SLOT, base, memory, on)
    for i in range(base, base + n):
        bring_best(i, base + n, memory)
        child = s.result(memory[i])
        count(memory)
        same = child.player() == s.player()
        if child.terminal():
            v = outcome(child, ply + 1) if same else -outcome(child, ply + 1)
        elif same:
            v = quiesce(child, alpha, beta, ply + 1, base + n, memory, on)
        else:
            v = -quiesce(child, -beta, -alpha, ply + 1, base + n, memory, on)
        if v > value:
            value = v
            alpha = max(alpha, v)
            if alpha >= beta:
                break
    return value


@kernel
def rank(s: Any, n: int, hint: int, ply: int, last: int, base: int, memory: Any, on: Any) -> None:
    """Give each move on the stack a score: the table's first, then the game's order, killers, history.

    The low 12 bits hold the move's index counted down, so that equal moves keep their order and the index of a
    move is known after sorting.
    """
    scores = memory[SCORES]
    history = memory[HISTORY] + s.player() * SLOTS
    for i in range(n):
        action = memory[base + i]
        score = 0
        if enabled(on, ORDER):
            score = s.order(action) << 20
        if enabled(on, KILLER):
            killers = memory[KILLERS] + 2 * ply
            score += 1 << 19 if action == memory[killers] else 1 << 18 if action == memory[killers + 1] else 0
        if enabled(on, COUNTER) and last != NO_SLOT and action == memory[memory[COUNTERS] + last]:
            score += 1 << 17
        if enabled(on, HISTORY_ON):
            score += min(memory[history + slot(action)], (1 << 17) - 1)
        if i == hint:
            score = 1 << 50
        memory[scores + base + i] = score << 12 | NO_INDEX - min(i, NO_INDEX)


@kernel
def bring_best(i: int, end: int, memory: Any) -> None:
    """Exchange move i with the best of the moves from i on."""
    scores = memory[SCORES]
    best = i
    for j in range(i + 1, end):
        if memory[scores + j] > memory[scores + best]:
            best = j
    if best != i:
        memory[i], memory[best] = memory[best], memory[i]
        memory[scores + i], memory[scores + best] = memory[scores + best], memory[scores + i]


@kernel
def reward(s: Any, action: int, depth: int, ply: int, last: int, memory: Any) -> None:
    """A move that cut off is remembered."""
    killers = memory[KILLERS] + 2 * ply
    if memory[killers] != action:
        memory[killers + 1] = memory[killers]
        memory[killers] = action
    if last != NO_SLOT:
        memory[memory[COUNTERS] + last] = action
    word = memory[HISTORY] + s.player() * SLOTS + slot(action)
    memory[word] += depth * depth


@kernel
def extend_line(memory: Any, ply: int, action: int) -> None:
    """The best line at this ply is the action and the next ply's line."""
    row = memory[LINES] + ply * memory[WIDTH]
    child = row + memory[WIDTH]
    length = memory[child]
    memory[row] = length + 1
    memory[row + 1] = action
    for i in range(1, length + 1):
        memory[row + 1 + i] = memory[child + i]


@kernel
def effort(nodes: int) -> int:
    """log2 of a number of nodes."""
    steps = 0
    while nodes > 1 and steps < 31:
        nodes >>= 1
        steps += 1
    return steps


@kernel
def search(
    s: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    last: int,
    room: int,
    excluded: int,
    memory: Any,
    on: Any,
) -> int:
    """The value of a state for the player to move; see the contract above.

    `last` is the slot of the move that led here, `room` the number of moves that tapered search leaves to this
    node (0: all), `excluded` the index of a move that is left out (singular search; -1: none).
    """
    # 1. A new node.
    count(memory)
    memory[memory[LINES] + ply * memory[WIDTH]] = 0
    if ply > memory[DEEPEST]:
        memory[DEEPEST] = ply
    # 2. The game is over.
    if s.terminal():
        return outcome(s, ply)
    # 3. The horizon.
    if depth <= 0 or ply >= MAX_PLY:
        return quiesce(s, alpha, beta, ply, base, memory, on)
    # 4. The table.
    me = s.player()
    table = words_at(memory[TABLE])
    key = 0
    hint = -1
    data = 0
    use_table = enabled(on, TABLE_ON) and depth >= TABLE_DEPTH
    if use_table:
        key = s.hash()
        data = find(table, memory[MASK], key)
        if data != 0:
            hint = index_of(data)
            known = depth_of(data)
            fits = known == depth or (ended_of(data) == 1 and known <= depth)
            if (fits or (enabled(on, DEEPER) and known > depth)) and excluded < 0 and ply > 0:
                value = from_table(s, score_of(data), ply)
                bound = bound_of(data)
                if (
                    bound == EXACT
                    or (bound == LOWER and value >= beta)
                    or (bound == UPPER and value <= alpha)
                ):
                    if ended_of(data) == 0:
                        memory[HORIZON] += 1
                    return value
    first_node = memory[NODES]
    first_horizon = memory[HORIZON]
    quiet = 0
    if enabled(on, FUTILITY):
        quiet = static(s, memory)
    # 5. The moves, in the order in which they promise most.
    n = moves(s, memory, base)
    end = base + n
    ranked = depth >= RANK_DEPTH
    if ranked:
        rank(s, n, hint, ply, last, base, memory, on)
    allowed = n
    if enabled(on, TAPERED) and room > 0:
        allowed = min(allowed, room)
    if enabled(on, PLAUSIBLE) and ply > 0:
        allowed = min(allowed, (n + 1) // 2)
    if allowed < n:
        memory[HORIZON] += 1
    # 6. A table move that stands out is looked at one ply further.
    extension = 0
    if enabled(on, SINGULAR) and excluded < 0 and ply > 0 and depth >= 6 and data != 0 and hint < n:
        if bound_of(data) & LOWER != 0 and depth_of(data) >= depth - 3:
            mark = from_table(s, score_of(data), ply) - 2 * depth
            if -DECIDED < mark < DECIDED:
                v = search(s, depth // 2, mark - 1, mark, ply, end, last, 0, hint, memory, on)
                memory[memory[LINES] + ply * memory[WIDTH]] = 0
                if v < mark:
                    extension = 1
    # 7. The loop over the moves.
    best = -NO_LIMIT
    best_index = NO_INDEX
    floor = alpha
    tried = 0
    for i in range(base, end):
        index = min(i - base, NO_INDEX)
        if ranked:
            bring_best(i, end, memory)
            index = NO_INDEX - (memory[memory[SCORES] + i] & NO_INDEX)
        if index == excluded:
            continue
        if tried >= allowed and best > -NO_LIMIT:
            break
        action = memory[i]
        child = s.result(action)
        same = child.player() == me
        further = depth - 1 + (extension if index == hint else 0)
        noisy = s.order(action) > 0
        # 7a. Futility: near the horizon a quiet move cannot make up for so much.
        if enabled(on, FUTILITY) and depth <= 2 and tried > 0 and not noisy and alpha > -DECIDED:
            if quiet + 100 * depth <= alpha and not child.terminal():
                memory[HORIZON] += 1
                best = max(best, quiet + 100 * depth)
                tried += 1
                continue
        left = max(n - tried, 1) if enabled(on, TAPERED) else 0
        here = slot(action)
        v = 0
        whole = True
        # 7b. All but the first: prove that it is no better, with a window of no width, and late ones less deep.
        if tried > 0 and (enabled(on, PVS) or enabled(on, REDUCTIONS)):
            less = further
            if enabled(on, REDUCTIONS) and depth >= 3 and tried >= 4 and not noisy:
                less = further - 1 - (1 if tried >= 12 else 0)
            if less < further or enabled(on, PVS):
                if same:
                    v = search(child, less, alpha, alpha + 1, ply + 1, end, here, left, -1, memory, on)
                else:
                    v = -search(child, less, -alpha - 1, -alpha, ply + 1, end, here, left, -1, memory, on)
                whole = v > alpha and (less < further or v < beta)
        # 7c. The first move, and any that turned out better.
        if whole:
            if same:
                v = search(child, further, alpha, beta, ply + 1, end, here, left, -1, memory, on)
            else:
                v = -search(child, further, -beta, -alpha, ply + 1, end, here, left, -1, memory, on)
        tried += 1
        if v > best:
            best = v
            best_index = index
            if v > alpha:
                alpha = v
                extend_line(memory, ply, action)
                if alpha >= beta:
                    reward(s, action, depth, ply, last, memory)
                    break
    # 8. What was found goes into the table.
    if best == -NO_LIMIT:  # the only move was excluded
        return floor
    if use_table and excluded < 0 and -0x7FFFFFFF < best < 0x7FFFFFFF:
        bound = UPPER if best <= floor else LOWER if best >= beta else EXACT
        ended = 1 if memory[HORIZON] == first_horizon else 0
        score = to_table(s, best, ply)
        work = effort(memory[NODES] - first_node)
        keep(
            table,
            memory[MASK],
            memory[SCHEME],
            key,
            pack(score, min(depth, 255), bound, ended, work, memory[AGE], best_index),
        )
    return best


@kernel
def start(s: Any, depth: int, alpha: int, beta: int, array: Any, on: Any) -> int:
    """Search from the root."""
    return search(s, depth, alpha, beta, 0, MOVES, NO_SLOT, 0, -1, pointer(array), on)
