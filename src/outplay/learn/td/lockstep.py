"""Self-play of many games in lockstep: one step is one decision in every game.

    deal    roll the dice of each game, and list its moves          one thread per game
    write   the net's inputs: last afterstates, then new ones       one thread per row
    rate    what each row is worth                                  one thread per row
    settle  the best move, and what the last afterstate learns      one thread per game

Between `write` and `rate` the net evaluates all rows together; after `settle` the rows of the last afterstates learn
together. The functions here serve the CPU and, called by `gpukernels.py`, a GPU. Dice and games are those of
`selfplay.play_game`: with the same net, game number i is the same game.

There is room for a fixed number of rows. Games whose moves do not fit in it wait: they roll the same dice at the next
step.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import FEATURE, FORBIDDEN
from outplay.learn.td.selfplay import (
    COUNTS,
    CUT,
    EXPLORE,
    FINISHED,
    FULL,
    LONGEST,
    MOVES,
    SEED,
    UPDATES,
    is_back,
)
from outplay.search.mcts.playout import GOLDEN, choose, random_bits
from outplay.search.protocol.control import NoActions
from outplay.search.valuenet.answers import result, turned, worth_of

load_state, store_state = NATIVE["load_state"][ENABLED], NATIVE["store_state"][ENABLED]
pointer, shr, wrap, msb = (NATIVE[name][ENABLED] for name in ("pointer", "shr", "wrap", "msb"))
# Facts of a game: its number; the counter of its random bits, now and after the decision; moves; whether its last
# afterstate learns; steps to wait before its first move; what happens to it in this step; whether its move is
# random; whether its thread is at work; then what is counted in it
(NUMBER, COUNTER, NEXT, LENGTH, KNOWN, WAIT, STATUS, RANDOM, BUSY, TOTALS), COLUMNS = range(10), 9 + COUNTS
WAITS, DECIDES, ENDED, DRAWN, TOO_LONG = range(5)  # the status of a game
UNSEEN, EMPTY, SEEN, OVER, BARRED = range(5)  # the state of a row: its thread has failed, if UNSEEN
ONE, LARGEST = 0x3C00, 0x7BFF  # 1.0 and the largest number, in 16 bits
POINT = 24  # bits behind the point: the smallest number in 16 bits is 2^-24
SCALE = round(2.0 ** (POINT + 16) / FEATURE)


class Games(NamedTuple):
    """The games, a row for each: arrays of NumPy's, torch's or a GPU's."""

    states: Any  # int64[games + 1, words]: where each stands, after its last move; the last row is where games begin
    now: Any  # int64[games, words]: where it stands after the dice
    facts: Any  # int64[games, COLUMNS]
    counts: Any  # int64[games]: moves
    ends: Any  # int64[games]: where the moves' rows end, of those behind the games' own
    moves: Any  # int64[games, most actions + 1]: its actions now
    keys: Any  # int64: of the positions of a game, where one may not come back
    found: Any  # float32[games, answers]: MAX's, of the move that was chosen
    targets: Any  # float32[games, answers]: what its last afterstate learns, as its viewer has it
    learns: Any  # float32[games]: 1 if it learns that, else 0


class Rows(NamedTuple):
    """What the net evaluates: the last afterstate of each game, then all new ones."""

    inputs: Any  # int16[rows, width]: numbers of 16 bits
    kinds: Any  # int8[rows]
    viewers: Any  # int8[rows]: whose answers the net gives
    values: Any  # float64[rows]: MAX's
    raw: Any  # float32[rows, answers]: the viewer's answers


def width_of(inputs: int) -> int:
    """Numbers in a row: the inputs and a 1 for the bias, in multiples of 16 bytes."""
    return (inputs + 8) // 8 * 8


def games_of(words: Any, number: int, answers: int, actions: int, keys: int) -> Games:
    """Room for so many games, which begin at a state's words."""
    return Games(
        np.array([words] * (number + 1), np.int64),
        np.zeros((number, len(words)), np.int64),
        np.zeros((number, COLUMNS), np.int64),
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros((number, actions + 1), np.int64),
        np.zeros((number, keys), np.int64),
        np.zeros((number, answers), np.float32),
        np.zeros((number, answers), np.float32),
        np.zeros(number, np.float32),
    )


