"""What a table says as a whole: how much is won, drawn and lost, how far the ends are, and the longest win."""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import twin
from outplay.compile.lane import again
from outplay.compile.runtime import load_state
from outplay.game import legal, offers, parse
from outplay.tables.code import decode
from outplay.tables.file import Table
from outplay.tables.reachable import reachable
from outplay.tables.shelf import Known, Shelf, order


class Share(NamedTuple):
    """For one player to move."""

    won: int
    drawn: int
    lost: int
    longest: int | None  # plies of the longest win; None if nothing is won

    @property
    def positions(self) -> int:
        return self.won + self.drawn + self.lost


def shares(table: Table) -> tuple[Share, Share]:
    """For MAX and for MIN to move."""
    one, two = table.header.counts
    return _share(table, one), _share(table, two)


def _share(table: Table, counts: tuple[int, ...]) -> Share:
    found = [0, 0, 0]
    wins = []
    for code, count in zip(table.header.codes, counts, strict=True):
        if count:
            value, plies = decode(code, table.header.ranks)
            found[1 - (value > 0) + (value < 0)] += count
            wins += [plies] if value > 0 and plies is not None else []
    won, drawn, lost = found
    return Share(won, drawn, lost, max(wins, default=None))


def by_distance(table: Table, player: int) -> dict[int, int]:
    """How many positions are won (plies from 1 on) or lost (0, -1, -2 ...) in so many plies, for the player to move."""
    found: dict[int, int] = {}
    for code, count in zip(table.header.codes, table.header.counts[player], strict=True):
        value, plies = decode(code, table.header.ranks) if count else (0, None)
        if plies is not None:
            key = plies if value > 0 else -plies
            found[key] = found.get(key, 0) + count
    return found


@again
def longest(shelf: Shelf, table: Table) -> Any:
    """A position with the longest win of all for its mover; None if nobody wins."""
    header = table.header
    wins = [
        (decode(code, header.ranks)[1] or 0, number)
        for number, code in enumerate(header.codes)
        if code > 0 and any(counts[number] for counts in header.counts)
    ]
    if not wins:
        return None
    number = max(wins)[1]
    start = parse(shelf.cls, header.start)
    if header.family >= 0:
        return start.slot_state(int(np.flatnonzero(table.data == number)[0]))
    code = header.codes[number]
    rows, compiled = reachable(start).states, twin(shelf.cls)
    native = compiled.state(start)
    for row in rows:
        state = compiled.back(load_state(row, 0, native))
        known = shelf.probe(state)
        if known is not None and known.code == code:
            return state
    return None


def line(shelf: Shelf, state: Any, most: int = 1000) -> list[int]:
    """Best play of both sides as the tables have it: the winner hurries, the loser delays; to the end of the game."""
    actions: list[int] = []
    while legal(state) and len(actions) < most:
        action, known = shelf.moves(state)[0]
        if known is None or known.value == 0:
            break
        actions.append(action)
        state = state.result(action)
    return actions


def line_to_conversion(ends: Shelf, shelf: Shelf, state: Any) -> list[int]:
    """The same by tables to the conversion, up to the move that converts; `ends` has the tables to the end."""
    actions: list[int] = []
    known = shelf.probe(state)
    while known is not None and known.value and known.plies:
        action, known = converted_moves(ends, shelf, state)[0]
        actions.append(action)
        state = state.result(action)
        known = None if known is None or known.plies == 1 else shelf.probe(state)
    return actions


def converted_moves(ends: Shelf, shelf: Shelf, state: Any) -> list[tuple[int, Known | None]]:
    """`Shelf.moves` by tables to the conversion: an action that converts is one ply long."""
    undone = [
        action
        for action in legal(state)
        if offers(type(state), "irreversible") and state.irreversible(action)
    ]
    family = state.family()
    found = {}
    for action, known in ends.moves(state):
        if (
            known is not None
            and known.value
            and (action in undone or state.result(action).family() != family)
        ):
            found[action] = known._replace(plies=1)
        elif known is not None and not known.value:
            found[action] = known
    rest = {action: known for action, known in shelf.moves(state) if action not in found}
    return sorted((found | rest).items(), key=lambda move: order(move[1]))
