"""Backgammon as people write it: Position IDs, plays such as `8/5(2) 6/5*`, and the board."""

import base64
import binascii
import re
from collections import Counter
from typing import Any

from outplay.game import CHANCE, Board, legal
from outplay.games.backgammon.plays import LOW_FIRST
from outplay.games.backgammon.side import BAR, Side, add, number, pips, total

SIDES = "XO"
ID_LENGTH = 14  # of a Position ID: 80 bits in base 64
HALF = 40  # bits of a side's checkers in it, at most
OPENING = "opening"
HIGH = 5  # checkers on a point that are drawn one above the other
Move = tuple[int, int]  # from a point to a point; BAR and 0 (off) included


# --- positions ------------------------------------------------------------------------------------------


def position_id(state: Any) -> str:
    """The Position ID of GNU Backgammon: for each point as many ones as it has checkers, then a zero.

    The side that is not on roll comes first, each from its point 1 to the bar; bits from the lowest of each byte.
    """
    text = "".join("1" * number(side, p) + "0" for side in (state.opp, state.own) for p in range(1, BAR + 1))
    key = int(text.ljust(2 * HALF, "0")[::-1], 2)
    return base64.b64encode(key.to_bytes(10, "little")).decode()[:ID_LENGTH]


def read_id(text: str, checkers: int) -> tuple[Side, Side]:
    """The checkers of the side on roll, and of the other."""
    try:
        key = base64.b64decode(text + "==", validate=True)
    except binascii.Error:
        key = b""
    if len(key) != 10:
        raise ValueError(
            f"{text!r} is not a Position ID: {ID_LENGTH} characters are wanted, as 4HPwATDgc/ABMA"
        )
    runs = "".join(f"{byte:08b}"[::-1] for byte in key).split("0")
    if len(runs) <= 2 * BAR or any(runs[2 * BAR :]):
        raise ValueError(f"{text!r} is not a Position ID: its bits are not those of fifteen checkers a side")
    counts = [len(run) for run in runs[: 2 * BAR]]
    return side_of(counts[BAR:], checkers, text), side_of(counts[:BAR], checkers, text)


def side_of(counts: list[int], checkers: int, text: str) -> Side:
    """A side from the numbers on its points 1 to 24 and on the bar."""
    if sum(counts) > checkers:
        raise ValueError(f"{text!r}: a side has {sum(counts)} checkers; {checkers} is the most")
    side: Side = (0, 0, 0, 0)
    for point, count in enumerate(counts, 1):
        for _ in range(count):
            side = add(side, point)
    return side


def write(state: Any) -> str:
    if state.dice < 0:
        return f"{position_id(state)} {OPENING}"
    rolled = f" {state.dice >> 3}{state.dice & 7}" if state.dice else ""
    return f"{position_id(state)} {SIDES[state.turn]}{rolled}"


def read(cls: Any, text: str) -> Any:
    match = re.fullmatch(rf"(\S+)(?:\s+([XO])(?:\s+([1-6])([1-6]))?|\s+({OPENING}))?", text.strip())
    if not match:
        raise ValueError(
            f"not a position of backgammon: {text[:100]!r}; write a Position ID, who is on roll and the dice, "
            "as 4HPwATDgc/ABMA X 31"
        )
    own, opp = read_id(match[1], cls.CHECKERS)
    if match[5]:
        if (own, opp) != (cls().own, cls().opp):
            raise ValueError(f"{text!r}: the opening roll is thrown at the initial position only")
        return cls()
    turn = SIDES.index(match[2] or "X")
    high, low = sorted((int(match[3] or 0), int(match[4] or 0)), reverse=True)
    check_checkers(own, opp, text, over=not high)
    return cls(own, opp, turn, 8 * high + low)


def check_checkers(own: Side, opp: Side, text: str, over: bool) -> None:
    """Refuse checkers that cannot stand so: of both sides on one point, or of a side that has won and is to roll."""
    for point in range(1, BAR):
        if number(own, point) and number(opp, BAR - point):
            raise ValueError(f"{text!r}: both sides have checkers on point {point} of the side on roll")
    if not total(own):
        raise ValueError(
            f"{text!r}: the side on roll has no checkers: the other was on roll when the game ended"
        )
    if not total(opp) and not over:
        raise ValueError(f"{text!r}: the game is over; leave the dice out")


# --- plays ----------------------------------------------------------------------------------------------


def moves_of(state: Any, action: int) -> list[Move]:
    """The moves of a play, one for each die, in their order."""
    dice = [state.dice >> 3, state.dice & 7]
    if action & LOW_FIRST:
        dice.reverse()
    sources = [action >> shift & 31 for shift in (0, 5, 10, 15)]
    return [(source, max(source - die, 0)) for source, die in zip(sources, dice * 2, strict=True) if source]


def joined(state: Any, moves: list[Move]) -> list[tuple[int, ...]]:
    """The ways of the checkers that move: what goes on from a point where nothing was hit is one move."""
    hit = {point for _, point in moves if point and number(state.opp, BAR - point)}
    paths: list[tuple[int, ...]] = []
    for source, target in sorted(moves, reverse=True):
        before = next((path for path in paths if path[-1] == source), None)
        if before is None:
            paths.append((source, target))
        else:
            paths.remove(before)
            kept = before if source in hit else before[:-1]
            paths.append((*kept, target))
    return sorted(paths, reverse=True)