def rows_of(number: int, inputs: int, answers: int) -> Rows:
    """Room for so many rows."""
    return Rows(
        np.zeros((number, width_of(inputs)), np.int16),
        np.zeros(number, np.int8),
        np.zeros(number, np.int8),
        np.zeros(number),
        np.zeros((number, answers), np.float32),
    )


@inlined
def deal_one(b: int, like: Any, games: Any, plan: Any) -> None:
    """Go on to the next decision of a game, and list the moves."""
    game, room = pointer(games.facts[b]), pointer(games.moves[b])
    game[BUSY] = 1
    games.counts[b] = 0
    game[STATUS] = WAITS
    if game[WAIT] > 0:
        game[WAIT] -= 1
    else:
        game[STATUS] = ENDED
        s, x, moves = load_state(pointer(games.states[b]), 0, like), game[COUNTER], game[LENGTH]
        while not s.terminal():
            x = wrap(x + GOLDEN)
            if s.chance():
                s = s.result(choose(s, random_bits(x), 0, room))
                continue
            if moves >= LONGEST:
                game[STATUS] = TOO_LONG
                break
            if is_back(s, games.keys[b], moves):
                game[STATUS] = DRAWN
                break
            if s.repetition() != 0:
                games.keys[b, moves] = s.identity()
            game[STATUS] = DECIDES
            bits = random_bits(x)
            game[RANDOM] = 1 if (bits & (FULL - 1)) < plan[EXPLORE] * FULL else 0
            games.counts[b] = list_moves(s, bits, game[RANDOM], room)
            break
        store_state(pointer(games.now[b]), 0, s)
        game[NEXT] = x
    game[BUSY] = 0


@inlined
def list_moves(s: Any, bits: int, at_random: int, room: Any) -> int:
    """All moves, or a random one alone; how many."""
    if at_random:
        room[0] = choose(s, random_bits(bits), 0, room)
        return 1
    n = s.actions(room, 0)
    if n == 0:
        raise NoActions
    return n


@inlined
def write_one(r: int, like: Any, games: Any, rows: Any, room: Any, bias: int) -> None:
    """A row: the last afterstate of a game, or a new one. What needs no net is known at once."""
    number, kinds = len(games.facts), rows.kinds
    kinds[r] = UNSEEN
    if r < number:
        if games.facts[r, KNOWN]:
            s = load_state(pointer(games.states[r]), 0, like)
            rows.viewers[r] = see_row(s, room, bias, rows.inputs[r])
            kinds[r] = SEEN
        else:
            kinds[r] = EMPTY
        return
    place = r - number
    b = owner_of(place, games.ends)
    if b == number or games.ends[b] > len(kinds) - number:
        kinds[r] = EMPTY
        return
    s = load_state(pointer(games.now[b]), 0, like)
    t = s.result(games.moves[b, place - games.ends[b] + games.counts[b]])
    if t.terminal():
        rows.values[r] = t.utility() / t.worth()
        kinds[r] = OVER
        return
    rows.viewers[r] = see_row(t, room, bias, rows.inputs[r])
    barred = s.repetition() == FORBIDDEN and is_back(t, games.keys[b], games.facts[b, LENGTH] + 1)
    kinds[r] = BARRED if barred else SEEN


@inlined
def owner_of(place: int, ends: Any) -> int:
    """The first game whose rows end behind a place."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) >> 1
        if ends[middle] > place:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def see_row(s: Any, room: Any, bias: int, row: Any) -> int:
    """Write the inputs that are not 0 in 16 bits, and a 1 for the bias; whose answers the net gives."""
    row[bias] = ONE
    if s.has_features():
        n = s.features(room, 0)
        for i in range(n):
            row[room[i] >> 32] = in_16_bits(room[i] & 0xFFFFFFFF)
        return s.viewer()
    by_player = s.planes(room, 0) > 0
    if not by_player:
        store_state(room, 0, s)
    for i in range(bias // 64):
        for bit in range(64):
            if shr(room[i], bit) & 1:
                row[64 * i + bit] = ONE
    return max(s.player(), 0) if by_player else 0


@inlined
def in_16_bits(value: int) -> int:
    """A fixed-point input, a 32-bit word, as a number of 16 bits (IEEE 754), rounded."""
    if value == FEATURE:
        return ONE
    sign = value & 0x80000000
    size = (2 * sign - value if sign else value) * SCALE >> 16
    shift = max(0, msb(size | 1) - 10)
    bits = (shift << 10) + (size + (1 << shift >> 1) >> shift)
    bits = min(bits, LARGEST)
    return bits - 0x8000 if sign else bits


@inlined
def rate_one(r: int, rows: Any, scale: float) -> None:
    """MAX's value of a row that the net has evaluated."""
    if rows.kinds[r] != OVER:
        value = worth_of(rows.raw[r], scale)
        rows.values[r] = -value if rows.viewers[r] else value


