"""The engine's search of a node: negamax alpha-beta for every game, each enhancement a switch.

The value is for the player to move; players need not alternate, so the sign follows `player()`. At a chance node it
is a mean, for MAX (step 4; chance.py). The search is fail-soft, with a transposition table. Its contract, with depth
d, the window (alpha, beta) and only exact switches, where m is the minimax value at depth d:

    v <= alpha  =>  m <= v        v >= beta  =>  m >= v        otherwise  m == v

A won game scores WIN minus the number of plies to the win, so the shortest win is the best.

`search` goes through the steps under their usual names; those that search further nodes are functions below it, the
others are in pruning.py, reductions.py, probe.py, ordering.py and quiescence.py.
"""

import math
from typing import Any

from outplay.compile import inlined, kernel
from outplay.compile.jit import step
from outplay.game import LONGEST, WIN
from outplay.search.engine.chance import (
    CHANCES,
    LEAST,
    PRECISE,
    STAR1,
    STAR2,
    Mean,
    ceiling_of,
    floor_of,
    keep_mean,
    known_mean,
    lower_window,
    most,
    upper_window,
)
from outplay.search.engine.endings import in_tables
from outplay.search.engine.evaluation import outcome, static
from outplay.search.engine.node import Entry, Facts, Found, Move, Moves, Node, Plan, Window
from outplay.search.engine.ordering import (
    bring_best,
    disturbs,
    prune_quiet,
    put_first,
    rank,
    rank_noisy,
    reward,
    trait,
)
from outplay.search.engine.probe import (
    DECIDED,
    bound_for,
    decides,
    from_table,
    identity_of,
    is_usable,
    key_of,
    lookup,
    prefetch_child,
    store,
    to_table,
)
from outplay.search.engine.pruning import (
    has_failed,
    is_far_ahead,
    is_far_behind,
    is_futile,
    is_late,
    loses_exchange,
    null_depth,
    probcut_beta,
)
from outplay.search.engine.quiescence import quiesce
from outplay.search.engine.reductions import late_move, without_table_move
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.table import (
    EXACT,
    LOWER,
    NO_INDEX,
    UPPER,
    bound_of,
    depth_of,
    ended_of,
    index_of,
    score_of,
)
from outplay.search.engine.workspace import MAX_PLY, NO_TRAIT, Context, comes_back, is_banned
from outplay.search.protocol.control import NO_LIMIT, check_chances, count, join_lines, moves
from outplay.search.trace import events
from outplay.search.trace.events import note, record

TABLE, PVS, DISTANCE = BIT["table"], BIT["pvs"], BIT["distance"]
PROMISING, CEILING, FINISH, LOOKAHEAD = BIT["promising"], BIT["ceiling"], BIT["finish"], BIT["lookahead"]
REDUCTIONS, FUTILITY, LATE, EXCHANGE = BIT["reductions"], BIT["futility"], BIT["late"], BIT["exchange"]
STATIC, RAZORING, NULL_MOVE, PROBCUT = BIT["static"], BIT["razoring"], BIT["null"], BIT["probcut"]
FORCED, SINGULAR, TAPERED, PLAUSIBLE = BIT["forced"], BIT["singular"], BIT["tapered"], BIT["plausible"]

ENTER, EDGE, LEAF, VALUE, CUTOFF = events.ENTER, events.EDGE, events.LEAF, events.VALUE, events.CUTOFF
TABLE_HIT, REPEATED, PRUNED, RESEARCH = events.TABLE_HIT, events.REPEATED, events.PRUNED, events.RESEARCH
FORCED_NODE, SINGULAR_NODE, NULL_NODE = events.FORCED, events.SINGULAR, events.NULL
REDUCTION, EXTENSION = events.REDUCTION, events.EXTENSION

WORTH_KEEPING = 2  # closer to the horizon, searching a node again is faster than probing or ranking
LOOK_DEPTH = 4  # closer to the horizon, searching a node is faster than probing the table for its moves
FEW_PLIES = 6  # likewise this close to the end of the game
TACTICAL = 1 << 32  # the score of a move that the game's own `order` prefers; see ordering.rank


