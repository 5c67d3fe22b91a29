"""Candidate plays in backgammon: equity, chances, and the cube decision.

All figures are for the player to act.
"""

from collections.abc import Sequence
from typing import Any

from outplay.analysis.equity import equity as points
from outplay.analysis.equity import stake
from outplay.game import CHANCE, action_text
from outplay.limits import Analysis
from outplay.search.cube.janowski import Chances
from outplay.search.cube.player import Cubeful, bare, has_cube
from outplay.search.valuenet.td import TD

HEADING = "   win    wg   wbg     lose    lg   lbg"


def equity(state: Any, found: Analysis) -> float:
    """An analysis's value in points of the cube."""
    sign = -1 if side(state) else 1
    return sign * points(state, found.value or 0.0)


def side(state: Any) -> int:
    """The side whose figures are shown: the player to act or to roll."""
    return int(state.player() if state.player() != CHANCE else state.roller())


def candidates_text(state: Any, lines: Sequence[Analysis]) -> str:
    """A row for each play: its equity, its loss against the best one, and the chances in percent."""
    names = [action_text(state, line.action) if line.action is not None else "to roll" for line in lines]
    wide = max(len(name) for name in (*names, "play"))
    sampled = any(line.error for line in lines)
    rows = [f"{'':3} {'play':<{wide}}  equity" + "   +-    " * sampled + f"  {'':7} {HEADING}"]
    best = equity(state, lines[0])
    for number, (name, line) in enumerate(zip(names, lines, strict=True), 1):
        worth = equity(state, line)
        less = f"{worth - best:+.3f}" if number > 1 else ""
        error = f" {line.error / stake(state):.4f}  " if sampled else ""
        rows.append(
            f"{number:>2}. {name:<{wide}}  {worth:+.3f} {error} {less:>7} {chances_row(state, line)}".rstrip()
        )
    return "\n".join(rows)


def chances_row(state: Any, found: Analysis) -> str:
    """`55.3  17.4   1.2     44.7  12.4   0.5`."""
    if not found.chances:
        return ""
    mine = Chances(*found.chances)
    mine = mine.mirrored if side(state) else mine
    won = (mine.win, mine.win_gammon, mine.win_backgammon)
    lost = (1 - mine.win, mine.lose_gammon, mine.lose_backgammon)
    return "   ".join(" ".join(f"{100 * share:5.1f}" for share in shares) for shares in (won, lost))


def cube_text(state: Any, plies: int = 2) -> str:
    """The cube decision before the roll, with the equity of each action; empty if there is none."""
    cls = type(state)
    if not has_cube(cls) or state.dice > 0 or state.terminal() or state.dice == -1:
        return ""
    values = Cubeful(TD().looking(bare(state))).cube(state, plies)
    rows = [("no double", values.no_double)]
    if values.may_double:
        rows += [("double, take", values.double_take), ("double, drop", 1.0)]
    told = [f"cube    {values.action}"]
    for number, (name, worth) in enumerate(rows):
        match = f"   {100 * values.match[number]:.2f} % of matches" if values.match is not None else ""
        told.append(f"        {name:<13} {worth:+.3f}{match}")
    return "\n".join(told)
