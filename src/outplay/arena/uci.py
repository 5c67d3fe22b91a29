"""The Universal Chess Interface (Huber, Meyer-Kahlen 2000), as a runner speaks it to an engine."""

import re
import time
from typing import Any

from outplay.arena.external import FAREWELL, Program, command_line
from outplay.arena.faults import Fault
from outplay.arena.seat import Follower, Turn
from outplay.games import is_ours, load
from outplay.games.chess.notation import is_classic
from outplay.limits import Analysis
from outplay.record import Record, position_text

_OPTION = re.compile(r"option name (?P<name>.+?) type (?P<type>\w+)")
_SCORE = re.compile(r"score (?P<kind>cp|mate) (?P<value>-?\d+)")
_INFO = re.compile(r"info (?!string |.*\bmultipv (?!1\b))")  # of the best line; a string may contain anything
_DEPTH, _NODES = re.compile(r"\bdepth (\d+)"), re.compile(r"\bnodes (\d+)")


class UciSeat:
    """An engine that speaks UCI."""

    def __init__(
        self,
        game: str,
        command: str,
        options: tuple[tuple[str, str], ...],
        deadline: float,
        greeting: float,
    ) -> None:
        found = load(game)
        if not is_ours(found.cls, "chess"):
            raise ValueError(f"UCI engines play chess, not {game}")
        self.initial = found.start
        self.program = Program(command_line(command), chatter="info ")
        with self.program.closed_on_error():
            self.greet(command, options, deadline, greeting)

    def greet(
        self, command: str, options: tuple[tuple[str, str], ...], deadline: float, greeting: float
    ) -> None:
        """Handshake: `uci`, read its options, set some."""
        self.program.send("uci")
        told = map(_OPTION.match, self.until("uciok", greeting))
        self.has = {match["name"].lower() for match in told if match}
        for name, value in options:
            if name.lower() not in self.has:
                raise ValueError(f"{command} has no option {name!r}; it has {', '.join(sorted(self.has))}")
            self.program.send(f"setoption name {name} value {value}")
        self.ready(deadline)

    def new_game(self, record: Record, deadline: float) -> None:
        self.chess960 = not is_classic(record.start)
        if "uci_chess960" in self.has:
            self.program.send(f"setoption name UCI_Chess960 value {str(self.chess960).lower()}")
        self.program.send("ucinewgame")
        self.ready(deadline)
        self.follower = Follower()
        self.moves: list[str] = []
        at = "startpos" if record.start == self.initial else f"fen {position_text(record.start)}"
        self.position = f"position {at}"

    def choose(self, turn: Turn) -> Analysis:
        begin = time.perf_counter()
        self.moves += [s.uci(action, self.chess960) for s, action in self.follower.follow(turn.record)]
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        self.program.send(self.position + moves)
        state = turn.record.state
        self.program.send(go(turn, state.player()))
        lines = self.until("bestmove", turn.deadline)
        action = read_move(state, lines[-1], self.chess960)
        return heard(lines, state, action)._replace(time=time.perf_counter() - begin)

    def ready(self, deadline: float) -> None:
        self.program.send("isready")
        self.until("readyok", deadline)

    def until(self, word: str, deadline: float) -> list[str]:
        """Read lines up to one that begins with the word."""
        lines = [""]
        while lines[-1].split()[:1] != [word]:
            lines.append(self.program.receive(deadline).strip())
        return lines

    def spent(self) -> float:
        return self.program.spent

    def close(self) -> None:
        self.program.close("quit", FAREWELL)


def read_move(state: Any, line: str, chess960: bool) -> int:
    """The action that a line `bestmove e2e4` names."""
    _, move, *_ = *line.split(), ""
    for action in state.actions():
        if state.uci(action, chess960) == move:
            return int(action)
    raise Fault("illegal", f"{line[:60]!r} in {state}")


def go(turn: Turn, player: int) -> str:
    """The `go` command with its limits. Clocks are in milliseconds, White's first."""
    limits, words = turn.limits, ["go"]
    if limits.clock is not None:
        sides = (limits, turn.opponent) if player == 0 else (turn.opponent, limits)
        for name, side in zip("wb", sides, strict=True):
            words.append(f"{name}time {milliseconds(side.clock or limits.clock)}")
            words.append(f"{name}inc {milliseconds(side.increment)}")
        if limits.moves_to_go is not None:
            words.append(f"movestogo {limits.moves_to_go}")
    if limits.time is not None:
        words.append(f"movetime {milliseconds(limits.time)}")
    for name, value in (("depth", limits.depth), ("nodes", limits.nodes)):
        if value is not None:
            words.append(f"{name} {value}")
    return " ".join(words)


def milliseconds(seconds: float | None) -> int:
    return max(1, int(seconds * 1000)) if seconds else 0


def heard(lines: list[str], state: Any, action: int) -> Analysis:
    """The last `info` line with a score as an analysis: UCI's score is the mover's, our value MAX's."""
    for line in reversed(lines):
        score = _SCORE.search(line) if _INFO.match(line) else None
        if score is None:
            continue
        depth, nodes = (int(found[1]) if (found := p.search(line)) else 0 for p in (_DEPTH, _NODES))
        mate = score["kind"] == "mate"
        number = int(score["value"])
        value = (1 if number > 0 else -1) if mate else number
        return Analysis(action, value if state.player() == 0 else -value, depth, (action,), nodes, 0.0, mate)
    return Analysis(action, None, 0, (action,), 0, 0.0)