@kernel
def search(s: Any, depth: int, alpha: int, beta: int, node: Any, c: Any) -> int:
    """The value of a state for the player to move; see the contract above."""
    # 1. A new node.
    enter(s, alpha, beta, node.ply, c)
    # 2. The game is over, or its outcome is already decided.
    known, value = value_by_rules(s, depth, alpha, beta, node, c)
    if known:
        note(s, c, LEAF, 0, alpha, beta, value)
        return value
    # 3. A repetition is a draw: a value that depends on this line, so it proves nothing.
    key, upright, been = repetition(s, node, c)
    if been > 1:
        return draw(s, alpha, beta, c)
    # 4. A chance node: the mean over its outcomes.
    if s.chance() and depth > 0 and node.ply < MAX_PLY:
        return chance_node(s, depth, alpha, beta, key, node, c)
    # 5. The horizon. If the mover is forced, the search goes one ply deeper (check extension).
    forced, depth = check_extension(s, depth, alpha, beta, node, c)
    if depth <= 0 or node.ply >= MAX_PLY:
        return quiesce(s, key, alpha, beta, node.ply, node.base, c)
    # 6. The transposition table.
    small = depth < worth_keeping(s) or s.plies_left() <= FEW_PLIES
    entry = probe(s, key, upright, not small, node, c)
    known, value = table_cutoff(s, depth, Window(alpha, beta), entry, been, node, c)
    if known:
        return value
    # 7. The static evaluation, and pruning by it before any move is made.
    facts = judge(s, Window(alpha, beta), entry, not small, been, forced, node, c)
    if is_far_ahead(s, depth, beta, facts, c):
        c.memory.horizon += 1
        note(s, c, LEAF, 0, alpha, beta, facts.static)
        return facts.static
    if is_far_behind(s, depth, alpha, facts, c):
        return quiesce(s, facts.key, alpha, beta, node.ply, node.base, c)
    known, value = null_move(s, depth, alpha, beta, node, facts, c)
    if known:
        return value
    known, value = probcut(s, depth, alpha, beta, node, facts, c)
    if known:
        return value
    depth = without_table_move(depth, facts, node, c)
    # 8. Move generation and ordering.
    n = generate(s, node, c)
    if table_refutes(s, n, depth, beta, node, facts, c):
        note(s, c, TABLE_HIT, 0, alpha, beta, beta)
        return beta
    first, allowed = order_moves(s, n, node, facts, c), allowed_moves(n, node, c)
    # 9. Singular extension: a table move that stands out is searched deeper.
    known, value, deeper = singular_extension(s, depth, Window(alpha, beta), n, node, facts, c)
    if known:
        return value
    # 10. The loop over the moves.
    found = search_moves(s, depth, alpha, beta, Moves(n, first, allowed, deeper), node, facts, c)
    if found.value == -NO_LIMIT:  # the only move was excluded
        note(s, c, LEAF, 0, alpha, beta, alpha)
        return alpha
    # 11. Store the result in the table.
    save(s, depth, Window(alpha, beta), found, node, facts, c)
    note(s, c, VALUE, 0, alpha, beta, found.value)
    return found.value


# --- 1 to 5: before the table is probed -------------------------------------------------------------------


@inlined
def node_at(ply: int, base: int, room: int, excluded: int, cut: int, key: int) -> Any:
    """A node's coordinates, as one type even where the arguments are constants."""
    return Node(ply, base, room, excluded, cut, key)


@inlined
def enter(s: Any, alpha: int, beta: int, ply: int, c: Any) -> None:
    """Count a new node; its principal variation is empty."""
    memory = c.memory
    count(memory)
    memory.lines[ply * memory.width] = 0
    memory.deepest = max(memory.deepest, ply)
    note(s, c, ENTER, 0, alpha, beta, 0)


@inlined
def value_by_rules(s: Any, depth: int, alpha: int, beta: int, node: Any, c: Any) -> tuple[bool, int]:
    """Whether the value is known without a search, or the outcome is already decided; and the value."""
    if s.terminal():
        return True, outcome(s, node.ply)
    if s.chance():
        return False, 0
    if s.has_finish() and enabled(c.on, FINISH) and node.ply > 0 and depth >= 2 * s.plies_left():
        if s.finish(c.memory.stack, node.base) > 0:  # within the depth, passes included
            value = c.memory.stack[node.base]
            return True, value if s.player() == 0 else -value
    if c.memory.shelf != 0 and node.ply > 0 and node.excluded < 0:
        known, value = in_tables(s, node.ply, c.memory)
        if known:
            return True, value
    if node.ply > 0 and node.excluded < 0:
        if enabled(c.on, DISTANCE) and s.outranks() and s.win_score() > 0:  # mate-distance pruning
            if s.win_score() - node.ply - 1 <= alpha:
                return True, s.win_score() - node.ply - 1
            if node.ply - s.win_score() >= beta:
                return True, node.ply - s.win_score()
        if enabled(c.on, CEILING) and ceiling(s) <= alpha:
            return True, ceiling(s)
    return False, 0


@inlined
def ceiling(s: Any) -> int:
    """The upper bound on what the player to move can still reach."""
    value = s.ceiling()
    return value + LONGEST if s.outranks() and value < 0 else value


