"""Analyses as text: several lines, a game's moves with their verdicts, a plot of the values."""

import json
import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from rich.console import Console
from rich.text import Text

from outplay.analysis import Analyst, Judged, expected_score
from outplay.analysis.equity import is_backgammon, luck
from outplay.analysis.files import (
    SHOWN,
    Analysed,
    annotated,
    annotated_pgn,
    value_of,
)
from outplay.analysis.judgement import SIGNS
from outplay.book.names import Opening, opening_of, read_names
from outplay.game import action_text, line_texts
from outplay.gamefile import read_games
from outplay.games import is_ours, load
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.storage import check_writable, write_whole
from outplay.ui.board import MAX_COLOUR, MIN_COLOUR, board_of
from outplay.ui.printable import printable
from outplay.ui.terminal import side_name
from outplay.ui.wait import patiently
from outplay.variants import name_of

HEIGHT, WIDTH = 8, 72  # of the plot in a terminal, in characters
STYLES = {"blunder": "bold red", "mistake": "bold yellow", "inaccuracy": "cyan", "": ""}


# --- several lines, and why not a move --------------------------------------------------------------------


def lines_text(state: Any, lines: Sequence[Analysis]) -> str:
    """Lines of play, one per row: number, value, moves."""
    values = [value_of(state, line) for line in lines]
    wide = max(map(len, values))
    return "\n".join(
        f"{number:<7} {value:>{wide}}  {' '.join(line_texts(state, line.line))}"
        for number, (value, line) in enumerate(zip(values, lines, strict=True), 1)
    )


def chances_text(state: Any, chances: Sequence[float]) -> list[str]:
    """A value net's output for a position, a line for each side: `X wins 52.5 %, gammon 14.9 %, ...`.

    `chances` are MAX's, as `valuenet/answers.py` lists them.
    """
    most = (len(chances) + 1) // 2
    kinds = ("gammon", "backgammon") if most == 3 else tuple(f"{n} points" for n in range(2, most + 1))
    texts = []
    for side, wins, more in ((0, chances[0], chances[1:most]), (1, 1 - chances[0], chances[most:])):
        parts = [f"{kind} {100 * share:.1f} %" for kind, share in zip(kinds, more, strict=True)]
        texts.append(", ".join([f"{sides_of(state)[side]} wins {100 * wins:.1f} %", *parts]))
    return texts


def lines_json(state: Any, lines: Sequence[Analysis]) -> list[dict[str, Any]]:
    """The same as JSON data."""
    return [line_json(state, line) for line in lines]


def line_json(state: Any, found: Analysis) -> dict[str, Any]:
    """One line of play as JSON data."""
    return {
        "value": found.value,
        "proven": found.proven,
        "text": value_of(state, found),
        "depth": found.depth,
        "line": line_texts(state, found.line),
    }


def why_not(record: Record, action: int, limits: Limits) -> Judged:
    """Compare a move with the best one; Ctrl-C stops the search and keeps its result so far."""
    stop = threading.Event()
    return patiently(
        lambda: Analyst(limits).why(record, action, stop),
        "thinking",
        interrupt=stop.set,
        limit=limits.time and 2 * limits.time,  # it searches twice
    )


def why_text(move: Judged) -> str:
    """One sentence, then the two lines."""
    state = move.state
    rows = (
        [("this", move.played)] if move.played is move.best else [("best", move.best), ("this", move.played)]
    )
    values = [value_of(state, found) for _, found in rows]
    wide = max(map(len, values))
    shown = [
        f"{name}  {value:>{wide}}  {' '.join(line_texts(state, found.line))}"
        for (name, found), value in zip(rows, values, strict=True)
    ]
    return "\n".join([why_sentence(move), *shown])


