"""The engine's enhancements, each a named switch.

*Exact* switches never change a value; *sound* ones never that of a search to the end of the game, since they know
how it ends where an evaluation does not; *selective* ones may. A set of switches is an int with a bit for each.
The engine asks `enabled(on, SWITCH)`: with a plain int the answer is read while it runs, so one build serves
every set (tests, ablation); with a `Fixed` set the answer is known when it is compiled and costs nothing (play).
Both builds visit the same nodes.
"""

from typing import Any, NamedTuple

from numba import types
from numba.extending import NativeValue, intrinsic, register_model, typeof_impl, unbox

from outplay.compile.internals import models
from outplay.compile.jit import ENABLED, PLAIN


class Switch(NamedTuple):
    """One enhancement."""

    name: str
    kind: str  # "exact", "sound" or "selective"
    about: str
    source: str


SWITCHES = (
    Switch(
        "table",
        "exact",
        "The transposition table: a position reached by another order of moves is not searched again if its entry "
        "has the depth that is wanted (or was searched to the end of the game) and its bound decides; otherwise "
        "the entry's best move is tried first.",
        "Greenblatt's MacHack VI, 1967",
    ),
    Switch(
        "order",
        "exact",
        "The game's own ordering: `order(action)`, usually captures, threats, forward moves, backward moves.",
        "Slagle & Dixon, 1969",
    ),
    Switch(
        "killers",
        "exact",
        "Moves that cut off a sister node are tried early: two are kept for each ply.",
        "Huberman, 1968",
    ),
    Switch(
        "history",
        "exact",
        "Moves are ordered by how often, and how high in the tree, they caused a cutoff anywhere.",
        "Schaeffer, 1983",
    ),
    Switch(
        "countermoves",
        "exact",
        "The move that refuted the opponent's last move elsewhere is tried early.",
        "Uiterwijk, 1992",
    ),
    Switch(
        "pvs",
        "exact",
        "Principal-variation search: after the first move the rest is only proven worse, with a null "
        "window; a move that turns out better is searched again.",
        "Marsland & Campbell, 1982",
    ),
    Switch(
        "aspiration",
        "exact",
        "Each iteration begins with a narrow window around the last value, and is repeated wider if it fails.",
        "Brudno 1963; Gillogly 1972",
    ),
    Switch(
        "finish",
        "exact",
        "The game's own knowledge of its last moves: `finish()` tells the outcome of best play where it knows it.",
        "Othello programs since the 1980s",
    ),
    Switch(
        "straight",
        "exact",
        "Straight to the end: where the game says how many plies are left, iterative deepening goes two thirds of "
        "the way and then searches to the end of the game at once.",
        "Othello programs since the 1980s",
    ),
    Switch(
        "distance",
        "exact",
        "A line is pruned where even a win at once would come later than one already found (mate-distance "
        "pruning).",
        "common practice since the 1990s",
    ),
    Switch(
        "promising",
        "sound",
        "Where the game itself knows that a best move is among a few (`promising`), only those are looked at.",
        "Uiterwijk, van den Herik & Allis 1989",
    ),
    Switch(
        "ceiling",
        "sound",
        "Where the most that can still be reached (`ceiling`: what stable discs leave) is no better than alpha, "
        "the node is pruned.",
        "Buro 1994",
    ),
    Switch(
        "symmetry",
        "exact",
        "Positions that are mirror images of each other (`symmetries`) share one table entry.",
        "Samuel 1959",
    ),
    Switch(
        "lookahead",
        "exact",
        "Before any move is searched, all are looked up: one that the table or the game's `ceiling` knows to refute "
        "is enough (enhanced transposition cutoff).",
        "Schaeffer & Plaat 1996",
    ),
    Switch(
        "deeper",
        "selective",
        "A table entry of greater depth than wanted is used too.",
        "common practice",
    ),
    Switch(
        "quiescence",
        "selective",
        "At the horizon the search goes on over the game's `noisy` actions until the position is quiet.",
        "Shannon 1950; Harris 1975",
    ),
    Switch(
        "exchange",
        "selective",
        "Moves that lose material by exchange on their square (`exchange`) are pruned in quiescence and near "
        "the horizon.",
        "Spracklen & Spracklen 1978",
    ),
    Switch(
        "null",
        "selective",
        "The null move: where the game offers `skip`, passing is tried first, at a reduced depth; if even that "
        "keeps the value above beta, the node is pruned.",
        "Beal 1989; Donninger 1993",
    ),
    Switch(
        "static",
        "selective",
        "Near the horizon a node whose static evaluation is far above beta is pruned (reverse futility).",
        "Heinz 1998",
    ),
    Switch(
        "razoring",
        "selective",
        "One ply above the horizon a node whose static evaluation is far below alpha goes straight to quiescence.",
        "Birmingham & Kent 1977",
    ),
    Switch(
        "reductions",
        "selective",
        "Late quiet moves are searched at a reduced depth first, and again at full depth only if they raise alpha.",
        "Levy, Broughton & Taylor 1989",
    ),
    Switch(
        "late",
        "selective",
        "Near the horizon late quiet moves are pruned (move-count pruning).",
        "Heinz 1998; common practice",
    ),
    Switch(
        "futility",
        "selective",
        "Near the horizon quiet moves are pruned where the static evaluation is too far below alpha.",
        "Schaeffer 1986; Heinz 1998",
    ),
    Switch(
        "probcut",
        "selective",
        "Where a capture beats beta by a margin in a shallow search, a full search would most likely beat beta: "
        "the node is pruned.",
        "Buro 1995",
    ),
    Switch(
        "unhinted",
        "selective",
        "A deep node without a table move is reduced by a ply (internal iterative reduction): the next iteration "
        "finds one in the table.",
        "Ed Schröder 2020",
    ),
    Switch(
        "forced",
        "selective",
        "At the horizon, where the mover must react (`forced`: check), the search goes one ply deeper.",
        "Shannon 1950",
    ),
    Switch(
        "singular",
        "selective",
        "A table move that is much better than all others is searched a ply deeper; where another one beats beta "
        "too, the node is pruned (multi-cut).",
        "Anantharaman, Campbell & Hsu 1988",
    ),
    Switch(
        "tapered",
        "selective",
        "Tapered search: a node's children are ranked by a quick evaluation, and each may look at as many of its own "
        "as the node has children less its rank.",
        "Winston, Artificial Intelligence",
    ),
    Switch(
        "plausible",
        "selective",
        "Plausible-move generator: below the root only the best-ranked half of the moves is looked at.",
        "Kotok 1962; Greenblatt 1967",
    ),
    Switch(
        "star1",
        "exact",
        "Alpha-beta at chance nodes: where the class says what it is to win, an outcome is searched with the window "
        "outside of which the mean leaves (alpha, beta), whatever the outcomes after it are worth.",
        "Ballard, 1983",
    ),
    Switch(
        "star2",
        "exact",
        "Before a chance node's outcomes are searched, one move of each is: the mover can do no worse, which may be "
        "enough for a cutoff, and narrows the windows of Star1.",
        "Ballard, 1983; Hauk, Buro & Schaeffer, 2004",
    ),
    Switch(
        "chances",
        "exact",
        "Chance nodes in the transposition table, each with a lower and an upper bound of its mean.",
        "Veness & Blair, 2007",
    ),
)

