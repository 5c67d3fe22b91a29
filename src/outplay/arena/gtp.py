"""The Go Text Protocol, version 2 (Farnebäck): Go's engines speak it, and Othello's (GRhino, after Quarry).

A command is a line; its response begins with `=` or `?` and ends with an empty line.
"""

import math
import time
from typing import Any

from outplay.arena.external import FAREWELL, Program, command_line
from outplay.arena.faults import Fault
from outplay.arena.seat import Follower, Turn
from outplay.game import action_text, legal
from outplay.games import is_ours, load
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.variants import parameters

COLOURS = ("black", "white")  # MAX begins, as Black does at Go and at Othello


def komi_of(cls: Any) -> float:
    """The points that White gets at Go."""
    return cls.KOMI + cls.HALF / 2


class GtpSeat:
    """An engine that speaks GTP."""

    def __init__(
        self, game: str, command: str, options: tuple[tuple[str, str], ...], deadline: float
    ) -> None:
        cls = load(game).cls
        if not is_ours(cls, "go", "othello"):
            raise ValueError(f"GTP engines play Go and Othello, not {game}")
        if options:
            raise ValueError(f"GTP has no options: give {options[0][0]} as an argument of the command")
        self.is_othello = is_ours(cls, "othello")
        self.size = parameters(cls).get("SIZE", 0)
        self.komi = komi_of(cls) if "KOMI" in parameters(cls) else None
        self.initial = load(game).start
        self.program = Program(command_line(command))
        with self.program.closed_on_error():
            self.commands = set(self.ask("list_commands", deadline).split())
            if "set_game" in self.commands:
                self.ask(f"set_game {'Othello' if self.is_othello else 'Go'}", deadline)  # Quarry's

    def new_game(self, record: Record, deadline: float) -> None:
        if record.start != self.initial:
            raise ValueError("GTP engines cannot start from a position: give openings as moves")
        if self.size:
            self.ask(f"boardsize {self.size}", deadline)
        self.ask("clear_board", deadline)
        if self.komi is not None:
            self.ask(f"komi {self.komi:g}", deadline)
        self.follower, self.told = Follower(), Limits()
        self.chosen: int | None = None  # its own last move, which it need not be sent

    def choose(self, turn: Turn) -> Analysis:
        begin = time.perf_counter()
        for before, action in self.follower.follow(turn.record):
            if action != self.chosen:
                self.play(before, action, turn.deadline)
            self.chosen = None
        state = turn.record.state
        self.set_time(state, turn)
        self.chosen = self.read(state, self.ask(f"genmove {COLOURS[state.player()]}", turn.deadline))
        return Analysis(self.chosen, None, 0, (self.chosen,), 0, time.perf_counter() - begin)

    def play(self, state: Any, action: int, deadline: float) -> None:
        """Tell it a move."""
        move = action_text(state, action)
        try:
            self.ask(f"play {COLOURS[state.player()]} {move}", deadline)
        except Fault:
            if move != "pass" or not self.is_othello:  # some Othello engines reject a forced pass
                raise

    def read(self, state: Any, text: str) -> int:
        """The action that its reply names."""
        if text.lower() == "resign":
            raise Fault("resign")
        actions = {action_text(state, action).lower(): action for action in legal(state)}
        if text.lower() not in actions:
            raise Fault("illegal", f"{text[:40]!r} in {state}")
        return actions[text.lower()]

    def set_time(self, state: Any, turn: Turn) -> None:
        """Send the time settings that GTP can express."""
        limits, clock = turn.limits, turn.limits.clock
        if "time_settings" not in self.commands:
            return
        if limits.time is not None and limits != self.told:
            self.ask(f"time_settings 0 {math.ceil(limits.time)} 1", turn.deadline)
        if clock is not None and self.told == Limits():
            self.ask(f"time_settings {math.ceil(clock)} 0 0", turn.deadline)
        if clock is not None and "time_left" in self.commands:
            self.ask(f"time_left {COLOURS[state.player()]} {int(clock)} 0", turn.deadline)
        self.told = limits

    def ask(self, command: str, deadline: float) -> str:
        """The answer to a command, without its mark."""
        self.program.send(command)
        answer = ""
        while not answer.startswith(("=", "?")):  # skip lines before the response
            answer = self.program.receive(deadline)
        lines = [answer[1:].lstrip("0123456789").strip()]
        while line := self.program.receive(deadline):
            lines.append(line)
        if answer.startswith("?"):
            raise Fault("garbage", f"{command!r} gets the reply {answer!r}")
        return "\n".join(lines).strip()

    def spent(self) -> float:
        return self.program.spent

    def close(self) -> None:
        self.program.close("quit", FAREWELL)