@inlined
def settle_one(b: int, like: Any, games: Any, rows: Any, scale: float, plan: Any) -> None:
    """Play the best move; what the last afterstate learns from it, as its viewer has it."""
    game, number, answers = pointer(games.facts[b]), len(games.facts), games.found[b]
    games.learns[b] = 0.0
    if game[STATUS] == WAITS or games.ends[b] > len(rows.kinds) - number:
        return
    game[BUSY] = 1
    s, known = load_state(pointer(games.now[b]), 0, like), game[KNOWN]
    game[COUNTER] = game[NEXT]
    if game[STATUS] == DECIDES:
        first = number + games.ends[b] - games.counts[b]
        best = best_row(first, games.counts[b], s.player(), rows)
        s = s.result(games.moves[b, best - first])
        game[LENGTH] += 1
        game[TOTALS + MOVES] += 1
        known = known and not game[RANDOM]
        answers_of(best, rows, answers, scale)
    elif game[STATUS] == ENDED:
        result(s.utility() / s.worth(), scale, answers)
    elif game[STATUS] == DRAWN:
        result(0.0, scale, answers)
    else:
        known = 0
        game[TOTALS + CUT] += 1
    if known:
        games.learns[b] = 1.0
        turned(answers, rows.viewers[b], games.targets[b])
        game[TOTALS + UPDATES] += 1
    if game[STATUS] != DECIDES or s.terminal():
        game[TOTALS + FINISHED] += 1
        begin_one(b, game[NUMBER] + number, games, plan)
        s = load_state(pointer(games.states[number]), 0, like)
    else:
        game[KNOWN] = 1
    store_state(pointer(games.states[b]), 0, s)
    game[BUSY] = 0


@inlined
def best_row(first: int, n: int, mover: int, rows: Any) -> int:
    """The row that the mover likes best; one that may not be played is left out."""
    best, most = first, -1e300
    for r in range(first, first + n):
        if rows.kinds[r] == UNSEEN:
            raise NoActions
        value = rows.values[r] if mover == 0 else -rows.values[r]
        if rows.kinds[r] != BARRED and value > most:
            best, most = r, value
    return best


@inlined
def answers_of(r: int, rows: Any, answers: Any, scale: float) -> None:
    """MAX's answers of a row."""
    if rows.kinds[r] == OVER:
        result(rows.values[r], scale, answers)
    else:
        turned(rows.raw[r], rows.viewers[r], answers)


@inlined
def begin_one(b: int, number: int, games: Any, plan: Any) -> None:
    """A new game, with its number; what was counted stays."""
    game = pointer(games.facts[b])
    game[NUMBER] = number
    game[COUNTER] = random_bits(wrap(random_bits(int(plan[SEED])) + number))
    game[LENGTH] = 0
    game[KNOWN] = 0


# --- on the CPU ----------------------------------------------------------------------------------------------


@kernel
def begin(games: Any, plan: Any) -> None:
    """The first games: number i begins in row i."""
    for b in range(len(games.facts)):
        begin_one(b, b, games, plan)


@kernel
def deal(like: Any, games: Any, plan: Any) -> None:
    for b in range(len(games.facts)):
        deal_one(b, like, games, plan)


@kernel
def write(like: Any, games: Any, rows: Any, room: Any, bias: int) -> None:
    """`room` is memory for the game's words."""
    seen = pointer(room)
    for r in range(len(rows.kinds)):
        write_one(r, like, games, rows, seen, bias)


@kernel
def rate(rows: Any, scale: float) -> None:
    for r in range(len(rows.kinds)):
        rate_one(r, rows, scale)


@kernel
def settle(like: Any, games: Any, rows: Any, scale: float, plan: Any) -> None:
    for b in range(len(games.facts)):
        settle_one(b, like, games, rows, scale, plan)