BIT = {switch.name: 1 << i for i, switch in enumerate(SWITCHES)}
EXACT = sum(BIT[s.name] for s in SWITCHES if s.kind == "exact")
SOUND = sum(BIT[s.name] for s in SWITCHES if s.kind != "selective")
ALL = sum(BIT.values())
OFF = ("lookahead", "tapered", "plausible")  # in play
DEFAULT = ALL - sum(BIT[name] for name in OFF)
AT_CHANCE = ("star1", "star2", "chances")  # for games with chance alone
BEYOND = ALL & ~SOUND & ~BIT["quiescence"]  # for games without chance alone: they prune by judgement
SETS = {"default": DEFAULT, "all": ALL, "exact": EXACT, "sound": SOUND, "none": 0}


class Fixed(int):
    """A set of switches that is compiled in."""


class FixedType(types.Type):
    """The compiled form of a Fixed set: the set is part of the type, the value has no bits."""

    def __init__(self, value: int) -> None:
        self.value = value
        super().__init__(name=f"Fixed({value})")


@typeof_impl.register(Fixed)
def _typeof_fixed(value, context):  # type: ignore[no-untyped-def]
    return FixedType(int(value))


register_model(FixedType)(models.OpaqueModel)


@unbox(FixedType)
def _unbox_fixed(kind, value, context):  # type: ignore[no-untyped-def]
    return NativeValue(context.context.get_dummy_value())


def _plain_enabled(on: Any, bit: int) -> bool:
    return on & bit != 0


@intrinsic
def _native_enabled(typing, on, bit):  # type: ignore[no-untyped-def]
    """For a Fixed set a constant, so that LLVM drops what is off."""

    def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
        word = args[1].type
        chosen = word(on.value) if isinstance(on, FixedType) else args[0]
        return builder.icmp_signed("!=", builder.and_(chosen, args[1]), word(0))

    return types.boolean(on if isinstance(on, FixedType) else types.int64, types.int64), emit


PLAIN[id(_native_enabled)] = _plain_enabled
enabled = _native_enabled if ENABLED else _plain_enabled  # whether one of these switches is on


def fitting(on: int, chance: bool) -> int:
    """Those of a set that a game with chance, or one without, knows."""
    without = BEYOND if chance else sum(BIT[name] for name in AT_CHANCE)
    return type(on)(on & ~without)


def switches(names: str | list[str]) -> int:
    """A set from names of sets and switches, each added, or with - before it taken away: "default -null".

    Where the first name has + or - before it, the default set is what it changes: "-null".
    """
    words = names.replace(",", " ").split() if isinstance(names, str) else names
    on = DEFAULT if words and words[0][0] in "+-" else 0
    for word in words:
        name, known = word.lstrip("+-"), SETS | BIT
        if name not in known:
            raise ValueError(f"there is no switch {name!r}; there are {', '.join([*BIT, *SETS])}")
        on = on & ~known[name] if word[0] == "-" else on | known[name]
    return on
