"""A match in the terminal: a live table, or plain lines if the output is not a terminal."""

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from outplay.arena import Match, Played
from outplay.arena.elo import Estimate, normalised_elo
from outplay.ui.printable import printable

WIDTH = 160  # of the table without a terminal


class MatchScreen:
    """Shows a match: called after every finished game."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.console = Console(file=sys.stderr)
        self.live = (
            Live(console=self.console, auto_refresh=False, transient=True)
            if self.console.is_terminal
            else None
        )

    @contextmanager
    def showing(self) -> Iterator[None]:
        """While the match is played."""
        if self.live is None:
            yield
            return
        with self.live:
            yield

    def starting(self, name: str) -> None:
        """A player is starting."""
        line = f"starting {name}"
        if self.live is not None:
            self.live.update(Group(table(self.match), line), refresh=True)
        else:
            self.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)

    def hear(self, match: Match, game: Played) -> None:
        """Show a finished game."""
        line = game_line(match, game)
        if self.live is not None:
            if game.fault:
                self.live.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
            self.live.update(table(match), refresh=True)
        else:
            self.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)


def game_line(match: Match, game: Played) -> str:
    """One finished game, and the score after it."""
    names = [one.name for one in match.entrants]
    first, second = names[game.first], names[1 - game.first]
    points = game.score if game.first == 0 else 1 - game.score
    result = "1-0" if points == 1 else "0-1" if points == 0 else "1/2-1/2"
    now = match.standing
    share = f"{now.score:.1%}" if now.score is not None else ""
    ratio = f", LLR {match.llr:.2f}" if match.llr is not None else ""
    return (
        f"game {game.number + 1}: {first} - {second} {result} ({game.reason}); "
        f"{names[0]} +{now.wins} ={now.draws} -{now.losses}, {share}{ratio}"
    )


def table(match: Match) -> Table:
    """The current score as a table."""
    games = f"{match.standing.games} of {match.conditions.games} games"
    title = f"{match.game.spec}: {games}, openings: {match.openings.source}"
    made = Table(
        box=box.SIMPLE, title=title, title_justify="left", caption=verdict(match), caption_justify="left"
    )
    for heading in (
        "player",
        "limits",
        "+",
        "=",
        "-",
        "score",
        "Elo",
        "s/move",
        "longest",
        "depth",
        "faults",
    ):
        made.add_column(heading, justify="left" if heading in ("player", "limits") else "right")
    for row in rows(match):
        made.add_row(*row)
    return made


def rows(match: Match) -> Iterator[list[str]]:
    now = match.standing
    for number, one in enumerate(match.entrants):
        wins, losses = (now.wins, now.losses) if number == 0 else (now.losses, now.wins)
        share = "" if now.score is None else f"{now.score if number == 0 else 1 - now.score:.1%}"
        used = match.effort(number)
        moves = max(used.moves, 1)
        yield [
            one.name,
            str(match.control_of(one)),
            *map(str, (wins, now.draws, losses)),
            share,
            elo_text(now.elo) if number == 0 else "",
            f"{used.seconds / moves:.3f}",
            f"{used.longest:.3f}",
            f"{used.depth / moves:.1f}" if used.depth else "",
            str(len(match.faults(number))),
        ]


def elo_text(estimate: Estimate | None) -> str:
    """As in `+35.1 [+12.0, +58.6]`: the difference and its 95 % interval."""
    if estimate is None:
        return ""
    value, low, high = (f"{x:+.1f}" if math.isfinite(x) else ("+inf" if x > 0 else "-inf") for x in estimate)
    return f"{value} [{low}, {high}]"


def verdict(match: Match) -> str:
    """The pair results, and the SPRT's verdict."""
    now = match.standing
    parts = [f"pairs with 0, 1/2, 1, 1 1/2, 2 points: {' '.join(map(str, now.pairs))}"]
    if (sprt := match.conditions.sprt) is not None:
        low, high = sprt.bounds
        kind = "normalised " if sprt.normalised else ""
        test = f"SPRT {kind}{sprt.elo0:g} to {sprt.elo1:g}: LLR {match.llr:.2f} ({low:.2f}, {high:.2f})"
        parts.append(test + (f", {match.decision} accepted" if match.decision else ""))
    return "\n".join(parts)


def print_match(match: Match, as_json: bool) -> None:
    """Print the final result."""
    if as_json:
        print(json.dumps(summary(match)))
        return
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    console.print(table(match))


def summary(match: Match) -> dict[str, Any]:
    """The match as JSON data."""
    now = match.standing
    finite = [x if math.isfinite(x) else None for x in now.elo] if now.elo else [None] * 3
    players = []
    for number, one in enumerate(match.entrants):
        used = match.effort(number)
        players.append(
            {
                "name": one.name,
                "limits": str(match.control_of(one)),
                "seconds_per_move": used.seconds / max(used.moves, 1),
                "longest_move": used.longest,
                "nodes": used.nodes,
                "mean_depth": used.depth / max(used.moves, 1),
                "faults": [game.reason for game in match.faults(number)],
            }
        )
    answer: dict[str, Any] = {
        "game": match.game.spec,
        "players": players,
        "games": now.games,
        "wins": now.wins,
        "draws": now.draws,
        "losses": now.losses,
        "score": now.score,
        "elo": dict(zip(("value", "low", "high"), finite, strict=True)),
        "pairs": now.pairs,
    }
    if sum(now.pairs):
        normalised = normalised_elo(now.pairs)
        answer["normalised_elo"] = normalised if math.isfinite(normalised) else None
    if (sprt := match.conditions.sprt) is not None:
        answer["sprt"] = sprt._asdict() | {"llr": match.llr, "accepted": match.decision}
    return answer