@inlined
def repetition(s: Any, node: Any, c: Any) -> tuple[int, bool, int]:
    """The key, if already computed, whether it is the state's own, and the result of `comes_back`."""
    if s.repetition() <= 0:
        return node.key, True, 0
    key, upright = node.key, True
    if key == 0:
        key, upright = key_of(s, node.base, c)
    return key, upright, comes_back(s, identity_of(s, key, c), node.ply, c.memory) if node.excluded < 0 else 0


@inlined
def draw(s: Any, alpha: int, beta: int, c: Any) -> int:
    """The value of a repeated position."""
    c.memory.horizon += 1
    note(s, c, REPEATED, 0, alpha, beta, 0)
    return 0


@inlined
def same_side(s: Any, child: Any) -> bool:
    """Whether two states' values are for the same player: at a chance node, MAX."""
    return (s.player() == 1) == (child.player() == 1)


@inlined
def may_extend(node: Any, c: Any) -> bool:
    """Whether the line is still shorter than twice the depth of the iteration."""
    return node.excluded < 0 and node.ply < 2 * c.memory.root_depth


# --- 4: chance -------------------------------------------------------------------------------------------


@step
def chance_node(s: Any, depth: int, alpha: int, beta: int, key: int, node: Any, c: Any) -> int:
    """The mean of the outcomes' values, or a bound on it: first Star2's probes, then Star1 outcome by outcome."""
    memory, base, horizon = c.memory, node.base, c.memory.horizon
    use_table = enabled(c.on, CHANCES)
    if use_table:
        if key == 0:
            key = key_of(s, base, c)[0]
        known, value = known_mean(key, depth, alpha, beta, c)
        if known:
            note(s, c, TABLE_HIT, 0, alpha, beta, value)
            return value
    end = base + moves(s, memory, base)
    check_chances(s, end - base, memory.stack, base)
    limit = most(s, c)
    mean, known, value = Mean(0.0, -1.0 * limit, 1.0 * limit), False, 0
    for i in range(base, end):
        memory.scores[i] = NO_LIMIT
    if enabled(c.on, STAR2) and depth > LEAST and limit < PRECISE:
        mean, known, value = probe_outcomes(s, depth, Window(alpha, beta), mean, end, node, c)
    if not known:
        known, value = search_outcomes(s, depth, Window(alpha, beta), mean, end, node, c)
    if use_table:
        bound = UPPER if known and value <= alpha else LOWER if known else EXACT
        keep_mean(key, value, depth, bound, horizon, c)
    note(s, c, VALUE, 0, alpha, beta, value)
    return value


@step
def search_outcomes(
    s: Any, depth: int, window: Any, mean: Any, end: int, node: Any, c: Any
) -> tuple[bool, int]:
    """Star1: whether a bound was enough, and the value."""
    memory, limit = c.memory, most(s, c)
    total, low, high = 0.0, mean.low, mean.high
    for i in range(node.base, end):
        action = memory.stack[i]
        chance = s.probability(action)
        child = s.result(action)
        least, greatest = known_of(child, memory.scores[i], limit)
        low, high = low - chance * least, high - chance * greatest
        if chance == 0.0:
            continue
        mean = Mean(total, low, high)
        lower = lower_window(mean, chance, window.alpha, limit) if enabled(c.on, STAR1) else -limit - 1
        upper = upper_window(mean, chance, window.beta, limit) if enabled(c.on, STAR1) else limit + 1
        lower = min(lower, upper - 1)
        value = search_outcome(s, child, action, depth - 1, Window(lower, upper), end, node, c)
        if value <= lower and lower >= -limit:
            bound = ceiling_of(mean, chance, value)
            if bound <= window.alpha:
                note(s, c, CUTOFF, action, window.alpha, window.beta, bound)
                return True, bound
            value = search_outcome(s, child, action, depth - 1, Window(-limit - 1, limit + 1), end, node, c)
        elif value >= upper and upper <= limit:
            bound = floor_of(mean, chance, value)
            if bound >= window.beta:
                note(s, c, CUTOFF, action, window.alpha, window.beta, bound)
                return True, bound
            value = search_outcome(s, child, action, depth - 1, Window(-limit - 1, limit + 1), end, node, c)
        total += chance * value
    return False, int(math.floor(total + 0.5))


@inlined
def known_of(child: Any, probed: int, limit: int) -> tuple[int, int]:
    """The bounds on an outcome's value, given the result of a probe (NO_LIMIT: none)."""
    if probed == NO_LIMIT:
        return -limit, limit
    return (-limit, probed) if child.player() == 1 else (probed, limit)


