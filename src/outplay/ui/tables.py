"""Endgame tables as text: the entry of a position, and the statistics of a table."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from outplay.freememory import require
from outplay.game import Board, action_text, line_texts, offers
from outplay.tables.build import Built
from outplay.tables.estimate import Estimate, estimate
from outplay.tables.file import Header, Table
from outplay.tables.metric import END, usual
from outplay.tables.shelf import Known, Shelf
from outplay.tables.statistics import Share, converted_moves, line, line_to_conversion, shares
from outplay.tables.verify import Verdict

MIB = 1 << 20


def outcome(known: Known | None, points: bool, metric: str = END) -> str:
    """`won in 19 plies`, `drawn`; in a game of points with the value."""
    if known is None:
        return "not in a table"
    if known.value == 0:
        return "drawn"
    said = "won" if known.value > 0 else "lost"
    if known.plies is not None:
        plies = plural(known.plies, "ply", "plies")
        said += f" in {plies}" if metric == END else f", {plies} to conversion"
    return f"{said}, {known.value:+}" if points else said


def plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def has_points(shelf: Shelf) -> bool:
    return any(len(table.header.ranks) > 1 for table in shelf.tables)


def metric_of(shelf: Shelf) -> str:
    return shelf.tables[0].header.metric


def probed(shelf: Shelf, ends: Shelf, state: Any) -> Iterator[str]:
    """The tables' entries for a position and for each move; `ends` are the game's usual tables."""
    points, metric = has_points(shelf), metric_of(shelf)
    known = shelf.after(state)
    named = f" ({known.table})" if known is not None and known.table else ""
    yield f"{state}: {outcome(known, points, metric)} for the player to move{named}"
    found = shelf.moves(state) if metric == usual(type(state)) else converted_moves(ends, shelf, state)
    moves = [(action_text(state, action), outcome(after, points, metric)) for action, after in found]
    width = max((len(text) for text, _ in moves), default=0)
    yield from (f"  {text:<{width}}  {after}" for text, after in moves)


def title(header: Header) -> str:
    """A family's name; of a table of all states its name, if it has one, and the position they come from."""
    if header.family >= 0:
        return header.name
    return ", ".join(filter(None, (header.name, f"all states from {header.start}")))


def sides(cls: type, state: Any) -> tuple[str, str]:
    board: Board | None = state.board() if offers(cls, "board") and not offers(cls, "percept") else None
    return board.sides if board is not None and all(board.sides) else ("MAX", "MIN")


def statistics(table: Table, state: Any) -> Iterator[str]:
    """Won, drawn and lost positions for either side to move, as in the literature."""
    header = table.header
    yield f"{title(header)}: {table.positions:,} positions"
    yield f"  {'to move':<10} {'won':>13} {'drawn':>13} {'lost':>13} {'% won':>7} {'longest win':>12}"
    for name, share in zip(sides(type(state), state), shares(table), strict=True):
        if share.positions:
            yield _row(name, share)


def _row(name: str, share: Share) -> str:
    longest = "-" if share.longest is None else plural(share.longest, "ply", "plies")
    percent = 100 * share.won / share.positions
    return f"  {name:<10} {share.won:>13,} {share.drawn:>13,} {share.lost:>13,} {percent:>7.1f} {longest:>12}"


def estimates(families: dict[str, Any], threads: int, gpu: Any = None) -> Iterator[str]:
    """What each family's table would take; the greatest of them must fit into memory, the GPU's if there is one."""
    with ThreadPoolExecutor(threads) as pool:
        look = gpu.estimate if gpu else partial(estimate, threads=threads)
        for name, found in zip(families, pool.map(look, families.values()), strict=True):
            yield estimated(name, found)
            (gpu.require if gpu else require)(found.memory, f"the table {name}")


def estimated(name: str, found: Estimate) -> str:
    return (
        f"{name}: about {found.positions:,} positions in {found.slots:,} slots, {found.moves:,} moves; "
        f"{found.memory / MIB:,.0f} MiB, {found.seconds:,.0f} s"
    )


def built(made: Built) -> str:
    table = made.table
    how = f"built in {made.seconds:.1f} s" if made.seconds else "already exists"
    return f"{title(table.header)}: {table.positions:,} positions, {how}; {table.path}"


def verified(name: str, verdict: Verdict) -> str:
    if verdict.wrong:
        return f"{name}: {verdict.wrong:,} of {verdict.positions:,} positions are wrong, as {verdict.example}"
    return f"{name}: all {verdict.positions:,} positions agree with their moves"


def longest_line(shelf: Shelf, ends: Shelf, state: Any) -> Iterator[str]:
    """A position and its line of best play, to the conversion if the tables count that."""
    known, metric = shelf.probe(state), metric_of(shelf)
    yield f"{state}: {outcome(known, has_points(shelf), metric)}"
    best = line(shelf, state) if metric == END else line_to_conversion(ends, shelf, state)
    yield " ".join(line_texts(state, best))
