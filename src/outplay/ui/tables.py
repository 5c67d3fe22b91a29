"""Endgame tables in words: what is known of a position, and what a table holds."""

from collections.abc import Iterator
from typing import Any

from outplay.game import Board, action_text, line_texts, offers
from outplay.tables.build import Built
from outplay.tables.estimate import Estimate
from outplay.tables.file import Table
from outplay.tables.shelf import Known, Shelf
from outplay.tables.statistics import Share, line, shares
from outplay.tables.verify import Verdict

MIB = 1 << 20


def outcome(known: Known | None, points: bool) -> str:
    """`won in 19 plies`, `drawn`; of a game of points the value too."""
    if known is None:
        return "not in a table"
    if known.value == 0:
        return "drawn"
    said = f"{'won' if known.value > 0 else 'lost'} in {plural(known.plies or 0, 'ply', 'plies')}"
    return f"{said}, {known.value:+}" if points else said


def plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def has_points(shelf: Shelf) -> bool:
    return any(len(table.header.ranks) > 1 for table in shelf.tables)


def probed(shelf: Shelf, state: Any) -> Iterator[str]:
    """What is known of a position and of each move."""
    points = has_points(shelf)
    known = shelf.after(state)
    named = f" ({known.table})" if known is not None and known.table else ""
    yield f"{state}: {outcome(known, points)} for the player to move{named}"
    moves = [(action_text(state, action), outcome(found, points)) for action, found in shelf.moves(state)]
    width = max((len(text) for text, _ in moves), default=0)
    yield from (f"  {text:<{width}}  {found}" for text, found in moves)


def sides(cls: type, state: Any) -> tuple[str, str]:
    board: Board | None = state.board() if offers(cls, "board") and not offers(cls, "percept") else None
    return board.sides if board is not None and all(board.sides) else ("MAX", "MIN")


def statistics(table: Table, state: Any) -> Iterator[str]:
    """Won, drawn and lost for either side to move, as the literature counts them."""
    header = table.header
    yield f"{header.name or 'all states from ' + header.start}: {table.positions:,} positions"
    yield f"  {'to move':<10} {'won':>13} {'drawn':>13} {'lost':>13} {'% won':>7} {'longest win':>12}"
    for name, share in zip(sides(type(state), state), shares(table), strict=True):
        if share.positions:
            yield _row(name, share)


def _row(name: str, share: Share) -> str:
    longest = "-" if share.longest is None else plural(share.longest, "ply", "plies")
    percent = 100 * share.won / share.positions
    return f"  {name:<10} {share.won:>13,} {share.drawn:>13,} {share.lost:>13,} {percent:>7.1f} {longest:>12}"


def estimated(name: str, found: Estimate) -> str:
    return (
        f"{name}: about {found.positions:,} positions in {found.slots:,} slots, {found.moves:,} moves; "
        f"{found.memory / MIB:,.0f} MiB, {found.seconds:,.0f} s"
    )


def built(made: Built) -> str:
    table = made.table
    name = table.header.name or table.header.game
    how = f"built in {made.seconds:.1f} s" if made.seconds else "is there already"
    return f"{name}: {table.positions:,} positions, {how}; {table.path}"


def verified(name: str, verdict: Verdict) -> str:
    if verdict.wrong:
        return f"{name}: {verdict.wrong:,} of {verdict.positions:,} positions are wrong, as {verdict.example}"
    return f"{name}: all {verdict.positions:,} positions agree with their moves"


def longest_line(shelf: Shelf, state: Any) -> Iterator[str]:
    """A position and the line of best play from it."""
    known = shelf.probe(state)
    yield f"{state}: {outcome(known, has_points(shelf))}"
    yield " ".join(line_texts(state, line(shelf, state)))
