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
from outplay.game import LONGEST, WIN
from outplay.search.control import HORIZON, LINES, MOVES, NO_LIMIT, NODES, WIDTH, count, moves, pointer
from outplay.search.events import (
    CUTOFF,
    EDGE,
    ENTER,
    EXTENSION,
    LEAF,
    NULL,
    PRUNED,
    REDUCTION,
    REPEATED,
    RESEARCH,
    TABLE_HIT,
    VALUE,
    note,
    record,
)
from outplay.search.events import FORCED as FORCED_NODE
from outplay.search.events import SINGULAR as SINGULAR_NODE
from outplay.search.lookup import DECIDED, announced, decides, filed, from_table, is_usable, to_table
from outplay.search.ordering import (
    COUNTER_1,
    bring_best,
    disturbs,
    leave_out_quiet,
    merit,
    put_first,
    rank,
    rank_noisy,
    reward,
    trait,
)
from outplay.search.quiescence import outcome, quiesce, static
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
from outplay.search.workspace import (
    AGE,
    BANNED,
    CALM,
    DEEPEST,
    MASK,
    MAX_PLY,
    NO_SLOT,
    REDUCTIONS,
    ROOT_DEPTH,
    SCHEME,
    SCORES,
    STATICS,
    STEPS,
    TABLE,
    TRAIL,
    comes_back,
    is_banned,
)

TABLE_ON, PVS, DISTANCE = BIT["table"], BIT["pvs"], BIT["distance"]
PROMISING, CEILING = BIT["promising"], BIT["ceiling"]
REDUCE, FUTILITY, STATIC_CUT, RAZORING = BIT["reductions"], BIT["futility"], BIT["static"], BIT["razoring"]
PROBCUT = BIT["probcut"]
NULL_MOVE, LATE, EXCHANGE, UNHINTED = BIT["null"], BIT["late"], BIT["exchange"], BIT["unhinted"]
FORCED, SINGULAR, TAPERED, PLAUSIBLE = BIT["forced"], BIT["singular"], BIT["tapered"], BIT["plausible"]
FINISH, LOOKAHEAD = BIT["finish"], BIT["lookahead"]

WORTH_KEEPING = 2  # nodes nearer the horizon are searched again faster than they are looked up, or ranked
TRUST = 6000  # a move's merit counts as a ply more or less for each TRUST of it, up to two plies
LOOK_DEPTH = 4  # nodes nearer the horizon are searched faster than their moves are looked up
FEW_PLIES = 6  # the same is true as near the end of the game
NEAR_ROOT = 12  # plies: as near the root fewer late moves are left out, since surprises there matter most
TACTICAL = 1 << 32  # the score of a move that the game itself calls good; see ordering.rank
PREFERRED = COUNTER_1 << 12  # and of killers and countermoves

words_at = NATIVE["words_at"][ENABLED]


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
def worth_keeping(s: Any) -> int:
    """The least depth at which a node is looked up in the table and its moves are ranked."""
    return 1 if s.has_noisy() else WORTH_KEEPING


@kernel
def ceiling(s: Any) -> int:
    """The most that the player to move can still reach."""
    value = s.ceiling()
    return value + LONGEST if s.worth() == WIN and value < 0 else value


@kernel
def refutes(s: Any, depth: int, beta: int, ply: int, base: int, memory: Any, on: Any) -> bool:
    """Whether it is known without a search that the opponent, to move here, cannot keep us below beta."""
    if s.terminal():
        return False
    if enabled(on, CEILING) and ceiling(s) <= -beta:
        return True
    data = find(words_at(memory[TABLE]), memory[MASK], filed(s, base, memory, on)[0])
    if data == 0 or bound_of(data) & UPPER == 0 or not is_usable(data, depth, on):
        return False
    if from_table(s, score_of(data), ply) > -beta:
        return False
    memory[HORIZON] += 1 - ended_of(data)
    return True


@kernel
def generate(s: Any, base: int, memory: Any, on: Any) -> int:
    """The moves to look at."""
    if enabled(on, PROMISING):
        n = s.promising(memory, base)
        if n > 0:
            return n
    return moves(s, memory, base)


