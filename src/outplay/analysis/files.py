"""Analysed games as text: annotated PGN and records."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from outplay.analysis.equity import error_rate
from outplay.analysis.game import Judged
from outplay.analysis.judgement import SIGNS
from outplay.game import WIN, is_outcome, line_texts, outranks
from outplay.gamefile import pgn_game
from outplay.games import is_ours
from outplay.limits import Analysis
from outplay.record import Record, write

SHOWN = 10  # plies of the better line


class Analysed(NamedTuple):
    """A game with its judged moves."""

    record: Record
    moves: tuple[Judged, ...]
    luck: tuple[float, float] | None = None  # of both sides in backgammon, in points

    def sums(self, side: int) -> dict[str, Any]:
        """The summary of a side's moves; in backgammon also its error rate and luck."""
        found = summary(self.moves, side)
        if self.luck is None:
            return found
        own = [(move.state, move.action, move.loss) for move in self.moves if move.state.player() == side]
        return found | {"error_rate": error_rate(own), "luck": self.luck[side]}

    @property
    def is_chess(self) -> bool:
        return is_ours(type(self.record.start), "chess")


# --- values and lines as text ---


def value_of(state: Any, found: Analysis) -> str:
    """`+34`, `+win in 5` (plies; MAX's), `draw`, `+8!` (proven points)."""
    cls = type(state)
    if found.value is None:
        return "?"
    if outranks(cls) and (found.proven or is_outcome(cls, found.score)):
        return outcome_text(found)
    return f"{found.value:+.6g}{'!' if found.proven else ''}" if found.value else "0"


def outcome_text(found: Analysis) -> str:
    assert found.value is not None
    if found.value == 0:
        return "draw"
    plies = WIN * round(abs(found.value)) - abs(found.score) if found.score else 0
    return f"{'+' if found.value > 0 else '-'}win" + (f" in {round(plies)}" if plies > 0 else "")


# --- writing ---


def annotated(analysed: Analysed) -> str:
    """The record of any game, with values and better lines as comments."""
    record = analysed.record
    chess_headers = {"Result"} if analysed.is_chess else set()
    comments = [(move.number + 1, comment_of(move)) for move in analysed.moves]
    headers = tuple(header for header in record.headers if header[0] not in chess_headers)
    ordered = tuple(sorted([*record.comments, *comments], key=lambda comment: comment[0]))
    return write(record._replace(comments=ordered, headers=headers))


def comment_of(move: Judged) -> str:
    """`-285 ?? better: Nf3 e5 (+35)`."""
    words = [value_of(move.state, move.played)]
    if move.verdict:
        better = " ".join(line_texts(move.state, move.best.line[:SHOWN]))
        words += [SIGNS[move.verdict], f"better: {better} ({value_of(move.state, move.best)})"]
    return " ".join(words)


def annotated_pgn(analysed: Analysed) -> str:
    """A chess game as PGN: [%eval ...] after each move, ?!, ? and ??, and the better line as a variation."""
    game = pgn_game(analysed.record, Annotator="Outplay")
    nodes = tuple(game.mainline())
    for found in analysed.moves:
        _annotate(nodes[found.number], found)
    return f"{game}\n"


def _annotate(node: Any, found: Judged) -> None:
    """Annotate one move."""
    from outplay.games.chess.notation import move

    _set_eval(node, found.played)
    if not found.verdict:
        return
    node.nags.add({"blunder": 4, "mistake": 2, "inaccuracy": 6}[found.verdict])
    state, line = found.state, []
    for action in found.best.line[:SHOWN]:
        line.append(move(state, action))
        state = state.result(action)
    side = node.parent.add_variation(line[0])
    _set_eval(side, found.best)
    for made in line[1:]:
        side = side.add_variation(made)


def _set_eval(node: Any, found: Analysis) -> None:
    """White's score after the first move of a line; none if that is mate."""
    import chess
    import chess.engine

    score = round(found.score)
    moves = (WIN - abs(score)) // 2  # to the mate
    if abs(score) <= WIN // 2:
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(score), chess.WHITE), found.depth or None)
    elif moves:
        node.set_eval(chess.engine.PovScore(chess.engine.Mate(moves if score > 0 else -moves), chess.WHITE))


def summary(moves: Sequence[Judged], side: int) -> dict[str, Any]:
    """A side's moves: the count of each verdict, and the mean loss of expected score."""
    own = [move for move in moves if move.state.player() == side]
    counts = {
        name: sum(move.verdict == name for move in own) for name in ("inaccuracy", "mistake", "blunder")
    }
    return {"moves": len(own), **counts, "loss": sum(move.loss for move in own) / max(1, len(own))}
