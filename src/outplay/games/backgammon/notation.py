"""The notation of actions: plays such as `8/5(2) 6/5*`, rolls, and cube actions."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from outplay.game import CHANCE, legal
from outplay.games.backgammon.cube import BEAVER, DOUBLE, DOUBLED, DROP, ROLL, TAKE, TO_DOUBLE
from outplay.games.backgammon.plays import LOW_FIRST, NO_PLAY
from outplay.games.backgammon.side import BAR, number

Move = tuple[int, int]  # from a point to a point; BAR and 0 (off) included
WORDS = {  # cube actions, the usual word first
    TO_DOUBLE: {ROLL: ("roll",), DOUBLE: ("double", "redouble")},
    DOUBLED: {
        TAKE: ("take", "accept"),
        DROP: ("drop", "pass", "reject"),
        BEAVER: ("beaver", "redouble", "raccoon"),
    },
}


def moves_of(state: Any, action: int) -> list[Move]:
    """The moves of a play, one for each die, in their order."""
    dice = [state.dice >> 3, state.dice & 7]
    if action & LOW_FIRST:
        dice.reverse()
    sources = [action >> shift & 31 for shift in (0, 5, 10, 15)]
    return [(source, max(source - die, 0)) for source, die in zip(sources, dice * 2, strict=True) if source]


def joined(state: Any, moves: list[Move]) -> list[tuple[int, ...]]:
    """The checkers' paths: consecutive moves of a checker without a hit in between become one move."""
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
    if state.dice in WORDS:
        return WORDS[state.dice][action][0]
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
    """The legal action for a text: a roll in either order, a play with its moves in any order."""
    texts = {write_action(state, action): action for action in legal(state)}
    wanted = " ".join(written.split()).lower()
    if wanted in texts:
        return texts[wanted]
    if state.dice == 0 and wanted[::-1] in texts:
        return texts[wanted[::-1]]
    for action, words in WORDS.get(state.dice, {}).items():
        if wanted in words and action in texts.values():
            return action
    return find_play(state, read_moves(wanted), written.strip())


def find_play(state: Any, moves: Sequence[Move], written: str) -> int:
    """The legal play with these moves, in any order and in single or joined steps; `written` is for errors."""
    actions = legal(state)
    found = []
    if state.dice > 0 and (moves or actions == [NO_PLAY]):
        found = [action for action in actions if changes(moves_of(state, action)) == changes(moves)]
        found = [a for a in found if points_of(moves) <= points_of(moves_of(state, a))] or found
    if len(found) == 1:
        return found[0]
    if found:
        ways = " or ".join(write_action(state, action) for action in found)
        raise ValueError(f"{written!r} may be {ways}: write the points where it hits")
    texts = [write_action(state, action) for action in actions]
    shown = ", ".join(texts[:20]) + (" ..." if len(texts) > 20 else "")
    raise ValueError(f"{written!r} is not legal here; legal: {shown or 'nothing, the game is over'}")


def read_moves(text: str) -> list[Move]:
    """The steps of a written play; empty if it is not a play."""
    moves: list[Move] = []
    for word in text.split():
        match = re.fullmatch(r"((?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-4])\))?", word)
        if not match:
            return []
        points = [{"bar": BAR, "off": 0}.get(p) or int(p.replace("off", "0")) for p in
                  match[1].replace("*", "").split("/")]  # fmt: skip
        moves += list(zip(points, points[1:], strict=False)) * int(match[2] or 1)
    return moves


def points_of(moves: Sequence[Move]) -> set[int]:
    """The source and target points."""
    return {point for move in moves for point in move}


def changes(moves: Sequence[Move]) -> dict[int, int]:
    """The change in the number of checkers on each point after some moves."""
    change: Counter[int] = Counter()
    for source, target in moves:
        change[source] -= 1
        change[target] += 1
    return {point: n for point, n in change.items() if n}