@step
def search_outcome(
    s: Any, child: Any, action: int, depth: int, window: Any, end: int, node: Any, c: Any
) -> int:
    """The value of an outcome for MAX."""
    note(s, c, EDGE, action, window.alpha, window.beta, 0)
    c.memory.trail[node.ply + 1] = NO_TRAIT
    c.memory.reversible[node.ply + 1] = 0
    same = child.player() != 1
    lower, upper = (window.alpha, window.beta) if same else (-window.beta, -window.alpha)
    value = search(child, depth, lower, upper, node_at(node.ply + 1, end, 0, -1, 0, 0), c)
    return value if same else -value


@step
def probe_outcomes(
    s: Any, depth: int, window: Any, mean: Any, end: int, node: Any, c: Any
) -> tuple[Any, bool, int]:
    """Star2: bound the mean by one move of each outcome; whether that is enough, and the value."""
    memory, limit = c.memory, most(s, c)
    low, high = mean.low, mean.high
    for i in range(node.base, end):
        action = memory.stack[i]
        chance, child = s.probability(action), s.result(action)
        if chance == 0.0 or child.terminal() or child.chance():
            continue
        # All but this one count with their known bounds.
        rest = Mean(0.0, low + chance * limit, high - chance * limit)
        lower = lower_window(rest, chance, window.alpha, limit)
        upper = max(upper_window(rest, chance, window.beta, limit), lower + 1)
        note(s, c, EDGE, action, lower, upper, 0)
        value = probe_move(child, depth - 2, Window(lower, upper), end, node, c)
        if child.player() == 1 and value < upper:
            memory.scores[i] = value
            high += chance * (value - limit)
            bound = ceiling_of(Mean(0.0, 0.0, high), 0.0, 0.0)
            if bound <= window.alpha:
                note(s, c, CUTOFF, action, window.alpha, window.beta, bound)
                return Mean(0.0, low, high), True, bound
        elif child.player() != 1 and value > lower:
            memory.scores[i] = value
            low += chance * (value + limit)
            bound = floor_of(Mean(0.0, low, 0.0), 0.0, 0.0)
            if bound >= window.beta:
                note(s, c, CUTOFF, action, window.alpha, window.beta, bound)
                return Mean(0.0, low, high), True, bound
    return Mean(0.0, low, high), False, 0


@step
def probe_move(s: Any, depth: int, window: Any, base: int, node: Any, c: Any) -> int:
    """The value for MAX of the most promising move of an outcome."""
    memory, ply = c.memory, node.ply + 1
    memory.trail[ply] = NO_TRAIT
    memory.reversible[ply] = 0
    n = promising(s, base, c)
    entry = probe(s, 0, True, True, node_at(ply, base + n, 0, -1, 0, 0), c)
    if 0 <= entry.number < n:
        put_first(entry.number, base, memory)
    else:
        rank(s, n, -1, ply, base, c)
        bring_best(base, base + n, memory)
    action = memory.stack[base]
    child = s.result(action)
    memory.trail[ply + 1] = trait(s, action)
    memory.reversible[ply + 1] = 0
    note(s, c, ENTER, 0, -NO_LIMIT, NO_LIMIT, 0)
    note(s, c, EDGE, action, -NO_LIMIT, NO_LIMIT, 0)
    same = child.player() != 1
    lower, upper = (window.alpha, window.beta) if same else (-window.beta, -window.alpha)
    value = search(child, depth, lower, upper, node_at(ply + 1, base + n, 0, -1, 0, 0), c)
    value = value if same else -value
    note(s, c, VALUE, 0, -NO_LIMIT, NO_LIMIT, value if s.player() != 1 else -value)
    return value


@step
def check_extension(s: Any, depth: int, alpha: int, beta: int, node: Any, c: Any) -> tuple[bool, int]:
    """Whether the mover is forced, and the depth, extended by a ply at the horizon if so."""
    forced = s.forced() != 0
    if forced and depth <= 0 and enabled(c.on, FORCED) and may_extend(node, c):
        depth = 1
        note(s, c, FORCED_NODE, 0, alpha, beta, 0)
    return forced, depth


# --- 6: the table ----------------------------------------------------------------------------------------


@inlined
def worth_keeping(s: Any) -> int:
    """The minimum depth at which the table is probed and moves are ranked."""
    return 1 if s.has_noisy() else WORTH_KEEPING


@inlined
def probe(s: Any, key: int, upright: bool, large: bool, node: Any, c: Any) -> Any:
    """Probe the table for the node, if it is deep enough."""
    data, index = 0, -1
    if enabled(c.on, TABLE) and large:
        if key == 0:
            key, upright = key_of(s, node.base, c)
        data = lookup(key, c)
        if data != 0 and upright and index_of(data) != NO_INDEX:
            index = index_of(data)
    return Entry(key, upright != 0, data, index)


