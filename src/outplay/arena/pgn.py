"""A chess game of a match as PGN, by way of python-chess: scores, depths, times and clocks as comments."""

import re

import chess
import chess.engine
import chess.pgn

from outplay.arena.match import Match, Played
from outplay.arena.referee import SAID
from outplay.games.chess import notation
from outplay.record import read

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def pgn_text(match: Match, played: Played) -> str:
    """The game as PGN; `outplay match --pgn` writes one after the other."""
    record = read(played.record)
    headers = dict(record.headers)
    game = chess.pgn.Game()
    game.setup(notation.board(record.start))
    names = {"White": headers["first"], "Black": headers["second"], "Round": headers["round"]}
    score = played.score if played.first == 0 else 1 - played.score
    game.headers.update({"Event": "outplay match", "Date": "????.??.??", **names, "Result": RESULTS[score]})
    game.headers["TimeControl"] = str(match.entrants[played.first].control or match.control)
    game.headers["Termination"] = played.reason
    comments = dict(record.comments)
    node: chess.pgn.GameNode = game
    for number, (state, action) in enumerate(zip(record.states(), record.actions, strict=False), 1):
        node = node.add_variation(notation.move(state, action))
        annotate(node, comments.get(number, ""))
    return str(game)


def annotate(node: chess.pgn.GameNode, comment: str) -> None:
    """What the player said of its move, where PGN's readers look for it."""
    said = re.fullmatch(SAID, comment)
    if said is None:
        return
    node.comment = f"{said['value'] or ''}/{said['depth']} {said['seconds']}s"
    if said["left"]:
        node.set_clock(float(said["left"]))
    if said["value"] and not said["value"].endswith("!"):  # a mate's distance is not known
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(round(float(said["value"]))), chess.WHITE))
