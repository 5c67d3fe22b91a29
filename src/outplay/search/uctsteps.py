"""The four steps of UCT as kernels: select, expand, simulate, back up.

What stands in `uct.py` as on the slides happens here in the arrays of `ucttree.py` with the same random numbers:
the same seed gives the same tree, node by node.
"""

import math
from typing import Any

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import FORBIDDEN
from outplay.search.control import LIMIT, MOVES, NODES, NoActions, load_now, pointer
from outplay.search.playout import GOLDEN, LONGEST, Endless, choose, finished, random_bits
from outplay.search.ucttree import (
    CONFIDENCE,
    COUNTER,
    DEEPEST,
    DEPTH,
    EQUIVALENCE,
    EXPAND,
    EXPLORE,
    HINTED,
    INFORMED,
    LEAST,
    LENGTH,
    MARK_BITS,
    MARKS,
    MAX_DEPTH,
    MAX_LINE,
    MOST,
    PAST,
    RAVE,
    ROOT,
    ROOTS,
    SCALE,
    SEED,
    SIZE,
    SOLVER,
    STAMP,
    TURN,
    USED,
    Tree,
)

wrap = NATIVE["wrap"][ENABLED]
shr = NATIVE["shr"][ENABLED]


@kernel
def draw(run: Any) -> int:
    """The next random bits."""
    run[COUNTER] = wrap(run[COUNTER] + GOLDEN)
    return random_bits(run[COUNTER])


@kernel
def reward(s: Any, scale: float) -> float:
    """A finished game's utility as a reward for MAX: 0 is lost, 1/2 drawn, 1 won."""
    u = s.utility()
    if scale > 0.0:
        return 0.5 + 0.5 * u / scale
    return 1.0 if u > 0 else 0.0 if u < 0 else 0.5


@kernel
def proven(node: int, tree: Any) -> bool:
    """Whether the node's value is known: the game is over there, or its bounds have met."""
    return tree.bounds[2 * node] == tree.bounds[2 * node + 1]


@inlined
def step(s: Any, node: int, tree: Any) -> Any:
    """Go down from a node that has children; the state there.

    A child that would bring back a position of the game or of the path, where the game forbids that, is struck out.
    """
    run = tree.run
    depth = run[DEPTH] + 1
    while True:
        child = next_child(s, node, tree)
        after = s.result(tree.action[child])
        if s.repetition() != FORBIDDEN:
            break
        key = after.identity()
        tree.keys[run[PAST] + depth] = key
        if tree.stats[2 * child] > 0.0 or not is_back(key, depth, tree):
            break
        strike_out(child, s.player(), tree)
    run[DEPTH] = depth
    tree.path[depth] = child
    tree.movers[depth] = s.player()
    tree.moves[depth] = tree.action[child]
    return after


@inlined
def next_child(s: Any, node: int, tree: Any) -> int:
    """What chance draws; an untried child, if there is one; else that with the best upper confidence bound."""
    first, count = tree.links[4 * node], tree.links[4 * node + 1]
    if s.chance():
        return first + fallen(s, first, count, tree)
    if tree.links[4 * node + 2] < count:
        return untried(node, tree)
    return best_ucb(node, first, count, tree)


@kernel
def is_back(key: int, depth: int, tree: Any) -> bool:
    """Whether a position was there before the one from which it is reached, and is another than that."""
    last = tree.run[PAST] + depth - 1
    if tree.keys[last] == key:
        return False
    for i in range(last):  # noqa: SIM110
        if tree.keys[i] == key:
            return True
    return False


@kernel
def strike_out(child: int, mover: int, tree: Any) -> None:
    """Never choose a child again: it is no better than the worst."""
    tree.terms[2 * child] = -math.inf
    worst = tree.rates[LEAST] if mover == 0 else tree.rates[MOST]
    tree.bounds[2 * child] = tree.bounds[2 * child + 1] = worst


@inlined
def selection(s: Any, tree: Any) -> Any:
    """Step 1: from the root down to a node with untried actions, or of known value; the state there.

    Players choose by UCB1 among actions that were all tried, and never a child of known value: what it is worth
    its parent is already sure of. Chance falls by its probabilities.
    """
    links = tree.links
    node = ROOT
    while tree.run[DEPTH] < MAX_DEPTH:
        count = links[4 * node + 1]
        if count == 0 or links[4 * node + 2] < count:
            break
        chance = s.chance()
        s = step(s, node, tree)
        node = tree.path[tree.run[DEPTH]]
        if chance and proven(node, tree):
            break
    return s