@kernel
def search(
    s: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    base: int,
    room: int,
    excluded: int,
    cut: int,
    key: int,
    memory: Any,
    on: Any,
    trace: Any,
) -> int:
    """The value of a state for the player to move; see the contract above.

    `room` is the number of moves that tapered search leaves to this node (0: all), `excluded` the index of a move
    that is left out (the singular test; -1: none), `cut` 1 where a cutoff is expected, since the parent's best move is
    known and this is another one, or the parent is not expected to have a good move; `key` is the state's in the
    table, if it is its own and known (else 0).
    """
    # 1. A new node.
    count(memory)
    row = memory[LINES] + ply * memory[WIDTH]
    memory[row] = 0
    memory[DEEPEST] = max(memory[DEEPEST], ply)
    note(s, trace, memory, ENTER, 0, alpha, beta, 0)
    # 2. The game is over, or nothing that can still happen matters.
    if s.terminal():
        value = outcome(s, ply)
        note(s, trace, memory, LEAF, 0, alpha, beta, value)
        return value
    if s.has_finish() and enabled(on, FINISH) and ply > 0 and depth >= 2 * s.plies_left():
        if s.finish(memory, base) > 0:  # within the depth, passes included
            value = memory[base] if s.player() == 0 else -memory[base]
            note(s, trace, memory, LEAF, 0, alpha, beta, value)
            return value
    if ply > 0 and excluded < 0:
        if enabled(on, DISTANCE) and s.win_score() > 0:
            if s.win_score() - ply - 1 <= alpha:
                note(s, trace, memory, LEAF, 0, alpha, beta, s.win_score() - ply - 1)
                return s.win_score() - ply - 1
            if ply - s.win_score() >= beta:
                note(s, trace, memory, LEAF, 0, alpha, beta, ply - s.win_score())
                return ply - s.win_score()
        if enabled(on, CEILING) and ceiling(s) <= alpha:
            note(s, trace, memory, LEAF, 0, alpha, beta, ceiling(s))
            return ceiling(s)
    # 3. A position that comes back is a draw: a value of this line alone, so it proves nothing.
    upright = True
    been = 0
    if s.repetition() > 0:
        if key == 0:
            key, upright = filed(s, base, memory, on)
        been = comes_back(s, key, ply, memory) if excluded < 0 else 0
        if been > 1:
            memory[HORIZON] += 1
            note(s, trace, memory, REPEATED, 0, alpha, beta, 0)
            return 0
    # 4. The depth may be used up, but not where the mover must react: there it is looked one ply further.
    forced = s.forced() != 0
    if enabled(on, FORCED) and forced and depth <= 0 and excluded < 0 and ply < 2 * memory[ROOT_DEPTH]:
        depth = 1
        note(s, trace, memory, FORCED_NODE, 0, alpha, beta, 0)
    if depth <= 0 or ply >= MAX_PLY:
        return quiesce(s, key, alpha, beta, ply, base, memory, on, trace)
    # 5. The table. It knows no past: where the position has been in the game, a draw may be near that it hides.
    me = s.player()
    principal = beta - alpha > 1
    table = words_at(memory[TABLE])
    hint = -1
    data = 0
    is_small = depth < worth_keeping(s) or s.plies_left() <= FEW_PLIES
    use_table = enabled(on, TABLE_ON) and not is_small
    announces = use_table and s.has_noisy()  # then children are always looked up, and take longer than a hash
    if use_table:
        if key == 0:
            key, upright = filed(s, base, memory, on)
        data = find(table, memory[MASK], key)
        if data != 0:
            hint = index_of(data) if upright and index_of(data) != NO_INDEX else -1
            if is_usable(data, depth, on) and excluded < 0 and ply > 0 and been == 0:
                value = from_table(s, score_of(data), ply)
                if decides(data, value, alpha, beta):
                    if ended_of(data) == 0:
                        memory[HORIZON] += 1
                    note(s, trace, memory, TABLE_HIT, 0, alpha, beta, value)
                    return value
    first_node = memory[NODES]
    first_horizon = memory[HORIZON]
    # 6. Cuts before any move is made, by the evaluation. Not on the principal line, nor where outcomes are at stake.
    stands = 0
    rising = False  # the position is better for the mover than two plies ago
    if enabled(on, STATIC_CUT | RAZORING | NULL_MOVE | FUTILITY | LATE):
        stands = -WIN if forced else static(s, key, ply, base, memory)
        memory[memory[STATICS] + ply] = stands
        if ply >= 2 and not forced:
            before = memory[memory[STATICS] + ply - 2]
            if before == -WIN and ply >= 4:  # in check nothing was evaluated
                before = memory[memory[STATICS] + ply - 4]
            rising = stands > before
        if data != 0 and not forced:  # what a search has found is a better guess than the evaluation
            known = from_table(s, score_of(data), ply)
            if -DECIDED < known < DECIDED and bound_of(data) & (LOWER if known > stands else UPPER) != 0:
                stands = known
    # Nor where the position has been in the game: a draw may be one move away that no evaluation knows of.
    calm = not principal and not forced and excluded < 0 and been == 0 and -DECIDED < beta < DECIDED
    # 6a. So far ahead that the opponent cannot make up for it in so few plies.
    if enabled(on, STATIC_CUT) and calm and depth <= 7:
        if stands - s.unit() * 4 // 5 * (depth - (1 if rising else 0)) >= beta and stands < DECIDED:
            memory[HORIZON] += 1
            note(s, trace, memory, LEAF, 0, alpha, beta, stands)
            return stands
    # 6b. So far behind that only noisy actions could help.
    if enabled(on, RAZORING) and calm and depth == 1 and stands + 3 * s.unit() <= alpha:
        return quiesce(s, key, alpha, beta, ply, base, memory, on, trace)
    # 6c. The null move: if even passing keeps the value above beta, some move will too.
    if (
        enabled(on, NULL_MOVE)
        and calm
        and depth >= 3
        and stands >= beta
        and memory[memory[TRAIL] + ply] != NO_SLOT
    ):
        child = s.skip()
        if child.player() != me:
            memory[memory[TRAIL] + ply + 1] = NO_SLOT
            memory[memory[CALM] + ply + 1] = 0
            less = depth - 4 - depth // 6 - min((stands - beta) // (2 * s.unit() + 1), 2)
            note(s, trace, memory, NULL, 0, alpha, beta, 0)
            label = announced(child, base, memory, on) if announces else 0
            value = -search(
                child, less, -beta, 1 - beta, ply + 1, base, 0, -1, 1 - cut, label, memory, on, trace
            )
            if value >= beta:
                memory[HORIZON] += 1
                value = min(value, DECIDED - 1)  # a win that needs a pass proves nothing
                note(s, trace, memory, VALUE, 0, alpha, beta, value)
                return value
    # 6d. If a capture beats beta by a margin in a search less deep, a full one would most likely beat beta.
    goal = beta + s.unit() * 3 // 2 - (s.unit() // 2 if rising else 0)
    if (
        enabled(on, PROBCUT)
        and calm
        and depth >= 5
        and s.has_exchange()
        and goal < DECIDED
        and (data == 0 or depth_of(data) < depth - 3 or score_of(data) >= goal)  # not known to fail
    ):
        n = s.noisy(memory, base)
        rank_noisy(s, n, base, memory, on)
        for i in range(base, base + n):
            bring_best(i, base + n, memory)
            action = memory[i]
            if s.exchange(action) < max(goal - stands, 0):
                continue
            child = s.result(action)
            if child.player() == me:
                continue
            memory[memory[TRAIL] + ply + 1] = trait(s, action)
            memory[memory[CALM] + ply + 1] = 0
            note(s, trace, memory, EDGE, action, goal - 1, goal, 0)
            label = announced(child, base + n, memory, on) if announces else 0
            value = -search(
                child, 0, -goal, 1 - goal, ply + 1, base + n, 0, -1, 1 - cut, label, memory, on, trace
            )
            if value >= goal:
                note(s, trace, memory, RESEARCH, action, goal - 1, goal, value)
                note(s, trace, memory, EDGE, action, goal - 1, goal, 0)
                less = depth - 4
                value = -search(
                    child, less, -goal, 1 - goal, ply + 1, base + n, 0, -1, 1 - cut, label, memory, on, trace
                )
            if value >= goal:
                memory[HORIZON] += 1
                note(s, trace, memory, VALUE, 0, alpha, beta, value)
                return value
    # 6e. Without a table move the order is poor: one ply less, and the next iteration has one.
    if enabled(on, UNHINTED) and hint < 0 and depth >= 5 and excluded < 0:
        depth -= 1
    # 7. The moves, in the order in which they promise most.
    n = generate(s, base, memory, on)
    end = base + n
    looks = use_table and depth >= LOOK_DEPTH and s.plies_left() > 2 * FEW_PLIES
    if enabled(on, LOOKAHEAD) and looks and ply > 0 and s.repetition() == 0:
        for i in range(base, end):
            child = s.result(memory[i])
            if child.player() != me and refutes(child, depth - 1, beta, ply + 1, end, memory, on):
                note(s, trace, memory, TABLE_HIT, 0, alpha, beta, beta)
                return beta
    ranked = not is_small
    first = (
        hint if ranked and hint < n and hint != excluded else -1
    )  # the move that is tried before any ranking
    if first >= 0:
        put_first(first, base, memory)
    elif ranked:
        rank(s, n, -1, ply, base, memory, on)
    allowed = n
    if enabled(on, TAPERED) and room > 0:
        allowed = min(allowed, room)
    if enabled(on, PLAUSIBLE) and ply > 0:
        allowed = min(allowed, (n + 1) // 2)
    if allowed < n:
        memory[HORIZON] += 1
    # 8. A table move that stands out is looked at one ply further.
    extension = 0
    if enabled(on, SINGULAR) and excluded < 0 and ply > 0 and depth >= 8 and 0 <= hint < n:
        if bound_of(data) & LOWER != 0 and depth_of(data) >= depth - 3 and ply < 2 * memory[ROOT_DEPTH]:
            known_value = from_table(s, score_of(data), ply)
            mark = known_value - s.unit() * depth // 33
            if -DECIDED < mark < DECIDED:
                note(s, trace, memory, SINGULAR_NODE, 0, mark - 1, mark, 0)
                value = search(
                    s, (depth - 1) // 2, mark - 1, mark, ply, end, 0, hint, cut, key, memory, on, trace
                )
                memory[row] = 0
                if value < mark:
                    extension = 2 if not principal and value < mark - s.unit() // 5 else 1
                elif mark >= beta and not principal:  # another move beats beta too: one of them will hold
                    memory[HORIZON] += 1
                    note(s, trace, memory, VALUE, 0, alpha, beta, mark)
                    return mark
                elif known_value >= beta:  # it does not stand out, though it is good
                    extension = -1
    # 9. The loop over the moves.
    best = -NO_LIMIT
    best_index = NO_INDEX
    floor = alpha
    tried = 0
    noisy_first = False
    last = end  # what comes from here on is left out
    for i in range(base, end):
        if i >= last:
            break
        index = min(i - base, NO_INDEX)
        score = 0
        if ranked:
            if i == base + 1 and first >= 0:
                rank(s, n, first, ply, base, memory, on)
            if i > base or first < 0:
                bring_best(i, last, memory)
            score = memory[memory[SCORES] + i]
            index = NO_INDEX - (score & NO_INDEX)
        action = memory[i]
        if index == excluded or (ply == 0 and is_banned(action, memory)):
            continue
        if tried >= allowed and best > -NO_LIMIT:
            break
        scored = ranked and i > base  # the first may be the table's move: its score tells nothing of its kind
        bad = s.has_exchange() and (score < 0 if scored else s.order(action) < 0)
        quiet = not bad and (score < TACTICAL if scored else s.order(action) <= 0)
        if i == base:
            noisy_first = first >= 0 and not quiet
        # How many plies less a late move is worth: more where it did badly before, or a cutoff is due.
        reduction = 0
        past = 0  # how well it did so far
        if enabled(on, REDUCE) and depth >= 2 and tried >= (2 if principal else 1) and not forced and quiet:
            past = merit(s, action, ply, memory)
            reduction = memory[memory[REDUCTIONS] + min(depth, STEPS - 1) * STEPS + min(tried, STEPS - 1)]
            if not principal:
                reduction += 1 + cut
            if not rising:
                reduction += 1
            if noisy_first:  # a quiet move hardly does better than a capture that did well before
                reduction += 1
            reduction -= min(max(past // TRUST, -2), 2)
            if score >= PREFERRED:
                reduction -= 1
            reduction = max(reduction - 1, 0)
        elif enabled(on, REDUCE) and depth >= 3 and tried >= 2 and not forced and bad:
            reduction = 1 + depth // 8
        near = max(depth - reduction, 1)  # the depth that a late move gets
        # 9a. Near the horizon, late and hopeless moves are left out.
        if (
            enabled(on, LATE | FUTILITY | EXCHANGE)
            and ply > 0
            and tried > 0
            and not forced
            and been == 0
            and best > -DECIDED
        ):
            prune = False
            if enabled(on, LATE) and quiet and depth <= 8 and not principal:
                few = 4 + depth * depth if rising else 3 + depth * depth // 2
                if ply <= NEAR_ROOT:
                    few = 6 + 3 * depth * depth // 2 if rising else 4 + depth * depth
                prune = tried >= few
                # So is all that is quiet from here on.
                if prune and last == end and s.has_exchange() and scored:
                    last = leave_out_quiet(s, i + 1, end, memory)
            if enabled(on, LATE) and quiet and near <= 4 and past < -4000 * near:
                prune = True
            if enabled(on, FUTILITY) and quiet and near <= 6 and alpha > -DECIDED:
                prune = prune or stands + s.unit() * (7 + 6 * near) // 5 <= alpha
            if enabled(on, EXCHANGE) and s.has_exchange() and depth <= 6 and not prune and (quiet or bad):
                least = -s.unit() * depth * depth // 3 if quiet else -s.unit() * depth
                prune = s.exchange(action) < least
            if prune and not disturbs(s, action):
                memory[HORIZON] += 1
                tried += 1
                note(s, trace, memory, PRUNED, action, alpha, beta, stands)
                best = max(best, min(alpha, stands + s.unit() * depth))
                continue
        child = s.result(action)
        label = announced(child, end, memory, on) if announces else 0
        same = child.player() == me
        sign = 1 if same else -1  # the child's value is the mover's there
        low = alpha if same else -alpha - 1  # and this its window of no width
        further = depth - 1
        if index == hint:
            further += extension
        left = max(n - tried, 1) if enabled(on, TAPERED) else 0
        memory[memory[TRAIL] + ply + 1] = trait(s, action)
        if s.repetition() > 0:
            calm_plies = memory[memory[CALM] + ply] + 1
            memory[memory[CALM] + ply + 1] = 0 if s.irreversible(action) != 0 else calm_plies
        v = 0
        whole = True
        # 9b. All but the first: prove that it is no better, with a window of no width, and late ones less deep.
        if tried > 0 and enabled(on, PVS | REDUCE):
            less = further
            if reduction > 0:
                if child.forced() != 0:
                    reduction = 0
                less = min(max(further - reduction, 1), further)
            due = 1 if less < further else 1 - cut
            if less < further or enabled(on, PVS):
                note(s, trace, memory, EDGE, action, alpha, beta, 0)
                if less < further:
                    record(trace, memory, REDUCTION, action, 0, 0, further - less)
                v = sign * search(
                    child, less, low, low + 1, ply + 1, end, left, -1, due, label, memory, on, trace
                )
                if v > alpha and less < further and principal and enabled(on, PVS):  # all the depth first
                    note(s, trace, memory, RESEARCH, action, alpha, alpha + 1, v)
                    note(s, trace, memory, EDGE, action, alpha, beta, 0)
                    less = further
                    v = sign * search(
                        child, less, low, low + 1, ply + 1, end, left, -1, 1 - cut, label, memory, on, trace
                    )
                whole = v > alpha and (less < further or v < beta)
                if whole:
                    note(s, trace, memory, RESEARCH, action, alpha, beta, v)
        # 9c. The first move, and any that turned out better.
        if whole:
            due = 0 if principal else 1 - cut
            note(s, trace, memory, EDGE, action, alpha, beta, 0)
            if further >= depth:
                record(trace, memory, EXTENSION, action, 0, 0, further - depth + 1)
            lower, upper = (alpha, beta) if same else (-beta, -alpha)
            v = sign * search(
                child, further, lower, upper, ply + 1, end, left, -1, due, label, memory, on, trace
            )
        tried += 1
        if v > best:
            best = v
            best_index = index
            if v > alpha:
                alpha = v
                extend_line(memory, ply, action)
                if alpha >= beta:
                    reward(s, i, base, quiet, depth, ply, memory, on)
                    note(s, trace, memory, CUTOFF, action, alpha, beta, v)
                    break
    # 10. What was found goes into the table.
    if best == -NO_LIMIT:  # the only move was excluded
        note(s, trace, memory, LEAF, 0, floor, beta, floor)
        return floor
    keeps = use_table and excluded < 0 and (ply > 0 or memory[memory[BANNED]] == 0)
    if keeps and -0x7FFFFFFF < best < 0x7FFFFFFF:
        bound = UPPER if best <= floor else LOWER if best >= beta else EXACT
        ended = 1 if memory[HORIZON] == first_horizon else 0
        work = effort(memory[NODES] - first_node)
        if best <= floor:
            best_index = NO_INDEX  # all moves failed: the one of an earlier search stays known
        index = best_index if upright else NO_INDEX
        data = pack(to_table(s, best, ply), min(depth, 255), bound, ended, work, memory[AGE], index)
        keep(table, memory[MASK], memory[SCHEME], key, data)
    note(s, trace, memory, VALUE, 0, floor, beta, best)
    return best


@kernel
def start(s: Any, depth: int, alpha: int, beta: int, array: Any, on: Any, trace: Any) -> int:
    """Search from the root."""
    memory = pointer(array)
    memory[ROOT_DEPTH] = depth
    return search(s, depth, alpha, beta, 0, MOVES, 0, -1, 0, 0, memory, on, trace)
