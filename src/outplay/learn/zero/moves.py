"""A move of self-play: its row in the replay buffer, the game's result, and the start of the next game.

Each kernel handles one game; on the CPU they run in a loop, on a GPU (`gpukernels.py`) in one thread per game.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import FORBIDDEN
from outplay.search.mcts.expand import place_of
from outplay.search.mcts.grow import descend
from outplay.search.mcts.gumbel import best_of_halving, improve, mixed_value
from outplay.search.mcts.playout import choose, pointer
from outplay.search.mcts.tree import ROOT, clear, draw, remembers, tree_at

load_state = NATIVE["load_state"][ENABLED]
store_state = NATIVE["store_state"][ENABLED]

# A row of the replay buffer: after the words of the view
MOVER, OUTCOME, SCORE, VALUE, AFTER_VIEW = range(
    5
)  # who moves; the result for MAX; MAX's utility; the search's value
UNKNOWN = 2  # the outcome of a game that goes on
FIXED = 256.0  # scores and values are fixed point
# For each game: its state and its counters
BEGUN, PLIES, FINISHED, CUT, FULL, WINS, DRAWS, MOVES, COUNTS = range(9)
# The parameters of a step
STEP, SIMULATIONS, LONGEST, OPENINGS, RANDOM_PLIES, LENGTH, PLAN = range(7)


# --- one game --------------------------------------------------------------------------------------------


@kernel
def see(s: Any, words: Any) -> None:
    """Write a state's network input: its planes, or else its fields."""
    if s.planes(words, 0) == 0:
        store_state(words, 0, s)


@kernel
def find_leaf(s: Any, tree: Any, leaf: Any, view: Any) -> None:
    """Descend to a leaf; write its state and network input."""
    found, _ = descend(s, tree)
    store_state(leaf, 0, found)
    see(found, view)


@kernel
def play_move(s: Any, tree: Any, row: Any, policy: Any) -> Any:
    """Write view and policy, and play the best move: the root's value, and the next state with a player to move."""
    see(s, row)
    first = tree.first[ROOT]
    child = best_of_halving(tree)
    value = mixed_value(tree)
    improve(tree, tree.gumbel)
    for i in range(tree.count[ROOT]):
        policy[place_of(s, tree.action[first + i], i, tree)] = tree.gumbel[i]
    if remembers(s, tree):
        tree.keys[tree.past] = s.identity()
        tree.past += 1
    return value, settled(s.result(tree.action[child]), tree)


@kernel
def settled(s: Any, tree: Any) -> Any:
    """Play chance's moves: the next state in which a player moves or the game is over."""
    while s.chance() and not s.terminal():
        s = s.result(choose(s, draw(tree), 0, tree.room))
    return s


@kernel
def came_back(s: Any, tree: Any) -> bool:
    """Whether the position has come so often that the game is drawn."""
    if s.repetition() == FORBIDDEN or not remembers(s, tree):
        return False
    key = s.identity()
    found = 1
    for i in range(tree.past):
        if tree.keys[i] == key:
            found += 1
    return found >= s.repetition()


@kernel
def first_state(start: Any, tree: Any, plan: Any) -> Any:
    """A new game's first state: the initial one, or one some random plies later, so that games differ."""
    tree.past = 0
    s = settled(start, tree)
    if (draw(tree) & 0xFFFFFF) % 100 >= plan[OPENINGS]:
        return s
    for _ in range(1 + (draw(tree) & 0xFFFFFF) % plan[RANDOM_PLIES]):
        if remembers(s, tree):
            tree.keys[tree.past] = s.identity()
            tree.past += 1
        after = settled(s.result(choose(s, draw(tree), 0, tree.room)), tree)
        if after.terminal():
            return s
        s = after
    return s


@kernel
def begin_game(start: Any, tree: Any, game: Any, plan: Any) -> Any:
    """The first state of a new game."""
    s = first_state(start, tree, plan)
    game[PLIES] = tree.past
    return s


@kernel
def outcome_of(s: Any) -> int:
    """The result for MAX: 1, 0 or -1."""
    u = s.utility()
    return 1 if u > 0 else -1 if u < 0 else 0


# --- all games in turn ------------------------------------------------------------------------------------


@kernel
def deal_one(b: int, like: Any, roots: Any, tree: Any, games: Any, plan: Any) -> None:
    """A new game, in this tree."""
    start = load_state(pointer(roots[len(roots) - 1]), 0, like)
    s = begin_game(start, tree, pointer(games[b]), plan)
    games[b, BEGUN] = plan[STEP]
    tree.halving = plan[SIMULATIONS]
    store_state(pointer(roots[b]), 0, s)
    clear(tree)


@kernel
def play_one(
    b: int, like: Any, roots: Any, tree: Any, rows: Any, policies: Any, games: Any, plan: Any
) -> None:
    """Play a move in one game; if it ends, write its result into its rows and start a new one."""
    words = rows.shape[1] - AFTER_VIEW
    at = (plan[STEP] % plan[LENGTH]) * len(games) + b
    for i in range(policies.shape[1]):
        policies[at, i] = 0.0
    s = load_state(pointer(roots[b]), 0, like)
    mover = s.player()
    value, s = play_move(s, tree, pointer(rows[at]), pointer(policies[at]))
    rows[at, words + MOVER] = mover
    rows[at, words + OUTCOME] = UNKNOWN
    rows[at, words + SCORE] = 0
    rows[at, words + VALUE] = int(FIXED * value)
    games[b, PLIES] += 1
    games[b, MOVES] += 1
    games[b, FULL] += 1 if tree.full > 0 else 0
    ended = s.terminal()
    drawn = not ended and came_back(s, tree)
    cut = not ended and not drawn and games[b, PLIES] >= plan[LONGEST]
    if ended or drawn or cut:
        outcome = outcome_of(s) if ended else 0
        score = int(FIXED * s.utility()) if ended else 0
        for step in range(games[b, BEGUN], plan[STEP] + 1):
            place = (step % plan[LENGTH]) * len(games) + b
            rows[place, words + OUTCOME] = outcome
            rows[place, words + SCORE] = score
        games[b, FINISHED] += 1
        games[b, CUT] += 1 if cut else 0
        games[b, WINS] += 1 if outcome > 0 else 0
        games[b, DRAWS] += 1 if outcome == 0 else 0
        games[b, BEGUN] = plan[STEP] + 1
        start = load_state(pointer(roots[len(roots) - 1]), 0, like)
        s = begin_game(start, tree, pointer(games[b]), plan)
    tree.halving = plan[SIMULATIONS]
    store_state(pointer(roots[b]), 0, s)
    clear(tree)


@kernel
def deal(like: Any, roots: Any, trees: Any, games: Any, plan: Any) -> None:
    for b in range(len(trees)):
        deal_one(b, like, roots, tree_at(pointer(trees[b])), games, plan)


@kernel
def play(like: Any, roots: Any, trees: Any, rows: Any, policies: Any, games: Any, plan: Any) -> None:
    for b in range(len(trees)):
        play_one(b, like, roots, tree_at(pointer(trees[b])), rows, policies, games, plan)


@kernel
def find(like: Any, roots: Any, trees: Any, leaves: Any, views: Any) -> None:
    for b in range(len(trees)):
        s = load_state(pointer(roots[b]), 0, like)
        find_leaf(s, tree_at(pointer(trees[b])), pointer(leaves[b]), pointer(views[b]))