def why_sentence(move: Judged) -> str:
    """A move's fault in one sentence, if it has one."""
    state = move.state
    name, value = action_text(state, move.action), value_words(state, move.played)
    if move.best.action == move.action:
        return f"{name} is the best move that was found ({value})."
    better, reply = action_text(state, move.best.action or 0), line_texts(state, move.played.line[:2])[1:]
    judged = {"": "is hardly worse", "inaccuracy": "is an inaccuracy"}.get(
        move.verdict, f"is a {move.verdict}"
    )
    after = f" after {reply[0]}" if reply else ""
    first, second = move.expected
    scores = f"expected score {second:.0%} instead of {first:.0%}"
    if move.loss == 0:
        judged, scores = f"is just as good as {better}", f"expected score {second:.0%}"
    return (
        f"{name} {judged}: it is worth {value}{after}, and {better} is worth {value_words(state, move.best)} "
        f"({scores})."
    )


def value_words(state: Any, found: Analysis) -> str:
    """A value within a sentence: `+43`, `a draw`, `a win for White in 5 plies`."""
    text = value_of(state, found)
    if "win" not in text:
        return "a draw" if text == "draw" else text
    winner = sides_of(state)[text.startswith("-")]
    plies = text.partition(" in ")[2]
    return f"a win for {winner}" + (f" in {plies} {'ply' if plies == '1' else 'plies'}" if plies else "")


# --- a game -----------------------------------------------------------------------------------------------


def analyse_file(
    file: str,
    game: str,
    limits: Limits,
    pgn: Path | None,
    records: Path | None,
    svg_file: Path | None,
    as_json: bool,
    names: Path | None = None,
) -> bool:
    """Analyse a file's games one by one, print each, write the requested files; False after Ctrl-C.

    `game` is the user's own game, if the file contains one. Files are written with the finished part even after an
    error or Ctrl-C. `names`: the names of chess openings.
    """
    known = read_names(names) if names is not None else {}
    for out in filter(None, (pgn, records, svg_file)):
        check_writable(out)
    done: list[tuple[str, Analysed]] = []
    analyst = Analyst(limits)
    try:
        for number, record in enumerate(read_games(file, [load(game)] if game else []), 1):
            if pgn is not None and not is_ours(type(record.start), "chess"):
                raise ValueError(f"PGN is chess, not {record.game}: use --records")
            opening = opening_of(record, known)
            watched = Watched(analyst, with_opening(record, opening), f"game {number}")
            analysed, title = watched.run(), title_of(record, opening)
            done.append((title, analysed))
            if as_json:
                print(json.dumps(game_json(analysed, title)))
            else:
                show(analysed, title)
            if watched.stop.is_set():
                return False
        return True
    finally:
        if pgn is not None:
            write_whole(pgn, "\n".join(annotated_pgn(game) for _, game in done if game.is_chess))
        if records is not None:
            write_whole(records, "\n".join(annotated(game) for _, game in done))
        if svg_file is not None:
            write_whole(svg_file, svg(done))


class Watched:
    """A game under analysis: progress on standard error, and Ctrl-C keeps the finished part."""

    def __init__(self, analyst: Analyst, record: Record, title: str) -> None:
        self.analyst, self.record, self.title = analyst, record, title
        self.done: list[Judged] = []
        self.stop = threading.Event()

    def run(self) -> Analysed:
        seconds = self.analyst.limits.time  # for each position
        moves = patiently(
            lambda: self.analyst.game(self.record, self.done.append, self.stop),
            f"analysing {self.title}",
            progress=self.progress,
            interrupt=self.stop.set,
            limit=seconds and seconds * (len(self.record.actions) + 1),
        )
        known = is_backgammon(type(self.record.start))
        return Analysed(self.record, tuple(moves), luck(self.record) if known else None)

    def progress(self) -> str:
        return f"analysing {self.title}: {len(self.done)} of {len(self.record.actions)} moves, from the end"