@inlined
def best_ucb(node: int, first: int, count: int, tree: Any) -> int:
    """The child with the greatest v + C sqrt(ln N / n); the first of them where several are equal."""
    terms = tree.terms
    width = tree.rates[EXPLORE] * root_of_log(tree.stats[2 * node], tree)
    best = first
    most = -math.inf
    for child in range(first, first + count):
        ucb = terms[2 * child] + product(width, terms[2 * child + 1])
        if ucb > most:
            most = ucb
            best = child
    return best


@kernel
def product(x: float, y: float) -> float:
    """x y, rounded before anything is added to it: a GPU would do both at once, and build other trees."""
    return x * y


@kernel
def root_of_log(n: float, tree: Any) -> float:
    """sqrt(ln n); looked up where n is small: most nodes are seldom visited, and a logarithm takes long."""
    return tree.roots[int(n)] if n < ROOTS else math.sqrt(math.log(n))


@kernel
def fallen(s: Any, first: int, count: int, tree: Any) -> int:
    """Which outcome chance draws."""
    left = (draw(tree.run) & 0xFFFFFFFFFFFFF) / 4503599627370496.0
    for i in range(count - 1):
        left -= s.probability(tree.action[first + i])
        if left < 0.0:
            return i
    return count - 1


@kernel
def expansion(s: Any, tree: Any) -> Any:
    """Step 2: add one untried action's node, if there is room; the state there."""
    run, stats = tree.run, tree.stats
    node = tree.path[run[DEPTH]]
    if not proven(node, tree) and (node == ROOT or stats[2 * node] >= run[EXPAND]) and run[DEPTH] < MAX_DEPTH:
        if tree.links[4 * node + 1] > 0 or opened(s, node, tree):
            s = step(s, node, tree)
            node = tree.path[run[DEPTH]]
    if stats[2 * node] == 0.0 and s.terminal():
        tree.bounds[2 * node] = tree.bounds[2 * node + 1] = reward(s, tree.rates[SCALE])
    return s


@kernel
def opened(s: Any, node: int, tree: Any) -> bool:
    """Make the block of a node's children; False if the pool has no room for it."""
    run, links, action = tree.run, tree.links, tree.action
    n = s.actions(run, MOVES)
    if n == 0:
        raise NoActions
    first = run[USED]
    if first + n > run[SIZE]:
        return False
    run[USED] = first + n
    for i in range(n):
        child = first + i
        action[child] = run[MOVES + i]
        tree.stats[2 * child] = 0.0
        tree.stats[2 * child + 1] = 0.0
        tree.terms[2 * child] = 0.0
        tree.terms[2 * child + 1] = 0.0
        tree.bounds[2 * child] = tree.rates[LEAST]
        tree.bounds[2 * child + 1] = tree.rates[MOST]
        links[4 * child] = 0
        links[4 * child + 1] = 0
        links[4 * child + 2] = 0
        if run[RAVE]:
            tree.amaf[2 * child] = 0.0
            tree.amaf[2 * child + 1] = 0.0
        if run[INFORMED] and not s.chance():
            before = s.prior(run[MOVES + i]) / 100.0
            tree.expected[child] = before
            tree.terms[2 * child] = before
            tree.terms[2 * child + 1] = 1.0 / math.sqrt(tree.rates[CONFIDENCE])
    links[4 * node] = first
    links[4 * node + 1] = n
    links[4 * node + 2] = n if s.chance() or run[INFORMED] else 0  # with priors none need be tried first
    return True


@inlined
def untried(node: int, tree: Any) -> int:
    """A child that was never visited: any of them, moved to the front of the untried."""
    action = tree.action
    first, count, tried = tree.links[4 * node], tree.links[4 * node + 1], tree.links[4 * node + 2]
    front = first + tried
    other = front + shr((draw(tree.run) & 0xFFFFFFFF) * (count - tried), 32)
    action[front], action[other] = action[other], action[front]
    if tree.run[RAVE]:
        amaf = tree.amaf
        amaf[2 * front], amaf[2 * other] = amaf[2 * other], amaf[2 * front]
        amaf[2 * front + 1], amaf[2 * other + 1] = amaf[2 * other + 1], amaf[2 * front + 1]
    tree.links[4 * node + 2] = tried + 1
    return front


