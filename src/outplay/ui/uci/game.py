"""The position that a GUI has set up: a start and the moves since."""

from typing import Any

from outplay.games import load
from outplay.games.chess import Chess
from outplay.record import Record

START = load("chess").start


class Position:
    """Where the game stands, and how it came there."""

    def __init__(self, record: Record, words: list[str]) -> None:
        self.record = record
        self.words = words

    @property
    def state(self) -> Any:
        return self.record.state

    @classmethod
    def read(cls, words: list[str], last: "Position | None") -> "Position":
        """From the words after `position`. A GUI repeats all moves each time: those of the last time are not made
        again."""
        if last is not None and words[: len(last.words)] == last.words:
            rest = words[len(last.words) :]
            if "moves" in last.words:
                return cls(_play(last.record, rest), words)
            if rest[:1] == ["moves"] or not rest:
                return cls(_play(last.record, rest[1:]), words)
        at = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:at], words[at + 1 :]
        if setup[:1] == ["startpos"]:
            start = START
        elif setup[:1] == ["fen"]:
            start = Chess.parse(" ".join(setup[1:]))
        else:
            raise ValueError("write: position startpos | fen FEN [moves MOVE ...]")
        return cls(_play(Record("chess", start), moves), words)


def _play(record: Record, moves: list[str]) -> Record:
    for text in moves:
        record = record._replace(actions=(*record.actions, record.state.parse_action(text)))
    return record
