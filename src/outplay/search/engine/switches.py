"""The engine's enhancements, each a named switch.

*Exact* switches never change a value; *sound* ones never change the value of a search to the end of the game, but
may replace an evaluation by a proven outcome; *selective* ones may change any. A set of switches is a bit mask.
The engine calls `enabled(on, SWITCH)`: a plain int is tested at run time, so one build serves
every set (tests, ablation); a `Fixed` set is a compile-time constant and costs nothing (play).
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
        "The transposition table: a position reached by another move order is not searched again if its entry "
        "has the required depth (or was searched to the end of the game) and its bound decides; otherwise "
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
        "Moves that caused a cutoff in a sibling node are tried early: two are kept per ply.",
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
        "Principal-variation search: after the first move the others are searched with a null "
        "window, to prove them worse; a move that turns out better is re-searched.",
        "Marsland & Campbell, 1982",
    ),
    Switch(
        "aspiration",
        "exact",
        "Each iteration begins with a narrow window around the last value, and is repeated with a wider one if the "
        "search fails low or high.",
        "Brudno 1963; Gillogly 1972",
    ),
    Switch(
        "finish",
        "exact",
        "The game's own endgame knowledge: `finish()` returns the outcome of best play where it knows it.",
        "Othello programs since the 1980s",
    ),
    Switch(
        "straight",
        "exact",
        "Straight to the end: where `plies_left` is known, iterative deepening goes two thirds of "
        "the way and then searches to the end of the game at once.",
        "Othello programs since the 1980s",
    ),
    Switch(
        "distance",
        "exact",
        "Mate-distance pruning: a line is pruned if even an immediate win would come later than one already "
        "found.",
        "common practice since the 1990s",
    ),
    Switch(
        "promising",
        "sound",
        "Where the game knows that a best move is among a few (`promising`), only those are searched.",
        "Uiterwijk, van den Herik & Allis 1989",
    ),
    Switch(
        "ceiling",
        "sound",
        "A node is pruned if the upper bound on its value (`ceiling`, for example from stable discs) is no better "
        "than alpha.",
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
        "Enhanced transposition cutoff: before any move is searched, the table is probed for all; one that its entry "
        "or the game's `ceiling` proves a refutation is enough.",
        "Schaeffer & Plaat 1996",
    ),
    Switch(
        "deeper",
        "selective",
        "A table entry of greater depth than required is used too.",
        "common practice",
    ),
    Switch(
        "quiescence",
        "selective",
        "At the horizon the search continues with the game's `noisy` actions until the position is quiet.",
        "Shannon 1950; Harris 1975",
    ),
    Switch(
        "exchange",
        "selective",
        "Moves that lose material by static exchange evaluation (`exchange`) are pruned in quiescence search and near "
        "the horizon.",
        "Spracklen & Spracklen 1978",
    ),
    Switch(
        "null",
        "selective",
        "The null move: if the game has `skip`, passing is tried first, at a reduced depth; if even that "
        "fails high, the node is pruned.",
        "Beal 1989; Donninger 1993",
    ),
    Switch(
        "static",
        "selective",
        "Reverse futility pruning: near the horizon a node whose static evaluation is far above beta is pruned.",
        "Heinz 1998",
    ),
    Switch(
        "razoring",
        "selective",
        "One ply above the horizon a node whose static evaluation is far below alpha drops into quiescence search.",
        "Birmingham & Kent 1977",
    ),
    Switch(
        "reductions",
        "selective",
        "Late-move reductions: late quiet moves are searched at a reduced depth, and re-searched at full depth only "
        "if they raise alpha.",
        "Levy, Broughton & Taylor 1989",
    ),
    Switch(
        "late",
        "selective",
        "Late-move pruning: near the horizon late quiet moves are pruned by move count.",
        "Heinz 1998; common practice",
    ),
    Switch(
        "futility",
        "selective",
        "Near the horizon quiet moves are pruned if the static evaluation is too far below alpha.",
        "Schaeffer 1986; Heinz 1998",
    ),
    Switch(
        "probcut",
        "selective",
        "If a capture beats beta by a margin in a shallow search, a full search would most likely beat beta: "
        "the node is pruned.",
        "Buro 1995",
    ),
    Switch(
        "unhinted",
        "selective",
        "Internal iterative reduction: a deep node without a table move is reduced by a ply; the next iteration "
        "finds one in the table.",
        "Ed Schröder 2020",
    ),
    Switch(
        "forced",
        "selective",
        "Check extension: at the horizon, if the mover is `forced` (in check), the search goes one ply deeper.",
        "Shannon 1950",
    ),
    Switch(
        "singular",
        "selective",
        "A table move that is much better than all others is extended by a ply; if another one beats beta "
        "too, the node is pruned (multi-cut).",
        "Anantharaman, Campbell & Hsu 1988",
    ),
    Switch(
        "tapered",
        "selective",
        "Tapered search: a node's children are ranked by a quick evaluation, and each searches as many of its own "
        "children as the node has, minus its rank.",
        "Winston, Artificial Intelligence",
    ),
    Switch(
        "plausible",
        "selective",
        "Plausible-move generator: below the root only the best-ranked half of the moves is searched.",
        "Kotok 1962; Greenblatt 1967",
    ),
    Switch(
        "star1",
        "exact",
        "Alpha-beta at chance nodes, for classes that declare `win`: each outcome is searched with the window outside "
        "of which the mean leaves (alpha, beta), whatever the values of the remaining outcomes.",
        "Ballard, 1983",
    ),
    Switch(
        "star2",
        "exact",
        "Before the outcomes of a chance node are searched, one move of each is probed: it bounds the mover's value, "
        "which may be enough for a cutoff, and narrows the windows of Star1.",
        "Ballard, 1983; Hauk, Buro & Schaeffer, 2004",
    ),
    Switch(
        "chances",
        "exact",
        "Chance nodes in the transposition table, each with a lower and an upper bound on its mean.",
        "Veness & Blair, 2007",
    ),
)

BIT = {switch.name: 1 << i for i, switch in enumerate(SWITCHES)}
EXACT = sum(BIT[s.name] for s in SWITCHES if s.kind == "exact")
SOUND = sum(BIT[s.name] for s in SWITCHES if s.kind != "selective")
ALL = sum(BIT.values())
OFF = ("lookahead", "tapered", "plausible")  # in play
DEFAULT = ALL - sum(BIT[name] for name in OFF)
AT_CHANCE = ("star1", "star2", "chances")  # only for games with chance
BEYOND = ALL & ~SOUND & ~BIT["quiescence"]  # only for games without chance: heuristic pruning
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
    """A constant for a Fixed set, so that LLVM drops disabled code."""

    def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
        word = args[1].type
        chosen = word(on.value) if isinstance(on, FixedType) else args[0]
        return builder.icmp_signed("!=", builder.and_(chosen, args[1]), word(0))

    return types.boolean(on if isinstance(on, FixedType) else types.int64, types.int64), emit


PLAIN[id(_native_enabled)] = _plain_enabled
enabled = _native_enabled if ENABLED else _plain_enabled  # whether one of these switches is on


def fitting(on: int, chance: bool) -> int:
    """The switches of a set that apply to a game with, or without, chance."""
    without = BEYOND if chance else sum(BIT[name] for name in AT_CHANCE)
    return type(on)(on & ~without)


def switches(names: str | list[str]) -> int:
    """A set from names of sets and switches, each added, or removed with a leading -: "default -null".

    If the first name has a leading + or -, it modifies the default set: "-null".
    """
    words = names.replace(",", " ").split() if isinstance(names, str) else names
    on = DEFAULT if words and words[0][0] in "+-" else 0
    for word in words:
        name, known = word.lstrip("+-"), SETS | BIT
        if name not in known:
            raise ValueError(f"unknown switch {name!r}; choose from {', '.join([*BIT, *SETS])}")
        on = on & ~known[name] if word[0] == "-" else on | known[name]
    return on