@kernel
def simulation(s: Any, tree: Any) -> float:
    """Step 3: play on by the default policy to the end; the reward for MAX. A proven value needs no play."""
    run = tree.run
    length = run[DEPTH]
    run[LENGTH] = length
    node = tree.path[length]
    if proven(node, tree):
        return tree.bounds[2 * node]
    x = run[COUNTER]
    last = length + LONGEST
    while not s.terminal():
        x = wrap(x + GOLDEN)
        action = choose(s, random_bits(x), run[HINTED], run)
        length += 1
        if run[RAVE] and length <= MAX_LINE:
            tree.movers[length] = s.player()
            tree.moves[length] = action
            run[LENGTH] = length
        if length > last:
            raise Endless
        s = s.result(action)
    return reward(s, tree.rates[SCALE])


@inlined
def backup(start: Any, gain: float, tree: Any) -> None:
    """Step 4: along the path count a visit and add the reward, for who chose the node; first what is proven."""
    run, stats, terms = tree.run, tree.stats, tree.terms
    if run[SOLVER] and proven(tree.path[run[DEPTH]], tree):
        back_up_bounds(start, tree)
    sampled = gain
    for i in range(run[DEPTH], -1, -1):
        node = tree.path[i]
        if run[SOLVER]:
            gain = min(max(gain, tree.bounds[2 * node]), tree.bounds[2 * node + 1])
        visits = stats[2 * node] + 1.0
        total = stats[2 * node + 1] + (gain if i == 0 or tree.movers[i] != 1 else 1.0 - gain)
        stats[2 * node] = visits
        stats[2 * node + 1] = total
        if terms[2 * node] > -math.inf:
            terms[2 * node] = mean_of(node, tree)
        terms[2 * node + 1] = 1.0 / math.sqrt(visits + tree.rates[CONFIDENCE])
    if run[RAVE]:
        back_up_amaf(sampled, tree)


@kernel
def mean_of(node: int, tree: Any) -> float:
    """The mean reward for who chose a node; what the game expects counts like so many visits."""
    visits, total = tree.stats[2 * node], tree.stats[2 * node + 1]
    if tree.run[INFORMED]:
        confidence = tree.rates[CONFIDENCE]
        return (total + product(confidence, tree.expected[node])) / (visits + confidence)
    return total / visits


@kernel
def back_up_bounds(start: Any, tree: Any) -> None:
    """What is proven, from the end of the path up while a bound moves.

    MCTS-Solver (Winands, Björnsson & Saito 2008) with bounds (Cazenave & Saffidine 2010), so that draws and
    scores are proven like wins. A child that cannot be better than what its parent is sure of is not chosen again.
    """
    bounds, links = tree.bounds, tree.links
    for i in range(tree.run[DEPTH] - 1, -1, -1):
        node = tree.path[i]
        first, count = links[4 * node], links[4 * node + 1]
        mover = tree.movers[i + 1]
        if mover < 0:
            least, most = mean_bounds(state_at(start, i, tree), first, count, tree)
        else:
            least, most = best_bounds(first, count, mover, tree)
            for child in range(first, first + count):
                if bounds[2 * child + 1] <= least if mover == 0 else bounds[2 * child] >= most:
                    tree.terms[2 * child] = -math.inf
        if least == bounds[2 * node] and most == bounds[2 * node + 1]:
            break
        bounds[2 * node] = least
        bounds[2 * node + 1] = most


@kernel
def best_bounds(first: int, count: int, mover: int, tree: Any) -> Any:
    """The bounds of a node at which a player chooses."""
    least, most = tree.bounds[2 * first], tree.bounds[2 * first + 1]
    for child in range(first + 1, first + count):
        low, high = tree.bounds[2 * child], tree.bounds[2 * child + 1]
        least = max(least, low) if mover == 0 else min(least, low)
        most = max(most, high) if mover == 0 else min(most, high)
    return least, most


@kernel
def mean_bounds(s: Any, first: int, count: int, tree: Any) -> Any:
    """The bounds of a chance node."""
    least = most = 0.0
    for child in range(first, first + count):
        chance = s.probability(tree.action[child])
        if chance > 0.0:
            least += product(chance, tree.bounds[2 * child])
            most += product(chance, tree.bounds[2 * child + 1])
    return least, most


