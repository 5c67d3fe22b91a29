"""Matches as .mat files, Jellyfish's text format, which every backgammon program reads.

     5 point match

     Game 1
     gnubg : 0                      root : 0
      1)                             21: 13/11 24/23
      2) 52: 13/8 24/22               Doubles => 2
      3)  Takes                      63: 8/5 11/5

The player on the left is O, as in GNU Backgammon, the one on the right X. A play is written die by die; 25 is the bar,
0 is off. The take of a beaver is not written. `0 point match` is a money session. Lines that begin with a semicolon
hold metadata.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from outplay.game import legal
from outplay.games.backgammon.cube import BEAVER, DOUBLE, DOUBLED, DROP, TAKE, TO_DOUBLE, standing
from outplay.games.backgammon.notation import moves_of, read_moves
from outplay.games.backgammon.played import (
    Ending,
    Played,
    Replay,
    games_of,
    opening,
    same_rules,
)
from outplay.games.backgammon.plays import NO_PLAY
from outplay.games.backgammon.position import Backgammon
from outplay.games.backgammon.rules import Rules, class_for
from outplay.games.backgammon.side import BAR, number
from outplay.variants import variant

MATCH = re.compile(r"^[ \t]*(\d{1,4}) point match\b.*$", re.MULTILINE | re.IGNORECASE)
GAME = re.compile(r"^[ \t]*Game (\d+)[ \t]*$", re.MULTILINE | re.IGNORECASE)
SCORE = re.compile(r"^[ \t]*(.*?)[ \t]*:[ \t]*(\d{1,4})[ \t]{2,}(.*?)[ \t]*:[ \t]*(\d{1,4})[ \t]*$")
ABOUT = re.compile(r'^[ \t]*;[ \t]*\[(\w+)[ \t]+"(.*)"\]', re.MULTILINE)
LINE = re.compile(r"^[ \t]*\d+\)")
CELL = re.compile(
    r"(?P<dice>[1-6][1-6]):|(?P<turn>Doubles|Beavers|Raccoons|Redoubles)[ \t]*=>[ \t]*(?P<value>\d+)"
    r"|(?P<answer>Takes?|Accepts?|Drops?|Passes|Rejects?)|Wins[ \t]+(?P<points>\d+)[ \t]+points?",
    re.IGNORECASE,
)
RIGHT = 20  # cells that begin beyond this column are X's
LEFT_WIDTH = 28
HEADERS = {"Event": "event", "EventDate": "date", "Site": "site", "Round": "round"}
PLAYERS = (("first", "X"), ("second", "O"))  # their headers, and their default names
CHECKERS = {"backgammon": 15, "hypergammon": 3, "hypergammon (3)": 3}
OFF = ("off", "no", "0")


class Cell(NamedTuple):
    """A player's roll, play or cube action."""

    player: int
    what: "re.Match[str]"
    rest: str  # the text up to the next cell: the play


class Section(NamedTuple):
    """One game of a file, before it is replayed."""

    name: str  # `game 2`
    names: tuple[str, str]  # of X and O
    score: tuple[int, int]
    cells: list[Cell]


def is_mat(text: str) -> bool:
    """Whether a text looks like a match in this format."""
    return MATCH.search(text[:10_000]) is not None and GAME.search(text) is not None


