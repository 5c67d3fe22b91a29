"""The results of random play: statistics, and a histogram of lengths."""

import sys

from outplay.search.mcts.playout import LENGTHS, Playouts

ROWS = 20  # the most bars
BAR = 50  # the longest bar, in characters
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # plies per bar


def text(played: Playouts, seconds: float, encoding: str | None = None, players: int = 2) -> str:
    """The statistics of random games; with more than two players, for the first of them."""
    speed = f"{played.games / seconds:,.0f} games/s, {played.plies / seconds:,.0f} plies/s"
    first, lost = ("MAX", "MIN wins") if players == 2 else ("player 0", "player 0 loses")
    rows = [(f"{first} wins", played.wins), ("draws", played.draws), (lost, played.losses)]
    share = 100 / played.games
    wide = max(9, len(lost))
    results = [
        f"{name:<{wide}} {number:>{len(f'{played.games:,}')},}  {number * share:5.1f} %"
        for name, number in rows
    ]
    return "\n".join(
        [
            f"{played.games:,} games in {seconds:.2f} s: {speed}",
            *results,
            f"mean utility for {first} {played.mean:+.4f}",
            f"plies     mean {played.plies / played.games:.1f}, {extremes(played.lengths)}",
            *histogram(played.lengths, bar_sign(encoding or sys.stdout.encoding or "ascii")),
        ]
    )


def extremes(lengths: tuple[int, ...]) -> str:
    shortest = next(length for length, number in enumerate(lengths) if number)
    return f"shortest {shortest}, longest {plies(len(lengths) - 1)}"


def plies(length: int) -> str:
    return f"{length} or more" if length == LENGTHS - 1 else str(length)


def histogram(lengths: tuple[int, ...], sign: str) -> list[str]:
    """A histogram of game lengths."""
    first = next(length for length, number in enumerate(lengths) if number)
    step = next(step for step in STEPS if (len(lengths) - 1) // step - first // step < ROWS)
    begins = range(first // step * step, len(lengths), step)
    sums = [sum(lengths[begin : begin + step]) for begin in begins]
    names = [str(begin) if step == 1 else f"{begin}-{begin + step - 1}" for begin in begins]
    width = max(map(len, names))
    number_width = len(f"{max(sums):,}")
    return [
        f"{name:>{width}} {number:>{number_width},} {sign * round(BAR * number / max(sums))}".rstrip()
        for name, number in zip(names, sums, strict=True)
    ]


def bar_sign(encoding: str) -> str:
    try:
        "█".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "#"
    return "█"