@inlined
def table_cutoff(
    s: Any, depth: int, window: Any, entry: Any, been: int, node: Any, c: Any
) -> tuple[bool, int]:
    """Whether the entry decides, and the value.

    The table ignores the history: if the position has occurred in the game, a nearby draw may be hidden.
    """
    if entry.data == 0 or node.excluded >= 0 or node.ply == 0 or been != 0:
        return False, 0
    if not is_usable(entry.data, depth, c):
        return False, 0
    value = from_table(s, score_of(entry.data), node.ply)
    if not decides(entry.data, value, window.alpha, window.beta):
        return False, 0
    if ended_of(entry.data) == 0:
        c.memory.horizon += 1
    note(s, c, TABLE_HIT, 0, window.alpha, window.beta, value)
    return True, value


# --- 7: pruning before any move --------------------------------------------------------------------------


@step
def judge(s: Any, window: Any, entry: Any, large: bool, been: int, forced: bool, node: Any, c: Any) -> Any:
    """All that is known of the node before its moves are searched."""
    nodes, horizon = c.memory.nodes, c.memory.horizon
    value, improving = 0, False
    if enabled(c.on, STATIC | RAZORING | NULL_MOVE | FUTILITY | LATE):
        value = -WIN if forced else static(s, entry.key, node.ply, node.base, c.memory)
        improving = is_improving(value, forced, node.ply, c.memory)
        if entry.data != 0 and not forced:
            value = better_guess(s, value, entry.data, node.ply)
    principal = window.alpha < window.beta - 1  # beta - alpha could overflow
    # Nor if the position has occurred in the game: a draw may be one move away, and no evaluation sees it.
    open_value = -DECIDED < window.beta < DECIDED
    prunable = not principal and not forced and node.excluded < 0 and been == 0 and open_value
    use_table = enabled(c.on, TABLE) and large
    return Facts(
        entry.key, entry.upright, entry.data, entry.number, use_table, large, been, forced, principal, prunable,
        value, improving, nodes, horizon,
    )  # fmt: skip


@inlined
def is_improving(value: int, forced: bool, ply: int, memory: Any) -> bool:
    """Improving: whether the static evaluation is better for the mover than two plies ago; stored for later plies."""
    statics = memory.statics
    statics[ply] = value
    if ply < 2 or forced:
        return False
    before = statics[ply - 2]
    if before == -WIN and ply >= 4:  # in check nothing was evaluated
        before = statics[ply - 4]
    return value > before


@inlined
def better_guess(s: Any, value: int, data: int, ply: int) -> int:
    """The table value, if its bound allows: a better estimate than the static evaluation."""
    known = from_table(s, score_of(data), ply)
    if -DECIDED < known < DECIDED and bound_of(data) & (LOWER if known > value else UPPER) != 0:
        return known
    return value


@inlined
def looks_up_children(s: Any, facts: Any) -> bool:
    """Whether the table is always probed for children, so that prefetching their entries pays."""
    return facts.use_table and s.has_noisy()


@step
def null_move(s: Any, depth: int, alpha: int, beta: int, node: Any, facts: Any, c: Any) -> tuple[bool, int]:
    """The null move: if even passing fails high, some move will too."""
    memory = c.memory
    if not (enabled(c.on, NULL_MOVE) and facts.prunable and depth >= 3 and facts.static >= beta):
        return False, 0
    if memory.trail[node.ply] == NO_TRAIT:  # not twice in a row
        return False, 0
    child = s.skip()
    if same_side(s, child):
        return False, 0
    memory.trail[node.ply + 1] = NO_TRAIT
    memory.reversible[node.ply + 1] = 0
    note(s, c, NULL_NODE, 0, alpha, beta, 0)
    key = prefetch_child(child, node.base, c) if looks_up_children(s, facts) else 0
    below = node_at(node.ply + 1, node.base, 0, -1, 1 - node.cut, key)
    value = -search(child, null_depth(s, depth, beta, facts.static), -beta, 1 - beta, below, c)
    if value < beta:
        return False, 0
    memory.horizon += 1
    value = min(value, DECIDED - 1)  # a win that needs a pass proves nothing
    note(s, c, VALUE, 0, alpha, beta, value)
    return True, value