def read_mat(text: str) -> Iterator[Played]:
    """The games of a match; a ValueError of one line names the first that cannot be replayed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    length = MATCH.search(text)
    starts = [*GAME.finditer(text)]
    if not length or not starts:
        raise ValueError("not a match: expected `5 point match` and `Game 1`, each on its own line")
    about = dict(ABOUT.findall(text[: starts[0].start()]))
    ends = [start.start() for start in starts[1:]] + [len(text)]
    sections = [section(start, text[start.end() : end]) for start, end in zip(starts, ends, strict=True)]
    cls = rules_of(int(length[1]), about, sections)
    told = {name: about[key] for key, name in HEADERS.items() if about.get(key)}
    told |= {"date": told["date"].replace(".", "-")} if "date" in told else {}
    crawford_was = False
    for game in sections:
        one_away = game.score.count(cls.MATCH - 1) == 1  # if both are one away, nobody leads
        crawford = bool(cls.MATCH and cls.CRAWFORD and not crawford_was and one_away)
        crawford_was |= crawford
        try:
            replay = Replay(opening(cls, game.score, crawford))
            for count, cell in enumerate(game.cells, 1):
                replayed(replay, cell, count)
        except ValueError as error:
            raise ValueError(f"{game.name}: {error}") from None
        yield replay.played({"first": game.names[0], "second": game.names[1]} | told)


def section(start: "re.Match[str]", text: str) -> Section:
    """A game's names, score and cells."""
    name = f"game {start[1]}"
    lines = text.split("\n")
    head = next((at for at, line in enumerate(lines) if line.strip()), 0)
    score = SCORE.match(lines[head])
    if not score:
        raise ValueError(
            f"{name}: expected the names and the score below it, as in `gnubg : 0      root : 0`"
        )
    cells = [cell for line in lines[head + 1 :] for cell in cells_in(line)]
    return Section(name, (score[3], score[1]), (int(score[4]), int(score[2])), cells)


def cells_in(line: str) -> Iterator[Cell]:
    """The cells of a line: O's on the left, X's on the right."""
    if not line.strip() or line.lstrip().startswith(";"):
        return
    numbered = LINE.match(line)
    begin = numbered.end() if numbered else 0
    found = [*CELL.finditer(line, begin)]
    if not found or line[begin : found[0].start()].strip():
        if numbered and not line[begin:].strip():
            return
        raise ValueError(f"{line.strip()[:60]!r} cannot be parsed")
    ends = [cell.start() for cell in found[1:]] + [len(line)]
    for cell, end in zip(found, ends, strict=True):
        player = 0 if cell.start() > RIGHT or cell is not found[0] else 1
        yield Cell(player, cell, line[cell.end() : end].strip())


def rules_of(length: int, about: dict[str, str], sections: Sequence[Section]) -> Any:
    """The class of a match, from the file's headers and what its games show of Jacoby, beavers and Crawford."""
    said = {key.lower(): value.lower() for key, value in about.items()}
    variation = said.get("variation", "backgammon")
    if variation not in CHECKERS:
        raise ValueError(f"{about['Variation']!r} is not a supported variation")
    base = variant(Backgammon, CHECKERS=CHECKERS[variation])
    turned = [[int(cell.what["value"]) for cell in game.cells if cell.what["value"]] for game in sections]
    value = max((max(values, default=1) for values in turned), default=1)
    near = [values for game, values in zip(sections, turned, strict=True) if length - 1 in game.score]
    crawford = said.get("crawford") not in OFF and not (near and near[0])
    jacoby = said.get("jacoby") not in OFF and not any(map(is_free_gammon, sections))
    beavers = max((beavers_in(game.cells) for game in sections), default=0)
    return class_for(base, Rules(length, int(jacoby), max(beavers, 1), crawford=int(crawford)), value)


def is_free_gammon(game: Section) -> bool:
    """Whether a gammon was won before the cube was turned."""
    turned = any(cell.what["value"] for cell in game.cells)
    return not turned and any(int(cell.what["points"] or 0) > 1 for cell in game.cells)


def beavers_in(cells: Sequence[Cell]) -> int:
    """The most beavers in a row."""
    most = row = 0
    for cell in cells:
        row = row + 1 if is_beaver(cell) else 0
        most = max(most, row)
    return most


def is_beaver(cell: Cell) -> bool:
    return (cell.what["turn"] or "").lower() in ("beavers", "raccoons")