def with_opening(record: Record, opening: Opening | None) -> Record:
    """The record with its opening in the headers, under PGN's names, unless they are there already."""
    if opening is None:
        return record
    have = {key for key, _ in record.headers}
    told = (("ECO", opening.eco), ("Opening", opening.name))
    return record._replace(headers=record.headers + tuple(pair for pair in told if pair[0] not in have))


def title_of(record: Record, opening: Opening | None = None) -> str:
    """The players, the result, and the opening's name."""
    headers = {key.lower(): value for key, value in record.headers}
    names = [headers.get(key, headers.get(other)) for key, other in (("white", "first"), ("black", "second"))]
    players = " - ".join(name or "?" for name in names) if any(names) else name_of(type(record.start))
    return f"{players}: {result_of(record)}" + (f"; {opening}" if opening is not None else "")


def result_of(record: Record) -> str:
    """The winner's name, and the margin if the game is about points."""
    result = record.result
    if not result:
        return "not finished" if result is None else "a draw"
    by = f" by {abs(result):g}" if abs(result) != 1 else ""
    return f"{sides_of(record.start)[result < 0]} wins{by}"


def label(move: Judged) -> str:
    """The number before a move: `9.` and `9...` in chess, the ply in other games."""
    if is_ours(type(move.state), "chess"):
        return f"{str(move.state).split()[-1]}{'.' if move.state.player() == 0 else '...'}"
    return f"{move.number + 1}."


def sides_of(state: Any) -> tuple[str, str]:
    """The names of the two players."""
    board = board_of(state)
    first, second = board.sides if board is not None else ("", "")
    return first or side_name(state, 0), second or side_name(state, 1)


def show(analysed: Analysed, title: str) -> None:
    """Print a game: every move with its value and the better line, the plot, and each side's summary."""
    console = Console(highlight=False, soft_wrap=True)
    fine = console.is_terminal and console.encoding.startswith("utf")
    console.print(Text(printable(title) + "\n"))
    rows = [(label(m), action_text(m.state, m.action) + SIGNS[m.verdict], m) for m in analysed.moves]
    wide = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    values = [value_of(m.state, m.played) for m in analysed.moves]
    wide_value = max(map(len, values), default=0)
    for (number, name, move), value in zip(rows, values, strict=True):
        text = Text(f"{number:<{wide[0]}} {name:<{wide[1]}} {value:>{wide_value}}", STYLES[move.verdict])
        if move.verdict:
            better = " ".join(line_texts(move.state, move.best.line[:SHOWN]))
            text.append(f"  {move.verdict}; better {value_of(move.state, move.best)}: {better}")
        console.print(text)
    if len(analysed.moves) < len(analysed.record.actions):
        console.print(Text("(without chance's moves and moves that were not analysed)"))
    if analysed.moves:
        console.print(plot(analysed.moves, fine))
        for side, player in enumerate(sides_of(analysed.record.start)):
            console.print(Text(f"{player}: {sum_text(analysed.sums(side))}"))


def sum_text(sums: dict[str, Any]) -> str:
    """`20 moves, 1 inaccuracy, 0 mistakes, 2 blunders; 3.1 % of the expected score lost per move`."""
    names = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
    parts = [f"{sums[one]} {one if sums[one] == 1 else many}" for one, many in names.items()]
    made = f"{sums['moves']} move{'s' * (sums['moves'] != 1)}"
    if "luck" in sums:
        rate = f"error rate (PR) {sums['error_rate']:.2f}, luck {sums['luck']:+.3f} points"
        return f"{made}, {', '.join(parts)}; {rate}"
    return f"{made}, {', '.join(parts)}; {sums['loss']:.1%} of the expected score lost per move"


def shares(moves: Sequence[Judged]) -> list[float]:
    """MAX's expected score after each move."""
    return [expected_score(type(move.state), move.played) for move in moves]


