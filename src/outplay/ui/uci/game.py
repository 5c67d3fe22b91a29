"""The position that a GUI has set up: a start and the moves since."""

from typing import Any

from outplay.games import load
from outplay.games.chess import Chess
from outplay.record import Record, unclaimed

START = load("chess").start


class Position:
    """The current position and its history. A GUI may send further moves though a draw could be claimed."""

    def __init__(self, record: Record, words: list[str], fault: str = "") -> None:
        self.record = record
        self.words = words
        self.fault = fault  # why there is no position to search, if the last one was invalid

    @property
    def state(self) -> Any:
        return unclaimed(self.record.state)

    def past(self) -> tuple[Any, ...]:
        """The earlier states that could still repeat."""
        return self.record.past()

    @classmethod
    def read(cls, words: list[str], last: "Position | None" = None) -> "Position":
        """Read the words after `position`. A GUI repeats all moves each time; known moves are not replayed."""
        if last is not None and not last.fault and words[: len(last.words)] == last.words:
            rest = words[len(last.words) :]
            if "moves" in last.words:
                return last.play(rest, words)
            if rest[:1] == ["moves"] or not rest:
                return last.play(rest[1:], words)
        at = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:at], words[at + 1 :]
        if setup[:1] == ["startpos"]:
            start = START
        elif setup[:1] == ["fen"]:
            start = Chess.parse(" ".join(setup[1:]))
        else:
            raise ValueError("write: position startpos | fen FEN [moves MOVE ...]")
        return cls(Record("chess", start), words).play(moves, words)

    @classmethod
    def refused(cls, fault: str) -> "Position":
        """A placeholder for an invalid position."""
        return cls(Record("chess", START), [], fault=fault)

    def play(self, moves: list[str], words: list[str]) -> "Position":
        """The position after some more moves; `words` describe it."""
        record = self.record
        for text in moves:
            action = unclaimed(record.state).parse_action(text)
            record = record._replace(actions=(*record.actions, action))
        return Position(record, words)
