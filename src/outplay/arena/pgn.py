"""A chess game of a match as PGN, using python-chess: scores, depths, times and clocks as comments."""

import re

import chess
import chess.engine
import chess.pgn

from outplay.arena.match import Match, Played
from outplay.arena.referee import SAID
from outplay.gamefile import pgn_game
from outplay.record import read

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def pgn_text(match: Match, played: Played) -> str:
    """The game as PGN; `outplay match --pgn` writes one after the other."""
    record = read(played.record)
    comments = dict(record.comments)
    score = played.score if played.first == 0 else 1 - played.score
    game = pgn_game(
        record._replace(comments=()),
        Event="outplay match",
        Result=RESULTS[score],
        TimeControl=str(match.control_of(match.entrants[played.first])),
        Termination=played.reason,
    )
    for number, node in enumerate(game.mainline(), 1):
        annotate(node, comments.get(number, ""))
    return str(game)


def annotate(node: chess.pgn.GameNode, comment: str) -> None:
    """The player's analysis of its move as PGN comments and [%eval], [%clk] tags."""
    said = re.fullmatch(SAID, comment)
    if said is None:
        return
    node.comment = f"{said['value'] or ''}/{said['depth']} {said['seconds']}s"
    if said["left"]:
        node.set_clock(float(said["left"]))
    if said["value"] and not said["value"].endswith("!"):  # the distance to mate is not known
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(round(float(said["value"]))), chess.WHITE))