def plot(moves: Sequence[Judged], fine: bool) -> Text:
    """MAX's expected score through the game, a column for each move (or for a few, in a long game)."""
    each = math.ceil(len(moves) / WIDTH)
    points = shares(moves)
    columns = [sum(points[i : i + each]) / len(points[i : i + each]) for i in range(0, len(points), each)]
    full, empty = ("█", "░") if fine else ("#", ".")
    text = Text("\n")
    for row in range(HEIGHT, 0, -1):
        mark = {HEIGHT: "100 %", HEIGHT // 2: " 50 %", 1: "  0 %"}.get(row, "     ")
        text.append(f"{mark} ", "dim")
        for share in columns:
            filled = share * HEIGHT >= row - 0.5
            text.append(full if filled else empty, MAX_COLOUR if filled else MIN_COLOUR)
        text.append("\n")
    return text


def game_json(analysed: Analysed, title: str) -> dict[str, Any]:
    """A game as JSON data."""
    return {
        "title": title,
        "headers": dict(analysed.record.headers),
        "moves": [
            {
                "number": move.number + 1,
                "position": str(move.state),
                "move": action_text(move.state, move.action),
                "verdict": move.verdict,
                "loss": round(move.loss, 4),
                "played": line_json(move.state, move.played),
                "best": line_json(move.state, move.best),
            }
            for move in analysed.moves
        ],
        "sides": [analysed.sums(side) for side in (0, 1)],
    }


# --- the same as a picture ----------------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP = 860, 240, 60, 40  # of one game's plot
COLOURS = {"inaccuracy": "#2b9eb3", "mistake": "#d69e2e", "blunder": "#c53030"}


def svg(games: Sequence[tuple[str, Analysed]]) -> str:
    """Plots of MAX's expected score through each game, with inaccuracies, mistakes and blunders marked."""
    height = HIGH * max(1, len(games))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" font-family="sans-serif" '
        'font-size="12"><style>text{fill:#222}.max{fill:#d9c27a}.line{fill:none;stroke:#333;stroke-width:1.5}'
        ".axis{stroke:#888;stroke-dasharray:4 4}.min{fill:#8a8f9c}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.line{stroke:#eee}}</style>"
    ]
    for number, (title, analysed) in enumerate(games):
        parts += panel(title, analysed, HIGH * number)
    return "\n".join([*parts, "</svg>\n"])


def panel(title: str, analysed: Analysed, top: int) -> list[str]:
    """One game's plot."""
    wide, high = WIDE - LEFT - 20, HIGH - TOP - 30
    upper, lower = top + TOP, top + TOP + high
    step = wide / max(1, len(analysed.moves) - 1)
    points = [(LEFT + step * i, lower - share * high) for i, share in enumerate(shares(analysed.moves))]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [
        f'<text x="{LEFT}" y="{top + 24}" font-size="15">{escape(title)}</text>',
        f'<rect class="min" x="{LEFT}" y="{upper}" width="{wide}" height="{high}"/>',
    ]
    if points:
        corners = f"{points[0][0]:.1f},{lower} {path} {points[-1][0]:.1f},{lower}"
        parts.append(f'<polygon class="max" points="{corners}"/><polyline class="line" points="{path}"/>')
    middle = (upper + lower) / 2
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{middle}" x2="{LEFT + wide}" y2="{middle}"/>')
    for y, text in ((upper + 4, "100 %"), (middle + 4, "50 %"), (lower + 4, "0 %")):
        parts.append(f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{text}</text>')
    for (x, y), move in zip(points, analysed.moves, strict=True):
        if move.verdict:
            said = escape(f"{label(move)} {action_text(move.state, move.action)}: {move.verdict}")
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[move.verdict]}"><title>{said}</title></circle>'
            )
    first, second = sides_of(analysed.record.start)
    parts.append(
        f'<text x="{LEFT}" y="{lower + 20}">expected score of {escape(first)} against {escape(second)}, '
        f"after each of {len(analysed.moves)} moves</text>"
    )
    return parts
