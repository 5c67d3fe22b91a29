"""The board of backgammon, and the line below it."""

from typing import Any

from outplay.game import Board, Cube
from outplay.games.backgammon.cube import CENTRED, DOUBLED, OPENING, TO_DOUBLE, TO_ROLL, standing
from outplay.games.backgammon.ids import side_of
from outplay.games.backgammon.notation import moves_of
from outplay.games.backgammon.setup import NAMES
from outplay.games.backgammon.side import BAR, number, pips, total

Step = tuple[tuple[int, int], tuple[int, int]]  # from a cell to a cell
OFF = (-1, -1)  # the cell of a checker that is borne off
HIGH = 5  # the most checkers drawn on a point


def board(state: Any) -> Board:
    """X's home is at the bottom right, O's at the top right; a digit gives the number of a higher stack.

    Columns are the points 13 to 18 over 12 to 7, the bar, and 19 to 24 over 6 to 1, in X's numbering.
    """
    sides = (state.opp, state.own) if state.turn else (state.own, state.opp)
    grid = [[" "] * 13 for _ in range(2 * HIGH + 1)]
    for player, side in enumerate(sides):
        for point in range(1, BAR + 1):
            if count := number(side, point):
                row, column, down = place(player, point)
                for i in range(min(count, HIGH)):
                    grid[row + down * i][column] = NAMES[player]
                if count > HIGH:
                    grid[row + down * (HIGH - 1)][column] = "0123456789ABCDEF"[count]
    sign = -1 if state.turn else 1
    off = [type(state).CHECKERS - total(side) for side in sides]
    return Board(
        rows=tuple("".join(row) for row in grid),
        files=("12", "11", "10", "9", "8", "7", "", "6", "5", "4", "3", "2", "1"),
        owners=("X", "O"),
        note=note(state, [pips(side) for side in sides], off),
        style="points",
        shapes={"X": "white stone", "O": "black stone"},
        sides=("X", "O"),
        hands=(str(off[0]), str(off[1])),
        dice=(sign * (state.dice >> 3), sign * (state.dice & 7)) if state.dice > 0 else (),
        cube=cube_of(state) if state.HIGHEST > 1 else None,
        counts=(f"{pips(sides[0])} pips", f"{pips(sides[1])} pips"),
    )


def cube_of(state: Any) -> Cube:
    """The cube and its place."""
    now = standing(state)
    owner = None if now.owner == CENTRED else now.owner
    return Cube(2 * now.value, owner, state.turn) if state.dice == DOUBLED else Cube(now.value, owner)


def redrawn(state: Any, board: Board, player: int) -> Any:
    """The state that a board shows, with this player to roll, or to double."""
    sides = [side_of([stacked(board.rows, side, point) for point in range(1, BAR + 1)]) for side in (0, 1)]
    shown = state._replace(own=sides[player], opp=sides[1 - player], turn=player, dice=TO_ROLL)
    return shown._replace(dice=TO_DOUBLE) if shown.may_double() else shown


def stacked(rows: tuple[str, ...], player: int, point: int) -> int:
    """The number of a player's checkers drawn on a point."""
    row, column, down = place(player, point)
    stack = "".join(rows[row + down * i][column] for i in range(HIGH))
    if stack[0] != NAMES[player]:
        return 0
    return len(stack.rstrip()) if stack[-1] in " XO" else int(stack[-1], 16)


def place(player: int, point: int) -> tuple[int, int, int]:
    """The row and column of a point's first checker, and the direction of the stack."""
    if point == BAR:
        return (HIGH + 1, 6, 1) if player == 0 else (HIGH - 1, 6, -1)
    seen = point if player == 0 else BAR - point  # in X's numbering
    column = (
        (12 - seen if seen <= 12 else seen - 13) if 7 <= seen <= 18 else 13 - seen if seen < 7 else seen - 12
    )
    return (2 * HIGH, column, -1) if seen <= 12 else (0, column, 1)


def ways(state: Any, action: int) -> tuple[tuple[Step, ...], ...]:
    """The moves of a play as cells, in both orders of the dice if they lead to the same position."""
    moves = moves_of(state, action)
    found = [moves]
    if len(moves) == 2 and moves[0][1] == moves[1][0] and state.dice >> 3 != state.dice & 7:
        (source, landing), (_, target) = moves
        other = source - (landing - target)
        if target and not number(state.opp, BAR - landing) and not number(state.opp, BAR - other):
            found.append([(source, other), (other, target)])
    return tuple(tuple((cell(state, a), cell(state, b)) for a, b in way) for way in found)


def cell(state: Any, point: int) -> tuple[int, int]:
    """The cell of the first checker on a point of the side on roll."""
    return OFF if point == 0 else place(state.turn, point)[:2]


def note(state: Any, pip_counts: list[int], off: list[int]) -> str:
    """Whose turn it is, the dice, the cube, the score, the pip counts and the checkers borne off."""
    race = f"pips X {pip_counts[0]}, O {pip_counts[1]}; off X {off[0]}, O {off[1]}"
    return "; ".join([over(state) if state.terminal() else turn(state), *stake(state), race])


def turn(state: Any) -> str:
    """Who must do what."""
    if state.dice == OPENING:
        return "each side rolls a die"
    value = standing(state).value
    doing = {
        TO_DOUBLE: "to roll or double",
        DOUBLED: f"to answer a double to {2 * value}",
        TO_ROLL: "to roll",
    }.get(state.dice, f"to play {state.dice >> 3}-{state.dice & 7}")
    return f"{NAMES[state.turn]} {doing}"


def over(state: Any) -> str:
    """Who won, and how much."""
    now, winner, points = standing(state), 1 - state.turn, state.lost()
    if now.match:
        return f"{NAMES[winner]} wins the match to {now.match}"
    kind = ("", "", " a gammon", " a backgammon")[points // now.value]
    cube = "" if state.BARE else f", {points} point{'s' * (points > 1)}"
    return f"{NAMES[winner]} wins{kind}{cube}"


def stake(state: Any) -> list[str]:
    """The cube and the score, if there are any."""
    now, told = standing(state), []
    if state.HIGHEST > 1:
        told.append(f"cube {now.value}" + (f", {NAMES[now.owner]}'s" if now.owner != CENTRED else ""))
    if now.match:
        told.append(f"match to {now.match}: X {now.score[0]}, O {now.score[1]}")
    elif any(now.score):
        told.append(f"X {now.score[0]}, O {now.score[1]}")
    return told + ["Crawford game"] * now.crawford