@kernel
def state_at(start: Any, depth: int, tree: Any) -> Any:
    """The state that the iteration passed at a depth."""
    s = start
    for i in range(1, depth + 1):
        s = s.result(tree.moves[i])
    return s


@kernel
def back_up_amaf(gain: float, tree: Any) -> None:
    """All moves as first: each node's children whose action its player chose there or later share the reward.

    Where both players chose it, it was the first one's: who plays on a point that the other has left after being
    taken there plays another move.
    What UCB adds up is then mixed from the mean and the AMAF value, early on mostly from the latter: after n and m
    visits it has the share m / (n + m + n m / k) (Gelly & Silver 2011).
    """
    run, amaf, stats = tree.run, tree.amaf, tree.stats
    k = tree.rates[EQUIVALENCE]
    run[STAMP] += 1
    for i in range(run[LENGTH], 0, -1):
        mover = tree.movers[i]
        if mover < 0:
            continue
        mark(tree.moves[i], mover, tree)
        if i > run[DEPTH]:
            continue
        mine = gain if mover == 0 else 1.0 - gain
        first = tree.links[4 * tree.path[i - 1]]
        for child in range(first, first + tree.links[4 * tree.path[i - 1] + 1]):
            if marked(tree.action[child], mover, tree):
                amaf[2 * child] += 1.0
                amaf[2 * child + 1] += mine
                n = stats[2 * child] + tree.rates[CONFIDENCE]
                if n > 0.0 and tree.terms[2 * child] > -math.inf:
                    m = amaf[2 * child]
                    beta = m / (n + m + n * m / k)
                    mean = mean_of(child, tree)
                    first_moves = product(beta, amaf[2 * child + 1] / m)
                    tree.terms[2 * child] = product(1.0 - beta, mean) + first_moves


@kernel
def mark(action: int, mover: int, tree: Any) -> None:
    """Put an action into the set, as this player's."""
    i = place_of(action, tree)
    tree.marks[2 * i] = 2 * tree.run[STAMP] + mover
    tree.marks[2 * i + 1] = action


@kernel
def marked(action: int, mover: int, tree: Any) -> bool:
    """Whether the set has the action as this player's."""
    return tree.marks[2 * place_of(action, tree)] == 2 * tree.run[STAMP] + mover


@kernel
def place_of(action: int, tree: Any) -> int:
    """Where an action is in the set, or would be: the first place from its own on that is its or free."""
    i = shr(wrap(action * GOLDEN), 64 - MARK_BITS)
    while tree.marks[2 * i] >> 1 == tree.run[STAMP] and tree.marks[2 * i + 1] != action:
        i = (i + 1) & (MARKS - 1)
    return i


# --- many iterations -------------------------------------------------------------------------------------


@kernel
def largest(start: Any, games: int, array: Any) -> float:
    """The largest utility, for either player, in a number of random games."""
    memory = pointer(array)
    found = 0.0
    for game in range(games):
        found = max(found, abs(finished(start, random_bits(game), 0, memory).utility()))
    return found


@kernel
def iterate(s: Any, tree: Any) -> None:
    """One iteration: select, expand, simulate, back up."""
    run = tree.run
    run[COUNTER] = random_bits(wrap(run[SEED] + run[TURN]))
    run[DEPTH] = 0
    tree.path[0] = ROOT
    if s.repetition() == FORBIDDEN:
        tree.keys[run[PAST]] = s.identity()
    leaf = expansion(selection(s, tree), tree)
    gain = simulation(leaf, tree)
    backup(s, gain, tree)
    run[TURN] += 1
    if run[DEPTH] > run[DEEPEST]:
        run[DEEPEST] = run[DEPTH]


@kernel
def grow(s: Any, arrays: Any) -> None:
    """Iterate until the limit is reached or the root is proven."""
    tree = Tree(
        pointer(arrays.stats), pointer(arrays.terms), pointer(arrays.links), pointer(arrays.action),
        pointer(arrays.bounds), pointer(arrays.amaf), pointer(arrays.expected), pointer(arrays.run),
        pointer(arrays.rates), pointer(arrays.roots), pointer(arrays.path),
        pointer(arrays.movers), pointer(arrays.moves), pointer(arrays.marks), pointer(arrays.keys),
    )  # fmt: skip
    run = tree.run
    while run[NODES] < load_now(run, LIMIT) and not proven(ROOT, tree):
        run[NODES] += 1
        iterate(s, tree)