@step
def probcut(s: Any, depth: int, alpha: int, beta: int, node: Any, facts: Any, c: Any) -> tuple[bool, int]:
    """ProbCut: if a capture beats beta by a margin in a shallow search, a full one would most likely beat beta."""
    stack, data, base = c.memory.stack, facts.data, node.base
    goal = probcut_beta(s, beta, facts)
    fails = data != 0 and depth_of(data) >= depth - 3 and score_of(data) < goal  # according to the table
    if not (enabled(c.on, PROBCUT) and facts.prunable and depth >= 5 and s.has_exchange()):
        return False, 0
    if goal >= DECIDED or fails:
        return False, 0
    n = s.noisy(stack, base)
    rank_noisy(s, n, base, c)
    for i in range(base, base + n):
        bring_best(i, base + n, c.memory)
        action = stack[i]
        if s.exchange(action) < max(goal - facts.static, 0):
            continue
        child = s.result(action)
        if same_side(s, child):
            continue
        c.memory.trail[node.ply + 1] = trait(s, action)
        c.memory.reversible[node.ply + 1] = 0
        note(s, c, EDGE, action, goal - 1, goal, 0)
        key = prefetch_child(child, base + n, c) if looks_up_children(s, facts) else 0
        below = node_at(node.ply + 1, base + n, 0, -1, 1 - node.cut, key)
        value = -search(child, 0, -goal, 1 - goal, below, c)
        if value >= goal:
            note(s, c, RESEARCH, action, goal - 1, goal, value)
            note(s, c, EDGE, action, goal - 1, goal, 0)
            value = -search(child, depth - 4, -goal, 1 - goal, below, c)
        if value >= goal:
            c.memory.horizon += 1
            note(s, c, VALUE, 0, alpha, beta, value)
            return True, value
    return False, 0


# --- 8 and 9: the moves ----------------------------------------------------------------------------------


@inlined
def generate(s: Any, node: Any, c: Any) -> int:
    """The moves to search; all of them if some are excluded, since those may be the promising ones."""
    if node.ply > 0 or c.memory.banned[0] == 0:
        return promising(s, node.base, c)
    return moves(s, c.memory, node.base)


@inlined
def promising(s: Any, base: int, c: Any) -> int:
    """The game's `promising` moves, or all of them."""
    if enabled(c.on, PROMISING):
        n = s.promising(c.memory.stack, base)
        if n > 0:
            return n
    return moves(s, c.memory, base)


@inlined
def table_refutes(s: Any, n: int, depth: int, beta: int, node: Any, facts: Any, c: Any) -> bool:
    """Enhanced transposition cutoffs: whether some move is known to reach beta before any is searched."""
    deep = facts.use_table and depth >= LOOK_DEPTH and s.plies_left() > 2 * FEW_PLIES
    if not (enabled(c.on, LOOKAHEAD) and deep and node.ply > 0 and s.repetition() == 0):
        return False
    end = node.base + n
    for i in range(node.base, end):
        child = s.result(c.memory.stack[i])
        if not same_side(s, child) and refutes(child, depth - 1, beta, node.ply + 1, end, c):
            return True
    return False


@inlined
def refutes(s: Any, depth: int, beta: int, ply: int, base: int, c: Any) -> bool:
    """Whether it is known without a search that the opponent, to move, cannot keep us below beta."""
    if s.terminal():
        return False
    if enabled(c.on, CEILING) and ceiling(s) <= -beta:
        return True
    data = lookup(key_of(s, base, c)[0], c)
    if data == 0 or bound_of(data) & UPPER == 0 or not is_usable(data, depth, c):
        return False
    if from_table(s, score_of(data), ply) > -beta:
        return False
    c.memory.horizon += 1 - ended_of(data)
    return True


@inlined
def order_moves(s: Any, n: int, node: Any, facts: Any, c: Any) -> int:
    """Put the table move first, or rank all moves; the index of the table move, -1 if there is none to put first."""
    if not facts.ranked:
        return -1
    if 0 <= facts.table_index < n and facts.table_index != node.excluded:
        put_first(facts.table_index, node.base, c.memory)
        return facts.table_index
    rank(s, n, -1, node.ply, node.base, c)
    return -1


