"""The engine's enhancements, each a named switch.

*Exact* switches never change a value; *selective* ones may. A set of switches is an int with a bit for each.
The engine asks `enabled(on, SWITCH)`: with a plain int the answer is read while it runs, so one build serves
every set (tests, ablation); with a `Fixed` set the answer is known when it is compiled and costs nothing (play).
Both builds visit the same nodes.
"""

from typing import Any, NamedTuple

from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, overload, register_model, typeof_impl, unbox


class Switch(NamedTuple):
    """One enhancement."""

    name: str
    exact: bool
    about: str
    source: str


SWITCHES = (
    Switch(
        "table",
        True,
        "The transposition table: a position reached by another order of moves is not searched again if its entry "
        "has the depth that is wanted (or was searched to the end of the game) and its bound decides; otherwise "
        "the entry's best move is tried first.",
        "Greenblatt's MacHack VI, 1967",
    ),
    Switch(
        "order",
        True,
        "The game's own ordering: `order(action)`, usually captures, threats, forward moves, backward moves.",
        "Slagle & Dixon, 1969",
    ),
    Switch(
        "killers",
        True,
        "Moves that cut off a sister node are tried early: two are kept for each ply.",
        "Huberman, 1968",
    ),
    Switch(
        "history",
        True,
        "Moves are ordered by how often, and how high in the tree, they caused a cutoff anywhere.",
        "Schaeffer, 1983",
    ),
    Switch(
        "countermoves",
        True,
        "The move that refuted the opponent's last move elsewhere is tried early.",
        "Uiterwijk, 1992",
    ),
    Switch(
        "pvs",
        True,
        "Principal-variation search: after the first move the rest is only proven worse, with a window of no "
        "width; a move that turns out better is searched again.",
        "Marsland & Campbell, 1982",
    ),
    Switch(
        "aspiration",
        True,
        "Each iteration begins with a narrow window about the last value, and is repeated wider if it fails.",
        "Brudno 1963; Gillogly 1972",
    ),
    Switch(
        "deeper",
        False,
        "A table entry of greater depth than wanted is used too.",
        "common practice",
    ),
    Switch(
        "quiescence",
        False,
        "At the horizon the search goes on over the game's `noisy` actions until the position is quiet.",
        "Shannon 1950; Harris 1975",
    ),
    Switch(
        "reductions",
        False,
        "Late quiet moves are searched less deep first, and again at full depth only if they surprise.",
        "Levy, Broughton & Taylor 1989",
    ),
    Switch(
        "futility",
        False,
        "One and two plies above the horizon, quiet moves are left out where the evaluation is too far below alpha.",
        "Schaeffer 1986; Heinz 1998",
    ),
    Switch(
        "singular",
        False,
        "A table move that is much better than all others is searched one ply deeper.",
        "Anantharaman, Campbell & Hsu 1988",
    ),
    Switch(
        "tapered",
        False,
        "Tapered search: of a node's children, ranked by the ordering, each may look at as many of its own as the "
        "node has children less the child's rank.",
        "Winston, Artificial Intelligence",
    ),
    Switch(
        "plausible",
        False,
        "Plausible-move generator: below the root only the best-ranked half of the moves is looked at.",
        "Kotok 1962; Greenblatt 1967",
    ),
)

BIT = {switch.name: 1 << i for i, switch in enumerate(SWITCHES)}
EXACT = sum(BIT[s.name] for s in SWITCHES if s.exact)


class Fixed(int):
    """A set of switches that is compiled in."""


def enabled(on: Any, bit: int) -> bool:
    """Whether a switch is on."""
    return on & bit != 0


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


@overload(enabled)
def _enabled(on, bit):  # type: ignore[no-untyped-def]
    if isinstance(on, FixedType):
        value = on.value
        return lambda on, bit: value & bit != 0
    return lambda on, bit: on & bit != 0


def switches(names: str | list[str]) -> int:
    """A set from names: "exact", "all", "none", and names with + or - before them: "all -null"."""
    on = 0
    for word in names.replace(",", " ").split() if isinstance(names, str) else names:
        sign, name = (word[0], word[1:]) if word[0] in "+-" else ("+", word)
        groups = {"exact": EXACT, "all": (1 << len(SWITCHES)) - 1, "none": 0, **BIT}
        if name not in groups:
            raise ValueError(f"there is no switch {name!r}; there are {', '.join(BIT)}, exact, all, none")
        on = on | groups[name] if sign == "+" else on & ~groups[name]
    return on