def replayed(replay: Replay, cell: Cell, count: int) -> None:
    """Replay a cell; a ValueError names the cell."""
    what, player = cell.what, cell.player
    try:
        if what["dice"]:
            replay.roll(player, (int(what["dice"][0]), int(what["dice"][1])))
            moves = read_moves(cell.rest.lower())
            if cell.rest and not moves and not cell.rest.lower().startswith("cannot"):
                raise ValueError(f"{cell.rest[:60]!r} is not a play")
            if cell.rest or legal(replay.state) == [NO_PLAY]:
                replay.move(player, moves, cell.rest)
        elif what["turn"]:
            replay.double(player)
        elif what["answer"]:
            replay.answer(player, "take" if what["answer"][0] in "TtAa" else "drop")
        else:
            replay.win(player, int(what["points"]))
    except ValueError as error:
        raise ValueError(f"entry {count}, {what[0]} {cell.rest}".rstrip() + f": {error}") from None


# --- writing --------------------------------------------------------------------------------------------


def write_mat(games: Sequence[Played]) -> str:
    """The games of a match or money session as a .mat file; a match in one record is split into games."""
    cls = same_rules(games)
    lines = [*about_lines(cls, games[0].headers), f" {cls.MATCH} point match", ""]
    single = [one for game in games for one in games_of(game)]
    for count, (game, end) in enumerate(single, 1):
        now = standing(game.start)
        names = [game.headers.get(key, "").replace(":", " ").strip() or name for key, name in PLAYERS]
        left = f" {names[1]} : {now.score[1]}"
        lines += [f" Game {count}", f"{left:<31} {names[0]} : {now.score[0]}", *game_lines(game, end), ""]
    return "\n".join(lines) + "\n"


def about_lines(cls: Any, headers: dict[str, str]) -> list[str]:
    """The metadata of a match, unless it is the default."""
    told = {key: headers[name] for key, name in HEADERS.items() if headers.get(name)}
    told |= {"EventDate": told["EventDate"].replace("-", ".")} if "EventDate" in told else {}
    told |= {"Variation": "HyperGammon (3)"} if cls.CHECKERS == 3 else {}
    told |= {"Crawford": "Off"} if cls.MATCH and not cls.CRAWFORD else {}
    told |= {"Jacoby": "Off"} if not cls.MATCH and (cls.BARE or not cls.JACOBY) else {}
    lines = [f'; [{key} "{" ".join(value.split())}"]' for key, value in told.items()]
    return [*lines, ""] if lines else []


def game_lines(game: Played, end: Ending | None) -> list[str]:
    """The cells of a game in two columns, and who won."""
    rows: list[list[str]] = []
    for player, cell in cells_of(game):
        if player == 1 or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][1 - player] = cell
    lines = []
    for count, (left, right) in enumerate(rows, 1):
        padded = f"{left + ' ' * bool(right):<{LEFT_WIDTH}}"
        lines.append(f"{count:3}) {padded}{right}".rstrip())
    if end is not None:
        column = 6 if end.winner == 1 else 34
        lines.append(f"{'':{column}}Wins {end.points} point{'s' * (end.points != 1)}")
    return lines


def cells_of(game: Played) -> Iterator[tuple[int, str]]:
    """Who did what, in the format's notation."""
    state = game.start
    for action in game.actions:
        if state.dice > 0:
            moves = " ".join(f"{source}/{target}{hit}" for source, target, hit in steps(state, action))
            yield state.turn, f"{state.dice >> 3}{state.dice & 7}: {moves}".rstrip()
        elif state.dice == TO_DOUBLE and action == DOUBLE:
            yield state.turn, f" Doubles => {2 * standing(state).value}"
        elif state.dice == DOUBLED and not (action == TAKE and standing(state).beavers):
            said = {BEAVER: f"Beavers => {4 * standing(state).value}", DROP: "Drops"}.get(action, "Takes")
            yield state.turn, f" {said}"
        state = state.result(action)
    if state.dice > 0 and game.actions:
        yield state.turn, f"{state.dice >> 3}{state.dice & 7}:"  # the last roll, not played


def steps(state: Any, action: int) -> Iterator[tuple[int, int, str]]:
    """The moves of a play, and their hits."""
    blots = {BAR - point for point in range(1, BAR) if number(state.opp, point) == 1}
    for source, target in moves_of(state, action):
        yield source, target, "*" if target in blots else ""
        blots.discard(target)