def write_action(state: Any, action: int) -> str:
    if state.player() == CHANCE:
        return f"{action >> 3}{action & 7}"
    if not action:
        return "pass"
    blots = {BAR - point for point in range(1, BAR) if number(state.opp, point)}
    words = []
    for path, times in Counter(joined(state, moves_of(state, action))).items():
        steps = [point_text(path[0])]
        for point in path[1:]:
            steps.append(point_text(point) + "*" * (point in blots))
            blots.discard(point)
        words.append("/".join(steps) + (f"({times})" if times > 1 else ""))
    return " ".join(words)


def point_text(point: int) -> str:
    return {BAR: "bar", 0: "off"}.get(point, str(point))


def read_action(state: Any, written: str) -> int:
    """The legal action that is written so: a roll in either order, a play with its moves in any order."""
    texts = {write_action(state, action): action for action in legal(state)}
    wanted = " ".join(written.split()).lower()
    if wanted in texts:
        return texts[wanted]
    if state.dice == 0 and wanted[::-1] in texts:
        return texts[wanted[::-1]]
    found = []
    if state.dice > 0 and (moves := read_moves(wanted)):
        found = [action for action in texts.values() if changes(moves_of(state, action)) == changes(moves)]
        found = [a for a in found if points_of(moves) <= points_of(moves_of(state, a))] or found
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(write_action(state, action) for action in found)
        raise ValueError(f"{written.strip()!r} may be {ways}: write the points where it hits")
    shown = ", ".join(list(texts)[:20]) + (" ..." if len(texts) > 20 else "")
    raise ValueError(f"{written.strip()!r} is not legal here; legal: {shown or 'nothing, the game is over'}")


def read_moves(text: str) -> list[Move]:
    """The moves of a play as it is written, each step by itself; none where it is no play."""
    moves: list[Move] = []
    for word in text.split():
        match = re.fullmatch(r"((?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-4])\))?", word)
        if not match:
            return []
        points = [{"bar": BAR, "off": 0}.get(p) or int(p.replace("off", "0")) for p in
                  match[1].replace("*", "").split("/")]  # fmt: skip
        moves += list(zip(points, points[1:], strict=False)) * int(match[2] or 1)
    return moves


def points_of(moves: list[Move]) -> set[int]:
    """The points that are left or reached."""
    return {point for move in moves for point in move}


def changes(moves: list[Move]) -> dict[int, int]:
    """How many checkers more, or less, stand on each point after some moves."""
    change: Counter[int] = Counter()
    for source, target in moves:
        change[source] -= 1
        change[target] += 1
    return {point: n for point, n in change.items() if n}


# --- the board ------------------------------------------------------------------------------------------


def board(state: Any) -> Board:
    """X's home is below on the right, O's above; a digit tells how many stand on a point that is too high to draw.

    Columns are the points 13 to 18 over 12 to 7, the bar, and 19 to 24 over 6 to 1, as X counts them.
    """
    sides = (state.opp, state.own) if state.turn else (state.own, state.opp)
    grid = [[" "] * 13 for _ in range(2 * HIGH + 1)]
    for player, side in enumerate(sides):
        for point in range(1, BAR + 1):
            if count := number(side, point):
                row, column, down = place(player, point)
                for i in range(min(count, HIGH)):
                    grid[row + down * i][column] = SIDES[player]
                if count > HIGH:
                    grid[row + down * (HIGH - 1)][column] = "0123456789ABCDEF"[count]
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
    )


def write_board(state: Any, board: Board, player: int) -> str:
    """The position that a board shows, with this player to roll."""
    sides = [
        side_of(
            [stacked(board.rows, side, point) for point in range(1, BAR + 1)],
            type(state).CHECKERS,
            SIDES[side],
        )
        for side in (0, 1)
    ]
    return write(state._replace(own=sides[player], opp=sides[1 - player], turn=player, dice=0))


def stacked(rows: tuple[str, ...], player: int, point: int) -> int:
    """How many checkers of a player are drawn on a point."""
    row, column, down = place(player, point)
    stack = "".join(rows[row + down * i][column] for i in range(HIGH))
    if stack[0] != SIDES[player]:
        return 0
    return len(stack.rstrip()) if stack[-1] in " XO" else int(stack[-1], 16)


def place(player: int, point: int) -> tuple[int, int, int]:
    """Where the lowest checker of a point is drawn (row, column), and which way others stand on it."""
    if point == BAR:
        return (HIGH + 1, 6, 1) if player == 0 else (HIGH - 1, 6, -1)
    seen = point if player == 0 else BAR - point  # as X counts it
    column = (
        (12 - seen if seen <= 12 else seen - 13) if 7 <= seen <= 18 else 13 - seen if seen < 7 else seen - 12
    )
    return (2 * HIGH, column, -1) if seen <= 12 else (0, column, 1)


def note(state: Any, pip_counts: list[int], off: list[int]) -> str:
    """Whose turn it is, the dice, pips to go and checkers borne off."""
    race = f"pips X {pip_counts[0]}, O {pip_counts[1]}; off X {off[0]}, O {off[1]}"
    if state.terminal():
        kinds = ("", "wins", "wins a gammon", "wins a backgammon")
        return f"{SIDES[1 - state.turn]} {kinds[abs(state.utility())]}; {race}"
    if state.dice < 0:
        return f"each side throws a die; {race}"
    dice = f"to play {state.dice >> 3}-{state.dice & 7}" if state.dice else "to roll"
    return f"{SIDES[state.turn]} {dice}; {race}"