@inlined
def allowed_moves(n: int, node: Any, c: Any) -> int:
    """How many of the moves are searched, by tapered search and the plausible-move generator."""
    allowed = n
    if enabled(c.on, TAPERED) and node.room > 0:
        allowed = min(allowed, node.room)
    if enabled(c.on, PLAUSIBLE) and node.ply > 0:
        allowed = min(allowed, (n + 1) // 2)
    if allowed < n:
        c.memory.horizon += 1
    return allowed


@step
def singular_extension(
    s: Any, depth: int, window: Any, n: int, node: Any, facts: Any, c: Any
) -> tuple[bool, int, int]:
    """The extension of the table move: positive if all other moves are much worse.

    If another one beats beta too, the node is pruned (multi-cut): then the first two results are True and the value.
    """
    data, memory = facts.data, c.memory
    if not (enabled(c.on, SINGULAR) and may_extend(node, c) and node.ply > 0 and depth >= 8):
        return False, 0, 0
    if not 0 <= facts.table_index < n or bound_of(data) & LOWER == 0 or depth_of(data) < depth - 3:
        return False, 0, 0
    known = from_table(s, score_of(data), node.ply)
    mark = known - s.unit() * depth // 33
    if not -DECIDED < mark < DECIDED:
        return False, 0, 0
    note(s, c, SINGULAR_NODE, 0, mark - 1, mark, 0)
    others = node_at(node.ply, node.base + n, 0, facts.table_index, node.cut, facts.key)
    value = search(s, (depth - 1) // 2, mark - 1, mark, others, c)
    memory.lines[node.ply * memory.width] = 0
    if value < mark:
        return False, 0, 2 if not facts.principal and value < mark - s.unit() // 5 else 1
    if mark >= window.beta and not facts.principal:
        memory.horizon += 1
        note(s, c, VALUE, 0, window.alpha, window.beta, mark)
        return True, mark, 0
    return False, 0, -1 if known >= window.beta else 0  # good, but not singular


# --- 10: the loop over the moves --------------------------------------------------------------------------


@step
def search_moves(s: Any, depth: int, alpha: int, beta: int, moves: Any, node: Any, facts: Any, c: Any) -> Any:
    """The value of the best move, and its index."""
    memory, base = c.memory, node.base
    end = base + moves.n
    best, best_index, tried = -NO_LIMIT, NO_INDEX, 0
    noisy_first = False  # the table move is noisy
    last = end  # moves from here on are pruned
    for i in range(base, end):
        if i >= last:
            break
        move = pick(s, i, last, tried, moves, node, facts, c)
        if move.number == node.excluded or (node.ply == 0 and is_banned(move.action, memory)):
            continue
        if tried >= moves.allowed and best > -DECIDED:  # a loss is proven by all moves
            break
        if i == base:
            noisy_first = moves.first >= 0 and not move.quiet
        late = late_move(s, move, depth, facts, node, noisy_first, c)
        if may_prune_moves(best, tried, node, facts, c):
            too_late = is_late(s, move, depth, facts, node.ply, c)
            if too_late and last == end and facts.ranked and s.has_exchange():
                last = prune_quiet(s, i + 1, end, memory)  # prune all remaining quiet moves
            futile = too_late or has_failed(move, late, c) or is_futile(s, move, late, alpha, facts, c)
            if (futile or loses_exchange(s, move, depth, c)) and not disturbs(s, move.action):
                memory.horizon += 1
                tried += 1
                note(s, c, PRUNED, move.action, alpha, beta, facts.static)
                best = max(best, min(alpha, facts.static + s.unit() * depth))
                continue
        deeper = moves.extension if move.number == facts.table_index else 0
        left = max(moves.n - tried, 1) if enabled(c.on, TAPERED) else 0
        child = s.result(move.action)
        below = make_move(s, child, move.action, end, left, facts, node, c)
        plan = planned(child, depth - 1 + deeper, late.reduction, deeper)
        v = search_child(s, child, move, plan, Window(alpha, beta), below, facts, c)
        tried += 1
        if v > best:
            best, best_index = v, move.number
            if v > alpha:
                alpha = v
                extend_line(memory, node.ply, move.action)
                if alpha >= beta:
                    reward(s, i, base, move.quiet, depth, node.ply, c)
                    note(s, c, CUTOFF, move.action, alpha, beta, v)
                    break
    return Found(best, best_index)


@step
def pick(s: Any, i: int, last: int, tried: int, moves: Any, node: Any, facts: Any, c: Any) -> Any:
    """Select the most promising of the moves from i on, and swap it to i."""
    memory, base = c.memory, node.base
    index, score = min(i - base, NO_INDEX), 0
    if facts.ranked:
        if i == base + 1 and moves.first >= 0:  # the table move failed: the others are ranked now
            rank(s, moves.n, moves.first, node.ply, base, c)
        if i > base or moves.first < 0:
            bring_best(i, last, memory)
        score = memory.scores[i]
        index = NO_INDEX - (score & NO_INDEX)
    action = memory.stack[i]
    scored = facts.ranked and i > base  # the first may be the table move, which has no ordering score
    bad = s.has_exchange() and (score < 0 if scored else s.order(action) < 0)
    quiet = not bad and (score < TACTICAL if scored else s.order(action) <= 0)
    return Move(action, index, score, quiet, bad, tried)


@inlined
def may_prune_moves(best: int, tried: int, node: Any, facts: Any, c: Any) -> bool:
    """Whether moves may be pruned: not at the root, nor before a move is found that does not lose."""
    on = enabled(c.on, LATE | FUTILITY | EXCHANGE)
    return on and node.ply > 0 and tried > 0 and not facts.in_check and facts.been == 0 and best > -DECIDED


@inlined
def make_move(s: Any, child: Any, action: int, end: int, left: int, facts: Any, node: Any, c: Any) -> Any:
    """Record the move that leads to the child; return the child's coordinates."""
    memory, ply = c.memory, node.ply
    key = prefetch_child(child, end, c) if looks_up_children(s, facts) else 0
    memory.trail[ply + 1] = trait(s, action)
    if s.repetition() > 0 or (memory.shelf != 0 and s.has_irreversible()):
        memory.reversible[ply + 1] = 0 if s.irreversible(action) != 0 else memory.reversible[ply] + 1
    return node_at(ply + 1, end, left, -1, node.cut, key)


@inlined
def planned(child: Any, full: int, reduction: int, extension: int) -> Any:
    """The depth of a child's search; moves that force the opponent are not reduced."""
    reduced = full
    if reduction > 0 and child.forced() == 0:
        reduced = min(max(full - reduction, 1), full)
    return Plan(full, reduced, extension)


@step
def search_child(
    s: Any, child: Any, move: Any, plan: Any, window: Any, below: Any, facts: Any, c: Any
) -> int:
    """The value of a move. All but the first get a null-window search, late ones at a reduced depth."""
    alpha, beta, action = window.alpha, window.beta, move.action
    same = same_side(s, child)
    sign = 1 if same else -1  # the child's value is for the player to move there
    low = alpha if same else -alpha - 1  # the child's null window
    late = plan.reduced < plan.full
    v = 0
    if move.tried > 0 and (late or enabled(c.on, PVS)):
        note(s, c, EDGE, action, alpha, beta, 0)
        if late:
            record(c.trace, c.memory, REDUCTION, action, 0, 0, plan.full - plan.reduced)
        expected = expecting(below, 1 if late else 1 - below.cut)
        v = sign * search(child, plan.reduced, low, low + 1, expected, c)
        if v > alpha and late and facts.principal and enabled(c.on, PVS):  # first a null window at full depth
            note(s, c, RESEARCH, action, alpha, alpha + 1, v)
            note(s, c, EDGE, action, alpha, beta, 0)
            late = False
            v = sign * search(child, plan.full, low, low + 1, expecting(below, 1 - below.cut), c)
        if v <= alpha or (not late and v >= beta):
            return v
        note(s, c, RESEARCH, action, alpha, beta, v)
    note(s, c, EDGE, action, alpha, beta, 0)
    if plan.extension > 0:
        record(c.trace, c.memory, EXTENSION, action, 0, 0, plan.extension)
    lower, upper = (alpha, beta) if same else (-beta, -alpha)
    expected = expecting(below, 0 if facts.principal else 1 - below.cut)
    return sign * search(child, plan.full, lower, upper, expected, c)


@inlined
def expecting(node: Any, cut: int) -> Any:
    """A child's coordinates, and whether a cutoff is expected there."""
    return Node(node.ply, node.base, node.room, node.excluded, cut, node.key)


@inlined
def extend_line(memory: Any, ply: int, action: int) -> None:
    """The principal variation at this ply is the action and the next ply's line."""
    join_lines(memory, ply * memory.width, action, (ply + 1) * memory.width)


# --- 11: what was found ----------------------------------------------------------------------------------


@inlined
def save(s: Any, depth: int, window: Any, found: Any, node: Any, facts: Any, c: Any) -> None:
    """Store the value in the table, unless it covers only some of the moves."""
    memory = c.memory
    whole = node.excluded < 0 and (node.ply > 0 or memory.banned[0] == 0)
    if not (facts.use_table and whole):
        return
    bound = bound_for(found.value, window.alpha, window.beta)
    # If all moves failed low, keep the best move of an earlier search.
    index = found.number if facts.upright and bound != UPPER else NO_INDEX
    ended = 1 if memory.horizon == facts.horizon else 0
    effort = log2(memory.nodes - facts.nodes)
    store(facts.key, to_table(s, found.value, node.ply), depth, bound, ended, effort, index, memory)


@kernel
def log2(nodes: int) -> int:
    """log2 of a number of nodes, clamped to the table's field."""
    steps = 0
    while nodes > 1 and steps < 31:
        nodes >>= 1
        steps += 1
    return steps


@kernel
def start(s: Any, depth: int, alpha: int, beta: int, memory: Any, on: Any, trace: Any) -> int:
    """Search from the root."""
    memory.root_depth = depth
    return search(s, depth, alpha, beta, node_at(0, 0, 0, -1, 0, 0), Context(memory, on, trace))
