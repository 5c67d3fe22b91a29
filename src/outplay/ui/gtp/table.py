"""The current game: its moves, players and undo."""

from typing import Any

from outplay.game import parse_action
from outplay.games import is_ours, load
from outplay.games.go.sgf import spec as go_spec
from outplay.record import Record
from outplay.variants import variant

COLOURS = ("black", "white")


class Table:
    """The current game as a list of records, each a move longer than the one before.

    GTP lets a colour play twice, or the game go on after two passes: then a new record starts from the last position.
    """

    def __init__(self, cls: Any, spec: str) -> None:
        self.cls, self.spec = cls, spec
        self.handicap = 0
        self.records = [Record(spec, cls())]

    @property
    def record(self) -> Record:
        return self.records[-1]

    @property
    def state(self) -> Any:
        return self.record.state

    @property
    def is_go(self) -> bool:
        return is_ours(self.cls, "go")

    def clear(self) -> None:
        """An empty board."""
        self.handicap = 0
        self.records = [Record(self.spec, self.cls())]

    def resize(self, size: int) -> None:
        """An empty board of another size; a ValueError if it is unsupported."""
        if size == self.cls.SIZE:
            return self.clear()
        self.cls = variant(self.cls, SIZE=size)
        name = self.spec.partition(":")[0]
        self.spec = go_spec(self.cls) if self.is_go else f"{name}:size={size}"
        return self.clear()

    def replace(self, cls: Any) -> None:
        """The same game with other parameters, such as another komi."""
        self.cls, self.spec = cls, go_spec(cls)
        self.records = [
            record._replace(game=self.spec, start=cls(*record.start), result=None) for record in self.records
        ]

    def set_up(self, state: Any) -> None:
        """Continue from a position."""
        self.records = [Record(self.spec, state)]

    def turn(self, colour: int) -> Record:
        """The record with this colour to move."""
        state = self.state
        if self.is_go and (state.player() != colour or state.passes):
            if state.player() == colour:
                return Record(self.spec, resumed(state)) if state.terminal() else self.record
            return Record(self.spec, exchanged(state))
        if not self.is_go and state.player() != colour:
            passed = [action for action in state.actions() if state.action_text(action) == "pass"]
            if not passed:
                raise ValueError(f"it is {COLOURS[state.player()]}'s turn")
            return self.record.play(*passed)
        return self.record

    def play(self, colour: int, text: str) -> None:
        """A move of one colour; a ValueError if it is illegal."""
        record = self.turn(colour)
        self.made(record, parse_action(record.state, text))

    def made(self, record: Record, action: int) -> None:
        if record.forbids(action):
            raise ValueError("the move repeats an earlier board position: superko")
        self.records.append(record.play(action))

    def undo(self) -> None:
        if len(self.records) == 1:
            raise ValueError("no moves yet")
        self.records.pop()


def resumed(state: Any) -> Any:
    """The same position without its passes."""
    limit = state.LIMIT * state.POINTS
    return state._replace(passes=0, last=-1, ply=state.ply if state.ply < limit else state.ply & 1)


def exchanged(state: Any) -> Any:
    """The same board with the other colour to move."""
    turned = state._replace(own=state.opp, opp=state.own, ko=-1, passes=0, last=-1, ply=state.ply + 1)
    return resumed(turned)


def game(name: str) -> Table:
    """A table for a game that GTP knows."""
    found = load(name)
    if not is_ours(found.cls, "go", "othello"):
        raise ValueError(f"GTP is for Go and Othello, not {name}")
    return Table(found.cls, found.spec)
